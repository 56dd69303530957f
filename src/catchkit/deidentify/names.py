"""Finds who is named inside a capability name, and puts keyed stand-ins there.

A list of given names, not a model: it knows about 400 that are hardly ever anything else, and
more (Grant, Mark, Rose) that count only behind a title or with a possessive. A name in another
script, or a surname alone, is not found.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from itertools import chain, count

from catchkit.deidentify.pseudonyms import pseudonym
from catchkit.deidentify.spans import Span, identifiers, replaced, settled
from catchkit.deidentify.vocabulary import GENERIC, fixed_forms
from catchkit.schema import Capability

PERSON = "person"

_TOOL_WORDS = (
    "account address agenda assistant bot calendar chat contact contacts crm drive inbox llm mail "
    "memory note notes number phone profile report schedule search sheet sheets slack team to "
    "from about by in on at of my"
)
_NO_SURNAMES = GENERIC | frozenset(_TOOL_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zà-ÿ])")
_TITLED = re.compile(
    r"\b(?:(?:Mrs?|Dr|Prof|Herr|Frau|Mme)\b\.?|Ms\.)\s+((?:[A-ZÀ-Þ][\w'\u2019-]*\s?){1,3}(?<!\s))"
)
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_JOINT = re.compile(r"[\s_.-]?")


@cache
def given_names() -> frozenset[str]:
    """Return the listed given names, lower-case, without accents.

    Example:
        >>> "maria" in given_names(), "grant" in given_names()
        (True, False)
    """
    return _listed("given_names.txt")


@cache
def ambiguous_names() -> frozenset[str]:
    """Return the listed given names that are words, months or products as well."""
    return _listed("ambiguous_names.txt")


def people(text: str) -> tuple[Span, ...]:
    """Return where persons are named: a known given name, with the surname behind it.

    Example:
        >>> text = "Send to Jürgen Kowalski, then grant access"
        >>> [text[span.start : span.end] for span in people(text)]
        ['Jürgen Kowalski']
    """
    titled = (Span(PERSON, *match.span(1)) for match in _TITLED.finditer(text))
    return settled([*titled, *_named(text)])


def named_identifiers(name: str) -> tuple[Span, ...]:
    """Return the identifiers and persons in a capability name."""
    return settled([*identifiers(name), *people(name)])


def conceal(capabilities: Sequence[Capability], *, key: bytes) -> tuple[Capability, ...]:
    """Return a roster whose names carry keyed stand-ins for the identifiers in them.

    Names that thereby become equal are told apart by a number, as a roster repeats none.

    Args:
        capabilities: The roster, in any order.
        key: The secret of ``pseudonym``.

    Example:
        >>> roster = [Capability(name="Maria's inbox", type="gmail", permission_level="read")]
        >>> conceal(roster, key=b"k")[0].name[:8], roster[0].name
        ('<person:', "Maria's inbox")
    """
    stand_in = partial(pseudonym, key=key)
    names = [replaced(c.name, named_identifiers(c.name), stand_in) for c in capabilities]
    taken = {name for name, c in zip(names, capabilities, strict=True) if name == c.name}
    told_apart = []
    for name, capability in zip(names, capabilities, strict=True):
        told_apart.append(name if name == capability.name else _unused(name, taken))
        taken.add(told_apart[-1])
    return tuple(
        replace(capability, name=name)
        for capability, name in zip(capabilities, told_apart, strict=True)
    )


def _unused(name: str, taken: Set[str]) -> str:
    numbered = (f"{name} #{at}" for at in count(2))
    return next(free for free in chain([name], numbered) if free not in taken)


def _listed(file: str) -> frozenset[str]:
    lines = files("catchkit.deidentify").joinpath(file).read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


def _named(text: str) -> Iterator[Span]:
    words = list(_words(text))
    for at, (start, end) in enumerate(words):
        word = _plain(text[start:end])
        known = word in given_names() and (end - start > 2)
        if known or (word in ambiguous_names() and _POSSESSIVE.match(text, end)):
            yield Span(PERSON, start, _with_surname(text, words[at : at + 2]))


def _with_surname(text: str, words: Sequence[tuple[int, int]]) -> int:
    """Return where a name ends whose given part is the first of the words."""
    end = words[0][1]
    if len(words) == 2:
        start, stop = words[1]
        joined = _JOINT.fullmatch(text, end, start)
        surname = _plain(text[start:stop])
        same_style = text[start].isupper() == text[words[0][0]].isupper()
        ordinary = surname in _NO_SURNAMES or surname in fixed_forms()
        if joined and same_style and not ordinary and len(surname) > 1:
            return stop
    return end


def _words(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of a text stand, ``camelCase`` taken apart."""
    for match in _WORD.finditer(text):
        cuts = [match.start(), *(cut.start() for cut in _CAMEL.finditer(text, *match.span()))]
        yield from zip(cuts, [*cuts[1:], match.end()], strict=True)


def _plain(word: str) -> str:
    """Return a word in lower case without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if c.isalpha())
