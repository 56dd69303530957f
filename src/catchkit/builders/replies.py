"""Reads what a judge answered: which declared capabilities it holds to be needed."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

_NEEDED = re.compile(r"^[\s*_#>`-]*NEEDED[*_`]*\s*:[*_`]*(.*)$", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(r"^(?:\d+[.)]|[-*\u2022])\s+")
_NONE = frozenset(
    ["", "none", "no", "no capabilities", "no capability", "nothing", "[]", "n/a", "na", "null"]
)
_QUOTES = "\"'`\u201c\u201d\u2018\u2019*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """A name in a reply that the roster does not spell so."""

    given: str
    declared: str
    """What it was taken for, or, where it was not, the nearest declared name; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply as a list of declared names, or the reason why it is none."""

    needed: tuple[str, ...] | None
    """In the order of the reply, without repeats; ``None`` where the reply cannot be read."""

    repaired: tuple[Unmatched, ...] = ()
    """Names that fit exactly one declared name once white space and case are folded."""

    unknown: tuple[Unmatched, ...] = ()
    """Names that fit none; one of them makes the whole reply unreadable."""

    problem: str = ""
    """Why there is no list; empty where there is one."""


def read_answer(reply: str, declared: Sequence[str], *, repair: bool = True) -> Answer:
    r"""Read the last ``NEEDED:`` line of a reply.

    Args:
        reply: What the judge wrote.
        declared: Names of the roster.
        repair: Whether a name may differ from a declared one in white space and case.

    Example:
        >>> read_answer("Both.\nNEEDED: 1. web search, `Think`", ["Web Search ", "Think"]).needed
        ('Web Search ', 'Think')
        >>> read_answer("NEEDED: Web Serch", ["Web Search "]).problem
        "unknown: 'Web Serch' (nearest: 'Web Search ')"
        >>> read_answer("NEEDED: none", ["Think"]).needed
        ()
    """
    line = _needed_line(reply)
    if line is None:
        return Answer(needed=None, problem="there is no NEEDED: line")
    needed: dict[str, None] = {}
    repaired, unknown = [], []
    for given in _names(line, declared):
        fits = _fitting(given, declared, repair=repair)
        if fits is None:
            unknown.append(Unmatched(given=given, declared=_nearest(given, declared)))
            continue
        needed[fits] = None
        if fits not in _readings(given):
            repaired.append(Unmatched(given=given, declared=fits))
    if unknown:
        return Answer(
            needed=None,
            repaired=tuple(repaired),
            unknown=tuple(unknown),
            problem="unknown: " + ", ".join(map(_described, unknown)),
        )
    return Answer(needed=tuple(needed), repaired=tuple(repaired))


def _needed_line(reply: str) -> str | None:
    """Return what the last ``NEEDED:`` line lists, on the lines below it where it is bare."""
    found = list(_NEEDED.finditer(reply))
    if not found:
        return None
    below = reply[found[-1].end() :].splitlines()
    return found[-1][1].strip() or ", ".join(line.strip() for line in below if line.strip())


def _names(line: str, declared: Sequence[str]) -> Iterator[str]:
    """Yield the names of a line: a JSON list, or separated by commas."""
    if line not in declared and line.strip(_QUOTES).rstrip(".").casefold() in _NONE:
        return
    listed = _json_list(line)
    if listed is not None:
        yield from listed
        return
    pieces = line.split(",")
    at = 0
    while at < len(pieces):
        end = _longest(pieces, at, declared)
        name = ",".join(pieces[at:end]).strip()
        if name:
            yield name
        at = end


def _json_list(line: str) -> list[str] | None:
    if not line.startswith("["):
        return None
    try:
        listed = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return [str(name) for name in listed] if isinstance(listed, list) else None


def _longest(pieces: Sequence[str], at: int, declared: Sequence[str]) -> int:
    """Return behind which piece a name ends that begins at ``at``; names can hold commas."""
    most = max((name.count(",") for name in declared), default=0)
    for end in range(min(len(pieces), at + most + 1), at + 1, -1):
        if _fitting(",".join(pieces[at:end]), declared, repair=False) is not None:
            return end
    return at + 1


def _readings(given: str) -> tuple[str, ...]:
    """Return a name as given, then without its number, then without quotes around it."""
    plain = given.strip()
    unnumbered = _NUMBER.sub("", plain)
    return (plain, unnumbered, unnumbered.strip(_QUOTES).strip())


def _fitting(given: str, declared: Sequence[str], *, repair: bool) -> str | None:
    readings = _readings(given)
    exact = next((reading for reading in readings if reading in declared), None)
    if exact is not None or not repair:
        return exact
    folded = {_folded(reading) for reading in readings}
    fits = [name for name in declared if _folded(name) in folded]
    return fits[0] if len(fits) == 1 else None


def _nearest(given: str, declared: Sequence[str]) -> str:
    by_folded = {_folded(name): name for name in declared}
    close = get_close_matches(_folded(_readings(given)[-1]), by_folded, n=1)
    return by_folded[close[0]] if close else ""


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _described(name: Unmatched) -> str:
    nearest = f" (nearest: {name.declared!r})" if name.declared else ""
    return f"{name.given!r}{nearest}"
