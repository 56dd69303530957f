"""The pitfalls of tau2-bench runs, on runs of our own."""

import gzip
import json
from pathlib import Path

import pytest

from catchkit.builders.corpus import Skipped, Trace, corpus_named
from catchkit.builders.traces.tau2_bench import is_read, is_write
from reading import TESTS, calls, results, runs

TELECOM = "trajectories/toy_telecom-workflow.json"
ADAPTIVE = "trajectories/toy_adaptive_airline.json"


@pytest.fixture
def telecom() -> list[Trace]:
    return runs("tau2_bench", TELECOM)


def test_a_null_reward_is_an_unknown_outcome(telecom: list[Trace]) -> None:
    assert [trace.failed for trace in telecom] == [False, True]
    assert [trace.failed for trace in runs("tau2_bench", ADAPTIVE)] == [None, False]


def test_a_run_without_messages_comes_out_empty() -> None:
    assert [len(trace.events) for trace in runs("tau2_bench", ADAPTIVE)] == [0, 5]


def test_model_and_domain_stand_in_the_info_or_at_the_top(telecom: list[Trace]) -> None:
    described = [(trace.model, trace.domain) for trace in telecom + runs("tau2_bench", ADAPTIVE)]
    assert described == [("acme/toy-1", "telecom-workflow")] * 2 + [("toy-2", "airline")] * 2


def test_a_task_under_another_policy_is_the_same_task(telecom: list[Trace]) -> None:
    assert telecom[0].task_id == "telecom-[data]off|roam"


def test_a_user_may_call_tools(telecom: list[Trace]) -> None:
    users = [event for event in telecom[0].events if event.role == "user"]
    assert [[call.tool for call in event.calls] for event in users] == [[], ["toggle_data"], []]


def test_several_calls_with_one_id_come_through_as_they_are(telecom: list[Trace]) -> None:
    assert [call.id for call in calls(telecom[0])] == ["c", "c", "d"]
    assert [event.call_id for event in results(telecom[0])] == ["c", "c", "d"]


def test_an_error_is_what_the_source_says_or_what_the_text_begins_with() -> None:
    failed = [event.is_error for trace in runs("tau2_bench") for event in results(trace)]
    assert failed.count(True) == 2


def test_what_stands_before_the_runs_may_come_after_them(
    telecom: list[Trace], tmp_path: Path
) -> None:
    whole = json.loads((TESTS / "fixtures/tau2_bench" / TELECOM).read_text())
    turned = tmp_path / "x.json.gz"
    turned.write_bytes(gzip.compress(json.dumps(dict(reversed(whole.items()))).encode()))
    read = list(corpus_named("tau2_bench").read(turned))
    assert [entry.events for entry in read if isinstance(entry, Trace)] == [
        trace.events for trace in telecom
    ]


@pytest.mark.parametrize("text", ["{}", '{"simulations": []}', "[]", ""])
def test_a_file_with_no_runs_is_damaged(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    (read,) = corpus_named("tau2_bench").read(tmp_path / "x.json")
    assert isinstance(read, Skipped)
    assert read.is_damage


@pytest.mark.parametrize(
    ("tool", "writes", "reads"),
    [
        ("reboot_device", True, False),
        ("make_payment", True, False),
        ("book_reservation", True, False),
        ("disconnect_vpn", True, False),
        ("run_speed_test", False, True),
        ("can_send_mms", False, True),
        ("transfer_to_human_agents", False, False),
    ],
)
def test_tools_write_or_read_the_state(tool: str, writes: bool, reads: bool) -> None:
    assert (is_write(tool), is_read(tool)) == (writes, reads)
