"""Lays a run out as moments in order, and pairs every call with its result."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from catchkit.builders.corpus import Call, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One thing that happens: a message, a call in it, or a result."""

    kind: Literal["message", "call", "result"]
    event: int
    """Position of the message it stands in."""

    call: Call | None = None
    """For a call, and for a result that answers one."""

    pair: int | None = None
    """Call: the moment of its message. Result: the moment of the call it answers, ``None`` when
    there is none."""


def timeline(events: Sequence[Event]) -> tuple[Moment, ...]:
    """Return the moments of a run: each message, then its calls, then what follows.

    A result belongs to the call with its id where the ids of that message are there and unique,
    else to the first call of the message that has no result yet.

    Example:
        >>> calls = (Call(tool="a", id=""), Call(tool="b", id=""))
        >>> answer = Event(role="tool", actor="env", call_id="")
        >>> run = timeline([Event(role="assistant", actor="agent", calls=calls), answer, answer])
        >>> [(moment.kind, moment.call and moment.call.tool, moment.pair) for moment in run]
        [('message', None, None), ('call', 'a', 0), ('call', 'b', 0), ('result', 'a', 1), \
('result', 'b', 2)]
    """
    moments: list[Moment] = []
    batches: list[_Batch] = []
    for position, event in enumerate(events):
        if event.role == "tool":
            at = _answered(event, batches)
            call = None if at is None else moments[at].call
            moments.append(Moment(kind="result", event=position, call=call, pair=at))
            continue
        message = len(moments)
        moments.append(Moment(kind="message", event=position))
        calls = [Moment(kind="call", event=position, call=call) for call in event.calls]
        moments.extend(replace(call, pair=message) for call in calls)
        if calls:
            batches.append(_Batch(event.calls, start=message + 1))
    return tuple(moments)


class _Batch:
    """The calls of one message that have no result yet."""

    def __init__(self, calls: Sequence[Call], *, start: int) -> None:
        counts = Counter(call.id for call in calls)
        self.is_by_id = all(call.id and counts[call.id] == 1 for call in calls)
        self.open = {start + at: call for at, call in enumerate(calls)}

    def take(self, at: int) -> int:
        del self.open[at]
        return at

    def with_id(self, wanted: str) -> Iterator[int]:
        return (at for at, call in self.open.items() if call.id == wanted)


def _answered(result: Event, batches: Sequence[_Batch]) -> int | None:
    """Return the moment of the call that a result answers, and mark it as answered."""
    if not batches:
        return None
    latest = batches[-1]
    if not (latest.is_by_id and result.call_id):
        return latest.take(next(iter(latest.open))) if latest.open else None
    for batch in reversed(batches):
        if (at := next(batch.with_id(result.call_id), None)) is not None:
            return batch.take(at)
    return None
