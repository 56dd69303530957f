"""Whether a step relies on any earlier one."""

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, step_features(traces.runs)["span"] > 0)


BASELINE = Baseline(
    name="has_dep",
    summary="1 when the step relies on an earlier one, else 0.",
    predict=_predict,
    serves=("steps",),
    published_name="has-dep (control)",
)
