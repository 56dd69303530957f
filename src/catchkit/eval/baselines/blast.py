"""How many later steps rely on a step, directly or not."""

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, step_features(traces.runs)["blast"])


BASELINE = Baseline(
    name="blast",
    summary="Number of later steps that rely on the step.",
    predict=_predict,
    serves=("steps",),
    published_name="auditable (blast)",
)
