"""Where the labelled step of each run stands among its candidates, ties counted."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Of each run how many candidates stand above its target and how many beside it.

    With ties broken at random the target has each rank from ``above + 1`` to ``above + tied``
    equally often.
    """

    above: Counts
    tied: Counts
    """Candidates with the target's score, the target included: at least 1."""

    @classmethod
    def constant(cls, sizes: Counts) -> "Ranks":
        """Return the ranks under a score that knows nothing: every candidate is tied."""
        return cls(above=np.zeros_like(sizes), tied=sizes)

    def among(self, runs: Counts | Mask) -> "Ranks":
        """Return the ranks of some of the runs."""
        return Ranks(above=self.above[runs], tied=self.tied[runs])


def ranks(
    scores: Values,
    starts: Counts,
    targets: Counts,
    *,
    pool: Mask | None = None,
    ties_to_earlier: bool = False,
) -> Ranks:
    """Rank the target of every run among the candidates of that run.

    Args:
        scores: One score per step of all runs together, higher is more suspicious.
        starts: First step of each run, and the total at the end.
        targets: Position of each run's target within the run.
        pool: Which steps are candidates, by default all; a target always is.
        ties_to_earlier: Whether a tie is settled for the earlier step, as the original benchmark
            does on Who&When, instead of shared.

    Raises:
        IndexError: A target is not a step of its run.

    Example:
        >>> one = ranks(np.array([0.2, 0.9, 0.9]), np.array([0, 3]), np.array([2]))
        >>> one.above.tolist(), one.tied.tolist()
        ([0], [2])
    """
    sizes = np.diff(starts)
    if ((targets < 0) | (targets >= sizes)).any():
        raise IndexError("a target is not a step of its run")
    run = np.repeat(np.arange(len(sizes)), sizes)
    at = starts[:-1] + targets
    candidate = np.ones(len(scores), dtype=bool) if pool is None else pool.copy()
    candidate[at] = True
    reference = scores[at][run]
    above = candidate & (scores > reference)
    tied = candidate & (scores == reference)
    if ties_to_earlier:
        above |= tied & (np.arange(len(scores)) < at[run])
        tied = np.zeros(len(scores), dtype=bool)
        tied[at] = True
    return Ranks(
        above=np.bincount(run[above], minlength=len(sizes)),
        tied=np.bincount(run[tied], minlength=len(sizes)),
    )


def scores_of_ranking(ranking: list[int], size: int) -> list[float]:
    """Return scores that put the ranked steps first, in order, and tie all others below them.

    Example:
        >>> scores_of_ranking([2, 0], 4)
        [3.0, 0.0, 4.0, 0.0]
    """
    scores = [0.0] * size
    for place, step in enumerate(ranking):
        scores[step] = float(size - place)
    return scores
