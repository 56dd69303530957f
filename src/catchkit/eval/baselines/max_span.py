"""How far back a step reaches."""

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, step_features(traces.runs)["span"])


BASELINE = Baseline(
    name="max_span",
    summary="Distance to the earliest step that the step relies on.",
    predict=_predict,
    serves=("steps",),
    published_name="max-span (control)",
)
