"""Equivalence tests on clustered means: inside a band, outside it, or too wide to tell."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Place = Literal["inside", "outside", "too wide"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A mean over units that come in clusters, and its standard error."""

    value: float
    error: float
    """Cluster-robust; ``inf`` with fewer than two clusters."""

    units: int
    clusters: int

    @classmethod
    def of(cls, values: Values, clusters: Counts) -> "ClusteredMean":
        """Average values whose clusters are given as codes.

        Example:
            >>> mean = ClusteredMean.of(np.array([0.0, 1.0, 1.0]), np.array([0, 1, 1]))
            >>> round(mean.value, 3), mean.clusters
            (0.667, 2)
        """
        if not len(values):
            return cls(value=math.nan, error=math.inf, units=0, clusters=0)
        means, errors = clustered_means(values[None, :], clusters)
        found = len(np.unique(clusters))
        return cls(value=float(means[0]), error=float(errors[0]), units=len(values), clusters=found)

    def half_width(self, level: float) -> float:
        """Return half the length of the central interval of that level.

        It is never below three over the number of clusters: clusters that all agree say no more
        than that a thing never seen in them is rarer than that.
        """
        return float(half_widths(np.array(self.error), self.clusters, level))


def half_widths(errors: Values, clusters: int, level: float) -> Values:
    """Return half the length of each interval; see ``ClusteredMean.half_width``."""
    if clusters < 2:
        return np.full_like(errors, np.inf)
    return np.maximum(_t_quantile(0.5 + level / 2, clusters - 1) * errors, 3 / clusters)


def clustered_means(values: Values, clusters: Counts) -> tuple[Values, Values]:
    """Average every row of values over the same units, with cluster-robust standard errors.

    Args:
        values: Shape (rows, units).
        clusters: Cluster code of each unit, length units.

    Returns:
        Means and standard errors, one per row; the errors are ``inf`` with fewer than two
        clusters.
    """
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(clusters[order]) != 0])
    count, units = len(starts), values.shape[1]
    means = values.mean(axis=1)
    if count < 2:
        return means, np.full(len(values), np.inf)
    residuals = values[:, order] - means[:, None]
    sums = np.add.reduceat(residuals, starts, axis=1)
    errors = np.sqrt(count / (count - 1) * (sums**2).sum(axis=1)) / units
    return means, errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Where a gap lies relative to a band around zero."""

    place: Place
    low: float
    high: float
    """The interval at the level corrected over the panel."""

    inner_low: float
    inner_high: float
    """The interval of the two one-sided tests, which decides ``inside``."""


def judge(
    mean: ClusteredMean, *, margin: float, alpha: float, readings: int, one_sided: bool = False
) -> Judgement:
    """Test a gap for equivalence with zero and for difference from it.

    ``inside``: two one-sided tests at ``alpha`` put the gap within the margin. A panel passes only
    when all its readings are inside, so this needs no correction. ``outside``: the interval at
    level 1 - ``alpha`` / ``readings`` excludes zero and the gap is not inside; a panel fails when
    any reading is outside, so this is corrected. ``too wide``: neither.

    Args:
        mean: The gap.
        margin: Half the width of the band.
        alpha: Error rate of a pass, and of a fail over the whole panel.
        readings: How many readings the panel has.
        one_sided: Whether only a gap above zero counts.

    Example:
        >>> gap = ClusteredMean(value=0.01, error=0.01, units=400, clusters=400)
        >>> judge(gap, margin=0.05, alpha=0.05, readings=20).place
        'inside'
        >>> gap = ClusteredMean(value=0.3, error=0.01, units=400, clusters=400)
        >>> judge(gap, margin=0.05, alpha=0.05, readings=20).place
        'outside'
    """
    inner, outer = mean.half_width(1 - 2 * alpha), mean.half_width(1 - alpha / readings)
    inner_low, inner_high = mean.value - inner, mean.value + inner
    low, high = mean.value - outer, mean.value + outer
    is_inside = inner_high <= margin and (one_sided or inner_low >= -margin)
    is_apart = low > 0 or (high < 0 and not one_sided)
    place: Place = "inside" if is_inside else "outside" if is_apart else "too wide"
    return Judgement(place=place, low=low, high=high, inner_low=inner_low, inner_high=inner_high)


def required_units(variance: float, *, margin: float, alpha: float, power: float) -> int:
    """Return how many independent units put an absent gap inside the margin with that power.

    Args:
        variance: Of one unit's value where there is no gap.
        margin: Half the width of the band.
        alpha: Size of each of the two one-sided tests.
        power: Wanted chance to end up inside.

    Example:
        >>> required_units(0.25, margin=0.05, alpha=0.05, power=0.9)
        1083
    """
    z = NormalDist().inv_cdf
    return math.ceil(variance * ((z(1 - alpha) + z(0.5 + power / 2)) / margin) ** 2)


def _t_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t.

    Example:
        >>> round(_t_quantile(0.975, 4), 3), round(_t_quantile(0.975, 10**6), 3)
        (2.776, 1.96)
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))
