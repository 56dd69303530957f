"""Where identifiers stand in a text: overlaps settled, replaced from the right."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter

from catchkit.deidentify.kind import kinds


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text that is an identifier."""

    kind: str
    start: int
    end: int


def identifiers(text: str) -> tuple[Span, ...]:
    """Return what the kinds find in a text, side by side; of two that overlap the earlier kind.

    Example:
        >>> [(span.kind, span.start) for span in identifiers("@ada: https://a.b/c/d.e")]
        [('handle', 0), ('url', 6)]
    """
    found = (Span(kind.name, *place) for kind in kinds().values() for place in kind.spans(text))
    return settled(found)


def settled(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans from left to right without overlaps; who comes first in ``spans`` stays."""
    kept: list[Span] = []
    for span in spans:
        at = bisect_left(kept, span.start, key=attrgetter("start"))
        free_before = at == 0 or kept[at - 1].end <= span.start
        free_after = at == len(kept) or span.end <= kept[at].start
        if free_before and free_after:
            insort(kept, span, key=attrgetter("start"))
    return tuple(kept)


def replaced(text: str, spans: Iterable[Span], stand_in: Callable[[str, str], str]) -> str:
    """Return a text with each span exchanged for a stand-in made of its kind and value.

    Example:
        >>> replaced("ask @ada now", identifiers("ask @ada now"), lambda kind, value: f"<{kind}>")
        'ask <handle> now'
    """
    # From the right, so that the offsets of the spans still to come stay true.
    for span in sorted(spans, key=attrgetter("start"), reverse=True):
        value = text[span.start : span.end]
        text = text[: span.start] + stand_in(span.kind, value) + text[span.end :]
    return text
