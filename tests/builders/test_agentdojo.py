"""The pitfalls of AgentDojo runs, on runs of our own."""

import pytest

from catchkit.builders.corpus import Trace
from catchkit.builders.traces.agentdojo import is_read, is_write
from reading import calls, results, runs


@pytest.fixture
def benign() -> list[Trace]:
    return runs("agentdojo", "benign.jsonl")


def test_utility_is_the_outcome_also_where_an_attack_succeeds() -> None:
    assert [trace.failed for trace in runs("agentdojo")] == [False, True, True, True]


def test_the_model_is_that_of_the_run_where_the_pipeline_is_local(benign: list[Trace]) -> None:
    assert [trace.model for trace in benign] == ["toy-gem", "toy-llama", "toy-r"]


def test_a_plain_and_an_attacked_run_share_their_task(benign: list[Trace]) -> None:
    attacked = runs("agentdojo", "important_instructions__toy-llama.jsonl")[0]
    assert attacked.task_id == benign[1].task_id == "banking-user_task_0"
    assert attacked.key != benign[1].key


def test_ids_that_are_empty_null_or_missing_come_through_as_they_are(benign: list[Trace]) -> None:
    assert [[call.id for call in calls(trace)] for trace in benign] == [["", ""], [None], [None]]
    assert [event.call_id for event in results(benign[0])] == ["", ""]


def test_a_result_names_the_tool_of_the_call_that_it_repeats(benign: list[Trace]) -> None:
    assert [event.tool for event in results(benign[0])] == ["read_file", "get_balance"]


def test_an_error_is_the_output_where_the_content_is_empty(benign: list[Trace]) -> None:
    (failed,) = results(benign[1])
    assert (failed.text, failed.is_error) == ("FileNotFoundError: bill.txt", True)


def test_content_may_be_a_list_of_blocks(benign: list[Trace]) -> None:
    assert [event.text for event in benign[1].events[:3]] == [
        "You help Ann Li.", "Pay the bill in bill.txt.", "Reading.",
    ]  # fmt: skip


def test_arguments_are_an_object_with_numbers_as_they_are() -> None:
    attacked = runs("agentdojo", "important_instructions__toy-llama.jsonl")[0]
    assert calls(attacked)[1].arguments == {"recipient": "XX12", "amount": 20.0}


@pytest.mark.parametrize(
    ("tool", "writes", "reads"),
    [
        ("send_money", True, False),
        ("reschedule_calendar_event", True, False),
        ("append_to_file", True, False),
        ("get_iban", False, True),
        ("search_emails", False, True),
        ("check_restaurant_opening_hours", False, True),
        ("get_current_day", False, False),
    ],
)
def test_tools_write_or_read_the_environment(tool: str, writes: bool, reads: bool) -> None:
    assert (is_write(tool), is_read(tool)) == (writes, reads)
