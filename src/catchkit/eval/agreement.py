"""How far people agree beyond chance, and exact intervals of a rate."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate with its exact (Clopper-Pearson) interval."""

    hits: int
    trials: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """Hits over trials; ``None`` when nothing was tried."""
        return self.hits / self.trials if self.trials else None


def exact_rate(hits: int, trials: int, *, level: float = 0.95) -> Rate:
    """Return a rate with the interval of the exact binomial test.

    Example:
        >>> rate = exact_rate(0, 400)
        >>> rate.low, round(rate.high, 4)
        (0.0, 0.0092)
    """
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = float(beta.ppf(tail, hits, trials - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1 - tail, hits + 1, trials - hits)) if hits < trials else 1.0
    return Rate(hits=hits, trials=trials, low=low, high=high)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two annotators who judged the same items.

    Returns:
        A value up to 1; ``None`` without items, and where both always give one same answer, so
        that nothing could have been agreed beyond chance.

    Example:
        >>> cohen_kappa("aabb", "aabb"), cohen_kappa("abab", "aabb"), cohen_kappa("aa", "aa")
        (1.0, 0.0, None)
    """
    total = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True))
    left, right = Counter(first), Counter(second)
    chance = sum(left[answer] * right[answer] for answer in left)
    if not total or chance == total * total:
        return None
    return (observed * total - chance) / (total * total - chance)


def krippendorff_alpha(answers: Sequence[Sequence[Hashable | None]]) -> float | None:
    """Return Krippendorff's alpha for nominal answers; ``None`` in the input is a missing one.

    Args:
        answers: One sequence per annotator, aligned with the items.

    Returns:
        A value up to 1; ``None`` where no item has two answers, or all answers are the same.

    Example:
        >>> krippendorff_alpha(["aabb", "aabb"])
        1.0
    """
    weights: dict[tuple[Hashable, Hashable], float] = {}
    for item in zip(*answers, strict=True):
        given = [answer for answer in item if answer is not None]
        for pair in permutations(given, 2):
            weights[pair] = weights.get(pair, 0.0) + 1 / (len(given) - 1)
    totals: dict[Hashable, float] = {}
    for (answer, _), weight in weights.items():
        totals[answer] = totals.get(answer, 0.0) + weight
    count = sum(totals.values())
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b)
    if not expected:
        return None
    observed = sum(weight for (a, b), weight in weights.items() if a != b)
    return 1 - (count - 1) * observed / expected
