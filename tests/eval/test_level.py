"""A small version of ``benchmarks/simulations.py``: no test rejects too often."""

import importlib.util
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

from factories import REPOSITORY

SIMULATIONS = 200
RUNS = 126


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "simulations", REPOSITORY / "benchmarks" / "simulations.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SIMULATED = load()
KEPT = [name for name in SIMULATED.TESTS if "ignored" not in name]


@pytest.mark.parametrize("name", KEPT)
def test_nothing_is_found_where_nothing_is(name: str) -> None:
    test, _ = SIMULATED.TESTS[name]
    rate = SIMULATED.rejections(test, RUNS, 0.0, SIMULATIONS)
    # Percentile bootstraps of few groups are a little bold; nothing may be bolder than 8 %.
    found = stats.binomtest(round(rate * SIMULATIONS), SIMULATIONS, 0.08, alternative="greater")
    assert found.pvalue > 0.001


@pytest.mark.parametrize("name", KEPT)
def test_something_is_found_where_something_is(name: str) -> None:
    test, effect = SIMULATED.TESTS[name]
    power = SIMULATED.rejections(test, 4 * RUNS, 2 * effect, 30)
    assert power > 0.5


def test_ignoring_groups_rejects_too_often() -> None:
    rng = np.random.default_rng(0)
    test, _ = SIMULATED.TESTS["delong, groups ignored"]
    sound, _ = SIMULATED.TESTS["clustered delong"]
    ignored = np.mean([test(rng, RUNS, 0.0) < 0.05 for _ in range(400)])
    kept = np.mean([sound(rng, RUNS, 0.0) < 0.05 for _ in range(400)])
    assert ignored > kept + 0.02
