"""Chance that the target is among the first three, ties broken at random."""

from functools import partial

from catchkit.eval.metric import Metric
from catchkit.eval.top_k import top_k

METRIC = Metric(
    name="top3",
    title="Chance that the target is among the first three.",
    compute=partial(top_k, k=3),
    takes="ranks",
)
