"""Second reading of the output: every string of every column, until nothing unreviewed is left."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from catchkit.deidentify.names import people
from catchkit.deidentify.second_opinion import Reader
from catchkit.deidentify.spans import Span, identifiers

Status = Literal["hit", "review", "allowed"]

NAME_COLUMNS = frozenset(
    ["capabilities.name", "spec_overrides.functionality_capabilities", "prediction"]
)
"""Where upstream authors word things themselves; only there are personal names looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something in a table that looks like an identifier."""

    kind: str
    column: str
    """Dotted where it is nested, such as ``capabilities.name``."""

    row: int
    """0-based."""

    value: str
    """The whole string."""

    start: int
    end: int

    status: Status
    """``allowed`` is on the reviewed list; ``review`` is a possible personal name, which a
    person must look at; ``hit`` is everything else and must not be published."""

    reason: str = ""
    """Why it is allowed."""

    @property
    def is_in_name(self) -> bool:
        """Whether it stands in a capability name, which the published form keeps as declared."""
        return self.column in NAME_COLUMNS

    @property
    def found(self) -> str:
        """The identifier itself."""
        return self.value[self.start : self.end]

    @property
    def masked(self) -> str:
        """What a log may show of it.

        Example:
            >>> Finding(
            ...     kind="email", column="c", row=0, value="ada@b.com", start=0, end=9, status="hit"
            ... ).masked
            'ad*******'
        """
        return self.found[:2] + "*" * min(len(self.found) - 2, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """A reviewed exception."""

    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    value: re.Pattern[str]
    reason: str

    def covers(self, kind: str, column: str, value: str) -> bool:
        """Whether a hit is the reviewed one; the whole value must fit."""
        named = column in self.columns and kind in self.kinds
        return named and self.value.fullmatch(value) is not None


@cache
def reviewed() -> tuple[Allowed, ...]:
    """Return the reviewed list that is part of the package."""
    text = files("catchkit.deidentify").joinpath("reviewed.toml").read_text("utf-8")
    return tuple(
        Allowed(
            columns=tuple(entry["columns"]),
            kinds=tuple(entry["kinds"]),
            value=re.compile(entry["value"]),
            reason=entry["reason"],
        )
        for entry in tomllib.loads(text)["allowed"]
    )


def audit(rows: Sequence[Mapping[str, object]], *, second: Reader | None) -> list[Finding]:
    """Return everything in some rows that looks like an identifier, in row order.

    Args:
        rows: Column name -> value; a value may be nested to any depth.
        second: A second reading, besides the seven patterns; ``None`` for none.

    Example:
        >>> found = audit([{"note": ["fine", "ask ada@b.com"]}], second=None)
        >>> [(f.kind, f.column, f.row, f.found, f.status) for f in found]
        [('email', 'note', 0, 'ada@b.com', 'hit')]
    """
    places = [(at, column, text) for at, row in enumerate(rows) for column, text in strings(row)]
    texts = sorted({text for _, _, text in places})
    spans = {text: set(identifiers(text)) for text in texts}
    if second is not None:
        for text, more in zip(texts, second(texts), strict=True):
            spans[text].update(more)
    return [
        finding for at, column, text in places for finding in _findings(at, column, text, spans)
    ]


def strings(value: object, column: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string inside a value with the dotted column it stands in.

    Example:
        >>> list(strings({"a": [{"b": "x"}, {"b": None}], "c": 1}))
        [('a.b', 'x')]
    """
    match value:
        case str():
            yield column, value
        case bytes():
            yield column, value.decode("utf-8", "replace")
        case Mapping():
            for key, inner in value.items():
                yield from strings(inner, f"{column}.{key}" if column else str(key))
        case list() | tuple():
            for inner in value:
                yield from strings(inner, column)


def _findings(at: int, column: str, text: str, spans: Mapping[str, set[Span]]) -> Iterator[Finding]:
    statuses: list[tuple[Span, Status]] = [(span, "hit") for span in spans[text]]
    if column in NAME_COLUMNS:
        statuses += [(span, "review") for span in people(text)]
    for span, status in sorted(statuses, key=lambda entry: (entry[0].start, entry[0].kind)):
        reason = _reason(span.kind, column, text)
        yield Finding(
            kind=span.kind,
            column=column,
            row=at,
            value=text,
            start=span.start,
            end=span.end,
            status=status if reason is None else "allowed",
            reason=reason or "",
        )


def _reason(kind: str, column: str, value: str) -> str | None:
    entries = (entry for entry in reviewed() if entry.covers(kind, column, value))
    entry = next(entries, None)
    return None if entry is None else entry.reason
