"""The length of a run as a detector: long runs are suspicious."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, traces.sizes)


BASELINE = Baseline(
    name="length", summary="Number of steps.", predict=_predict, serves=("runs", "prefixes")
)
