"""A matched control: splines of the size of a run and its dependencies per step."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import fitted, spline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("flatdep"), spline))


BASELINE = Baseline(
    name="size_deps_spline",
    summary="Logistic regression on splines of the size of a run and its dependencies.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
)
