"""Mean share of failed runs above each failed run, the expectation under random ties."""

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values, check_classes
from catchkit.eval.metric import Metric


def _compute(scores: Values, failed: Mask) -> float:
    check_classes(failed, "average precision")
    _, block = np.unique(-scores, return_inverse=True)
    sizes, bad = np.bincount(block), np.bincount(block[failed], minlength=int(block.max()) + 1)
    return _expected(sizes, bad) / int(failed.sum())


def _floor(failed: Mask) -> float:
    total = int(failed.sum())
    return _expected(np.array([len(failed)]), np.array([total])) / total


def _expected(sizes: Counts, bad: Counts) -> float:
    """Sum the expected precision at every failed run, over blocks of tied runs in rank order.

    At place j of a block of t runs of which b failed, a failed run has on average
    (j - 1)(b - 1)/(t - 1) others of the block before it.
    """
    block = np.repeat(np.arange(len(sizes)), sizes)
    size, failed = sizes[block], bad[block]
    runs_before = (np.cumsum(sizes) - sizes)[block]
    failed_before = (np.cumsum(bad) - bad)[block]
    place = np.arange(1, len(block) + 1) - runs_before
    within = (place - 1) * (failed - 1) / np.maximum(size - 1, 1)
    precision = (failed_before + 1 + within) / (runs_before + place)
    return float((failed / size * precision).sum())


METRIC = Metric(
    name="average_precision",
    title="Mean precision at the failed runs.",
    compute=_compute,
    takes="scores",
    floor=_floor,
)
