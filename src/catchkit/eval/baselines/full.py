"""The size of a run, how agents hand over, and its dependencies."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import fitted
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("full")))


BASELINE = Baseline(
    name="full",
    summary="Logistic regression on the size of a run, how agents hand over, and its dependencies.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
    published_name="full",
)
