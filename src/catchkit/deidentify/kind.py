"""What an identifier kind is: how it is found, and when it is taken out."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from catchkit import catalog

PATH = r"A-Za-z0-9._~+%-"
"""What a piece of a path may consist of, as the inside of a character class."""

LONG = 256
"""From how many characters on a stretch without a match is passed over whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of identifier that must not reach a record."""

    name: str
    summary: str
    order: int
    """Its place in the scrub, from 1: each kind reads what the ones before it have left."""

    pattern: re.Pattern[str]
    """Finds it. A match of the group ``skip`` is none: it passes over a stretch of at least
    ``LONG`` characters whose first place to start has failed and whose others must fail too.
    That keeps the time linear on hostile text."""

    found: tuple[str, ...]
    """Texts that are such an identifier from end to end."""

    left: tuple[str, ...]
    """Texts that come close and hold none."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where in a text the identifiers stand, as start and end, from left to right.

        Example:
            >>> list(kinds()["email"].spans("to ada@example.org, and on"))
            [(3, 18)]
        """
        for match in self.pattern.finditer(text):
            if match.lastgroup != "skip":
                yield match.span()

    def replace(self, text: str, stand_in: Callable[[str], str]) -> str:
        """Return a text with each identifier exchanged for what ``stand_in`` makes of it."""

        def exchange(match: re.Match[str]) -> str:
            return match[0] if match.lastgroup == "skip" else stand_in(match[0])

        return self.pattern.sub(exchange, text)


@cache
def kinds() -> Mapping[str, Kind]:
    """Return every kind by name, in scrub order.

    Example:
        >>> list(kinds())[:3]
        ['email', 'url', 'windows_path']
    """
    declared = catalog.declarations("deidentify.kinds", "KIND", Kind)
    ordered = sorted(declared.values(), key=lambda kind: kind.order)
    return MappingProxyType({kind.name: kind for kind in ordered})
