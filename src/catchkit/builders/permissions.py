"""The one permission-level classifier: an ordered list of rules, read until one applies."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

Evidence = Mapping[str, Set[str]]
"""What is known of a tool: facet, such as ``"word"`` or ``"hint"`` -> what was seen in it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Says ``outcome`` when the evidence of one facet holds any of the listed words."""

    outcome: str
    facet: str
    words: frozenset[str]


def classify(evidence: Evidence, rules: Sequence[Rule], *, default: str) -> str:
    """Return what the first applying rule says.

    The rules of a source are its data; permission levels and capability types are both read
    from such a list.

    Args:
        evidence: Facet -> words; a facet that is absent is empty.
        rules: Tried in order.
        default: The answer when no rule applies.

    Example:
        >>> destructive = Rule("write", "hint", words("destructive"))
        >>> rules = [destructive, Rule("read", "word", words("get list"))]
        >>> classify({"word": {"get", "page"}}, rules, default="unknown")
        'read'
        >>> classify({"word": {"get"}, "hint": {"destructive"}}, rules, default="unknown")
        'write'
    """
    for rule in rules:
        if not rule.words.isdisjoint(evidence.get(rule.facet, frozenset())):
            return rule.outcome
    return default


def words(text: str) -> frozenset[str]:
    """Return the blank-separated words of a rule's list as a set."""
    return frozenset(text.split())
