"""Tests of differences against enumeration and against each other."""

from itertools import compress, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from catchkit.eval.equivalence import smallest_detectable, two_one_sided
from catchkit.eval.multiplicity import benjamini_hochberg, holm
from catchkit.eval.significance import (
    label_swap,
    mcnemar,
    poisson_binomial,
    sign_flip,
    sign_test,
    welch,
    wilcoxon,
)

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def binomial_two_sided(hits: int, trials: int) -> float:
    chances = [comb(trials, k) / 2**trials for k in range(trials + 1)]
    return float(sum(chance for chance in chances if chance <= chances[hits] * (1 + 1e-9)))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_mcnemar_is_the_binomial_of_the_discordant_runs(rows: list[tuple[bool, bool]]) -> None:
    first, second = (np.array(column) for column in zip(*rows, strict=True))
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    found = mcnemar(first, second)
    assert found.units == only_first + only_second
    assert found.p == pytest.approx(
        binomial_two_sided(only_first, found.units) if found.units else 1.0
    )
    assert found.p == pytest.approx(mcnemar(second, first).p)


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=10))
def test_sign_flip_is_the_share_of_all_sign_assignments(values: list[int]) -> None:
    differences = np.array(values, dtype=float)
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in product((1, -1), repeat=len(values))
    ]
    expected = np.mean([total >= abs(sum(values)) for total in sums])
    assert sign_flip(differences, np.random.default_rng(0)).p == pytest.approx(expected)


def test_sampled_flips_agree_with_mcnemar_on_right_and_wrong() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.random(126) < 0.45, rng.random(126) < 0.33
    found = sign_flip(first.astype(float) - second, np.random.default_rng(1))
    assert found.p == pytest.approx(mcnemar(first, second).p, abs=0.004)


def test_a_group_keeps_or_changes_its_signs_as_a_whole() -> None:
    differences = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    alone = sign_flip(differences, np.random.default_rng(0))
    grouped = sign_flip(differences, np.random.default_rng(0), groups=np.array([0, 0, 0, 1, 1, 1]))
    assert (alone.p, grouped.p) == (2 / 64, 2 / 4)


def test_no_difference_is_no_evidence() -> None:
    zeros = np.zeros(8)
    assert sign_flip(zeros, np.random.default_rng(0)).p == 1.0
    assert wilcoxon(zeros).p == sign_test(zeros).p == 1.0
    assert mcnemar(zeros > 0, zeros > 0).p == 1.0


@given(st.lists(st.integers(-6, 6), min_size=3, max_size=9))
def test_wilcoxon_without_ties_is_exact(values: list[int]) -> None:
    distinct = sorted({abs(value): value for value in values if value}.values(), key=abs)
    if len(distinct) < 2:
        return
    found = wilcoxon(np.array(distinct, dtype=float))
    ranked = range(1, len(distinct) + 1)
    plus = sum(r for r, v in zip(ranked, distinct, strict=True) if v > 0)
    total = len(distinct) * (len(distinct) + 1) // 2
    observed = min(plus, total - plus)
    sums = [
        sum(r for r, s in zip(ranked, signs, strict=True) if s)
        for signs in product((0, 1), repeat=len(distinct))
    ]
    assert found.statistic == observed
    assert found.p == pytest.approx(np.mean([min(s, total - s) <= observed for s in sums]))


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=8), st.data())
def test_poisson_binomial_sums_over_all_outcomes(chances: list[float], data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, len(chances)))
    law = np.zeros(len(chances) + 1)
    for outcome in product((0, 1), repeat=len(chances)):
        law[sum(outcome)] += np.prod(
            [c if hit else 1 - c for c, hit in zip(chances, outcome, strict=True)]
        )
    assert poisson_binomial(hits, chances, "greater").p == pytest.approx(law[hits:].sum())
    assert poisson_binomial(hits, chances, "less").p == pytest.approx(law[: hits + 1].sum())


def test_a_fraction_of_a_hit_is_rounded_away_from_the_tail() -> None:
    chances = [0.3, 0.5, 0.2]
    assert poisson_binomial(1.4, chances, "greater").p == poisson_binomial(2, chances, "greater").p
    assert poisson_binomial(1.4, chances, "less").p == poisson_binomial(1, chances, "less").p


def test_label_swap_is_the_share_of_all_swaps() -> None:
    faulty, clean = np.array([3.0, 2.0, 2.0, 5.0]), np.array([1.0, 2.0, 4.0, 1.0])
    found = label_swap(faulty, clean, np.random.default_rng(0))
    areas = []
    for swaps in product((False, True), repeat=4):
        bad = np.where(swaps, clean, faulty)[:, None]
        good = np.where(swaps, faulty, clean)[None, :]
        areas.append(float(((bad > good) + 0.5 * (bad == good)).mean()))
    assert found.statistic == pytest.approx(areas[0])
    assert found.p == pytest.approx(np.mean(np.array(areas) >= areas[0] - 1e-12), abs=0.005)


def test_welch_allows_unequal_variances() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 1, 12), rng.normal(1, 4, 40)
    se = np.sqrt(first.var(ddof=1) / 12 + second.var(ddof=1) / 40)
    assert welch(first, second).statistic == pytest.approx((first.mean() - second.mean()) / se)


@given(p_values)
def test_holm_is_the_closed_test_of_bonferroni(raw: list[float]) -> None:
    if len(raw) > 8:
        raw = raw[:8]
    for at, adjusted in enumerate(holm(raw)):
        # The largest Bonferroni p of all intersections that hold the hypothesis.
        others = [p for other, p in enumerate(raw) if other != at]
        worst = max(
            min(1.0, (1 + sum(chosen)) * min([raw[at], *compress(others, chosen)]))
            for chosen in product((0, 1), repeat=len(others))
        )
        assert adjusted == pytest.approx(worst)


@given(p_values)
def test_benjamini_hochberg_is_that_of_scipy(raw: list[float]) -> None:
    assert benjamini_hochberg(raw) == pytest.approx(
        stats.false_discovery_control(raw, method="bh").tolist()
    )


@given(st.floats(-0.2, 0.2), st.floats(0.001, 0.2), st.floats(0.01, 0.2))
def test_equivalence_is_an_inner_interval_inside_the_margin(
    value: float, se: float, margin: float
) -> None:
    z = stats.norm.ppf(0.95)
    low, high = value - z * se, value + z * se
    inside = -margin < low and high < margin
    found = two_one_sided(value, se, margin=margin)
    if min(abs(low + margin), abs(high - margin)) > 1e-9:
        assert found.is_equivalent == inside
    assert found.p == pytest.approx(
        max(stats.norm.sf((value + margin) / se), stats.norm.cdf((value - margin) / se)), abs=1e-12
    )


def test_a_difference_without_spread_is_judged_by_its_size() -> None:
    assert two_one_sided(0.01, 0.0, margin=0.05).is_equivalent
    assert not two_one_sided(0.06, 0.0, margin=0.05).is_equivalent
    with pytest.raises(ValueError, match="positive"):
        two_one_sided(0.0, 0.1, margin=0.0)


def test_the_smallest_detectable_difference_is_found_that_often() -> None:
    rng = np.random.default_rng(0)
    true = smallest_detectable(1.0, power=0.8)
    z = np.abs(rng.normal(true, 1.0, size=200_000))
    assert (z > stats.norm.ppf(0.975)).mean() == pytest.approx(0.8, abs=0.005)
