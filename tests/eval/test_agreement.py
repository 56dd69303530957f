import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from catchkit.eval.agreement import cohen_kappa, exact_rate, krippendorff_alpha

ANSWERS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)


@given(ANSWERS)
def test_kappa_is_that_of_the_library(pairs: list[tuple[bool, bool]]) -> None:
    one, other = zip(*pairs, strict=True)
    assume(len(set(one)) > 1 or set(one) != set(other))
    assert cohen_kappa(one, other) == pytest.approx(cohen_kappa_score(one, other))


def test_alpha_of_the_textbook_table_is_the_published_one() -> None:
    # Four observers, twelve units, nominal data: Krippendorff 2011, example C, alpha 0.743.
    table = ["123321412***", "123322412 5*3", "*33323422 51*", "123324412 51*"]
    answers = [[None if mark == "*" else mark for mark in row.replace(" ", "")] for row in table]
    assert krippendorff_alpha(answers) == pytest.approx(0.743, abs=5e-4)


@given(ANSWERS)
def test_alpha_and_kappa_agree_on_what_perfect_agreement_is(
    pairs: list[tuple[bool, bool]],
) -> None:
    one = [pair[0] for pair in pairs]
    perfect = krippendorff_alpha([one, one])
    assert perfect == (1.0 if len(set(one)) > 1 else None)
    assert cohen_kappa(one, one) == perfect


def test_a_missing_answer_counts_as_none() -> None:
    assert krippendorff_alpha([[True, None], [None, False]]) is None
    assert krippendorff_alpha([[True, False, None], [True, False, True]]) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_exact_interval_is_that_of_the_library(hits: int, more: int) -> None:
    trials = hits + more
    assume(trials > 0)
    expected = binomtest(hits, trials).proportion_ci(0.95, "exact")
    found = exact_rate(hits, trials)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.value == hits / trials


def test_a_rate_of_nothing_is_no_rate() -> None:
    assert exact_rate(0, 0).value is None
