"""Finds which earlier event displayed the text that an edit replaces; needs the raw run."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catchkit.builders.corpus import Edit, Event
from catchkit.builders.timeline import Moment

_NUMBERED = re.compile(r"^[ ]*(\d+)(?:\t|[:|])", re.MULTILINE)
"""How viewers number lines: by a tab, a colon or a bar."""


@dataclass(frozen=True, slots=True)
class _Display:
    at: int
    resources: frozenset[str]
    text: str
    lines: frozenset[int]


def displays(events: Sequence[Event], moments: Sequence[Moment]) -> dict[int, int]:
    """Return for each editing call the moment of the latest event that showed what it replaces.

    What shows text is a result that is no error, and a successful edit by what it writes. Events
    on the edited file go before others. Calls whose text was never shown are left out.
    """
    found: dict[int, int] = {}
    if not any(_replaces(moment) for moment in moments):
        return found
    shown: list[_Display] = []
    failed = {m.pair for m in moments if m.kind == "result" and events[m.event].is_error}
    for at, moment in enumerate(moments):
        if moment.kind == "call" and moment.call and moment.call.edit:
            edit = moment.call.edit
            if (source := _source(edit, shown)) is not None:
                found[at] = source
            if edit.new and at not in failed:
                shown.append(_Display(at, frozenset({edit.path}), edit.new, frozenset()))
        elif moment.kind == "result" and not events[moment.event].is_error:
            shown.append(_display(at, moment, events[moment.event].text))
    return found


def _replaces(moment: Moment) -> bool:
    edit = moment.call.edit if moment.kind == "call" and moment.call else None
    return edit is not None and bool(edit.old or edit.lines)


def _display(at: int, moment: Moment, text: str) -> _Display:
    touches = moment.call.touches if moment.call else ()
    numbers = frozenset(int(number) for number in _NUMBERED.findall(text) if len(number) < 8)
    resources = frozenset(touch.resource for touch in touches)
    return _Display(at, resources, _NUMBERED.sub("", text) if numbers else text, numbers)


def _source(edit: Edit, shown: Sequence[_Display]) -> int | None:
    own = (display for display in reversed(shown) if edit.path in display.resources)
    other = (display for display in reversed(shown) if edit.path not in display.resources)
    return next(_matching(edit, own), None if edit.lines else next(_matching(edit, other), None))


def _matching(edit: Edit, shown: Iterator[_Display]) -> Iterator[int]:
    if edit.old:
        yield from (display.at for display in shown if edit.old in display.text)
    elif edit.lines:
        first, last = edit.lines
        wanted = range(first, last + 1)
        yield from (
            display.at for display in shown if display.lines and display.lines.issuperset(wanted)
        )
