"""What judges answered on a corpus, as entrants beside other predictions."""

from collections.abc import Mapping

import numpy as np

from catchkit.errors import ReleaseError
from catchkit.eval.ranks import scores_of_ranking
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces
from catchkit.loaders.release import Release, packaged

PREFIX = "llm_judge/"
RANKED = "all_at_once"


def judge_config(name: str) -> str | None:
    """Return the config with the judges of a ``post`` config; ``None`` for other families."""
    return f"predictions_{name.removeprefix('post_')}" if name.startswith("post_") else None


Answers = Mapping[str, tuple[int | None, list[int]]]
"""Run id -> the step called decisive, ``None`` for an abstention, and the ranking."""


def judge_answers(name: str, release: Release) -> Mapping[str, Answers]:
    """Return what each judge of a config answered, such as ``llm_judge/all_at_once/gpt-5.5``.

    The answers come from the release where it holds them, else from the packaged snapshot; empty
    where there are none.
    """
    wanted = judge_config(name)
    sources = [source for source in (release, packaged()) if wanted in source.manifest.configs]
    if wanted is None or not sources:
        return {}
    columns = ["method", "protocol", "run_id", "top", "ranking"]
    found: dict[str, dict[str, tuple[int | None, list[int]]]] = {}
    for row in sources[0].table(wanted).select(columns).to_pylist():
        entrant = f"{PREFIX}{row['protocol']}/{row['method']}"
        found.setdefault(entrant, {})[row["run_id"]] = (row["top"], row["ranking"])
    return found


def judges(name: str, traces: Traces, release: Release) -> Mapping[str, Scores]:
    """Return the judges of a config by name, as scores of all steps.

    Raises:
        ReleaseError: An answer names a step that its run does not have.
    """
    found = judge_answers(name, release)
    return {entrant: _scores(entrant, given, traces) for entrant, given in found.items()}


def judge_column(entrant: str, given: Answers, traces: Traces) -> list[int | list[int] | None]:
    """Return what a judge's prediction file holds: a ranking, or one step where it named one."""
    column: list[int | list[int] | None] = []
    for run_id in traces.ids:
        top, ranking = given.get(run_id, (None, []))
        if top is None:
            column.append(None)
        elif is_ranked(entrant):
            column.append([top, *(step for step in ranking if step != top)])
        else:
            column.append(top)
    return column


def is_ranked(entrant: str) -> bool:
    """Whether a judge ranks steps; under the other protocols it names one."""
    return entrant.startswith(f"{PREFIX}{RANKED}/")


def _scores(entrant: str, given: Answers, traces: Traces) -> Scores:
    """Score the ranked steps in order and the step called decisive above all."""
    parts: list[list[float]] = []
    for run_id, size in zip(traces.ids, traces.sizes.tolist(), strict=True):
        top, ranking = given.get(run_id, (None, []))
        named = ranking if top is None else [top, *ranking]
        if any(not 0 <= step < size for step in named):
            raise ReleaseError(f"{entrant} names a step that run {run_id} does not have")
        scores = scores_of_ranking(ranking, size)
        if top is not None:
            scores[top] = size + 1.0
        parts.append(scores)
    return Scores(
        values=np.array([[score for part in parts for score in part]]),
        abstained=np.array([given.get(run_id, (None,))[0] is None for run_id in traces.ids]),
        names_one=not is_ranked(entrant),
    )
