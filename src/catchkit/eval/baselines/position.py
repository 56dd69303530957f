"""The earlier a step, the more suspicious it is: always the first step, then the second."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.step_columns import relative_position
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, 1.0 - relative_position(traces))


BASELINE = Baseline(
    name="position",
    summary="One minus the relative position of the step.",
    predict=_predict,
    serves=("steps", "arguments"),
)
