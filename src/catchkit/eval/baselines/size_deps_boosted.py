"""A matched control: boosted trees on the size of a run and its dependencies per step."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import boosted, fitted
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("flatdep"), boosted))


BASELINE = Baseline(
    name="size_deps_boosted",
    summary="Boosted trees on the size of a run and its dependencies per step.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
)
