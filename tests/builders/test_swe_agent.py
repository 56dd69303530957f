"""The pitfalls of SWE-agent runs, on runs of our own."""

from pathlib import Path

import pytest

from catchkit.builders.corpus import Edit, Trace, corpus_named
from catchkit.builders.swe_commands import State, call_of
from reading import TESTS, accesses, calls, results, runs

CART = "/shop/shop/cart.py"


@pytest.fixture
def run() -> Trace:
    return runs("swe_agent", "rep_1.jsonl")[0]


@pytest.fixture
def odd() -> Trace:
    return runs("swe_agent", "rep_1.jsonl")[1]


def test_each_command_accesses_the_file_it_names_or_the_open_one(run: Trace) -> None:
    assert [(call.tool, accesses(call)) for call in calls(run)] == [
        ("create", ["w /shop/try.py"]),
        ("edit", ["w /shop/try.py"]),
        ("bash", ["r /shop/try.py", "w /shop/log.txt"]),
        ("open", [f"r {CART}"]),
        ("edit", [f"w {CART}"]),
        ("edit", [f"w {CART}"]),
        ("goto", [f"r {CART}"]),
        ("scroll_down", [f"r {CART}"]),
        ("search_file", [f"r {CART}"]),
        ("search_dir", []),
        ("submit", []),
    ]


def test_only_a_shell_command_is_read_as_one(run: Trace) -> None:
    origins = {call.tool: {touch.origin for touch in call.touches} for call in calls(run)}
    assert origins["bash"] == {"shell"}
    assert origins["edit"] == origins["open"] == {"tool"}


def test_an_edit_knows_its_lines_and_text(run: Trace) -> None:
    assert calls(run)[5].edit == Edit(path=CART, new="    return sum(items) - 1", lines=(2, 2))


def test_a_refused_edit_is_an_error(run: Trace) -> None:
    assert [event.is_error for event in results(run)].index(True) == 4
    assert sum(event.is_error for event in results(run)) == 1


def test_system_and_issue_come_before_the_first_action(run: Trace) -> None:
    assert [event.role for event in run.events[:4]] == ["system", "user", "assistant", "tool"]
    assert len(run.events) == 2 + 2 * 11


def test_an_edit_with_no_open_file_or_no_range_touches_nothing(odd: Trace) -> None:
    assert [(call.edit, call.touches) for call in calls(odd)[:2]] == [(None, ())] * 2


def test_what_is_no_command_is_marked_as_unparsed(odd: Trace) -> None:
    assert [call.is_unparsed for call in calls(odd)] == [False, False, True, False]


def test_a_path_with_an_open_quotation_is_still_a_path(odd: Trace) -> None:
    assert accesses(calls(odd)[3])[0].startswith("r /shop/shop/")


def test_the_harness_ending_the_run_is_no_call(odd: Trace) -> None:
    assert odd.events[-1].role == "system"
    assert all(event.is_error for event in results(odd))


@pytest.mark.parametrize(
    ("action", "found"),
    [
        ("open other.py\n", ["r /shop/lib/other.py"]),
        ("open '../my file.py' 30", ["r /shop/my file.py"]),
        ("create /new.py", ["w /new.py"]),
        ('search_file "x" other.py', ["r /shop/lib/other.py"]),
        ("open", []),
        ("cat a.py", ["r /shop/lib/a.py"]),
        ("", []),
    ],
)
def test_paths_are_relative_to_the_working_folder(action: str, found: list[str]) -> None:
    assert accesses(call_of(action, State("/shop/open.py", "/shop/lib"))) == found


def test_the_text_of_an_edit_may_be_empty_or_lack_its_end() -> None:
    state = State("/a.py", "/")
    assert call_of("edit 1:2\nend_of_edit\n", state).edit == Edit(
        path="/a.py", new="", lines=(1, 2)
    )
    cut = call_of("edit 1:2\nx = 1\n", state).edit
    assert cut is not None
    assert cut.new == "x = 1"


def test_chat_records_take_the_state_from_the_observation_before() -> None:
    run = runs("swe_agent", "chat.jsonl")[0]
    assert [(call.tool, accesses(call)) for call in calls(run)] == [
        ("open", [f"r {CART}"]),
        ("edit", [f"w {CART}"]),
        ("bash", [f"r {CART}"]),
        ("submit", []),
    ]
    assert len(results(run)) == 3
    assert run.task_id == "acme__shop-3"


def test_chat_records_of_one_task_are_told_apart() -> None:
    same = [trace for trace in runs("swe_agent") if trace.task_id == "acme__shop-3"]
    assert len({trace.key for trace in same}) == len(same) == 3


def test_an_original_trajectory_takes_its_outcome_from_the_report_beside_it(
    tmp_path: Path,
) -> None:
    first, second = runs("swe_agent", "rep_2")
    assert (first.key, first.failed) == ("rep_2/acme__shop-1", False)
    assert (second.key, second.failed) == ("rep_2/acme__shop-2", True)
    alone = tmp_path / "acme__shop-1.traj"
    alone.write_bytes((TESTS / "fixtures/swe_agent/rep_2/acme__shop-1.traj").read_bytes())
    (read,) = corpus_named("swe_agent").read(alone)
    assert isinstance(read, Trace)
    assert read.failed is None
    assert read.events == first.events


def test_nothing_of_it_may_be_shipped() -> None:
    assert {trace.license for trace in runs("swe_agent")} == {"NOASSERTION"}
