"""A user's own chat messages, in the layouts and spellings that are about."""

import json
from pathlib import Path
from typing import Any

import pytest

from catchkit.builders.corpus import Json, Skipped, Trace, corpus_named
from reading import calls, results, runs

ASKED = {"role": "user", "content": "Move m-17."}
MOVED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "a", "function": {"name": "move", "arguments": '{"id": "m-17"}'}}],
}
DONE = {"role": "tool", "tool_call_id": "a", "content": "ok"}
CHAT: list[Json] = [ASKED, MOVED, DONE]  # type: ignore[list-item]


def read(folder: Path, value: Json | str, name: str = "x.json") -> list[Trace | Skipped]:
    text = value if isinstance(value, str) else json.dumps(value)
    (folder / name).write_text(text, encoding="utf-8")
    return list(corpus_named("messages").read(folder / name))


def read_one(folder: Path, **record: Any) -> Trace:
    (entry,) = read(folder, json.dumps({"messages": CHAT, **record}), "x.jsonl")
    assert isinstance(entry, Trace)
    return entry


RUN = json.dumps({"id": "r", "messages": CHAT})
LAYOUTS = {
    "lines": (f"{RUN}\n{RUN}\n", "x.jsonl", 2),
    "lines under another name": (f"{RUN}\n\n{RUN}", "x.json", 2),
    "one line": (RUN, "x.json", 1),
    "an object on many lines": (json.dumps(json.loads(RUN), indent=1), "x.json", 1),
    "an array of runs": (f"[{RUN},\n{RUN}]", "x.json", 2),
    "the messages of one run": (json.dumps(CHAT, indent=1), "x.json", 1),
    "bare lists on lines": (f"{json.dumps(CHAT)}\n{json.dumps(CHAT)}\n", "x.jsonl", 2),
    "a byte order mark": (f"\ufeff{RUN}\n", "x.json", 1),
}


@pytest.mark.parametrize(("text", "name", "count"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_file_may_be_laid_out_in_any_usual_way(
    text: str, name: str, count: int, tmp_path: Path
) -> None:
    entries = read(tmp_path, text, name)
    assert [type(entry) for entry in entries] == [Trace] * count
    for entry in entries:
        assert isinstance(entry, Trace)
        assert [call.arguments for call in calls(entry)] == [{"id": "m-17"}]
        assert [event.text for event in results(entry)] == ["ok"]


def test_a_damaged_line_costs_that_line_only(tmp_path: Path) -> None:
    entries = read(tmp_path, f"{RUN}\n{RUN[:-9]}\n7\n{RUN}\n", "x.jsonl")
    assert [getattr(entry, "where", "run") for entry in entries] == [
        "run", "x.jsonl:2", "x.jsonl:3", "run",
    ]  # fmt: skip


OUTCOMES: dict[str, tuple[dict[str, Json], bool | None]] = {
    "reward": ({"reward": 1.0}, False),
    "part of a reward": ({"reward": 0.5}, True),
    "reward in words": ({"reward": "high"}, None),
    "resolved": ({"resolved": False}, True),
    "success": ({"success": True}, False),
    "word": ({"outcome": "Passed"}, False),
    "bad word": ({"outcome": "FAILED"}, True),
    "other word": ({"outcome": "user_stop"}, None),
    "nested": ({"outcome": {"resolved": True}}, False),
    "null": ({"resolved": None}, None),
    "null, then one": ({"resolved": None, "reward": 0}, True),
    "none": ({}, None),
}


@pytest.mark.parametrize(("fields", "failed"), OUTCOMES.values(), ids=OUTCOMES)
def test_the_outcome_is_read_where_there_is_one(
    fields: dict[str, Json], failed: bool | None, tmp_path: Path
) -> None:
    assert read_one(tmp_path, **fields).failed is failed


def test_ids_are_taken_where_they_are_given(tmp_path: Path) -> None:
    run = read_one(tmp_path, run_id=7, instance_id="t", model="m")
    assert (run.key, run.task_id, run.model) == ("7", "t", "m")


def test_without_ids_the_record_and_the_question_identify(tmp_path: Path) -> None:
    one, other = read_one(tmp_path), read_one(tmp_path, note="again")
    assert one.key != other.key
    assert one.task_id == other.task_id
    assert one == read_one(tmp_path)


CALLS: dict[str, dict[str, Any]] = {
    "usual": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": '{"x": 1}'}}]},
    "an object": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}]},
    "flat": {"tool_calls": [{"id": "a", "name": "f", "arguments": {"x": 1}}]},
    "named by function": {"tool_calls": [{"id": "a", "function": "f", "args": {"x": 1}}]},
    "the older form": {"function_call": {"name": "f", "arguments": '{"x": 1}'}},
}


@pytest.mark.parametrize("fields", CALLS.values(), ids=CALLS)
def test_a_call_may_be_spelled_in_any_usual_way(fields: dict[str, Any], tmp_path: Path) -> None:
    run = read_one(tmp_path, messages=[ASKED, {"role": "assistant", "content": None, **fields}])
    assert [(call.tool, call.arguments) for call in calls(run)] == [("f", {"x": 1})]


def test_a_user_may_call_tools_too(tmp_path: Path) -> None:
    run = read_one(tmp_path, messages=[{**MOVED, "role": "user"}])
    assert [(event.role, event.actor, len(event.calls)) for event in run.events] == [
        ("user", "user", 1)
    ]


def test_other_words_for_a_role_are_known() -> None:
    older = runs("messages", "single.json")[0]
    assert [event.role for event in older.events] == [
        "system", "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert older.events[-1].actor == "clerk"
    assert older.events[3].is_error


@pytest.mark.parametrize(
    "messages", [None, "text", [1], [{"content": "no role"}], [{"role": "narrator"}]]
)
def test_what_is_no_list_of_messages_is_damage(messages: Any, tmp_path: Path) -> None:
    (entry,) = read(tmp_path, json.dumps({"messages": messages}), "x.jsonl")
    assert isinstance(entry, Skipped)
    assert entry.is_damage
