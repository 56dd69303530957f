"""The pitfalls of AgenTracer runs, on runs of our own."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from catchkit.builders.corpus import Skipped, Trace, corpus_named
from reading import entries, runs


def read_one(folder: Path, **fields: Any) -> Trace | Skipped:
    history = [{"content": "a", "name": "A", "role": "assistant", "step": 0}]
    row = {"question_ID": "q", "history": history, "mistake_agent": "A", "mistake_step": "0"}
    pq.write_table(pa.Table.from_pylist([{**row, **fields}]), folder / "x.parquet")
    (read,) = corpus_named("agentracer").read(folder / "x.parquet")
    return read


def test_the_label_is_a_step_and_its_agent() -> None:
    labels = [(trace.mistake_step, trace.mistake_actor) for trace in runs("agentracer")]
    assert labels == [(1, "Engineer"), (1, "Product Manager")]
    for trace in runs("agentracer"):
        assert trace.mistake_step is not None
        assert trace.events[trace.mistake_step].actor == trace.mistake_actor


def test_the_agent_is_the_name_and_every_run_failed() -> None:
    assert [event.actor for event in runs("agentracer")[1].events] == [
        "Team Leader", "Product Manager", "Architect", "Engineer",
    ]  # fmt: skip
    assert all(trace.failed for trace in runs("agentracer"))


def test_a_label_outside_the_run_is_left_out_and_said() -> None:
    skipped = [entry for entry in entries("agentracer") if isinstance(entry, Skipped)]
    assert [(entry.reason, entry.is_damage) for entry in skipped] == [
        ("the labelled step is outside the run", False)
    ]


def test_a_label_names_a_step_number_and_not_a_place(tmp_path: Path) -> None:
    history = [
        {"content": "a", "name": "A", "role": "assistant", "step": 4},
        {"content": "b", "name": "B", "role": "assistant", "step": 5},
    ]
    read = read_one(tmp_path, history=history, mistake_step="5", mistake_agent="B")
    assert isinstance(read, Trace)
    assert read.mistake_step == 1


@pytest.mark.parametrize("fields", [{"mistake_step": "soon"}, {"history": None}])
def test_a_malformed_row_is_damage(fields: dict[str, Any], tmp_path: Path) -> None:
    read = read_one(tmp_path, **fields)
    assert isinstance(read, Skipped)
    assert read.is_damage
