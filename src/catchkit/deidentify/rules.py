"""What the scanner rules read from a task and from a capability, each question asked once.

The evaluator's rules compare the two; de-identification asks the same questions to find out what
removing the text would lose.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from catchkit.deidentify.tokens import singular, tokens
from catchkit.deidentify.vocabulary import (
    GENERIC,
    HIGH_IMPACT,
    LEVEL_VERBS,
    PRIVILEGE,
    SENSITIVE,
    base_of_form,
)

BASES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "privilege_bases": base_of_form(PRIVILEGE),
        "high_impact_bases": base_of_form(HIGH_IMPACT),
        "sensitive_bases": base_of_form(SENSITIVE),
    }
)
"""For each override list: inflected form -> word of its list."""

_LEVEL_FORMS = {level: frozenset(base_of_form(verbs)) for level, verbs in LEVEL_VERBS.items()}


def levels_asked(words: Iterable[str]) -> frozenset[str]:
    """Return the permission levels that the words of a task ask for.

    Example:
        >>> sorted(levels_asked(tokens("Search the web and save results")))
        ['network', 'write']
    """
    found = frozenset(words)
    return frozenset(level for level, forms in _LEVEL_FORMS.items() if found & forms)


def bases_in(words: Iterable[str], bases: Mapping[str, str]) -> frozenset[str]:
    """Return the listed words that occur in some inflection.

    Example:
        >>> sorted(bases_in({"deleted", "keys"}, BASES["high_impact_bases"]))
        ['delete']
    """
    return frozenset(bases[word] for word in words if word in bases)


def subject(words: Iterable[str]) -> frozenset[str]:
    """Return what the words are about: their singular forms without the generic ones.

    Example:
        >>> sorted(subject({"reports", "read", "file"}))
        ['report']
    """
    return frozenset(singular(word) for word in words) - GENERIC


@cache
def capability_tokens(name: str, kind: str) -> frozenset[str]:
    """Return the tokens of a capability's name and type; its description is never used."""
    return tokens(name) | tokens(kind)


@cache
def capability_subject(name: str, kind: str) -> frozenset[str]:
    """Return what a capability is about; empty when its name and type say nothing specific."""
    return subject(capability_tokens(name, kind))
