"""Rank metrics against enumerating every order of the ties."""

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.eval.floors import floors
from catchkit.eval.metric import metrics
from catchkit.eval.ranks import Ranks, ranks, scores_of_ranking

RANK_OF = {
    "top1": lambda rank: Fraction(int(rank == 1)),
    "top3": lambda rank: Fraction(int(rank <= 3)),
    "mrr": lambda rank: Fraction(1, rank),
}
runs = st.lists(st.integers(0, 3), min_size=1, max_size=6)


def by_enumeration(metric: str, scores: list[int], target: int) -> Fraction:
    """Average the metric over every order of the steps that sorts the scores."""
    steps = range(len(scores))
    sorted_orders = [
        order
        for order in permutations(steps)
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    found = [RANK_OF[metric](order.index(target) + 1) for order in sorted_orders]
    return sum(found, Fraction(0)) / len(found)


@given(st.lists(runs, min_size=1, max_size=4), st.data())
def test_ties_are_shared_as_if_every_order_were_tried(
    corpus: list[list[int]], data: st.DataObject
) -> None:
    targets = [data.draw(st.integers(0, len(run) - 1)) for run in corpus]
    starts = np.cumsum([0, *map(len, corpus)])
    flat = np.array([score for run in corpus for score in run], dtype=float)
    found = ranks(flat, starts, np.array(targets))
    for name, metric in metrics("ranks").items():
        values = metric.compute(found.above, found.tied)
        expected = [by_enumeration(name, run, at) for run, at in zip(corpus, targets, strict=True)]
        assert values.tolist() == pytest.approx([float(value) for value in expected], abs=1e-12)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=10), st.floats(-1e6, 1e6))
def test_a_constant_score_lands_exactly_on_the_floor(sizes: list[int], constant: float) -> None:
    starts = np.cumsum([0, *sizes])
    found = ranks(np.full(starts[-1], constant), starts, np.array(sizes) // 2)
    for name, metric in metrics("ranks").items():
        values = metric.compute(found.above, found.tied)
        assert values.tolist() == floors(np.array(sizes))[name].tolist()


def test_floors_are_the_textbook_ones() -> None:
    sizes = np.array([1, 2, 5, 9])
    found = floors(sizes)
    assert found["top1"].tolist() == pytest.approx((1 / sizes).tolist())
    assert found["top3"].tolist() == pytest.approx(np.minimum(1, 3 / sizes).tolist())
    harmonic = [sum(1 / r for r in range(1, size + 1)) / size for size in sizes]
    assert found["mrr"].tolist() == pytest.approx(harmonic)


@given(runs, st.data())
def test_a_tie_settled_for_the_earlier_step_is_a_stable_sort(
    run: list[int], data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(run) - 1))
    found = ranks(
        np.array(run, float), np.array([0, len(run)]), np.array([target]), ties_to_earlier=True
    )
    order = sorted(range(len(run)), key=lambda at: -run[at])
    assert found.above[0] == order.index(target)
    assert found.tied[0] == 1


@given(runs, st.data())
def test_only_the_pool_competes_and_the_target_is_in_it(
    run: list[int], data: st.DataObject
) -> None:
    target = data.draw(st.integers(0, len(run) - 1))
    eligible = sorted(data.draw(st.sets(st.integers(0, len(run) - 1))))
    starts, targets = np.array([0, len(run)]), np.array([target])
    members = sorted({*eligible, target})
    pool = np.isin(np.arange(len(run)), eligible)
    within = ranks(np.array(run, float), starts, targets, pool=pool)
    alone = ranks(
        np.array([run[at] for at in members], float),
        np.array([0, len(members)]),
        np.array([members.index(target)]),
    )
    assert (within.above[0], within.tied[0]) == (alone.above[0], alone.tied[0])


@pytest.mark.parametrize("target", [-1, 3])
def test_a_target_outside_its_run_is_refused(target: int) -> None:
    with pytest.raises(IndexError):
        ranks(np.zeros(3), np.array([0, 3]), np.array([target]))


def test_a_ranking_ties_whatever_it_does_not_name() -> None:
    scores = scores_of_ranking([3], 4)
    found = ranks(np.array(scores), np.array([0, 4]), np.array([0]))
    assert (found.above.tolist(), found.tied.tolist()) == ([1], [3])


def test_ranks_of_some_runs_are_those_runs() -> None:
    whole = Ranks(above=np.array([0, 1, 2]), tied=np.array([1, 1, 3]))
    assert whole.among(np.array([True, False, True])).above.tolist() == [0, 2]
