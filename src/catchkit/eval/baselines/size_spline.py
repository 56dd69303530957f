"""A matched control: logistic regression on cubic splines of the size of a run."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import fitted, spline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("flat"), spline))


BASELINE = Baseline(
    name="size_spline",
    summary="Logistic regression on cubic splines of the size of a run.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
)
