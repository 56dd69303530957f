"""Bootstraps over whole clusters, stratified, in count-matrix form."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BASE_SEED = 20260817
DRAWS = 10_000
BATCH = 500
LEVEL = 0.95

Values = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate and where it would fall if the clusters were drawn again."""

    value: float
    low: float
    high: float
    level: float = LEVEL
    draws: int = DRAWS


def claim_generator(label: str) -> np.random.Generator:
    """Return the generator of one claim, as the original benchmark derives it.

    The seed is the first eight hexadecimal digits of the label's SHA-256, combined with a base
    seed by exclusive or.
    """
    digits = hashlib.sha256(label.encode()).hexdigest()[:8]
    return np.random.default_rng(int(digits, 16) ^ BASE_SEED)


def resampled_sums(
    values: Values | Counts,
    strata: Sequence[Counts],
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
    batch: int = BATCH,
) -> Values:
    """Draw clusters with replacement within each stratum and sum their values.

    Args:
        values: What each cluster adds, shape (clusters, k).
        strata: For each stratum the clusters it holds; every draw takes as many as there are.
        rng: Draws in batches, the strata of a batch in their order.
        draws: How many resamples.
        batch: How many resamples are drawn at a time.

    Returns:
        Sums of shape (draws, strata, k). An empty stratum adds nothing.

    Example:
        >>> sums = resampled_sums(np.ones((3, 1)), [np.arange(3)], np.random.default_rng(0))
        >>> sums.shape, float(sums.min()), float(sums.max())
        ((10000, 1, 1), 3.0, 3.0)
    """
    sums = np.zeros((draws, len(strata), values.shape[1]))
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        for at, clusters in enumerate(strata):
            size = len(clusters)
            if size == 0:
                continue
            counts = _times_drawn(size, rows, rng)
            # Not a matrix product: on these sizes its threads cost more than they save.
            sums[start : start + rows, at] = np.einsum("rc,ck->rk", counts, values[clusters])
    return sums


def percentile_interval(value: float, resampled: Values, *, level: float = LEVEL) -> Interval:
    """Return the central percentiles of resampled values, linearly interpolated."""
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(resampled, [tail, 100 - tail])
    return Interval(
        value=value, low=float(low), high=float(high), level=level, draws=len(resampled)
    )


def _times_drawn(size: int, rows: int, rng: np.random.Generator) -> Counts:
    """Draw ``size`` of ``size`` units with replacement, ``rows`` times; count each unit."""
    drawn = rng.integers(0, size, size=(rows, size))
    drawn += np.arange(rows)[:, None] * size
    return np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)


def drawn_weights(
    strata: Sequence[Counts],
    rng: np.random.Generator,
    *,
    groups: Counts | None = None,
    draws: int = DRAWS,
    batch: int = BATCH,
) -> Iterator[Counts]:
    """Yield how often each row is drawn, in batches of shape (draws, rows).

    Args:
        strata: For each stratum the units it holds; every draw takes as many as there are.
        rng: Where the draws come from.
        groups: Number of each row's unit; by default every row is a unit of its own.
        draws: How many resamples.
        batch: How many resamples are drawn at a time.

    Example:
        >>> weights = next(drawn_weights([np.arange(4)], np.random.default_rng(0)))
        >>> weights.shape, set(weights.sum(axis=1).tolist())
        ((500, 4), {4})
    """
    units = sum(map(len, strata))
    for start in range(0, draws, batch):
        rows = min(batch, draws - start)
        counts = np.zeros((rows, units), dtype=np.int64)
        for stratum in strata:
            if len(stratum):
                counts[:, stratum] = _times_drawn(len(stratum), rows, rng)
        yield counts if groups is None else counts[:, groups]


def weighted_auc(scores: Values, failed: npt.NDArray[np.bool_], weights: Values | Counts) -> Values:
    """Return the area under the ROC curve of every weighting of the same runs.

    Args:
        scores: One score per run.
        failed: Whether each run failed.
        weights: How often each run counts, shape (draws, runs).

    Returns:
        One area per draw, ties counting one half; ``nan`` where one outcome has no weight.

    Example:
        >>> weights = np.array([[1, 1, 1], [0, 2, 1], [0, 0, 3]])
        >>> weighted_auc(np.array([3.0, 1.0, 2.0]), np.array([True, True, False]), weights)
        array([0.5, 0. , nan])
    """
    bad, good = np.flatnonzero(failed), np.flatnonzero(~failed)
    good = good[np.argsort(scores[good], kind="stable")]
    bad = bad[np.argsort(scores[bad], kind="stable")]
    under = np.searchsorted(scores[good], scores[bad], "left")
    up_to = np.searchsorted(scores[good], scores[bad], "right")
    lighter = np.zeros((len(weights), len(good) + 1))
    np.cumsum(weights[:, good], axis=1, out=lighter[:, 1:])
    own = weights[:, bad].astype(np.float64)
    below = lighter[:, under]
    below += lighter[:, up_to]
    pairs = 2 * own.sum(axis=1) * lighter[:, -1]
    above = np.einsum("ij,ij->i", own, below)
    areas: Values = np.divide(above, pairs, out=np.full(len(weights), np.nan), where=pairs > 0)
    return areas


def resampled_auc(
    columns: Sequence[Values],
    failed: npt.NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    groups: Counts | None = None,
    draws: int = DRAWS,
) -> Values:
    """Draw runs again and return the area under the curve of several score columns on each draw.

    Args:
        columns: Scores, one array per method; all are computed on the same draws.
        failed: Whether each run failed.
        rng: Where the draws come from.
        groups: Number of each run's group. Whole groups are drawn where it is given; else single
            runs are, failed and other ones apart, so that their numbers stay.
        draws: How many resamples.

    Returns:
        Areas of shape (draws, columns); ``nan`` in a draw with one outcome.
    """
    strata = [np.flatnonzero(failed), np.flatnonzero(~failed)]
    if groups is not None:
        strata = [np.arange(int(groups.max()) + 1)]
    batches = drawn_weights(strata, rng, groups=groups, draws=draws)
    return np.concatenate(
        [
            np.stack([weighted_auc(scores, failed, weights) for scores in columns], axis=1)
            for weights in batches
        ]
    )
