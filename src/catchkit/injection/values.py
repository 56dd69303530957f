"""A run as value faults see it: calls with argument values, results, and what the texts gave."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from catchkit.builders.corpus import Corpus
from catchkit.builders.record import Leaf, RecordEvent, TraceRecord
from catchkit.builders.values import normal_form
from catchkit.injection.extraction import Extraction

MIN_GIVEN = 4
"""Characters of a token of a text, shorter ones are not given."""

Grounding = Literal["derived", "given", "ungrounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEvent:
    """A call of the agent, or a result."""

    kind: Literal["call", "result"]
    tool: str | None
    leaves: tuple[Leaf, ...]
    """Arguments, or what the result says."""

    at: int
    """Position in the events of the record."""

    call: int | None = None
    """Result: position among the value events of the call that it answers."""

    is_error: bool = False
    is_write: bool = False
    """Call: whether its tool changes the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRun:
    """The calls and results of a run, and the tokens that its texts gave."""

    run_id: str
    events: tuple[ValueEvent, ...]
    given: Mapping[str, int]
    """Token of a user's or system text -> number of value events before its first mention; 0 for
    all under the published extraction, which scans the whole run."""

    extraction: Extraction

    def with_value(self, at: int, path: str, value: str) -> "ValueRun":
        """Return the run with another value of one argument."""
        event = self.events[at]
        leaves = tuple(
            replace(leaf, token=value) if leaf.path == path else leaf for leaf in event.leaves
        )
        changed = replace(event, leaves=leaves)
        return replace(self, events=(*self.events[:at], changed, *self.events[at + 1 :]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumption:
    """One argument value of a call, and where it comes from."""

    at: int
    """Position of the call among the value events."""

    path: str
    key: str
    value: str
    grounding: Grounding
    producer: int | None
    """The latest earlier result that holds it, for a derived one."""


def value_run(record: TraceRecord, corpus: Corpus, extraction: Extraction) -> ValueRun:
    """Return the calls, results and given tokens of a record."""
    return value_run_of(record.run_id, record.events, corpus, extraction)


def value_run_of(
    run_id: str, moments: Sequence[RecordEvent], corpus: Corpus, extraction: Extraction
) -> ValueRun:
    """Return the calls, results and given tokens of the events of a record."""
    place: dict[int, int] = {}
    events: list[ValueEvent] = []
    given: dict[str, int] = {}
    for at, event in enumerate(moments):
        if event.kind == "message" and event.role in ("user", "system"):
            for token in _given_tokens(event, extraction):
                given.setdefault(token, 0 if extraction.is_published else len(events))
        elif _counts(event, place, extraction):
            place[at] = len(events)
            events.append(_value_event(event, at, place, corpus, extraction))
    return ValueRun(run_id=run_id, events=tuple(events), given=given, extraction=extraction)


def consumptions(run: ValueRun) -> Iterator[Consumption]:
    """Yield every argument value in order, with the latest earlier result that holds it.

    Nothing is stored: the answer follows from the values that are there now.
    """
    producer: dict[str, int] = {}
    for at, event in enumerate(run.events):
        if event.kind == "result":
            producer.update((leaf.token, at) for leaf in event.leaves)
            continue
        for leaf in event.leaves:
            value = leaf.token
            found = producer.get(value)
            grounding: Grounding = (
                "derived"
                if found is not None
                else "given"
                if run.given.get(_spoken(value, run.extraction), at + 1) <= at
                else "ungrounded"
            )
            yield Consumption(
                at=at,
                path=leaf.path,
                key=leaf.key,
                value=value,
                grounding=grounding,
                producer=found,
            )


def answers(run: ValueRun) -> Mapping[int, int]:
    """Return call -> the result that answers it.

    The published rule takes the next event and so misses all but the last of several calls.
    """
    if run.extraction.is_published:
        after = zip(run.events, run.events[1:], strict=False)
        return {
            at: at + 1
            for at, (event, following) in enumerate(after)
            if event.kind == "call" and following.kind == "result"
        }
    return {event.call: at for at, event in enumerate(run.events) if event.call is not None}


def _counts(event: RecordEvent, place: Mapping[int, int], extraction: Extraction) -> bool:
    """Return whether an event is a call or result that the extraction sees."""
    if event.kind == "call":
        return event.role == "assistant"
    is_seen = extraction.is_published or event.pair is None or event.pair in place
    return event.kind == "result" and is_seen


def _value_event(
    event: RecordEvent,
    at: int,
    place: Mapping[int, int],
    corpus: Corpus,
    extraction: Extraction,
) -> ValueEvent:
    is_result = event.kind == "result"
    leaves = event.leaves
    if is_result and extraction.is_published and corpus.results != "json":
        leaves = ()  # the original parses JSON and nothing else
    if is_result and not event.leaves:
        leaves = _whole_text(event)
    return ValueEvent(
        kind="result" if is_result else "call",
        tool=event.tool,
        leaves=leaves,
        at=at,
        call=None if not is_result or event.pair is None else place.get(event.pair),
        is_error=event.is_error,
        is_write=not is_result and event.tool is not None and corpus.is_write(event.tool),
    )


def _whole_text(event: RecordEvent) -> tuple[Leaf, ...]:
    """Return a result that is one token, such as a user id, as its only value."""
    if len(event.mentions) != 1 or len(event.mentions[0]) != event.length:
        return ()
    token = event.mentions[0]
    try:
        number = json.loads(token)
    except ValueError:
        number = token
    value = normal_form(number) if isinstance(number, int | float) else token
    return (Leaf(path="", key="", token=value),)


def _given_tokens(event: RecordEvent, extraction: Extraction) -> Iterator[str]:
    for mention in event.mentions:
        token = mention.lstrip("#")
        if not extraction.is_published:
            token = token.rstrip("._@#-")
        if len(token) >= MIN_GIVEN:
            yield token


def _spoken(value: str, extraction: Extraction) -> str:
    """Return a value as a text would mention it: people leave the ``#`` out."""
    return value if extraction.is_published else value.removeprefix("#")


def values_of(run: ValueRun) -> frozenset[str]:
    """Return every value that is consumed, produced or given anywhere in a run."""
    said = run.given.keys()
    held = {leaf.token for event in run.events for leaf in event.leaves}
    return frozenset(held | said)
