"""Uses of values that a field of an observed object had lost, on runs made for it."""

import pytest

from catchkit.builders.corpus import corpus_named
from catchkit.builders.record import Leaf, RecordEvent
from catchkit.injection.extraction import Extraction
from catchkit.injection.supersession import superseded_uses
from catchkit.injection.values import value_run_of

TAU = corpus_named("tau_bench")


def leaves(**values: str) -> tuple[Leaf, ...]:
    return tuple(Leaf(path=key, key=key, token=token) for key, token in values.items())


def call(**arguments: str) -> RecordEvent:
    return RecordEvent(
        kind="call", role="assistant", actor="agent", tool="t", leaves=leaves(**arguments)
    )


def answer(pair: int, *, is_error: bool = False, **values: str) -> RecordEvent:
    return RecordEvent(
        kind="result",
        role="tool",
        actor="env",
        tool="t",
        pair=pair,
        is_error=is_error,
        leaves=leaves(**values),
    )


def observed(at: int, order: str, address: str) -> list[RecordEvent]:
    return [call(order=order), answer(at, order=order, address=address)]


def used(events: list[RecordEvent]) -> list[tuple[int, str]]:
    run = value_run_of("r", events, TAU, Extraction.of(TAU, "repaired"))
    return [(use.at, use.path) for use in superseded_uses(run)]


OLD, NEW = "A101", "B202"
ONE, TWO = "#W1000001", "#W1000002"
CHANGED = [*observed(0, ONE, OLD), *observed(2, ONE, NEW)]
CASES = {
    "the old value": ([*CHANGED, call(order=ONE, address=OLD)], [(4, "address")]),
    "in the call for another object": ([*CHANGED, call(order=TWO, address=OLD)], [(4, "address")]),
    "the new value": ([*CHANGED, call(order=ONE, address=NEW)], []),
    "before the change": ([*observed(0, ONE, OLD), call(order=ONE, address=OLD)], []),
    "regained": ([*CHANGED, *observed(4, ONE, OLD), call(order=ONE, address=OLD)], []),
    "two objects": (
        [*observed(0, ONE, OLD), *observed(2, TWO, NEW), call(order=ONE, address=OLD)],
        [],
    ),
    "an error is no observation": (
        [
            *observed(0, ONE, OLD),
            call(order=ONE),
            answer(2, is_error=True, address=NEW),
            call(address=OLD),
        ],
        [],
    ),
    "called before the second answer": (
        [
            *observed(0, ONE, OLD),
            call(order=ONE),
            call(order=ONE, address=OLD),
            answer(2, order=ONE, address=NEW),
        ],
        [],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_value_is_superseded_when_a_result_before_the_call_shows_its_successor(case: str) -> None:
    events, expected = CASES[case]
    assert used(events) == expected
