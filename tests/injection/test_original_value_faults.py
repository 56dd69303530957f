"""The original's own named-value functions, run beside ours on generated and on real runs."""

import json
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from catchkit.builders.corpus import corpus_named, shards_of
from catchkit.builders.streams import Located, json_array
from catchkit.injection.donors import Donors
from catchkit.injection.extraction import Extraction
from catchkit.injection.injector import faults_of
from catchkit.injection.material import material
from catchkit.injection.pairs import mixed, single
from catchkit.injection.randomness import Published
from catchkit.injection.values import ValueRun, value_run
from gold_runs import real_records, write_shop
from reading import REAL

pytestmark = pytest.mark.skipif(
    find_spec("catchbench") is None, reason="the original benchmark is not installed (extra: peer)"
)
KINDS = {"stale_value": "stale", "dropped_value": "dropped"}
Edit = tuple[int, int, str, str, str]


@pytest.fixture(scope="module")
def original() -> Iterator[Any]:
    """Import the original's functions; what they import and never call here is stood in for."""
    stand_ins = ("catchbench._reuse", "agent_graph_tau_bench")
    added = [name for name in stand_ins if name not in sys.modules]
    for name in added:
        sys.modules[name] = ModuleType(name)
    try:
        import catchbench.namedvalue as functions

        yield functions
    finally:
        for name in added:
            del sys.modules[name]


def places() -> list[Any]:
    real = REAL / "tau_bench"
    mark = pytest.mark.skipif(not real.is_dir(), reason=f"no real runs in {real}")
    return [
        pytest.param("", id="generated"),
        pytest.param("#", id="generated with a hash"),
        pytest.param(real, id="real", marks=mark),
    ]


@pytest.fixture(params=places(), scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if isinstance(request.param, Path):
        return request.param
    return write_shop("tau_bench", tmp_path_factory.mktemp("shop"), request.param)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("fault", faults_of("value"), ids=lambda fault: fault.name)
def test_one_fault_everywhere(original: Any, folder: Path, fault: Any, seed: int) -> None:
    runs = ours(folder)
    found = single(runs, fault, Published(seed, "value"), Donors.of(runs))
    theirs = original.build_single_kind_corpus(graphs(original, folder), KINDS[fault.name], seed)
    assert edits(found, runs) == original_edits(theirs)


@pytest.mark.parametrize("seed", [0, 1])
def test_both_faults_in_turn(original: Any, folder: Path, seed: int) -> None:
    runs = ours(folder)
    found = mixed(runs, faults_of("value"), Published(seed, "value"), Donors.of(runs))
    theirs = original.build_corpus(graphs(original, folder), seed)
    assert edits(found, runs) == original_edits(theirs)


@cache
def ours(folder: Path) -> list[ValueRun]:
    corpus = corpus_named("tau_bench")
    extraction = Extraction.of(corpus, "published")
    real = folder == REAL / "tau_bench"
    records = real_records("tau_bench") if real else material(corpus, folder)
    return [value_run(record, corpus, extraction) for record in records]


@cache
def graphs(original: Any, folder: Path) -> list[Any]:
    found: list[Any] = []
    for shard in shards_of(corpus_named("tau_bench"), folder):
        for located in json_array(shard):
            assert isinstance(located, Located)
            events, given = original.extract_events({"messages": located.record["traj"]})
            found.append(original.build_graph(str(len(found)), events, given))
    return found


def edits(pairs: list[Any], runs: list[ValueRun]) -> list[Edit]:
    place = {run.run_id: at for at, run in enumerate(runs)}
    return [
        (
            place[pair.clean.run_id],
            pair.change.site.at,
            json.dumps(pair.change.site.path.split(".")),
            pair.change.before,
            pair.change.after,
        )
        for pair in pairs
    ]


def original_edits(pairs: list[Any]) -> list[Edit]:
    return [
        (
            int(pair.clean.run_id),
            pair.label.event_idx,
            json.dumps([str(part) for part in pair.label.path]),
            pair.label.original,
            pair.label.injected,
        )
        for pair in pairs
    ]
