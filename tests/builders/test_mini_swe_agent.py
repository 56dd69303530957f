"""The pitfalls of mini-swe-agent runs, on runs of our own."""

import pytest

from catchkit.builders.corpus import Trace
from reading import accesses, calls, results, runs


@pytest.fixture
def run() -> Trace:
    return runs("mini_swe_agent")[0]


def test_the_outcome_is_the_report_and_not_the_exit_status() -> None:
    assert [trace.failed for trace in runs("mini_swe_agent")] == [False, True]


def test_the_model_is_named_without_remarks_and_the_origin_is_the_manifests(run: Trace) -> None:
    assert run.model == "acme/toy-1"
    assert run.repo == "example/mini-fork"


def test_a_message_without_exactly_one_block_calls_nothing(run: Trace) -> None:
    assistant = [event for event in run.events if event.role == "assistant"]
    assert [len(event.calls) for event in assistant] == [1, 0, 0, 1, 1, 1, 1, 1]


def test_a_remark_on_the_format_an_empty_message_and_the_patch_are_no_results(run: Trace) -> None:
    assert len(results(run)) == 4
    last = run.events[-1]
    assert (last.role, last.text[:10]) == ("user", "diff --git")


def test_a_return_code_and_a_timeout_are_errors(run: Trace) -> None:
    assert [event.is_error for event in results(run)] == [False, True, False, True]


def test_every_command_begins_in_the_folder_of_the_environment(run: Trace) -> None:
    assert [accesses(call) for call in calls(run)] == [
        ["r /repo/shop/cart.py"],
        ["w /repo/check.py"],
        ["r /repo/check.py"],
        ["w /repo/shop/cart.py", "w /repo/shop/cart.py"],
        ["r /repo/check.py"],
        [],
    ]
    assert {touch.origin for call in calls(run) for touch in call.touches} == {"shell"}


def test_a_file_written_out_of_the_command_is_an_edit(run: Trace) -> None:
    edits = [call.edit for call in calls(run)]
    assert [edit.path for edit in edits if edit] == ["/repo/check.py"]


def test_a_command_that_cannot_be_parsed_is_marked() -> None:
    assert [call.is_unparsed for call in calls(runs("mini_swe_agent")[1])] == [True, False]


def test_a_line_separator_inside_a_text_ends_no_record(run: Trace) -> None:
    assert "\u2028" in run.events[1].text
