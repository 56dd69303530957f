"""What the package holds of the traces is what a conversion of the real files makes."""

from pathlib import Path
from typing import Any

import pytest

from catchkit.builders.conversion import convert
from catchkit.builders.corpus import SHIPPABLE, corpora, corpus_named
from catchkit.builders.dataset import records
from catchkit.builders.edges import PUBLISHED
from catchkit.builders.features import BLOCKS, run_features, runs_of
from catchkit.builders.tables import graph_row
from catchkit.builders.trace_snapshot import write_trace_snapshot
from catchkit.deidentify.scan import scan
from catchkit.loaders.release import SNAPSHOT, Release, packaged
from catchkit.trace_configs import FOLDS, NOT_SHIPPED, configs_of
from factories import SHARED, needs_shared
from runs import reference_features

TRACES = SNAPSHOT / "traces"
SHIPPED = sorted(name for name in corpora() if name not in NOT_SHIPPED)
QUICK = ["openhands", "who_and_when", "who_and_when_hand_crafted"]
"""Corpora small enough to be made anew in a test."""


def sorted_rows(release: Release, config: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = release.table(config).to_pylist()
    id_column = "run_id" if config.startswith("post") else "row_id"
    return sorted(rows, key=lambda row: str(row[id_column]))


@needs_shared
@pytest.mark.parametrize("name", QUICK)
def test_a_conversion_of_the_real_files_gives_the_packaged_rows(name: str, tmp_path: Path) -> None:
    place = SHARED / "traces" / (corpus_named(name).folder or name)
    convert([name], place, tmp_path / "out")
    made = Release.open(tmp_path / "out")
    for config in configs_of(name):
        shippable = [row for row in sorted_rows(made, config.name) if row["license"] in SHIPPABLE]
        assert shippable == sorted_rows(packaged(), config.name)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_packaged_graphs_are_made_from_the_packaged_records(name: str) -> None:
    """Of a sample: every fifth run."""
    corpus = corpus_named(name)
    packed = {row["run_id"]: row for row in packaged().table(f"post_{name}").to_pylist()}
    made = [graph_row(record, corpus) for record in list(records(name))[::5]]
    for row in made:
        assert isinstance(row, dict)
        assert row == packed[row["run_id"]]
    assert len(list(records(name))) == len(packed)


@needs_shared
@pytest.mark.parametrize("name", ["agentracer", "openhands", "swe_agent"])
def test_features_agree_with_the_definitions_on_runs_that_are_not_packaged(
    name: str, tmp_path: Path
) -> None:
    convert([name], SHARED / "traces" / name, tmp_path / "out")
    table = Release.open(tmp_path / "out").table(f"post_{name}")
    found = run_features(runs_of(table), tuple(BLOCKS))
    for at, row in enumerate(table.to_pylist()):
        expected = reference_features(row, PUBLISHED)
        assert {feature: float(values[at]) for feature, values in found.items()} == expected


def test_every_packaged_run_may_be_shipped() -> None:
    for name in SHIPPED:
        licenses = packaged().table(f"post_{name}").column("license").to_pylist()
        assert set(licenses) <= SHIPPABLE


@pytest.mark.parametrize("name", SHIPPED)
def test_every_fold_holds_whole_tasks_and_both_outcomes(name: str) -> None:
    table = packaged().table(f"post_{name}").select(["fold", "group", "failed"])
    rows = table.to_pylist()
    folds = {row["fold"] for row in rows}
    assert folds == set(range(FOLDS))
    assert len({(row["fold"], row["group"]) for row in rows}) == len({row["group"] for row in rows})
    outcomes = {True, False} if corpus_named(name).has_both_outcomes else {True}
    for fold in folds:
        assert {row["failed"] for row in rows if row["fold"] == fold} >= outcomes


def test_no_packaged_file_is_too_large_for_a_repository() -> None:
    sizes = [path.stat().st_size for path in SNAPSHOT.rglob("*") if path.is_file()]
    assert max(sizes) < 8_000_000
    assert sum(sizes) < 25_000_000


@pytest.mark.parametrize("name", SHIPPED)
def test_a_scan_of_the_packaged_records_is_clean(name: str) -> None:
    for path in sorted((TRACES / "records").glob(f"{name}-*.parquet"))[:1]:
        assert scan(path, second=None).is_clean
    assert scan(TRACES / f"post_{name}.parquet", second=None).is_clean


def test_a_snapshot_is_written_from_a_folder_of_corpora(tmp_path: Path) -> None:
    fixtures = Path(__file__).parent.parent / "fixtures"
    place = tmp_path / "raw"
    place.mkdir()
    for name in ("tau_bench", "swe_agent"):
        (place / name).symlink_to(fixtures / name)
    manifest = write_trace_snapshot(place, tmp_path / "work", tmp_path / "out")
    names = {"post_tau_bench", "live_tau_bench", "live_tau_bench_fraction"}
    assert set(manifest.configs) == names
    assert "records/tau_bench-0000.parquet" in manifest.files
