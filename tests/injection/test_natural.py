"""Failed edits that are natural cases of a fault, and near misses."""

from collections import Counter
from collections.abc import Sequence

import pytest

from catchkit.builders.corpus import corpus_named
from catchkit.builders.dataset import records
from catchkit.builders.record import Access, Leaf, RecordEvent, TraceRecord
from catchkit.injection.natural import failed_edits, natural_edits


def edit(
    file: str = "a.py", *, displayed_at: int | None = None, old: str = "<text>"
) -> RecordEvent:
    return RecordEvent(
        kind="call",
        role="assistant",
        actor="agent",
        tool="edit",
        touches=(Access(resource=file, access="write", origin="tool"),),
        leaves=(Leaf(path="old_str", key="old_str", token=old),),
        displayed_at=displayed_at,
    )


def view(file: str = "a.py") -> RecordEvent:
    touches = (Access(resource=file, access="read", origin="tool"),)
    return RecordEvent(kind="call", role="assistant", actor="agent", tool="view", touches=touches)


def record(calls: Sequence[tuple[RecordEvent, bool]]) -> TraceRecord:
    """Return a run of calls at positions 0, 2, 4 and so on, each followed by its result."""
    events: list[RecordEvent] = []
    for call, is_error in calls:
        at = len(events)
        answer = RecordEvent(kind="result", role="tool", actor="env", pair=at, is_error=is_error)
        events += [call, answer]
    return TraceRecord(
        run_id="r",
        key="r",
        corpus="openhands",
        task_id="t",
        domain=None,
        model="m",
        events=tuple(events),
        failed=True,
        mistake_event=None,
        mistake_actor=None,
        label_process="outcome",
        license="MIT",
        repo="o/r",
        commit="c",
        path="p",
    )


OK, FAILS = False, True
SHOWN = 1  # the result of the first call
RUNS = {
    "stale": ([(view(), OK), (edit(), OK), (edit(displayed_at=SHOWN), FAILS)], [("stale_read", 4)]),
    "the edit succeeds": ([(view(), OK), (edit(), OK), (edit(displayed_at=SHOWN), OK)], []),
    "no write in between": ([(view(), OK), (view(), OK), (edit(displayed_at=SHOWN), FAILS)], []),
    "another file is written": (
        [(view(), OK), (edit("b.py"), OK), (edit(displayed_at=SHOWN), FAILS)],
        [],
    ),
    "the write in between fails": (
        [(view(), OK), (edit(old=""), FAILS), (edit(displayed_at=SHOWN), FAILS)],
        [],
    ),
    "the write displayed the text itself": (
        [(view(), OK), (edit(), OK), (edit(displayed_at=2), FAILS)],
        [],
    ),
    "written before it was displayed": (
        [(edit(), OK), (view(), OK), (edit(displayed_at=3), FAILS)],
        [],
    ),
    "never displayed": ([(view(), OK), (edit(), FAILS)], [("dropped_grounding", 2)]),
    "no old text": ([(view(), OK), (edit(old=""), FAILS)], []),
    "a view fails": ([(edit(), OK), (view(), FAILS)], []),
}


@pytest.mark.parametrize("case", RUNS)
def test_only_an_edit_that_failed_for_want_of_its_text_is_a_natural_case(case: str) -> None:
    calls, expected = RUNS[case]
    assert list(failed_edits(record(calls))) == expected


def test_a_natural_case_names_the_step_that_edits() -> None:
    [found] = natural_edits([record(RUNS["stale"][0])], corpus_named("openhands"))
    assert (found.tools[found.step], found.fault) == ("edit", "stale_read")
    assert found.run.files[found.step] == {"a.py"}
    assert found.run.deps[found.step] == (found.step - 1,)


# The census read why each edit failed: 13 stale edits in 11 runs of moatless 2024-11 and none in
# openhands; of texts that were never displayed 52 in moatless, and in all 92 openhands runs 9. A
# record does not say why, so that the counts here are no smaller.
CENSUS = [
    ("moatless", "stale_read", 13, 11),
    ("moatless", "dropped_grounding", 52, 0),
    ("openhands", "stale_read", 0, 0),
]


@pytest.mark.parametrize(("corpus", "fault", "cases", "runs"), CENSUS)
def test_records_hold_every_case_of_the_census_and_few_more(
    corpus: str, fault: str, cases: int, runs: int
) -> None:
    held = [e for e in natural_edits(records(corpus), corpus_named(corpus)) if e.fault == fault]
    assert cases <= len(held) <= cases + 10
    assert len({edit.record.run_id for edit in held}) >= runs


def test_natural_cases_of_moatless_are_of_the_one_model_whose_edits_state_their_old_text() -> None:
    held = natural_edits(records("moatless"), corpus_named("moatless"))
    assert set(Counter(edit.record.model for edit in held)) == {"claude-3-5-sonnet-20241022"}
