"""The pitfalls of moatless runs, on runs of our own."""

import pytest

from catchkit.builders.corpus import Edit, Trace
from reading import accesses, calls, results, runs

CART = "shop/cart.py"


@pytest.fixture
def states() -> list[Trace]:
    return runs("moatless", "states.jsonl")


@pytest.fixture
def nodes() -> list[Trace]:
    return runs("moatless", "nodes.jsonl")


def steps(trace: Trace) -> list[str]:
    return [
        event.calls[0].tool if event.calls else "-"
        for event in trace.events
        if event.role == "assistant"
    ]


def used_by(trace: Trace, step: int) -> set[str | None]:
    """Return the tools whose results a step uses."""
    assistant = [event for event in trace.events if event.role == "assistant"]
    return {trace.events[at].tool for at in assistant[step].uses}


def test_every_try_of_a_state_is_a_call_and_an_end_state_is_none(states: list[Trace]) -> None:
    assert steps(states[0]) == [
        "SearchCode", "SearchCode", "IdentifyCode", "PlanToCode", "ClarifyCodeChange", "EditCode",
        "PlanToCode", "-",
    ]  # fmt: skip
    assert steps(states[1]) == ["SearchCode", "PlanToCode", "EditCode", "-", "-"]


def test_the_source_says_which_output_a_state_uses(states: list[Trace]) -> None:
    run = states[0]
    assert used_by(run, 0) == used_by(run, 1) == set()
    assert used_by(run, 2) == {"SearchCode"}
    assert used_by(run, 4) == {"PlanToCode"}
    assert used_by(run, 5) == {"ClarifyCodeChange"}
    assert used_by(run, 6) == {"EditCode"}


def test_states_access_the_files_they_name(states: list[Trace]) -> None:
    assert [accesses(call) for call in calls(states[0])] == [
        [], [f"r {CART}"], [f"r {CART}"], [], [f"r {CART}"], [f"w {CART}"], [],
    ]  # fmt: skip


def test_an_edit_takes_its_lines_from_the_state_and_its_text_without_tags(
    states: list[Trace],
) -> None:
    text = "def total(items, off=0):\n    return sum(items) - off"
    assert calls(states[0])[5].edit == Edit(path=CART, new=text, lines=(1, 2))
    assert calls(states[1])[2].edit == Edit(path=CART, new="def total(items):")


def test_a_retry_and_an_edit_without_effect_are_errors(states: list[Trace]) -> None:
    assert [event.is_error for event in results(states[0])] == [True, *[False] * 6]
    assert [event.is_error for event in results(states[1])] == [False, False, True]


def test_the_status_is_not_the_outcome(states: list[Trace], nodes: list[Trace]) -> None:
    assert [trace.failed for trace in states + nodes] == [False, True, False, True]


def test_nodes_are_actions_with_their_observations(nodes: list[Trace]) -> None:
    assert steps(nodes[0]) == ["FindClass", "ViewCode", "Edit", "Edit", "Edit", "Finish"]
    assert [accesses(call) for call in calls(nodes[0])] == [
        [f"r {CART}"], [f"r {CART}", "r shop/tax.py"], [f"w {CART}"], [f"r {CART}"],
        [f"w {CART}"], [],
    ]  # fmt: skip
    assert [event.is_error for event in results(nodes[0])].index(True) == 2


def test_a_node_uses_what_its_parent_observed(nodes: list[Trace]) -> None:
    assistant = [at for at, event in enumerate(nodes[0].events) if event.role == "assistant"]
    assert [nodes[0].events[at].uses for at in assistant[1:]] == [
        (at + 1,) for at in assistant[:-1]
    ]


def test_a_branch_that_starts_over_uses_the_task_and_ids_may_be_text(nodes: list[Trace]) -> None:
    search, create, reject = (event for event in nodes[1].events if event.role == "assistant")
    task = [event.role for event in nodes[1].events].index("user")
    assert search.uses == create.uses == (task,)
    assert reject.uses == (nodes[1].events.index(create) + 1,)


def test_a_node_without_an_observation_has_no_result(nodes: list[Trace]) -> None:
    assert [event.tool for event in results(nodes[1])] == ["Edit", "Reject"]
