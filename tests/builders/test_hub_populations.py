"""The populations of the original benchmark, from the Hub at its pinned revisions.

They need the network and about 320 MB, so they run only when asked for:

    CATCHKIT_NETWORK=1 python -m pytest tests/builders/test_hub_populations.py
"""

import os
from collections import Counter
from pathlib import Path

import pytest

from catchkit.builders.conversion import convert
from catchkit.builders.fetch import fetch
from catchkit.loaders.dataset import load

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(
        os.environ.get("CATCHKIT_NETWORK") != "1",
        reason="needs the Hub: CATCHKIT_NETWORK=1 python -m pytest "
        "tests/builders/test_hub_populations.py",
    ),
]


@pytest.mark.parametrize(
    ("corpus", "failed", "succeeded"),
    [
        pytest.param("swe_gym", 5564, 491, id="SWE-Gym, every run"),
        pytest.param("swe_gym_balanced", 188, 188, id="SWE-Gym, as selected"),
        pytest.param("tau_bench_hub", 363, 297, id="tau-bench"),
        pytest.param("who_and_when", 126, 0, id="Who&When"),
    ],
)
def test_the_published_population_is_found(
    corpus: str, failed: int, succeeded: int, tmp_path: Path
) -> None:
    (account,) = convert([corpus], fetch(corpus), tmp_path / "out", workers=2)
    outcomes = Counter(load(f"post_{corpus}", labels=True, data=tmp_path / "out")["failed"])
    assert account.is_complete
    assert (outcomes[True], outcomes[False]) == (failed, succeeded)
