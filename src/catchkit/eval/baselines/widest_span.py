"""How far back the farthest-reaching step of a run reaches."""

import numpy as np

from catchkit.builders.features import step_features
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    widest = np.zeros(len(traces.ids), dtype=np.int64)
    np.maximum.at(widest, traces.run_of_step, step_features(traces.runs)["span"])
    return Scores.of(traces, widest)


BASELINE = Baseline(
    name="widest_span",
    summary="The largest distance to an earlier step relied on.",
    predict=_predict,
    serves=("runs", "prefixes"),
    published_name="max-span (higher=stale)",
)
