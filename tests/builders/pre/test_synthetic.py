from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.harvest import Harvest, harvest, harvest_places
from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.pre.synthetic import SOURCE, seeded
from catchkit.loaders.release import Release

CASES = b"""
tools: {a: [t.a, read], b: [t.b, write], c: [t.c, execute]}
cases:
  - {task: Read it., needs: [a], beyond: [b, c]}
"""


def parse(data: bytes, seed: int) -> list[Parsed]:
    return list(seeded(seed).parse(Material(repo="authored", files={"mcp.yaml": data})))


def packaged(seed: int) -> Harvest:
    assert SOURCE.places is not None

    def no_network(url: str) -> bytes:
        raise AssertionError(url)

    return harvest_places(seeded(seed), SOURCE.places(), no_network)


def rosters(seed: int) -> list[list[str]]:
    return [sorted(c.name for c in record.capabilities) for record in packaged(seed).records]


def test_every_framework_has_at_least_fourteen_cases() -> None:
    records = packaged(11).records
    assert packaged(11).skipped == ()
    counts = Counter(record.framework for record in records)
    assert set(counts) == {"crewai", "flowise", "mcp", "sweagent"}
    assert min(counts.values()) >= 14


@given(st.integers(0, 2**64))
def test_the_same_seed_gives_the_same_records(seed: int) -> None:
    assert parse(CASES, seed) == parse(CASES, seed)


def test_another_seed_gives_other_rosters_under_other_ids(snapshot: Release) -> None:
    assert rosters(1) != rosters(2)
    ids = [record.instance_id for seed in (1, 2) for record in packaged(seed).records]
    released = snapshot.table("pre_synthetic").column("instance_id").to_pylist()
    assert len(set(ids) | set(released)) == len(ids) + len(released)


def test_every_grant_and_every_place_is_drawn_under_some_seed() -> None:
    seen = set()
    for seed in range(200):
        (config,) = parse(CASES, seed)
        assert isinstance(config, RawConfig)
        seen.add(tuple(c.name for c in config.capabilities))
        assert config.needed == ("a",)
    orders = {"ab", "ba", "ac", "ca", "abc", "acb", "bac", "bca", "cab", "cba"}
    assert seen == {tuple(order) for order in orders}


@given(st.integers(0, 2**64))
def test_the_excess_is_what_was_granted_beyond_the_need(seed: int) -> None:
    material = Material(repo="authored", files={"mcp.yaml": CASES})
    (record,) = harvest(seeded(seed), [material]).records
    assert record.excess is not None
    flags = zip(record.capabilities, record.excess, strict=True)
    excess = {capability.name: flag for capability, flag in flags}
    assert excess.pop("a") is False
    assert excess
    assert all(excess.values())


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
    (found,) = parse(data, seed=1)
    assert isinstance(found, Skipped)


@pytest.mark.parametrize(
    "data",
    [b"", b"tools: 1", b"tools: {a: [t]}", b"tools: {a: [t, fly]}\ncases: []", b"[", b"\xff"],
)
def test_a_file_of_another_shape_is_a_skip(data: bytes) -> None:
    (found,) = parse(data, seed=1)
    assert isinstance(found, Skipped)
