"""The rows of Gold configs: pairs that differ by the fault alone, whatever else there is."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from catchkit.builders.corpus import corpus_named
from catchkit.builders.dataset import features, graphs, step_features
from catchkit.builders.edges import dependencies
from catchkit.builders.record import TraceRecord
from catchkit.builders.steps import steps_of
from catchkit.gold_configs import FILE_CORPORA, VALUE_CORPORA, gold_configs_of
from catchkit.injection.gold import gold
from catchkit.injection.gold_files import FileGold
from catchkit.injection.gold_values import ValueGold
from catchkit.injection.planted import Planted, Version
from catchkit.loaders.release import packaged
from gold_runs import write_shop
from reading import TESTS

Case: TypeAlias = tuple[Version, str]
CASES: list[Case] = [
    *(("v1", name) for name in sorted(FILE_CORPORA)),
    *(("v2", name) for name in sorted(VALUE_CORPORA)),
]
KEYS = {"row_id", "is_injected", "site", "changed_from", "changed_to"}
VERSION_LABELS = {
    "v1": KEYS | {"edge_reader", "edge_writer", "edge_kind", "span", "dependencies"},
    "v2": KEYS
    | {"site_path", "site_key", "site_step", "stale_field", "superseded_by"}
    | {"edge_reader", "edge_writer", "edge_kind", "events"},
}
"""Columns in which the versions of a run may differ."""


VALUES = [case for case in CASES if case[0] == "v2"]


@pytest.fixture(params=CASES, ids="-".join, scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    version, corpus = request.param
    return version, corpus


@pytest.fixture(scope="module")
def place(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return place_of(case, tmp_path_factory.mktemp("runs"))


def place_of(case: Case, folder: Path) -> Path:
    version, corpus = case
    return TESTS / "fixtures" / corpus if version == "v1" else write_shop(corpus, folder, "#")


def planted(case: Case, place: Path, seed: int = 0) -> Planted:
    return clean_runs(case, place).plant(seed)


@cache
def clean_runs(case: Case, place: Path) -> FileGold | ValueGold:
    return gold(*case, place=place)


def pairs(rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return (clean, injected) of each pair that has both."""
    held: dict[str, dict[bool, dict[str, Any]]] = {}
    for row in rows:
        held.setdefault(row["pair_id"], {})[row["is_injected"]] = row
    return [(pair[False], pair[True]) for pair in held.values() if len(pair) == 2]


def test_every_declared_config_comes_out_with_its_schema(case: Case, place: Path) -> None:
    tables = planted(case, place).tables
    declared = {config.name: config for config in gold_configs_of(case[1])}
    assert set(tables) == set(declared)
    for name, table in tables.items():
        table.validate(full=True)
        assert table.schema == declared[name].family.arrow_schema
        ids = table.column("row_id").to_pylist()
        assert len(set(ids)) == len(ids)


def test_versions_differ_by_the_fault_alone(case: Case, place: Path) -> None:
    for seed in range(5):
        for table in planted(case, place, seed).tables.values():
            for clean, injected in pairs(table.to_pylist()):
                differing = {name for name in clean if clean[name] != injected[name]}
                assert differing <= VERSION_LABELS[case[0]]
                assert clean["site"] is None
                assert clean["changed_from"] is None
                assert clean["eligible"] == injected["eligible"]


def test_the_order_of_the_rows_says_nothing(case: Case, place: Path) -> None:
    firsts = []
    for seed in range(40):
        for table in planted(case, place, seed).tables.values():
            order = table.column("is_injected").to_pylist()
            if len(set(order)) == 2:
                firsts.append(order[0])
    assert 0.3 < sum(firsts) / len(firsts) < 0.7


@pytest.mark.parametrize("case", VALUES, ids="-".join)
def test_the_other_runs_move_no_row(case: Case, tmp_path: Path) -> None:
    version, corpus = case
    every = place_of(case, tmp_path / "every")
    some = write_shop(corpus, tmp_path / "some", "#", numbers=(6, 1, 3))
    clean = gold(version, corpus, place=every)
    fewer = gold(version, corpus, place=some)
    lent = type(fewer)(**{**vars_of(fewer), "donors": clean.donors})  # type: ignore[union-attr]
    for seed in range(10):
        large, small = clean.plant(seed).tables, lent.plant(seed).tables
        for name, table in small.items():
            held = {row["row_id"]: row for row in large[name].to_pylist()}
            assert all(held[row["row_id"]] == row for row in table.to_pylist())


