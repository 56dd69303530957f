import numpy as np
import pytest
from scipy import stats

from catchkit.eval.intervals import claim_generator, percentile_interval, resampled_sums


def test_it_equals_drawing_and_summing_one_cluster_at_a_time() -> None:
    values = np.random.default_rng(1).integers(0, 9, size=(11, 2))
    strata = [np.arange(0, 4), np.arange(4, 4), np.arange(4, 11)]
    sums = resampled_sums(values, strata, np.random.default_rng(7), draws=30, batch=8)

    rng = np.random.default_rng(7)
    for start in range(0, 30, 8):
        rows = min(8, 30 - start)
        for at, clusters in enumerate(strata):
            if len(clusters) == 0:
                assert not sums[start : start + rows, at].any()
                continue
            for row, drawn in enumerate(rng.integers(0, len(clusters), (rows, len(clusters)))):
                expected = sum(values[clusters[one]] for one in drawn)
                assert sums[start + row, at].tolist() == expected.tolist()


def test_the_spread_is_that_of_the_bootstrap_distribution() -> None:
    values = np.random.default_rng(2).normal(size=(80, 1))
    means = resampled_sums(values, [np.arange(80)], np.random.default_rng(0))[:, 0, 0] / 80
    # The bootstrap mean has standard deviation s / sqrt(n) with s the population deviation.
    assert means.std() == pytest.approx(values.std() / np.sqrt(80), rel=0.03)


def test_the_interval_covers_the_mean_at_its_level() -> None:
    covered = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        sample = rng.exponential(size=(60, 1))
        means = resampled_sums(sample, [np.arange(60)], rng, draws=500)[:, 0, 0] / 60
        interval = percentile_interval(float(sample.mean()), means)
        covered += interval.low <= 1 <= interval.high
    # Percentile intervals of 60 skewed values cover a little less than 95 %; well over 88 %.
    low = stats.binomtest(covered, 400).proportion_ci(0.999).low
    high = stats.binomtest(covered, 400).proportion_ci(0.999).high
    assert low < 0.95
    assert high > 0.93


def test_a_claim_has_its_own_draws_and_keeps_them() -> None:
    first = claim_generator("a").integers(1 << 40)
    assert first == claim_generator("a").integers(1 << 40)
    assert first != claim_generator("b").integers(1 << 40)
