"""Runs every baseline of a question that the given runs suffice to fit."""

from collections.abc import Mapping
from dataclasses import dataclass

from catchkit.errors import UsageError
from catchkit.eval.baseline import Question, baselines
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What the baselines of a question say of some runs or prefixes."""

    scores: Mapping[str, tuple[tuple[str, ...], Scores]]
    """Baseline -> the hidden columns it reads, and its scores of every row."""

    unfitted: Mapping[str, str]
    """Baseline -> why it has none, such as too few runs of one outcome to learn from."""


def fitted(question: Question, traces: Traces) -> Fitted:
    """Show each baseline what it declares to read, and keep its scores or why it has none."""
    scores, unfitted = {}, {}
    for name, chosen in baselines(question).items():
        try:
            scores[name] = chosen.reads, chosen.predict(traces.showing(chosen.reads))
        except UsageError as reason:
            unfitted[name] = str(reason)
    return Fitted(scores=scores, unfitted=unfitted)
