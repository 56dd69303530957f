"""Chance that a failed run scores above one that did not fail, a tie counting one half."""

from catchkit.eval.auc import Mask, roc_auc
from catchkit.eval.metric import Metric


def _floor(_: Mask) -> float:
    return 0.5


METRIC = Metric(
    name="roc_auc",
    title="Chance that a failed run scores above one that did not fail.",
    compute=roc_auc,
    takes="scores",
    floor=_floor,
)
