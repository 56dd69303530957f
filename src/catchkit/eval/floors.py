"""What guessing among a number of candidates reaches."""

from catchkit.eval.metric import Values, metrics
from catchkit.eval.ranks import Counts, Ranks


def floors(sizes: Counts) -> dict[str, Values]:
    """Return what guessing among so many candidates reaches in each rank metric, per run.

    Example:
        >>> import numpy as np
        >>> [round(float(value[0]), 3) for value in floors(np.array([4])).values()]
        [0.521, 0.25, 0.75]
    """
    constant = Ranks.constant(sizes)
    return {
        name: metric.compute(constant.above, constant.tied)
        for name, metric in metrics("ranks").items()
    }
