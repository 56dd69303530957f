import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from catchkit.eval.matched import Pools, superiority
from catchkit.eval.metric import metrics

POOLS = st.lists(
    st.lists(st.integers(0, 3), min_size=1, max_size=7).flatmap(
        lambda scores: st.tuples(st.just(scores), st.integers(0, len(scores) - 1))
    ),
    min_size=1,
    max_size=8,
)
Drawn = list[tuple[list[int], int]]


def pools_of(drawn: Drawn) -> tuple[Pools, np.ndarray]:
    pools = Pools.of([len(scores) for scores, _ in drawn], [place for _, place in drawn])
    return pools, np.concatenate([scores for scores, _ in drawn]).astype(float)


@given(POOLS)
def test_top1_is_the_metric_of_the_same_name(drawn: Drawn) -> None:
    pools, scores = pools_of(drawn)
    above = [sum(other > own[place] for other in own) for own, place in drawn]
    tied = [own.count(own[place]) for own, place in drawn]
    expected = metrics("ranks")["top1"].compute(np.array(above), np.array(tied))
    assert pools.top1(scores) == pytest.approx(expected)


@given(POOLS)
def test_a_target_drawn_from_its_pool_is_named_at_the_floor_whatever_the_score(
    drawn: Drawn,
) -> None:
    pools, scores = pools_of(drawn)
    each = pools.top1_of_each(scores)
    assert np.bincount(pools.owners, each) == pytest.approx(1.0)
    assert pools.mean(each) == pytest.approx(pools.floor)


@given(POOLS)
def test_a_constant_score_lands_on_the_floor(drawn: Drawn) -> None:
    pools, scores = pools_of(drawn)
    assert pools.top1(0 * scores) == pytest.approx(pools.floor)
    assert pools.rank_share(0 * scores) == pytest.approx(0.5)


@given(POOLS)
def test_the_rank_share_of_a_target_is_the_auc_within_its_pool(drawn: Drawn) -> None:
    pools, scores = pools_of(drawn)
    found = pools.rank_share(scores)[pools.target]
    for at, (own, place) in enumerate(drawn):
        if len(own) > 1:
            is_target = np.arange(len(own)) == place
            assert found[at] == pytest.approx(roc_auc_score(is_target, own))
        else:
            assert found[at] == 0.5


def test_a_target_outside_its_pool_is_refused() -> None:
    with pytest.raises(ValueError, match="target 1 is outside its own pool"):
        Pools.of([2, 2], [0, 2])


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=20))
def test_a_run_is_never_above_an_equal_twin(scores: list[float]) -> None:
    values = np.array(scores)
    assert superiority(values, values).tolist() == [0.5] * len(scores)
    assert superiority(values + 1, values).tolist() == [1.0] * len(scores)
    assert superiority(values - 1, values).tolist() == [0.0] * len(scores)
