"""Pools of comparable candidates, and what guessing inside one reaches."""

from dataclasses import dataclass

import numpy as np

from catchkit.eval.metric import Values, metrics
from catchkit.eval.ranks import Counts, Mask, Ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Pools:
    """Which steps of each run could have been the target."""

    member: Mask
    """One entry per step of all runs together."""

    sizes: Counts
    """Candidates of each run, at least 1."""

    @classmethod
    def of(cls, eligible: list[list[int]], starts: Counts, targets: Counts) -> "Pools":
        """Return the pools of eligible positions, each with its run's target in it.

        Raises:
            IndexError: A position is not a step of its run.

        Example:
            >>> Pools.of([[1, 2]], np.array([0, 4]), np.array([0])).sizes.tolist()
            [3]
        """
        member = np.zeros(int(starts[-1]), dtype=bool)
        for run, positions in enumerate(eligible):
            size = int(starts[run + 1] - starts[run])
            for position in (*positions, int(targets[run])):
                if not 0 <= position < size:
                    raise IndexError(f"position {position} is not in a run of {size} steps")
                member[int(starts[run]) + position] = True
        run_of_step = np.repeat(np.arange(len(eligible)), np.diff(starts))
        sizes = np.bincount(run_of_step[member], minlength=len(eligible))
        return cls(member=member, sizes=sizes)

    @property
    def is_informative(self) -> Mask:
        """Whether a pool has more than one candidate; with one, any score finds the target."""
        return self.sizes > 1


def floors(sizes: Counts) -> dict[str, Values]:
    """Return what guessing among so many candidates reaches in each rank metric, per run.

    Example:
        >>> [round(float(value[0]), 3) for value in floors(np.array([4])).values()]
        [0.521, 0.25, 0.75]
    """
    constant = Ranks.constant(sizes)
    return {
        name: metric.compute(constant.above, constant.tied)
        for name, metric in metrics("ranks").items()
    }
