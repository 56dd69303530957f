"""Whether a text requests a word of the scanner lists, negates it or only mentions it.

Rules, no model. A word is *negated* behind a negator in its clause, or anywhere in a clause that
calls something forbidden; *requested* where it stands un-negated in running text as a noun or as
a verb that is not in the past; *mentioned* otherwise: in an address, a path, a template label or
placeholder, or in the past ("stored procedures").
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from catchkit.deidentify.kind import kinds
from catchkit.deidentify.recognisers import RECOGNISERS
from catchkit.deidentify.vocabulary import (
    HIGH_IMPACT,
    IRREGULAR,
    LEVEL_VERBS,
    PRIVILEGE,
    SENSITIVE,
    VERBS,
    base_of_form,
)
from catchkit.deidentify.words import Word, normal, words

Stance = Literal["requested", "negated", "mentioned"]
STRENGTH: tuple[Stance, ...] = ("requested", "negated", "mentioned")
"""Of several stances in one text the first one counts."""

_TEMPLATE = re.compile(
    r"^[ \t]*AI Agent systemMessage \d+:"  # labels of the harvested texts, and their like
    r"|^[ \t>#*_-]*+[^\W_]\w*+\**+:(?=[*\s]|$)"
    r"|\{\{[^{}]*\}\}|\$\{[^{}]*\}|</?[A-Za-z][^<>]*>",
    re.MULTILINE,
)
_CLAUSE = re.compile(
    r"[.!?](?=\s|$)|[;:\n\u3002\uff01\uff1f\uff1b]"
    r"|\b(?:but|however|instead(?!\s+of)|just|only|then|unless|except|although|otherwise|please)\b"
    r"|,(?=\s*(?:and\s+)?(?:you|it|they|we|i|he|she|this|the agent|always|make sure)\b)",
    re.IGNORECASE,
)
_NEGATOR = re.compile(
    r"\b(?:not(?!\s+only\b)|never|no|nor|neither|cannot|avoid\w*|refrain\w*|\w+n['\u2019]t)\b",
    re.IGNORECASE,
)
_BRIEF_NEGATOR = re.compile(r"\b(?:without|instead\s+of|rather\s+than)\b[^,]*", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"\b(?:forbidden|prohibited|disallowed|off[- ]limits|not\s+(?:be\s+)?(?:allowed|permitted))\b",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:be|get|gets)\s+(?:\w+ly\s+)?$", re.IGNORECASE)


@cache
def base_of() -> Mapping[str, str]:
    """Return inflected form -> word, over all lists that a rule consults."""
    return base_of_form(frozenset().union(*LEVEL_VERBS.values(), HIGH_IMPACT, PRIVILEGE, SENSITIVE))


def stances(text: str) -> dict[str, Stance]:
    """Return the stance of a text towards each word of the scanner lists that occurs in it.

    Example:
        >>> stances("Search the web and save it. Do not browse or modify exports/run.csv")
        {'browse': 'negated', 'export': 'mentioned', 'modify': 'negated', 'run': 'mentioned', \
'save': 'requested', 'search': 'requested'}
    """
    plain = normal(text)
    return stances_of(plain, masked(plain))


def stances_of(plain: str, running: str) -> dict[str, Stance]:
    """Return the same for a normalised text and what ``masked`` makes of it."""
    found: dict[str, Stance] = dict.fromkeys(
        (base_of()[word.token] for word in words(plain) if word.token in base_of()), "mentioned"
    )
    for start, end in _clauses(running):
        clause = running[start:end]
        for base, stance in _in_clause(clause):
            found[base] = min(stance, found.get(base, "mentioned"), key=STRENGTH.index)
    return dict(sorted(found.items()))


def masked(text: str) -> str:
    """Return a text of the same length with identifiers and template parts blanked out.

    It takes out more than the seven patterns do: what the second opinion looks for as well.

    Example:
        >>> masked("Role: ask ada@b.com {{ $json.key }}!")
        '      ask                          !'
    """
    before = None
    # Blanking one thing can set another free: behind a handle a path may begin.
    while before != text:
        before = text
        text = _TEMPLATE.sub(lambda found: " " * len(found[0]), text)
        for recogniser in RECOGNISERS:
            text = recogniser.replace(text, _blank)
        for kind in kinds().values():
            text = kind.replace(text, _blank)
    return text


def _blank(found: str) -> str:
    return " " * len(found)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _CLAUSE.finditer(text):
        yield start, border.start()
        start = border.end()
    yield start, len(text)


def _in_clause(clause: str) -> Iterator[tuple[str, Stance]]:
    negated = _negated_stretches(clause)
    for word in words(clause):
        base = base_of().get(word.token)
        if base is None:
            continue
        if any(start <= word.start < end for start, end in negated):
            yield base, "negated"
        else:
            yield base, "requested" if _asks(clause, word, base) else "mentioned"


def _negated_stretches(clause: str) -> list[tuple[int, int]]:
    if _FORBIDDEN.search(clause):
        return [(0, len(clause))]
    stretches = [match.span() for match in _BRIEF_NEGATOR.finditer(clause)]
    negator = _NEGATOR.search(clause)
    return stretches if negator is None else [*stretches, (negator.start(), len(clause))]


def _asks(clause: str, word: Word, base: str) -> bool:
    """Whether a word is a noun, or a verb that is not in the past ("to be deleted" is not)."""
    past = word.token in IRREGULAR.get(base, ()) or (
        base in VERBS and word.token.endswith("ed") and word.token != base
    )
    return not past or _PASSIVE.search(clause[max(0, word.start - 40) : word.start]) is not None
