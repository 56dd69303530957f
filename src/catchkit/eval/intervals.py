"""Bootstrap over whole clusters, stratified, in count-matrix form."""

import hashlib
from collections.abc import Sequence
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
            drawn = rng.integers(0, size, size=(rows, size))
            drawn += np.arange(rows)[:, None] * size
            counts = np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)
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
