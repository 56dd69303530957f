import pytest

from catchkit.builders.corpus import Event
from catchkit.builders.timeline import timeline
from runs import answered, asked, called, said


def pairs(*events: Event) -> list[str | None]:
    """Return which tool each result answers."""
    moments = timeline(events)
    return [m.call.tool if m.call else None for m in moments if m.kind == "result"]


A, B = called("a", "1"), called("b", "2")
ONE, TWO = answered("x", call_id="1"), answered("y", call_id="2")


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param([asked(A, B), ONE, TWO], ["a", "b"], id="in order"),
        pytest.param([asked(A, B), TWO, ONE], ["b", "a"], id="by id, out of order"),
        pytest.param([asked(A, B), TWO], ["b"], id="by id, one unanswered"),
        pytest.param([asked(called("a"), called("b")), ONE, TWO], ["a", "b"], id="no ids"),
        pytest.param(
            [asked(called("a", ""), called("b", "")), answered("x", call_id="")] * 2,
            ["a", "a"],
            id="empty ids, second answer missing",
        ),
        pytest.param([asked(called("a", "1"), called("b", "1")), ONE, ONE], ["a", "b"], id="twins"),
        pytest.param([asked(A), ONE, asked(called("c", "1")), ONE], ["a", "c"], id="id again"),
        pytest.param([asked(A), asked(called("c", "1")), ONE], ["c"], id="nearest of two"),
        pytest.param([asked(A), asked(B), ONE, TWO], ["a", "b"], id="late answer, by id"),
        pytest.param([asked(A), answered("x")], ["a"], id="answer without an id"),
        pytest.param([asked(A), TWO], [None], id="id of no call"),
        pytest.param([ONE], [None], id="answer to nothing"),
        pytest.param([asked(A), ONE, ONE], ["a", None], id="answered twice"),
        pytest.param([asked(A), said("wait"), ONE], ["a"], id="with a message between"),
    ],
)
def test_a_result_belongs_to_the_call_it_answers(
    events: list[Event], expected: list[str | None]
) -> None:
    assert pairs(*events) == expected


def test_calls_stand_between_their_message_and_their_results() -> None:
    moments = timeline([said("hello"), asked(A, B), ONE])
    assert [(m.kind, m.pair) for m in moments] == [
        ("message", None),
        ("message", None),
        ("call", 1),
        ("call", 1),
        ("result", 2),
    ]
