"""Tests of paired and unpaired differences; exact where an exact form exists."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

import numpy as np
from scipy import stats

from catchkit.eval.auc import Counts, Mask, Values

FLIPS = 200_000
FLIP_BATCH = 2_000
SWAP_BATCH = 20_000
EXACT_UP_TO = 16
"""Units up to which every assignment of signs is enumerated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """What a test found."""

    __test__ = False  # it is no test of pytest's

    name: str
    statistic: float
    p: float
    units: int
    """How many units carry information: discordant pairs, non-zero differences, groups."""


def mcnemar(first: Mask, second: Mask) -> Test:
    """Test whether two methods are right equally often on the same runs, exactly.

    Args:
        first: Whether the first method is right on each run.
        second: The same of the second.

    Returns:
        Two-sided; the statistic is how many runs only the first gets right.

    Example:
        >>> a = np.array([True] * 8 + [False] * 2)
        >>> round(mcnemar(a, np.zeros(10, dtype=bool)).p, 5)
        0.00781
    """
    only_first = int((first & ~second).sum())
    discordant = only_first + int((second & ~first).sum())
    p = float(stats.binomtest(only_first, discordant).pvalue) if discordant else 1.0
    return Test(name="mcnemar", statistic=float(only_first), p=p, units=discordant)


def sign_test(differences: Values) -> Test:
    """Test whether differences are positive as often as negative; zeros are left out."""
    given = differences[differences != 0]
    positive = int((given > 0).sum())
    p = float(stats.binomtest(positive, len(given)).pvalue) if len(given) else 1.0
    return Test(name="sign", statistic=float(positive), p=p, units=len(given))


def wilcoxon(differences: Values) -> Test:
    """Test whether paired differences are symmetric about zero, by signed ranks.

    Differences are rounded to twelve decimals, so that float noise makes no order; zeros are
    left out.
    """
    given = np.round(differences, 12)
    given = given[given != 0]
    if not len(given):
        return Test(name="wilcoxon", statistic=0.0, p=1.0, units=0)
    found = stats.wilcoxon(given, zero_method="wilcox", alternative="two-sided")
    return Test(
        name="wilcoxon", statistic=float(found.statistic), p=float(found.pvalue), units=len(given)
    )


def sign_flip(
    differences: Values,
    rng: np.random.Generator,
    *,
    groups: Counts | None = None,
    flips: int = FLIPS,
) -> Test:
    """Test whether paired differences are symmetric about zero, by flipping their signs.

    Args:
        differences: One per run; may be fractions, such as means over an entrant's seeds.
        rng: Where the signs come from; unused when all assignments are few enough to enumerate.
        groups: Number of each run's group: a group keeps or changes its signs as a whole.
        flips: Random assignments.

    Returns:
        Two-sided; the statistic is the mean difference.

    Example:
        >>> sign_flip(np.array([1.0, 1.0, 1.0, 0.0]), np.random.default_rng(0)).p
        0.25
    """
    units = differences if groups is None else np.bincount(groups, differences)
    given = units[np.abs(units) > 1e-12]
    mean = float(differences.mean()) if len(differences) else 0.0
    if not len(given):
        return Test(name="sign_flip", statistic=mean, p=1.0, units=0)
    bound = abs(given.sum()) - 1e-12
    if len(given) <= EXACT_UP_TO:
        signs = (np.arange(1 << len(given))[:, None] >> np.arange(len(given))) & 1
        p = float((np.abs((2 * signs - 1) @ given) >= bound).mean())
    else:
        reached = 0
        for start in range(0, flips, FLIP_BATCH):
            rows = min(FLIP_BATCH, flips - start)
            signs = rng.integers(0, 2, size=(rows, len(given)), dtype=np.int8)
            reached += int((np.abs((2.0 * signs - 1.0) @ given) >= bound).sum())
        p = (reached + 1) / (flips + 1)
    return Test(name="sign_flip", statistic=mean, p=p, units=len(given))


def poisson_binomial(
    hits: float, chances: Sequence[float] | Values, side: Literal["greater", "less"]
) -> Test:
    """Test the number of hits against independent guesses with a chance of their own each.

    Args:
        hits: Observed sum, a fraction where ties are shared; rounded away from the tail tested.
        chances: What guessing reaches on each run.
        side: Which tail.

    Example:
        >>> round(poisson_binomial(2, [0.5, 0.5], "greater").p, 3)
        0.25
    """
    law = stats.poisson_binom(np.asarray(chances, dtype=np.float64))
    if side == "greater":
        # Summed from its own end: one minus the rest would lose every tail below 1e-16.
        p = float(law.pmf(np.arange(max(ceil(hits - 1e-12), 0), len(chances) + 1)).sum())
    else:
        p = float(law.cdf(floor(hits + 1e-12)))
    return Test(name="poisson_binomial", statistic=float(hits), p=min(1.0, p), units=len(chances))


def label_swap(
    faulty: Values, clean: Values, rng: np.random.Generator, *, swaps: int = FLIPS
) -> Test:
    """Test whether the faulty member of a pair scores higher, by swapping labels within pairs.

    Args:
        faulty: Score of the faulty member of each pair.
        clean: Score of the clean one.
        rng: Which pairs swap.
        swaps: Random relabellings.

    Returns:
        One-sided; the statistic is the area under the curve over all members together.
    """
    count = len(faulty)
    pooled = stats.rankdata(np.concatenate([faulty, clean]))
    own, other = pooled[:count], pooled[count:]
    least = count * (count + 1) / 2
    observed = own.sum()
    reached = 0
    for start in range(0, swaps, SWAP_BATCH):
        rows = min(SWAP_BATCH, swaps - start)
        swapped = rng.integers(0, 2, size=(rows, count), dtype=np.int8)
        sums = observed + swapped.astype(np.float64) @ (other - own)
        reached += int((sums >= observed - 1e-9).sum())
    return Test(
        name="label_swap",
        statistic=float((observed - least) / count**2),
        p=(reached + 1) / (swaps + 1),
        units=int((faulty != clean).sum()),
    )


def welch(first: Values, second: Values) -> Test:
    """Test whether two independent samples have the same mean, with unequal variances."""
    found = stats.ttest_ind(first, second, equal_var=False)
    return Test(
        name="welch",
        statistic=float(found.statistic),
        p=float(found.pvalue),
        units=len(first) + len(second),
    )