def vars_of(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


@pytest.mark.parametrize("case", VALUES, ids="-".join)
def test_the_edges_of_a_faulty_run_follow_from_its_values(case: Case, tmp_path: Path) -> None:
    corpus = corpus_named(case[1])
    for table in planted(case, place_of(case, tmp_path)).tables.values():
        for row in table.to_pylist():
            record = record_of(row)
            found = dependencies(record, steps_of(record, corpus.step_form), corpus)
            assert list(zip(*(row[f"edge_{p}"] for p in PARTS), strict=True)) == list(found)


PARTS = ("reader", "writer", "kind")


def record_of(row: dict[str, Any]) -> TraceRecord:
    labels = {"key": "k", "mistake_event": None, "mistake_actor": None}
    return TraceRecord.from_row({**row, **labels})


@pytest.mark.parametrize("case", VALUES, ids="-".join)
def test_the_label_of_a_value_fault_is_where_the_new_value_stands(
    case: Case, tmp_path: Path
) -> None:
    for table in planted(case, place_of(case, tmp_path)).tables.values():
        for clean, injected in pairs(table.to_pylist()):
            found = [
                (at, old["path"], old["key"], old["token"], new["token"])
                for at, (one, other) in enumerate(
                    zip(clean["events"], injected["events"], strict=True)
                )
                for old, new in zip(one["leaves"], other["leaves"], strict=True)
                if old != new
            ]
            label = ("site", "site_path", "site_key", "changed_from", "changed_to")
            assert found == [tuple(injected[name] for name in label)]
            place_ = {"event": injected["site"], "path": injected["site_path"]}
            assert {**place_, "key": injected["site_key"]} in clean["eligible"]
            without = [{**e, "leaves": None} for e in clean["events"]]
            assert without == [{**e, "leaves": None} for e in injected["events"]]


def test_attribution_holds_the_same_runs_with_either_fault() -> None:
    table = planted(("v1", "moatless"), TESTS / "fixtures" / "moatless").tables
    rows = table["gold_v1_moatless_attribution"].to_pylist()
    held: dict[str, set[str]] = {}
    for row in rows:
        assert row["is_injected"]
        held.setdefault(row["run_id"], set()).add(row["fault"])
    assert held
    assert all(faults == {"stale_read", "dropped_grounding"} for faults in held.values())


def test_the_online_view_shows_each_step_what_came_before() -> None:
    table = planted(("v1", "moatless"), TESTS / "fixtures" / "moatless", seed=1).tables
    rows = table["gold_v1_moatless_online"].to_pylist()
    assert {row["fault"] for row in rows} == {"stale_read"}
    for row in rows:
        for step in range(row["n_steps"]):
            writers = {
                writer
                for reader, writer in zip(row["edge_reader"], row["edge_writer"], strict=True)
                if reader == step
            }
            assert row["dependencies"][step] == len(writers)
            assert row["span"][step] == step - min(writers, default=step)


PROGRAM = """
import sys
from functools import cache
from pathlib import Path
from catchkit.injection.gold import gold
from catchkit.loaders.release import packaged
from catchkit.loaders.tables import content_digest
for version, corpus, place in zip(*[iter(sys.argv[1:])] * 3):
    for stream in ("addressed", "published"):
        planted = gold(version, corpus, place=Path(place), stream=stream).plant(5, stream)
        print([content_digest(table) for table in planted.tables.values()])
"""


def test_the_same_seed_gives_the_same_rows_in_every_process(tmp_path: Path) -> None:
    shop = write_shop("tau_bench", tmp_path)
    arguments = [
        "v1",
        "moatless",
        str(TESTS / "fixtures" / "moatless"),
        "v2",
        "tau_bench",
        str(shop),
    ]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1


def test_gold_rows_are_graphs_with_features_like_any_other() -> None:
    name = "gold_v1_openhands"
    table = packaged().table(name)
    found = features(name, blocks=("dep",))
    assert found.column("row_id") == table.column("row_id")
    spans = step_features(name).group_by("row_id").aggregate([("span", "max")])
    largest = dict(zip(*(spans.column(c).to_pylist() for c in ("row_id", "span_max")), strict=True))
    for row, graph in zip(table.to_pylist(), graphs(name), strict=True):
        assert graph.run_id == row["row_id"]
        assert len(graph.edges) == len(row["edge_reader"])
        lengths = [edge.reader - edge.writer for edge in graph.edges]
        assert largest[row["row_id"]] == max(lengths, default=0)
