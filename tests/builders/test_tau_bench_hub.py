"""The tau-bench runs of the Hub, on records of our own."""

import json
from pathlib import Path
from typing import Any

import pytest

from catchkit.builders.corpus import Skipped, Trace, corpus_named
from reading import entries, runs

RECORD: dict[str, Any] = {
    "messages": [{"role": "user", "content": "Hi"}],
    "model_path": "m",
    "task_name": "tau_bench_airline",
    "meta": {"id": 3},
}


def read_one(folder: Path, **fields: Any) -> Trace | Skipped:
    (folder / "gpt-4.1.jsonl").write_text(json.dumps({**RECORD, **fields}))
    (entry,) = corpus_named("tau_bench_hub").read(folder / "gpt-4.1.jsonl")
    return entry


def test_a_run_without_a_database_verdict_is_left_out_and_said() -> None:
    skipped = [entry for entry in entries("tau_bench_hub") if isinstance(entry, Skipped)]
    assert [(entry.where, entry.is_damage) for entry in skipped] == [("gpt-4.1.jsonl:3", False)]
    assert skipped[0].reason.endswith("db_match is missing")


def test_runs_of_one_task_share_it_across_models() -> None:
    same = [trace for trace in runs("tau_bench_hub") if trace.task_id == "retail-0"]
    assert {(trace.model, trace.failed) for trace in same} == {
        ("gpt-4.1", False),
        ("Kimi-K2-Instruct", True),
    }


@pytest.mark.parametrize("part", ["eval_result", "meta", None])
@pytest.mark.parametrize("matches", [True, False])
def test_the_verdict_may_stand_in_a_part_of_the_record(
    part: str | None, matches: bool, tmp_path: Path
) -> None:
    verdict = {"db_match": matches}
    fields = verdict if part is None else {part: {**RECORD.get(part, {}), **verdict}}
    read = read_one(tmp_path, **fields)
    assert isinstance(read, Trace)
    assert (read.failed, read.domain, read.task_id) == (not matches, "airline", "airline-3")


def test_a_run_without_a_task_is_damage(tmp_path: Path) -> None:
    read = read_one(tmp_path, meta={}, db_match=True)
    assert isinstance(read, Skipped)
    assert read.is_damage


def test_the_agent_is_the_model() -> None:
    (run,) = runs("tau_bench_hub", "Kimi-K2-Instruct.jsonl")
    assert {event.actor for event in run.events if event.role == "assistant"} == {
        "Kimi-K2-Instruct"
    }
