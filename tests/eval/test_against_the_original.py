"""Our rules and scores against the installed original benchmark, record by record."""

import csv
import re
from collections.abc import Callable, Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catchkit.builders.published import read_published
from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import Board
from catchkit.eval.columns import match
from catchkit.eval.evaluate import evaluate
from catchkit.eval.evaluate_flags import FlagEvaluation
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.prediction_files import PredictionColumn
from catchkit.eval.rosters import Rosters
from catchkit.eval.write import baseline_table
from catchkit.loaders.release import Release

pre = pytest.importorskip("catchbench.pre", reason="the original is not installed (extra: peer)")
scanner = pytest.importorskip("catchbench.pre_static_scanner")

Rule = Callable[[Mapping[str, Any], list[dict[str, Any]]], set[str]]
RISKY = {"write", "execute", "network", "admin"}
RULES: dict[str, Rule] = {
    "flag_all": lambda _, declared: {entry["name"] for entry in declared},
    "flag_none": lambda _, __: set(),
    "flag_risky_perms": lambda _, declared: {
        entry["name"] for entry in declared if entry["permission_level"] in RISKY
    },
    "owasp_excess_permissions": scanner.rule_excess_permissions,
    "owasp_excess_functionality": scanner.rule_excess_functionality,
    "owasp_privilege_escalation": scanner.rule_privilege_escalation,
    "unrequested_high_impact": scanner.rule_unrequested_high_impact,
    "sensitive_access": scanner.rule_sensitive_access,
    "owasp_asi_combined": scanner.rule_owasp_asi,
}
SOURCES = ["crewai", "n8n", "mcp", "injecagent", "sweagent", "synthetic"]


@pytest.fixture(scope="module")
def originals() -> dict[str, Any]:
    task = pre.PreOverPrivilege()
    task.setup()
    return {row["instance_id"]: row for row in task.method_view()}


def flagged_names(rosters: Rosters, method: str) -> dict[str, set[str]]:
    flags = predict(baseline(method), rosters).flagged
    found: dict[str, set[str]] = {instance_id: set() for instance_id in rosters.ids}
    for flag, (roster, name, _, _) in zip(flags, rosters.capabilities(), strict=True):
        if flag:
            found[rosters.ids[roster]].add(name)
    return found


@pytest.mark.parametrize("method", RULES)
def test_every_configuration_is_flagged_as_by_the_original(
    method: str, rosters: Rosters, originals: dict[str, Any]
) -> None:
    ours = flagged_names(rosters, method)
    theirs = {
        instance_id: set(RULES[method](row, row["declared_capabilities"]))
        for instance_id, row in originals.items()
    }
    assert len(theirs) == 1187
    assert ours == theirs


@pytest.fixture(scope="module")
def everything() -> Evaluation:
    return evaluate("pre", baseline_table("pre", "flag_all"))


with (Path(__file__).parent.parent / "published_counts.csv").open() as stream:
    COUNTS = list(csv.DictReader(stream))


@pytest.mark.parametrize("row", COUNTS, ids=lambda row: row["method"])
def test_the_counts_are_the_published_ones(row: dict[str, str], everything: Evaluation) -> None:
    found = {source: everything.sources[source].references[row["method"]] for source in SOURCES}
    found["overall"] = everything.references[row["method"]]
    assert {name: f"{one.tp}/{one.fp}/{one.fn}" for name, one in found.items()} == {
        name: cell for name, cell in row.items() if name != "method"
    }


def golden_rows(title: str) -> dict[str, list[str]]:
    """Return method -> printed cells of one block of the original's golden file."""
    text = Path(str(distribution("catchbench").locate_file("catchbench/data/golden/board.txt")))
    block = text.read_text("utf-8").split(title)[1].split("\n\n")[0]
    lines = [re.split(r"\s{2,}", line.strip()) for line in block.splitlines()[2:]]
    return {cells[0]: cells[1:] for cells in lines if len(cells) > 2}


