"""A matched control: boosted trees on the size of a run."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import boosted, fitted
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("flat"), boosted))


BASELINE = Baseline(
    name="size_boosted",
    summary="Boosted trees on the size of a run.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
)
