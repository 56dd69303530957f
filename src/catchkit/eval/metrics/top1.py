"""Chance that the target is named first, ties broken at random."""

from functools import partial

from catchkit.eval.metric import Metric
from catchkit.eval.top_k import top_k

METRIC = Metric(
    name="top1",
    title="Chance that the target is named first.",
    compute=partial(top_k, k=1),
    takes="ranks",
)
