"""The size of a run: steps, tool calls, decisions, agents."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.fitting import fitted
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces


def _predict(traces: Traces) -> Scores:
    return Scores.of(traces, fitted(traces, traces.layer("flat")))


BASELINE = Baseline(
    name="size",
    summary="Logistic regression on the size of a run: steps, tool calls, decisions, agents.",
    predict=_predict,
    serves=("runs", "prefixes"),
    reads=("failed",),
    published_name="size (flat)",
)
