"""The number of tool calls of a run as a detector."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    called = traces.run_of_step[traces.runs.is_tool]
    return Scores.of(traces, np.bincount(called, minlength=len(traces.ids)))


BASELINE = Baseline(
    name="tool_calls",
    summary="Number of tool calls.",
    predict=_predict,
    serves=("runs", "prefixes"),
)
