"""What judges answered on a corpus, as entrants beside other predictions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from catchkit.eval.ranks import scores_of_ranking
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces
from catchkit.loaders.release import Release, packaged

PREFIX = "llm_judge/"
RANKED = "all_at_once"


def judge_config(name: str) -> str | None:
    """Return the config with the judges of a ``post`` config; ``None`` for other families."""
    return f"predictions_{name.removeprefix('post_')}" if name.startswith("post_") else None


def judges(name: str, traces: Traces, release: Release) -> Mapping[str, Scores]:
    """Return the judges of a config by name, such as ``llm_judge/all_at_once/gpt-5.5``.

    The answers come from the release where it holds them, else from the packaged snapshot; empty
    where there are none.
    """
    wanted = judge_config(name)
    sources = [source for source in (release, packaged()) if wanted in source.manifest.configs]
    if wanted is None or not sources:
        return {}
    table = sources[0].table(wanted)
    row_of = {run_id: row for row, run_id in enumerate(traces.ids)}
    answers: dict[str, dict[int, tuple[int | None, list[int]]]] = {}
    for answer in _answers(table):
        if answer["run_id"] in row_of:
            entrant = f"{PREFIX}{answer['protocol']}/{answer['method']}"
            place = answers.setdefault(entrant, {})
            place[row_of[answer["run_id"]]] = (answer["top"], answer["ranking"])
    return {name: _scores(name, given, traces) for name, given in answers.items()}


def _answers(table: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.select(
        ["method", "protocol", "run_id", "top", "ranking"]
    ).to_pylist()
    return rows


def _scores(
    entrant: str, given: Mapping[int, tuple[int | None, list[int]]], traces: Traces
) -> Scores:
    """Score the ranked steps in order and the step called decisive above all."""
    parts: list[list[float]] = []
    silent = []
    for row, size in enumerate(traces.sizes.tolist()):
        top, ranking = given.get(row, (None, []))
        scores = scores_of_ranking(ranking, size)
        if top is not None:
            scores[top] = size + 1.0
        parts.append(scores)
        silent.append(top is None)
    return Scores(
        values=np.array([[score for part in parts for score in part]]),
        abstained=np.array(silent),
        names_one=f"/{RANKED}/" not in entrant,
    )
