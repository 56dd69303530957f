import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catchkit.eval.alarms import alarms, expected_precision

budgets = st.floats(0.0, 1.0)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=3, max_size=60), budgets)
def test_the_realised_rate_never_exceeds_the_budget(
    rows: list[tuple[int, bool]], budget: float
) -> None:
    scores, failed = (np.array(column) for column in zip(*rows, strict=True))
    assume(failed.any() and (~failed).sum() >= 2)
    found = alarms(scores.astype(float), failed, budget=budget)
    assert found.realised <= budget + 1e-8
    assert found.guaranteed <= budget + 1e-8
    assert 0 <= found.tpr <= 1


@pytest.mark.parametrize("budget", [0.05, 0.1, 0.3])
def test_a_fresh_clean_run_raises_an_alarm_as_often_as_promised(budget: float) -> None:
    rng = np.random.default_rng(0)
    rates = []
    for _ in range(3000):
        scores = rng.normal(size=83)
        failed = np.zeros(83, dtype=bool)
        failed[0] = True  # drawn like the others: its alarms are false ones
        rates.append(alarms(scores, failed, budget=budget).tpr)
    promised = alarms(scores, failed, budget=budget).guaranteed
    assert np.mean(rates) == pytest.approx(promised, abs=4 * np.sqrt(budget / 3000))


def test_without_ties_the_rate_is_a_count() -> None:
    failed = np.array([False] * 39 + [True] * 4)
    scores = np.concatenate([np.arange(39.0), [100.0, 37.5, 36.5, -1.0]])
    found = alarms(scores, failed, budget=0.05)
    # Of 40 exchangeable runs two may raise an alarm, so one calibrating run may be above.
    assert found.tpr == 0.5
    assert found.guaranteed == 2 / 40


def test_too_few_runs_allow_no_alarm() -> None:
    failed = np.array([False] * 10 + [True])
    assert not alarms(np.arange(11.0), failed, budget=0.05).is_usable


rates = st.floats(0, 1).map(lambda rate: round(rate, 6))


@given(rates, rates, st.floats(0.001, 0.999))
def test_expected_precision_is_bayes(tpr: float, fpr: float, rate: float) -> None:
    assume(tpr + fpr > 1e-6)
    found = expected_precision(tpr, fpr, rate=rate)
    assert found == pytest.approx(1 / (1 + fpr * (1 - rate) / (tpr * rate)) if tpr else 0.0)


def test_no_alarms_have_no_precision() -> None:
    assert expected_precision(0.0, 0.0, rate=0.5) is None