def test_the_pooled_table_is_the_published_one(everything: Evaluation) -> None:
    golden = golden_rows("pre_over_privilege :: multi")
    assert len(golden) == 11
    for method, cells in golden.items():
        one = everything.references[baseline(method).name]
        ours = [one.precision, one.recall, one.f1, one.coverage]
        assert [f"{value:.3f}" for value in ours] == cells, method


def test_the_table_by_source_is_the_published_one(everything: Evaluation) -> None:
    golden = golden_rows("pre_over_privilege :: F1 by source")
    assert len(golden) == 11
    for method, cells in golden.items():
        name = baseline(method).name
        ours = [everything.sources[source].references[name].f1 for source in SOURCES]
        ours.append(everything.references[name].f1)
        assert [f"{value:.3f}" for value in ours] == cells, method


def test_any_flags_score_as_with_the_original(rosters: Rosters, originals: dict[str, Any]) -> None:
    task = pre.PreOverPrivilege()
    task.setup()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        names = {
            instance_id: [c["name"] for c in row["declared_capabilities"] if rng.random() < 0.4]
            for instance_id, row in originals.items()
        }
        answered = {instance_id for instance_id in names if rng.random() < 0.9}
        column = PredictionColumn(
            origin="drawn",
            column="prediction",
            ids=list(names),
            values=[names[i] if i in answered else None for i in names],
            where=str,
        )
        flags = match(column, rosters, threshold=None)
        ours = Board.of(rosters, flags).score(np.arange(len(rosters.ids)))
        theirs = pre.pre_score(
            {i: set(names[i]) for i in answered}, task.instances, evaluable=answered
        )
        shown = {key: round(getattr(ours, key), 3) for key in theirs}
        assert shown == theirs


def test_the_published_interval_of_the_union_rule_is_reached() -> None:
    found = evaluate("pre", baseline_table("pre", "owasp_asi_combined"))
    assert isinstance(found, FlagEvaluation)
    interval = found.f1_minus_floor
    assert interval is not None
    assert f"{interval.value:+.3f}" == "+0.053"
    # Published as [0.030, 0.077] from other draws; 10,000 draws place an end within 0.001.
    assert interval.low == pytest.approx(0.030, abs=0.0015)
    assert interval.high == pytest.approx(0.077, abs=0.0015)


def test_the_packaged_snapshot_is_what_the_importer_makes(
    snapshot: Release, tmp_path: Path
) -> None:
    from catchkit.builders.snapshot import write_snapshot

    write_snapshot(tmp_path / "rebuilt")
    ours = {p.relative_to(snapshot.root): p.read_bytes() for p in files_of(snapshot.root)}
    rebuilt = {p.relative_to(tmp_path / "rebuilt"): p for p in files_of(tmp_path / "rebuilt")}
    assert {name: path.read_bytes() for name, path in rebuilt.items()} == {
        name: ours[name] for name in rebuilt
    }
    assert len(rebuilt) == 8


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_every_published_fact_is_in_the_records() -> None:
    published = read_published()
    records = {r.instance_id: r for rows in published.records.values() for r in rows}
    task = pre.PreOverPrivilege()
    task.setup()
    assert len(records) == 1187
    assert sum(flagged is not None for flagged in published.judge.values()) == 1182
    for instance in task.instances:
        record = records[instance.instance_id]
        order = np.argsort(record.declared_position)
        names = [record.capabilities[at].name for at in order]
        assert names == [entry["name"] for entry in instance.declared_capabilities]
        assert record.excess is not None
        excess = {
            c.name for c, flag in zip(record.capabilities, record.excess, strict=True) if flag
        }
        assert excess == set(instance.labels["excess_set"])
        assert set(names) - excess == set(instance.minimal_reference)
        assert [record.repo, record.commit, record.path, record.license] == [
            instance.provenance[key] for key in ("repo", "commit", "path", "license")
        ]
