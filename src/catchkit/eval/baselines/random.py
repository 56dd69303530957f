"""Scores drawn at random: what knows nothing, drawn instead of worked out."""

import numpy as np

from catchkit.eval.auc import Values
from catchkit.eval.baseline import Baseline
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces
from catchkit.seeds import generator

SEEDS = range(5)


def _predict(traces: Traces) -> Scores:
    if traces.recipe == "published":
        return Scores.of(traces, [_pooled(traces, seed) for seed in SEEDS])
    return Scores.of(traces, [_by_row(traces, seed) for seed in SEEDS])


def _by_row(traces: Traces, seed: int) -> list[float]:
    """Draw for each row from a generator of its own, so that other rows change nothing."""
    sizes = traces.sizes.tolist() if traces.asks_parts else [1] * len(traces.ids)
    return [
        value
        for row_id, size in zip(traces.ids, sizes, strict=True)
        for value in generator(seed, "random baseline", row_id).random(size).tolist()
    ]


def _pooled(traces: Traces, seed: int) -> Values:
    """Draw for all steps at once in published order, from the generator the original uses."""
    order = traces.published_order
    if traces.asks_parts:
        starts = traces.starts
        at = np.concatenate([np.arange(starts[run], starts[run + 1]) for run in order.tolist()])
    else:
        at = order
    values = np.empty(len(at))
    values[at] = np.random.RandomState(seed).rand(len(at))
    return values


BASELINE = Baseline(
    name="random",
    summary="Scores drawn at random, five times.",
    predict=_predict,
    serves=("steps", "arguments", "runs", "prefixes"),
)
