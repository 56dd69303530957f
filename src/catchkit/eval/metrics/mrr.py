"""Mean reciprocal rank, the expectation when ties are broken at random."""

import numpy as np

from catchkit.eval.metric import Metric, Values
from catchkit.eval.ranks import Counts


def _compute(above: Counts, tied: Counts) -> Values:
    most = int((above + tied).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, most + 1))])
    expected: Values = (harmonic[above + tied] - harmonic[above]) / tied
    return expected


METRIC = Metric(
    name="mrr", title="Mean of one over the target's rank.", compute=_compute, takes="ranks"
)
