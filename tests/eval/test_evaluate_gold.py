"""Scores of planted faults: by hand on a few versions, and as the original's on a corpus."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from catchkit import evaluate
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.gold import gold_of
from catchkit.eval.traces import by_id
from catchkit.eval.write import baseline_table
from catchkit.injection.files import FileRun
from catchkit.injection.injector import fault_named, faults_of
from catchkit.injection.pairs import Pair, attribution, mixed
from catchkit.injection.randomness import Published
from catchkit.loaders.release import packaged
from gold_runs import file_runs
from trace_tables import GOLD, Row, make_version, write_config

FULL = {
    "position": (0, 0, 0.089482),
    "degree": (0.041667, 0.347222, 0.274735),
    "has_dep": (0.148611, 0.429735, 0.336093),
    "max_span": (0.458333, 0.525568, 0.535422),
    "dep_anomaly": (0.458333, 0.525568, 0.535422),
}
MATCHED = {
    "position": (0.333333, 0.750000, 0.575694),
    "degree": (0.347222, 0.645833, 0.540509),
    "has_dep": (0.333333, 0.625000, 0.516865),
    "max_span": (0.500000, 0.666667, 0.617560),
}
FLOOR = (0.450893, 0.769345, 0.636805)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pairs of six steps; the fault sits at step 3, and could have sat at step 1."""
    rows = [
        make_version(f"{pair}{kind}", pair, injected=kind == "x")
        for pair in ("p", "q", "r")
        for kind in ("x", "o")
    ]
    return write_config(tmp_path_factory.mktemp("pairs"), GOLD, rows)


def scored(data: Path, answers: dict[str, Any]) -> Evaluation:
    table = pa.table({"row_id": list(answers), "prediction": list(answers.values())})
    return evaluate(GOLD, table, data=data)


def naming(step: int) -> list[float]:
    return [float(at == step) for at in range(6)]


def test_only_what_could_have_taken_the_fault_competes(pairs: Path) -> None:
    faulty = {"px": naming(3), "qx": naming(1), "rx": naming(5)}
    clean = {f"{pair}o": naming(0) for pair in "pqr"}
    score = scored(pairs, faulty | clean).score
    # Named; its only rival named; neither, so that the two share two places.
    assert score.top1 == pytest.approx((1 + 0 + 1 / 2) / 3)
    # Among all six: named; the rival above; one other above and four tied.
    assert score.full.top1 == pytest.approx(1 / 3)
    assert score.full.top3 == pytest.approx((1 + 2 / 5 + 2 / 5) / 3)
    assert (score.pool_mean, score.pools_of_one, score.injected) == (2.0, 0, 3)


def test_guessing_in_either_pool_is_the_floor(pairs: Path) -> None:
    evaluation = scored(pairs, {f"{pair}{kind}": [0.5] * 6 for pair in "pqr" for kind in "xo"})
    matched, full = evaluation.floors.values()
    score = evaluation.score
    assert (score.top1, score.top3, score.mrr) == (matched.top1, matched.top3, matched.mrr)
    assert score.full == full
    assert (matched.top1, full.top1) == (1 / 2, 1 / 6)
    assert score.runs.roc_auc == 0.5


def test_a_number_scores_a_whole_version(pairs: Path) -> None:
    answers = {f"{pair}{kind}": float(kind == "x") for pair in "pqr" for kind in "xo"}
    evaluation = scored(pairs, answers)
    assert evaluation.score.runs.roc_auc == 1.0
    assert evaluation.score.top1 is None
    # All of eight swaps but one do worse.
    assert evaluation.roc_auc_p == pytest.approx(1 / 8, abs=0.01)  # type: ignore[attr-defined]


def test_the_highest_part_stands_for_a_version(pairs: Path) -> None:
    names = {f"{pair}{kind}": kind for pair in "pqr" for kind in "xo"}
    parts = {name: [0.1, 0.9 if kind == "x" else 0.2, *[0.0] * 4] for name, kind in names.items()}
    whole = {row: max(values) for row, values in parts.items()}
    assert scored(pairs, parts).score.runs == scored(pairs, whole).score.runs


def test_an_abstention_leaves_its_version_out(pairs: Path) -> None:
    answers: dict[str, Any] = {f"{p}{k}": naming(3) for p in "pqr" for k in "xo"}
    score = scored(pairs, {**answers, "qx": None}).score
    assert (score.scored, score.abstained, score.injected, score.top1) == (5, 1, 2, 1.0)


