import json
from importlib.metadata import distribution
from pathlib import Path

import pytest

from catchkit.builders.corpus import Skipped, Trace, corpus_named
from catchkit.builders.dataset import records
from catchkit.builders.traces.who_and_when import actor_of

RECORD = {
    "is_correct": False,
    "question_ID": "q",
    "history": [
        {"role": "user", "name": "Expert", "content": "Let us begin."},
        {"role": "assistant", "content": "ExitCode: 1"},
        {"role": "user", "name": "Computer_terminal", "content": "6"},
    ],
    "mistake_agent": "Expert",
    "mistake_step": "0",
}


def read(tmp_path: Path, **changes: object) -> Trace | Skipped:
    path = tmp_path / "1.json"
    path.write_text(json.dumps({**RECORD, **changes}))
    (entry,) = corpus_named("who_and_when").read(path)
    return entry


def test_run_keys_are_those_of_the_published_judge_caches() -> None:
    place = distribution("catchbench").locate_file("catchbench/data/llm_judge/legacy_run_keys.json")
    published = json.loads(Path(str(place)).read_text("utf-8"))["keys"].values()
    assert sorted(record.key for record in records("who_and_when")) == sorted(published)


def test_what_a_terminal_answers_is_a_tool_whoever_says_it(tmp_path: Path) -> None:
    trace = read(tmp_path)
    assert isinstance(trace, Trace)
    assert [event.role for event in trace.events] == ["assistant", "tool", "tool"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"is_correct": True}, "not marked as failed"),
        ({"is_correct": None}, "not marked as failed"),
        ({"mistake_step": "3"}, "the labelled step is outside the run"),
        ({"mistake_step": "-1"}, "the labelled step is outside the run"),
        ({"mistake_step": "first"}, "not a record of this format"),
    ],
)
def test_a_run_without_a_usable_label_is_left_out(
    changes: dict[str, object], reason: str, tmp_path: Path
) -> None:
    skipped = read(tmp_path, **changes)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == reason


@pytest.mark.parametrize("word", ["false", "False", "FALSE", False])
def test_a_failure_may_be_spelled_in_any_case(word: object, tmp_path: Path) -> None:
    assert isinstance(read(tmp_path, is_correct=word), Trace)


@pytest.mark.parametrize(
    ("message", "actor"),
    [
        ({"role": "Orchestrator (-> WebSurfer)"}, "Orchestrator"),
        ({"role": "Orchestrator (termination condition)"}, "Orchestrator"),
        ({"role": "user", "name": "Expert"}, "Expert"),
        ({}, "unknown"),
    ],
)
def test_the_actor_is_the_name_else_the_role(message: dict[str, str], actor: str) -> None:
    assert actor_of(message) == actor
