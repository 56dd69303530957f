"""How many dependency edges a step has."""

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, step_features(traces.runs)["degree"])


BASELINE = Baseline(
    name="degree",
    summary="Number of dependencies of the step, in and out.",
    predict=_predict,
    serves=("steps",),
)
