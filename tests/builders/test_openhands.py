"""The pitfalls of OpenHands runs and SWE-Gym records, on runs of our own."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from catchkit.builders.corpus import Edit, Run, Skipped, Trace, corpus_named
from catchkit.builders.traces.openhands import events
from catchkit.builders.traces.swe_gym_balanced import balanced
from reading import TESTS, accesses, calls, entries, results, runs

SHOP = "/workspace/acme__shop__1.0"


@pytest.fixture
def run() -> Trace:
    return runs("openhands", "evaluation.jsonl")[0]


@pytest.fixture
def sampled() -> list[Trace]:
    return runs("openhands", "swe-gym.jsonl")


def test_the_last_response_belongs_to_the_run(run: Trace) -> None:
    assert [call.tool for call in run.events[-1].calls] == ["finish"]


def test_content_may_be_blocks_or_missing(run: Trace) -> None:
    texts = [event.text for event in run.events if event.role == "assistant"]
    assert texts == ["Look.", "", "", "", "", "Done."]


def test_an_editor_names_its_file_and_what_it_replaces(run: Trace) -> None:
    view, _, edit = calls(run)[:3]
    assert accesses(view) == [f"r {SHOP}/shop/cart.py"]
    assert accesses(edit) == [f"w {SHOP}/shop/cart.py"]
    assert view.edit is None
    assert edit.edit == Edit(path=f"{SHOP}/shop/cart.py", old="sum(items)", new="sum(items) - off")


def test_creating_and_inserting_write_text_and_undoing_is_a_view(sampled: list[Trace]) -> None:
    created = calls(runs("openhands", "evaluation.jsonl")[1])[0]
    assert created.edit == Edit(path="/workspace/try.py", new="print(1)\n")
    *_, insert, undo = calls(sampled[0])
    assert insert.edit == Edit(path=f"{SHOP}/shop/cart.py", new="off = 0")
    assert accesses(undo) == [f"r {SHOP}/shop/cart.py"]


def test_the_shell_stays_where_it_was_sent(run: Trace) -> None:
    shell = [call for call in calls(run) if call.tool == "execute_bash"]
    assert [accesses(call) for call in shell] == [
        [f"r {SHOP}/shop/cart.py"],
        [f"r {SHOP}/shop/cart.py", f"w {SHOP}/shop/out.txt"],
    ]
    assert {touch.origin for call in shell for touch in call.touches} == {"shell"}


def test_a_script_that_the_editor_wrote_is_known_when_it_is_run() -> None:
    def asked(tool: str, answer: str = "Done.", **arguments: str) -> list[dict[str, Any]]:
        function = {"name": tool, "arguments": json.dumps(arguments)}
        return [
            {"role": "assistant", "content": "", "tool_calls": [{"function": function}]},
            {"role": "tool", "content": answer, "name": tool},
        ]

    def edit(answer: str = "Done.", **arguments: str) -> list[dict[str, Any]]:
        return asked("str_replace_editor", answer, path="/r/x.py", **arguments)

    run = asked("execute_bash", command="cd /r && python x.py")
    messages = [
        *edit(command="create", file_text="open('a', 'w')"),
        *edit("ERROR:\nThe file exists.", command="create", file_text="open('d', 'w')"),
        *edit(command="str_replace", old_str="'a'", new_str="'b'"),
        *edit("ERROR:\nIt occurs twice.", command="str_replace", old_str="o", new_str="'c'"),
        *run,
        *edit(command="insert", new_str="open('c', 'w')"),
        *run,
    ]
    calls = [call for event in events(messages) for call in event.calls]
    assert accesses(calls[4]) == ["r /r/x.py", "w /r/b"]
    assert accesses(calls[6]) == ["r /r/x.py"]


def test_a_failed_edit_and_an_exit_code_are_errors(run: Trace) -> None:
    assert [event.is_error for event in results(run)] == [False, True, False, False, True]


def test_licence_and_origin_are_those_of_each_file(run: Trace, sampled: list[Trace]) -> None:
    assert (run.license, run.repo) == ("MIT", "example/hands")
    assert {trace.license for trace in sampled} == {"NOASSERTION"}


def test_several_calls_with_one_id_come_through_as_they_are(sampled: list[Trace]) -> None:
    first = next(event for event in sampled[0].events if event.calls)
    assert [call.id for call in first.calls] == ["c1", "c1"]


def test_a_copy_number_is_no_part_of_a_task(sampled: list[Trace]) -> None:
    assert {trace.task_id for trace in sampled} == {"acme__shop-3", "acme__shop-4"}


def test_a_run_that_occurs_twice_comes_out_once() -> None:
    skipped = [entry for entry in entries("openhands") if isinstance(entry, Skipped)]
    assert [(entry.where, entry.is_damage) for entry in skipped] == [("swe-gym.jsonl:2", False)]


def test_two_conversations_under_one_tag_and_task_are_two_runs(sampled: list[Trace]) -> None:
    same = [trace for trace in sampled if trace.key.startswith("toy-1_maxiter_30_N_v2.1-t08")]
    assert [trace.task_id for trace in same].count("acme__shop-3") == 2
    assert {trace.model for trace in sampled} == {"toy-1"}


def test_a_record_reads_the_same_from_parquet_as_from_json_lines(sampled: list[Trace]) -> None:
    from_hub = runs("swe_gym")
    assert [trace.events for trace in from_hub[:4]] == [trace.events for trace in sampled]
    assert [trace.key for trace in from_hub[:4]] == [trace.key for trace in sampled]


def test_messages_may_be_json_text(tmp_path: Path, sampled: list[Trace]) -> None:
    lines = (TESTS / "fixtures/openhands/swe-gym.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    record["messages"] = json.dumps(record["messages"])
    (tmp_path / "x.jsonl").write_text(json.dumps(record))
    (read,) = corpus_named("openhands").read(tmp_path / "x.jsonl")
    assert isinstance(read, Trace)
    assert read.events == sampled[0].events


def test_a_column_of_another_type_is_reported_as_damage(tmp_path: Path) -> None:
    whole = pq.read_table(TESTS / "fixtures/swe_gym/data/train.raw-00000-of-00001.parquet")
    pq.write_table(whole.select(["instance_id", "resolved"]), tmp_path / "x.raw.parquet")
    read = list(corpus_named("swe_gym").read(tmp_path / "x.raw.parquet"))
    assert len(read) == whole.num_rows
    assert all(isinstance(entry, Skipped) and entry.is_damage for entry in read)


def chosen(outcomes: dict[str, str]) -> list[str]:
    """Return the selection among runs given per tag as ``r`` and ``f`` in order."""
    given = [
        Run(run_id=f"{tag}{at}", key=f"{tag}/task/{at}", group="g", failed=outcome == "f")
        for tag, row in outcomes.items()
        for at, outcome in enumerate(row)
    ]
    return balanced(given)


def test_the_balanced_selection_takes_the_tag_with_most_of_both() -> None:
    assert chosen({"a": "rffff", "b": "rfrfr", "c": "rrrrrrrr"}) == ["b0", "b2", "b1", "b3"]


def test_a_tag_may_hold_a_slash() -> None:
    assert chosen({"acme/toy_maxiter": "rf", "z": "rrr"}) == [
        "acme/toy_maxiter0",
        "acme/toy_maxiter1",
    ]


def test_nothing_is_balanced_where_one_outcome_is_missing() -> None:
    assert chosen({"a": "fff"}) == chosen({}) == []
