"""What a metric of flags is: a number from counts of hits, false alarms and misses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from catchkit import catalog

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric; higher is better."""

    name: str
    title: str
    compute: Callable[[Values, Values, Values], Values]
    """From true positives, false positives and false negatives, arrays of one shape; each value
    in [0, 1], and 0 where the metric is undefined, as in the published tables."""


@cache
def metrics() -> Mapping[str, Metric]:
    """Return every metric by name.

    Example:
        >>> sorted(metrics())
        ['f1', 'precision', 'recall']
    """
    return catalog.declarations("eval.metrics", "METRIC", Metric)


def share(part: Values, whole: Values) -> Values:
    """Divide, giving 0 where there is nothing to divide by.

    Example:
        >>> share(np.array([1.0, 0.0]), np.array([2.0, 0.0])).tolist()
        [0.5, 0.0]
    """
    return np.divide(part, whole, out=np.zeros_like(part, dtype=np.float64), where=whole != 0)
