"""Unicode-aware tokens: what ``tokens`` does for ASCII, for every script."""

import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from catchkit.deidentify.tokens import SHORT_TOKENS

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003134f]+"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese: written without blanks between words."""


@dataclass(frozen=True, slots=True)
class Word:
    """A token and where it stands."""

    token: str
    """Case-folded."""

    start: int
    end: int


def normal(text: str) -> str:
    """Return a text in which equal characters are spelled equally (Unicode form NFKC)."""
    return unicodedata.normalize("NFKC", text)


def unicode_tokens(text: str) -> frozenset[str]:
    """Return the words of a text in any script, ``camelCase`` taken apart, as a set.

    A stretch of a script that is written without blanks gives its pairs of neighbours.

    Example:
        >>> sorted(unicode_tokens("g\u00e9n\u00e9rer le R\u00c9SUM\u00c9 readFile"))
        ['file', 'g\u00e9n\u00e9rer', 'read', 'r\u00e9sum\u00e9']
        >>> sorted(unicode_tokens("\u641c\u7d22\u7f51\u9875API")) == sorted(
        ...     ["\u641c\u7d22", "\u7d22\u7f51", "\u7f51\u9875", "api"]
        ... )
        True
    """
    return frozenset(word.token for word in words(normal(text)) if _counts(word.token))


def words(text: str) -> Iterator[Word]:
    """Yield every word of a normalised text, the short ones too, from left to right."""
    for run in _word_runs().finditer(text):
        if run[0].isascii() and run[0].islower():
            yield Word(run[0], *run.span())
            continue
        at = run.start()
        for unspaced in () if run[0].isascii() else _UNSPACED.finditer(text, *run.span()):
            yield from _spaced(text, at, unspaced.start())
            yield from _pairs(text, *unspaced.span())
            at = unspaced.end()
        yield from _spaced(text, at, run.end())


def _counts(token: str) -> bool:
    return len(token) >= 3 or token in SHORT_TOKENS or _UNSPACED.fullmatch(token) is not None


def _spaced(text: str, start: int, end: int) -> Iterator[Word]:
    """Yield the words of a stretch without blanks: split before a capital, after an acronym."""
    has_capitals = not text[start + 1 : end].islower()
    inside = range(start + 1, end) if has_capitals else ()
    cuts = [start, *(at for at in inside if _is_border(text, at, end)), end]
    for begin, stop in pairwise(cuts):
        if begin < stop:
            yield Word(text[begin:stop].casefold(), begin, stop)


def _is_border(text: str, at: int, end: int) -> bool:
    if not text[at].isupper():
        return False
    before = text[at - 1]
    return not before.isupper() or (at + 1 < end and text[at + 1].islower())


def _pairs(text: str, start: int, end: int) -> Iterator[Word]:
    width = min(2, end - start)
    for at in range(start, end - width + 1):
        yield Word(text[at : at + width].casefold(), at, at + width)


@cache
def _word_runs() -> re.Pattern[str]:
    """Letters and digits with the marks that belong to them, which a word class leaves out."""
    marks = (
        char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char)[0] == "M"
    )
    return re.compile(rf"[^\W_](?:[^\W_]|[{''.join(marks)}])*")
