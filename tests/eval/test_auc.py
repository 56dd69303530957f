"""Areas and their variance against the O(mn) form, and against other libraries."""

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

from catchkit.errors import PredictionError
from catchkit.eval.auc import covariance, delong, delong_single, roc_auc
from catchkit.eval.intervals import drawn_weights, resampled_auc, weighted_auc
from catchkit.eval.metric import metrics

labelled = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=40)


def drawn(seed: int, size: int = 60, levels: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return two correlated score columns full of ties, and outcomes."""
    rng = np.random.default_rng(seed)
    failed = rng.random(size) < 0.4
    failed[:2], failed[2:4] = True, False
    base = rng.normal(size=size) + failed
    first = np.round(base + rng.normal(size=size), 0).clip(-levels, levels)
    second = np.round(base + 0.5 * rng.normal(size=size), 1)
    return first, second, failed


def kernel(scores: np.ndarray, failed: np.ndarray) -> Any:
    bad, good = scores[failed][:, None], scores[~failed][None, :]
    return (bad > good) + 0.5 * (bad == good)


@given(labelled)
def test_the_area_is_the_share_of_pairs_in_order(rows: list[tuple[int, bool]]) -> None:
    scores, failed = (np.array(column) for column in zip(*rows, strict=True))
    assume(failed.any() and not failed.all())
    expected = kernel(scores, failed).mean()
    assert roc_auc(scores, failed) == pytest.approx(expected, abs=1e-12)
    assert roc_auc(scores, failed) == pytest.approx(roc_auc_score(failed, scores), abs=1e-12)
    assert roc_auc(-scores, failed) == pytest.approx(1 - expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_the_covariance_is_that_of_the_full_kernel(seed: int) -> None:
    first, second, failed = drawn(seed)
    kernels = [kernel(column, failed) for column in (first, second)]
    bad = np.cov([one.mean(axis=1) for one in kernels])
    good = np.cov([one.mean(axis=0) for one in kernels])
    expected = bad / failed.sum() + good / (~failed).sum()
    assert covariance([first, second], failed) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("seed", range(20))
def test_the_variance_is_that_of_sun_and_xu_who_use_mid_ranks(seed: int) -> None:
    scores, _, failed = drawn(seed)
    m, n = int(failed.sum()), int((~failed).sum())
    pooled = stats.rankdata(scores)
    v10 = (pooled[failed] - stats.rankdata(scores[failed])) / n
    v01 = 1 - (pooled[~failed] - stats.rankdata(scores[~failed])) / m
    expected = v10.var(ddof=1) / m + v01.var(ddof=1) / n
    assert delong_single(scores, failed, null=0.5).se ** 2 == pytest.approx(expected, abs=1e-14)


def test_delong_agrees_with_the_bootstrap_it_approximates() -> None:
    first, second, failed = drawn(3, size=400)
    found = delong(first, second, failed)
    areas = resampled_auc([first, second], failed, np.random.default_rng(0), draws=4000)
    differences = areas[:, 0] - areas[:, 1]
    assert differences.mean() == pytest.approx(found.value, abs=0.002)
    assert differences.std() == pytest.approx(found.se, rel=0.06)


@given(st.integers(0, 10_000))
def test_swapping_the_methods_turns_the_sign(seed: int) -> None:
    first, second, failed = drawn(seed)
    there, back = delong(first, second, failed), delong(second, first, failed)
    assert (there.value, there.z, there.p) == pytest.approx((-back.value, -back.z, back.p))


@given(st.integers(0, 10_000))
def test_an_increasing_map_changes_nothing(seed: int) -> None:
    first, second, failed = drawn(seed)
    mapped = delong(np.exp(first / 10), second**3, failed)
    plain = delong(first, second, failed)
    assert (mapped.value, mapped.p) == pytest.approx((plain.value, plain.p))


def test_groups_of_one_are_no_groups_but_for_the_small_sample_factor() -> None:
    first, second, failed = drawn(1, size=2000)
    clustered = delong(first, second, failed, np.arange(2000))
    assert clustered.se == pytest.approx(delong(first, second, failed).se, rel=0.002)


def test_copies_of_each_run_widen_the_clustered_interval_only() -> None:
    first, second, failed = drawn(2, size=150)
    groups = np.repeat(np.arange(150), 4)
    one, other, outcome = (np.repeat(column, 4) for column in (first, second, failed))
    single = delong(first, second, failed, np.arange(150))
    assert delong(one, other, outcome, groups).se == pytest.approx(single.se, rel=1e-9)
    assert delong(one, other, outcome).se < 0.6 * single.se


def test_equal_columns_are_called_identical_and_not_a_division_by_zero() -> None:
    first, _, failed = drawn(0)
    found = delong(first, first.copy(), failed)
    assert (found.value, found.z, found.p) == (0.0, 0.0, 1.0)


def test_one_outcome_has_no_area() -> None:
    with pytest.raises(PredictionError, match="all 3 runs failed"):
        roc_auc(np.arange(3.0), np.ones(3, dtype=bool))
    with pytest.raises(PredictionError, match="did not fail"):
        roc_auc(np.arange(3.0), np.zeros(3, dtype=bool))


@given(labelled, st.integers(0, 1000))
def test_a_weight_is_a_number_of_copies(rows: list[tuple[int, bool]], seed: int) -> None:
    scores, failed = (np.array(column) for column in zip(*rows, strict=True))
    assume(failed.any() and not failed.all())
    weights = np.random.default_rng(seed).integers(0, 3, size=(5, len(rows)))
    found = weighted_auc(scores.astype(float), failed, weights)
    for weight, area in zip(weights, found, strict=True):
        copied, outcome = np.repeat(scores, weight), np.repeat(failed, weight)
        if outcome.any() and not outcome.all():
            assert area == pytest.approx(roc_auc(copied, outcome), abs=1e-12)
        else:
            assert np.isnan(area)


def test_whole_groups_are_drawn() -> None:
    groups = np.array([0, 0, 1, 2, 2, 2])
    for weights in drawn_weights([np.arange(3)], np.random.default_rng(1), groups=groups, draws=50):
        assert (weights[:, 0] == weights[:, 1]).all()
        assert (weights[:, 3:] == weights[:, 3:4]).all()
        assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=2, max_size=5))
def test_average_precision_is_the_mean_over_all_orders_of_the_ties(
    rows: list[tuple[int, bool]],
) -> None:
    scores, failed = (np.array(column) for column in zip(*rows, strict=True))
    assume(failed.any() and not failed.all())
    compute = metrics("scores")["average_precision"].compute
    jittered = scores + np.linspace(0, 0.5, len(scores))
    assert compute(jittered, failed) == pytest.approx(
        average_precision_score(failed, jittered), abs=1e-12
    )
    orders = [
        outcome
        for order in permutations(range(len(rows)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
        for outcome in [failed[list(order)]]
    ]
    ranked = -np.arange(len(rows))
    expected = np.mean([average_precision_score(outcome, ranked) for outcome in orders])
    assert compute(scores.astype(float), failed) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.booleans(), min_size=2, max_size=200), st.floats(-10, 10))
def test_a_constant_score_lands_exactly_on_the_floor(outcomes: list[bool], constant: float) -> None:
    failed = np.array(outcomes)
    assume(failed.any() and (~failed).sum() >= 2)
    scores = np.full(len(failed), constant)
    for name, metric in metrics("scores").items():
        assert metric.floor is not None, name
        assert metric.compute(scores, failed) == metric.floor(failed), name
    prefix = np.full(len(failed), 4)
    for name, metric in metrics("prefixes").items():
        assert metric.floor is not None, name
        assert metric.compute(scores, failed, prefix) == metric.floor(failed, prefix), name
