"""How many dependencies a run has."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, np.diff(traces.runs.edge_starts))


BASELINE = Baseline(
    name="edges",
    summary="Number of dependency edges.",
    predict=_predict,
    serves=("runs", "prefixes"),
    published_name="edge-count (higher=stale)",
)
