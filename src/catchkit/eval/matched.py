"""Ranks a target among the candidates it could have been, instead of among everything."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """The pools of ``n`` targets as one flat array of ``m`` candidates."""

    offsets: Counts
    """Pool ``i`` owns the candidates ``offsets[i]`` to ``offsets[i + 1]``; length n + 1."""

    target: Counts
    """Position of each target among the flat candidates, length n."""

    def __post_init__(self) -> None:
        inside = (self.offsets[:-1] <= self.target) & (self.target < self.offsets[1:])
        if not inside.all():
            raise ValueError(f"target {int(np.flatnonzero(~inside)[0])} is outside its own pool")

    @classmethod
    def of(cls, sizes: npt.ArrayLike, place: npt.ArrayLike) -> "Pools":
        """Build the pools from their sizes and the place of each target within its own.

        Example:
            >>> Pools.of([2, 3], [1, 0]).target.tolist()
            [1, 2]
        """
        offsets = np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64))])
        return cls(offsets=offsets, target=offsets[:-1] + np.asarray(place, dtype=np.int64))

    @property
    def sizes(self) -> Counts:
        """Candidates of each pool, length n, each at least 1."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Counts:
        """Which pool each candidate belongs to, length m."""
        return np.repeat(np.arange(len(self.target)), self.sizes)

    @property
    def floor(self) -> Values:
        """Chance that a blind guess names the target, length n."""
        return 1.0 / self.sizes

    def mean(self, scores: Values) -> Values:
        """Average the scores of each pool, length n."""
        return np.add.reduceat(scores, self.offsets[:-1]) / self.sizes

    def top1_of_each(self, scores: Values) -> Values:
        """Chance that each candidate is named first when ties are broken at random, length m.

        It sums to 1 over a pool, so a target drawn uniformly has the floor as its expectation.

        Example:
            >>> Pools.of([3], [0]).top1_of_each(np.array([2.0, 5.0, 5.0])).tolist()
            [0.0, 0.5, 0.5]
        """
        best = np.maximum.reduceat(scores, self.offsets[:-1])
        is_best = scores == best[self.owners]
        tied = np.add.reduceat(is_best.astype(np.int64), self.offsets[:-1])
        share: Values = is_best / tied[self.owners]
        return share

    def top1(self, scores: Values) -> Values:
        """Chance that the target is named first when ties are broken at random, length n."""
        return self.top1_of_each(scores)[self.target]

    def rank_share(self, scores: Values) -> Values:
        """Share of the other candidates of its pool that each one beats, ties one half, length m.

        At the target it is the within-pool AUC. A pool of one gives one half.

        Example:
            >>> Pools.of([3], [0]).rank_share(np.array([2.0, 5.0, 5.0])).tolist()
            [0.0, 0.75, 0.75]
        """
        order = np.lexsort((scores, self.owners))
        ranked, owner = scores[order], self.owners[order]
        is_new = np.r_[True, (ranked[1:] != ranked[:-1]) | (owner[1:] != owner[:-1])]
        starts = np.flatnonzero(is_new)
        lengths = np.diff(np.r_[starts, len(scores)])
        middle = np.repeat(starts + (lengths - 1) / 2, lengths) - self.offsets[owner]
        others = self.sizes[owner] - 1
        share: Values = np.divide(middle, others, out=np.full(len(scores), 0.5), where=others > 0)
        result: Values = np.empty_like(share)
        result[order] = share
        return result


def superiority(injected: Values, clean: Values, *, tolerance: float = 0.0) -> Values:
    """Return 1, one half or 0 where a value is above, equal to or below its own partner.

    Values no further apart than ``tolerance``, or than rounding, count as equal.

    Example:
        >>> superiority(np.array([2.0, 1.0, 0.1 + 0.2]), np.array([1.0, 1.0, 0.3])).tolist()
        [1.0, 0.5, 0.5]
    """
    difference = injected - clean
    least = np.maximum(tolerance, 1e-9 * np.maximum(1.0, np.abs(clean)))
    found: Values = 0.5 + 0.5 * np.sign(np.where(np.abs(difference) <= least, 0.0, difference))
    return found
