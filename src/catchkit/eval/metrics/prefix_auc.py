"""Mean over prefix lengths of the area under the ROC curve of the runs that are that long."""

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values, roc_auc
from catchkit.eval.metric import Metric
from catchkit.eval.prefixes import usable


def _compute(scores: Values, failed: Mask, prefix: Counts) -> float:
    areas = [roc_auc(scores[rows], failed[rows]) for rows in usable(failed, prefix).values()]
    return float(np.mean(areas))


def _floor(*_: Mask | Counts) -> float:
    return 0.5


METRIC = Metric(
    name="prefix_auc",
    title="Mean area under the ROC curve over the prefix lengths.",
    compute=_compute,
    takes="prefixes",
    floor=_floor,
)
