"""What a metric is: a name, what it is computed from, and what a constant score reaches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from catchkit import catalog

Values = npt.NDArray[np.float64]
Takes = Literal["counts", "ranks", "scores", "prefixes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric; higher is better."""

    name: str
    title: str
    compute: Callable[..., Any]
    """From what ``takes`` names:

    - ``counts``: true positives, false positives and false negatives, arrays of one shape, to
      values in [0, 1], and 0 where the metric is undefined, as in the published tables;
    - ``ranks``: per run the candidates above the target and those tied with it, to the expected
      value per run when ties are broken at random;
    - ``scores``: one score per run and whether it failed, to one value;
    - ``prefixes``: the same per row, and how many steps each row shows, to one value.
    """

    takes: Takes = "counts"
    floor: Callable[..., float | None] | None = None
    """What a constant score reaches, from whether each run failed (and the steps shown); for
    ``scores`` and ``prefixes``. A constant score's ranks give the floor of a rank metric."""


@cache
def metrics(takes: Takes = "counts") -> Mapping[str, Metric]:
    """Return every metric of one form by name.

    Example:
        >>> sorted(metrics()), sorted(metrics("ranks"))
        (['f1', 'precision', 'recall'], ['mrr', 'top1', 'top3'])
    """
    known = catalog.declarations("eval.metrics", "METRIC", Metric)
    return {name: metric for name, metric in known.items() if metric.takes == takes}


def share(part: Values, whole: Values) -> Values:
    """Divide, giving 0 where there is nothing to divide by.

    Example:
        >>> share(np.array([1.0, 0.0]), np.array([2.0, 0.0])).tolist()
        [0.5, 0.0]
    """
    return np.divide(part, whole, out=np.zeros_like(part, dtype=np.float64), where=whole != 0)
