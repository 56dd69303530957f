"""Scores of growing prefixes: which lengths can be scored, and when detection sets in."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from catchkit.errors import PredictionError
from catchkit.eval.auc import Counts, Mask

BAR = 0.70
"""Area under the curve that counts as detection, as in the original benchmark."""


def usable(failed: Mask, prefix: Counts) -> dict[int, Counts]:
    """Return prefix length -> its rows, for lengths that runs of both outcomes reach.

    Raises:
        PredictionError: There is no such length.

    Example:
        >>> failed = np.array([True, False, True])
        >>> {k: rows.tolist() for k, rows in usable(failed, np.array([2, 2, 4])).items()}
        {2: [0, 1]}
    """
    found = {
        int(length): np.flatnonzero(prefix == length)
        for length in np.unique(prefix)
        if len(set(failed[prefix == length].tolist())) == 2
    }
    if not found:
        raise PredictionError("no prefix length holds both runs that failed and runs that did not")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeToDetection:
    """The first prefix at which the area under the curve reaches the bar, as an interval."""

    bar: float
    earliest: float | None
    """First prefix whose 95 % interval reaches the bar: detection before it is ruled out.
    ``None`` where no prefix does."""

    latest: float | None
    """First prefix whose whole interval lies at or above the bar; ``None`` where detection is
    not shown at any prefix."""


def time_to_detection(
    intervals: Mapping[float, tuple[float, float]], *, bar: float = BAR
) -> TimeToDetection:
    """Return when a detector sets in, from the interval of its area at each prefix.

    Args:
        intervals: Prefix -> low and high end.
        bar: Area that counts as detection.

    Example:
        >>> time_to_detection({2: (0.4, 0.6), 4: (0.6, 0.8), 8: (0.71, 0.9)})
        TimeToDetection(bar=0.7, earliest=4, latest=8)
    """
    ordered = sorted(intervals.items())
    return TimeToDetection(
        bar=bar,
        earliest=next((at for at, (_, high) in ordered if high >= bar), None),
        latest=next((at for at, (low, _) in ordered if low >= bar), None),
    )
