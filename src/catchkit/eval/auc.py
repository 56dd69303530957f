"""The area under the ROC curve from mid-ranks, and its variance after DeLong."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from catchkit.errors import PredictionError

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

Z = NormalDist().inv_cdf(0.975)
SMALLEST = float(np.finfo(np.float64).tiny)


def check_classes(failed: Mask, where: str) -> None:
    """Raise a ``PredictionError`` unless both outcomes are there."""
    if failed.all() or not failed.any():
        what = "failed" if failed.all() else "did not fail"
        raise PredictionError(
            f"{where}: all {len(failed)} runs {what}, so no score can tell them apart"
        )


def placements(scores: Values, failed: Mask) -> tuple[Values, Values]:
    """Return each failed run's share of other runs below it, and each other's share above it.

    A tie counts one half. Both have the area under the curve as their mean.

    Example:
        >>> failed = np.array([True, True, False, False])
        >>> above, below = placements(np.array([3.0, 2.0, 2.0, 1.0]), failed)
        >>> above.tolist(), below.tolist()
        ([1.0, 0.75], [0.75, 1.0])
    """
    bad, good = np.sort(scores[failed]), np.sort(scores[~failed])
    under = np.searchsorted(good, scores[failed], "left")
    not_over = np.searchsorted(good, scores[failed], "right")
    below = np.searchsorted(bad, scores[~failed], "left")
    up_to = np.searchsorted(bad, scores[~failed], "right")
    return (under + not_over) / (2 * len(good)), 1 - (below + up_to) / (2 * len(bad))


def roc_auc(scores: Values, failed: Mask) -> float:
    """Return the area under the ROC curve.

    Args:
        scores: Finite, higher is more suspicious.
        failed: Whether each run failed; both outcomes occur.

    Raises:
        PredictionError: There is only one outcome.

    Example:
        >>> roc_auc(np.zeros(4), np.array([True, True, False, True]))
        0.5
    """
    check_classes(failed, "the area under the curve")
    return float(placements(scores, failed)[0].mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An area under the curve, or a difference of two, against a value under test."""

    value: float
    se: float
    z: float
    """0 where nothing varies and nothing differs; infinite where only nothing varies."""

    p: float
    """Two-sided. Over groups, Student's with one degree of freedom less than groups."""

    p_above: float
    p_below: float
    """One-sided, of the claim that it lies above the value under test, or below it."""

    low: float
    high: float
    """95 % interval."""


def covariance(
    columns: Sequence[Values], failed: Mask, groups: Counts | None = None
) -> npt.NDArray[np.float64]:
    """Return the covariance matrix of the areas of several score columns on the same runs.

    Args:
        columns: Scores, one array per method.
        failed: Whether each run failed.
        groups: Number of each run's group. Runs of one group may depend on each other: the
            placements are summed within a group before they are squared. ``None`` takes all runs
            as independent, which is DeLong's form.
    """
    parts = [placements(scores, failed) for scores in columns]
    bad = np.stack([above for above, _ in parts])
    good = np.stack([below for _, below in parts])
    if groups is None:
        cov = np.zeros((len(columns), len(columns)))
        for part in (bad, good):
            cov += np.cov(part) / part.shape[1]
        return cov
    influence = np.empty((len(columns), len(failed)))
    influence[:, failed] = (bad - bad.mean(axis=1, keepdims=True)) / bad.shape[1]
    influence[:, ~failed] = (good - good.mean(axis=1, keepdims=True)) / good.shape[1]
    number = int(groups.max()) + 1
    sums = np.stack([np.bincount(groups, row, minlength=number) for row in influence])
    return sums @ sums.T * number / (number - 1)


def delong(first: Values, second: Values, failed: Mask, groups: Counts | None = None) -> Comparison:
    """Compare the areas of two score columns on the same runs.

    Raises:
        PredictionError: There is only one outcome, or fewer than two runs of one.

    Example:
        >>> failed = np.array([True, True, False, False])
        >>> same = np.array([3.0, 2.0, 2.0, 1.0])
        >>> delong(same, same, failed).p
        1.0
    """
    _check_enough(failed, groups)
    cov = covariance([first, second], failed, groups)
    difference = roc_auc(first, failed) - roc_auc(second, failed)
    variance = float(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    return _compared(difference, variance, 0.0, groups)


def delong_single(
    scores: Values, failed: Mask, *, null: float, groups: Counts | None = None
) -> Comparison:
    """Compare the area of one score column with a fixed value.

    Raises:
        PredictionError: There is only one outcome, or fewer than two runs of one.
    """
    _check_enough(failed, groups)
    variance = float(covariance([scores], failed, groups)[0, 0])
    return _compared(roc_auc(scores, failed), variance, null, groups)


def _check_enough(failed: Mask, groups: Counts | None) -> None:
    check_classes(failed, "the area under the curve")
    if min(failed.sum(), (~failed).sum()) < 2:
        raise PredictionError("a variance needs at least two runs of each outcome")
    if groups is not None and not groups.any():
        raise PredictionError("a variance over groups needs at least two of them")


def _compared(value: float, variance: float, null: float, groups: Counts | None) -> Comparison:
    # Rounding leaves a variance of about 1e-20 where two columns rank the runs alike.
    se = float(np.sqrt(variance)) if variance > 1e-18 else 0.0
    off = value - null if abs(value - null) > 1e-12 else 0.0
    z = off / (se or 1.0) if se or not off else float(np.copysign(np.inf, off))
    freedom = None if groups is None else int(groups.max())
    above, below = _tail(z, freedom), _tail(-z, freedom)
    reach = (Z if freedom is None else _quantile(freedom)) * se
    return Comparison(
        value=value,
        se=se,
        z=z,
        # Far out the tail underflows; nothing but a missing spread is a p-value of 0.
        p=min(1.0, 2 * min(above, below)) or (SMALLEST if se else 0.0),
        p_above=above,
        p_below=below,
        low=value - reach,
        high=value + reach,
    )


def _tail(z: float, freedom: int | None) -> float:
    """Return the chance of a value above ``z``: normal, or Student's where few groups vary."""
    if freedom is None:
        return 0.5 * erfc(z / sqrt(2))
    from scipy.special import stdtr  # slow to import, and only needed here

    return float(stdtr(freedom, -z))


def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))
