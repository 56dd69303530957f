"""Which language a task is written in, and how far the English word lists reach there."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from catchkit.deidentify.stance import base_of, masked
from catchkit.deidentify.words import normal, unicode_tokens, words

UNDETERMINED = "und"

_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "zh": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "uk": re.compile("[\u0404\u0406\u0407\u0454\u0456\u0457\u0490\u0491]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "el": re.compile("[\u0370-\u03ff]"),
}
"""In this order: Japanese uses Chinese characters too, Ukrainian most Russian letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of one language's texts the scanner's word lists see."""

    language: str
    texts: int
    with_word: int
    """Texts in which at least one listed word occurs outside addresses, paths and labels."""

    words: int
    """Tokens of all these texts."""

    listed_words: int
    """Tokens among them that are a form of a listed word."""


def language(text: str) -> str:
    """Guess the language of a text from its script and its most frequent words.

    Example:
        >>> language("Fasse die Datei zusammen und schreibe nicht in den Ordner")
        'de'
        >>> language("xyz")
        'und'
    """
    letters = sum(char.isalpha() for char in text)
    for name, script in _SCRIPTS.items():
        # A third: names of tools and products stay English in texts of every language.
        share = 0.02 if name == "uk" else 1 / 3 if name != "ja" else 0.1
        if letters and len(script.findall(text)) >= share * letters:
            return name
    counts = Counter(word.token for word in words(text))
    scores = {name: sum(counts[token] for token in known) for name, known in _frequent().items()}
    best = max(scores, key=lambda name: scores[name])
    # In prose a third of the words are such; in encoded data some turn up by chance.
    return best if scores[best] >= max(2, 0.05 * counts.total()) else UNDETERMINED


def coverage(texts: Iterable[str]) -> list[Coverage]:
    """Return, per language, how far the scanner's word lists reach; most texts first."""
    by_language: dict[str, list[frozenset[str]]] = defaultdict(list)
    for text in texts:
        running = masked(normal(text))
        by_language[language(running)].append(unicode_tokens(running))
    rows = [_coverage(name, found) for name, found in by_language.items()]
    return sorted(rows, key=lambda row: (-row.texts, row.language))


@cache
def _frequent() -> Mapping[str, frozenset[str]]:
    text = files("catchkit.deidentify").joinpath("frequent_words.txt").read_text("utf-8")
    lines = (line.split(":") for line in text.splitlines() if not line.startswith("#"))
    return MappingProxyType({name: frozenset(found.split()) for name, found in lines})


def _coverage(name: str, found: list[frozenset[str]]) -> Coverage:
    listed = [tokens & base_of().keys() for tokens in found]
    return Coverage(
        language=name,
        texts=len(found),
        with_word=sum(bool(tokens) for tokens in listed),
        words=sum(map(len, found)),
        listed_words=sum(map(len, listed)),
    )
