import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from catchkit import catalog
from catchkit.eval.metric import Metric, Takes, metrics

REFERENCE = {"precision": precision_score, "recall": recall_score, "f1": f1_score}


FORMS: tuple[Takes, ...] = ("counts", "ranks", "scores", "prefixes")


def test_every_metric_takes_one_of_the_forms() -> None:
    folder = catalog.names("eval.metrics")
    assert sorted(name for form in FORMS for name in metrics(form)) == list(folder)


@pytest.fixture(params=sorted(metrics()))
def metric(request: pytest.FixtureRequest) -> Metric:
    return metrics()[request.param]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_it_equals_the_library_that_reads_the_labels_themselves(
    pairs: list[tuple[bool, bool]],
) -> None:
    label, flag = (np.array(side) for side in zip(*pairs, strict=True))
    counts = [np.array([both.sum()], dtype=float) for both in (label & flag, ~label & flag)]
    counts.append(np.array([(label & ~flag).sum()], dtype=float))
    for name, metric in metrics().items():
        expected = REFERENCE[name](label, flag, zero_division=0)
        assert metric.compute(*counts)[0] == pytest.approx(expected, abs=1e-15)


def test_it_stays_within_zero_and_one_over_whole_arrays(metric: Metric) -> None:
    counts = np.random.default_rng(3).integers(0, 4, size=(3, 500)).astype(float)
    values = metric.compute(*counts)
    assert values.shape == (500,)
    assert ((values >= 0) & (values <= 1)).all()