def test_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    rows = [make_version(f"{p}{k}", p, injected=k == "x") for p in "pqr" for k in "xo"]
    one = write_config(tmp_path / "one", GOLD, rows)
    other = write_config(tmp_path / "other", GOLD, rows[::-1])
    answers = {row["row_id"]: naming(at % 6) for at, row in enumerate(rows)}
    assert scored(one, answers).score == scored(other, answers).score


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated corpus on which the original's own functions gave the values above."""
    found = mixed(file_runs(), faults_of("file"), Published(0, "file"))
    rows = [row for pair in found for row in _versions(pair)]
    return write_config(tmp_path_factory.mktemp("original"), GOLD, rows)


def _versions(pair: Pair[FileRun]) -> list[Row]:
    kept = {"fault": pair.fault, "eligible": [site.at for site in pair.eligible]}
    rows = []
    for run, injected in ((pair.clean, False), (pair.faulty, True)):
        edges = [(at, writer) for at, writers in enumerate(run.deps) for writer in writers]
        version = make_version(f"{run.run_id}-{injected}", run.run_id, injected=injected, **kept)
        rows.append(
            {
                **version,
                "kind": ["tool_call" if tool else "decision" for tool in run.is_tool],
                "actor": ["env" if tool else "agent" for tool in run.is_tool],
                "tool": [None] * run.n_steps,
                "edge_reader": [reader for reader, _ in edges],
                "edge_writer": [writer for _, writer in edges],
                "edge_kind": ["file"] * len(edges),
                "n_steps": run.n_steps,
                "site": pair.change.site.at if injected else None,
            }
        )
    return rows


@pytest.mark.parametrize("method", FULL)
def test_every_structural_baseline_scores_as_the_original_did(method: str, original: Path) -> None:
    score = evaluate(GOLD, baseline_table(GOLD, method, original), data=original).score
    full = (score.full.top1, score.full.top3, score.full.mrr)
    assert full == pytest.approx(FULL[method], abs=5e-7)
    if method in MATCHED:
        assert (score.top1, score.top3, score.mrr) == pytest.approx(MATCHED[method], abs=5e-7)


def test_the_floor_is_that_of_the_original(original: Path) -> None:
    evaluation = evaluate(GOLD, baseline_table(GOLD, "position", original), data=original)
    floor = evaluation.floors["random (matched)"]
    assert (floor.top1, floor.top3, floor.mrr) == pytest.approx(FLOOR, abs=5e-7)


def test_causes_are_told_apart_as_by_the_original(tmp_path: Path) -> None:
    name = f"{GOLD}_attribution"
    faults = (fault_named("stale_read"), fault_named("dropped_grounding"))
    found = attribution(file_runs(), *faults, Published(0, "file"))
    rows = [
        {**row, "row_id": f"{row['row_id']}-{pair.fault}"}
        for pair in found
        for row in _versions(pair)
        if row["is_injected"]
    ]
    data = write_config(tmp_path / "data", name, rows)
    for method, expected in (("widest_span", 0.685950), ("edges", 0.648760)):
        evaluation = evaluate(name, baseline_table(name, method, data), data=data)
        assert evaluation.score.runs.roc_auc == pytest.approx(expected, abs=5e-7)


def test_arguments_are_counted_in_the_order_of_the_calls() -> None:
    table = by_id(packaged().table("gold_v2_tau_bench").slice(0, 40))
    gold = gold_of(table)
    for row, events in enumerate(table.column("events").to_pylist()):
        named = [leaf for e in events if e["kind"] == "call" for leaf in e["leaves"]]
        assert gold.traces.sizes[row] == len(named)
        site, path, value = (
            table.column(name)[row].as_py() for name in ("site", "site_path", "changed_to")
        )
        if gold.injected[row]:
            assert named[gold.targets[row]]["path"] == path
            assert named[gold.targets[row]]["token"] == value
            assert gold.eligible[gold.traces.starts[row] + gold.targets[row]]
        else:
            assert (site, gold.targets[row]) == (None, -1)


@pytest.mark.parametrize("name", ["gold_v1_moatless_online", "gold_v1_openhands_attribution"])
def test_the_views_of_gold_can_be_scored_too(name: str) -> None:
    evaluation = evaluate(name, baseline_table(name, "max_span"))
    assert np.isfinite(evaluation.score.runs.roc_auc)
    assert evaluation.score.scored == evaluation.score.versions
