import math

import numpy as np
import pytest

from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, clustered_means, judge, required_units

RUNS = 2000


def clustered(
    rng: np.random.Generator, *, clusters: int, size: int, gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of values whose clusters pull in one direction, and the clusters."""
    shared = np.repeat(rng.normal(0, 0.1, (RUNS, clusters)), size, axis=1)
    own = rng.choice([-0.4, 0.1], p=[0.2, 0.8], size=shared.shape)
    return gap + shared + own, np.repeat(np.arange(clusters), size)


def places(values: np.ndarray, clusters: np.ndarray, *, readings: int = 1) -> list[str]:
    means, errors = clustered_means(values, clusters)
    count = len(np.unique(clusters))
    return [
        judge(
            ClusteredMean(value=mean, error=error, units=values.shape[1], clusters=count),
            margin=0.05,
            alpha=0.05,
            readings=readings,
        ).place
        for mean, error in zip(means.tolist(), errors.tolist(), strict=True)
    ]


def holds_at_most(hits: int, rate: float) -> bool:
    return exact_rate(hits, RUNS, level=0.99).low <= rate


def test_a_gap_on_the_margin_ends_up_inside_at_most_as_often_as_alpha() -> None:
    values, clusters = clustered(np.random.default_rng(1), clusters=80, size=4, gap=0.05)
    assert holds_at_most(places(values, clusters).count("inside"), 0.05)


def test_no_gap_ends_up_outside_at_most_as_often_as_alpha() -> None:
    values, clusters = clustered(np.random.default_rng(2), clusters=80, size=4, gap=0.0)
    assert holds_at_most(places(values, clusters).count("outside"), 0.05)


def test_the_correction_keeps_a_panel_of_twenty_at_alpha() -> None:
    values, clusters = clustered(np.random.default_rng(3), clusters=80, size=4, gap=0.0)
    one_of_twenty = places(values, clusters, readings=20).count("outside")
    assert holds_at_most(one_of_twenty, 0.05 / 20)


def test_errors_that_ignore_the_clusters_would_be_too_small() -> None:
    values, clusters = clustered(np.random.default_rng(4), clusters=40, size=10, gap=0.0)
    means, errors = clustered_means(values, clusters)
    _, naive = clustered_means(values, np.arange(values.shape[1]))
    assert errors.mean() == pytest.approx(means.std(), rel=0.05)
    assert naive.mean() < 0.8 * means.std()


def test_values_that_all_agree_leave_room_for_what_was_never_seen() -> None:
    mean = ClusteredMean.of(np.zeros(30), np.arange(30))
    assert mean.half_width(0.95) == pytest.approx(3 / 30)
    assert judge(mean, margin=0.05, alpha=0.05, readings=1).place == "too wide"


@pytest.mark.parametrize("clusters", [[], [0], [0, 0, 0]], ids=["none", "one", "one of three"])
def test_fewer_than_two_clusters_say_nothing(clusters: list[int]) -> None:
    mean = ClusteredMean.of(np.ones(len(clusters)), np.array(clusters, dtype=int))
    assert math.isinf(mean.half_width(0.9))
    assert judge(mean, margin=0.05, alpha=0.05, readings=1).place == "too wide"


def test_the_required_sample_ends_up_inside_as_often_as_promised() -> None:
    units = required_units(0.25, margin=0.05, alpha=0.05, power=0.9)
    values = np.random.default_rng(5).choice([-0.5, 0.5], size=(RUNS, units))
    inside = places(values, np.arange(units)).count("inside")
    assert exact_rate(inside, RUNS, level=0.99).low <= 0.9 <= 0.02 + inside / RUNS


def test_a_gap_below_zero_counts_only_on_two_sides() -> None:
    mean = ClusteredMean(value=-0.3, error=0.01, units=400, clusters=400)
    assert judge(mean, margin=0.05, alpha=0.05, readings=1).place == "outside"
    one = judge(mean, margin=0.05, alpha=0.05, readings=1, one_sided=True)
    assert one.place == "inside"
