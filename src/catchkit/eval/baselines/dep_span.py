"""How far back the steps of a run reach on average."""

import numpy as np

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    spans = step_features(traces.runs)["span"]
    sums = np.bincount(traces.run_of_step, spans, minlength=len(traces.ids))
    return Scores.of(traces, sums / np.maximum(traces.sizes, 1))


BASELINE = Baseline(
    name="dep_span",
    summary="Mean over the steps of the distance to the earliest step relied on.",
    predict=_predict,
    serves=("runs", "prefixes"),
    published_name="dep-span (online)",
)
