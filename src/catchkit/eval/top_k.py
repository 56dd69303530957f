"""The chance that a target is among the first so many, which metrics of several depths share."""

import numpy as np

from catchkit.eval.metric import Values
from catchkit.eval.ranks import Counts


def top_k(above: Counts, tied: Counts, *, k: int) -> Values:
    """Return per run the chance that the target is among the ``k`` first, ties broken at random.

    Args:
        above: Candidates above the target.
        tied: Candidates with its score, the target included.
        k: How many may be named.

    Example:
        >>> top_k(np.array([0, 1]), np.array([2, 1]), k=1).tolist()
        [0.5, 0.0]
    """
    return np.clip((k - above) / tied, 0.0, 1.0)
