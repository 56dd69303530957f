from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.harvest import harvest_configs
from catchkit.builders.material import RawConfig, Skipped
from catchkit.builders.pre.synthetic import FRAMEWORKS, SOURCE, authored, cases_of
from catchkit.loaders.release import Release

CASES = b"""
tools: {a: [t.a, read], b: [t.b, write], c: [t.c, execute]}
cases:
  - {task: Read it., needs: [a], beyond: [b, c]}
"""


def rosters(seed: int) -> list[tuple[str, ...]]:
    configs = [entry for entry in authored(seed) if isinstance(entry, RawConfig)]
    return [tuple(c.name for c in config.capabilities) for config in configs]


def test_every_framework_has_at_least_fourteen_cases() -> None:
    records = harvest_configs(SOURCE, authored(11)).records
    counts = Counter(record.framework for record in records)
    assert set(counts) == set(FRAMEWORKS)
    assert min(counts.values()) >= 14


@given(st.integers(0, 2**64))
def test_the_same_seed_gives_the_same_records(seed: int) -> None:
    assert list(cases_of("mcp", CASES, seed)) == list(cases_of("mcp", CASES, seed))


def test_another_seed_gives_other_rosters_under_other_ids(snapshot: Release) -> None:
    assert rosters(1) != rosters(2)
    ids = [
        r.instance_id for seed in (1, 2) for r in harvest_configs(SOURCE, authored(seed)).records
    ]
    released = snapshot.table("pre_synthetic").column("instance_id").to_pylist()
    assert len(set(ids) | set(released)) == len(ids) + len(released)


def test_every_grant_and_every_place_is_drawn_under_some_seed() -> None:
    seen = set()
    for seed in range(200):
        (config,) = cases_of("mcp", CASES, seed)
        assert isinstance(config, RawConfig)
        seen.add(tuple(c.name for c in config.capabilities))
        assert config.needed == ("a",)
    orders = {"ab", "ba", "ac", "ca", "abc", "acb", "bac", "bca", "cab", "cba"}
    assert seen == {tuple(order) for order in orders}


@pytest.mark.parametrize("seed", [0, 11, 2026])
def test_the_excess_is_what_was_granted_beyond_the_need(seed: int) -> None:
    for config, record in zip(
        authored(seed), harvest_configs(SOURCE, authored(seed)).records, strict=True
    ):
        assert isinstance(config, RawConfig)
        assert record.excess is not None
        excess = {
            c.name for c, flag in zip(record.capabilities, record.excess, strict=True) if flag
        }
        assert excess
        assert excess == {c.name for c in config.capabilities} - set(config.needed or ())


@pytest.mark.parametrize(
    "case",
    [
        "{task: t, needs: [a], beyond: []}",
        "{task: t, needs: [nowhere], beyond: [b]}",
        "{task: 7, needs: [a], beyond: [b]}",
        "{needs: [a], beyond: [b]}",
        "text",
    ],
)
def test_a_case_of_another_shape_is_a_skip(case: str) -> None:
    data = f"tools: {{a: [t, read], b: [t, write]}}\ncases: [{case}]".encode()
    (found,) = cases_of("mcp", data, seed=1)
    assert isinstance(found, Skipped)


@pytest.mark.parametrize(
    "data",
    [b"", b"tools: 1", b"tools: {a: [t]}", b"tools: {a: [t, fly]}\ncases: []", b"[", b"\xff"],
)
def test_a_file_of_another_shape_is_a_skip(data: bytes) -> None:
    (found,) = cases_of("mcp", data, seed=1)
    assert isinstance(found, Skipped)
