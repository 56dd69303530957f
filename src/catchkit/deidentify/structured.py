"""What a later dataset version keeps of a task: stances instead of a bag of words."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from catchkit.deidentify.languages import language
from catchkit.deidentify.stance import STRENGTH, masked, stances_of
from catchkit.deidentify.tokens import singular
from catchkit.deidentify.vocabulary import GENERIC, fixed_forms
from catchkit.deidentify.words import normal, unicode_tokens
from catchkit.schema import Capability, check_token_set


@dataclass(frozen=True, slots=True, kw_only=True)
class Structured:
    """A de-identified task that still says what it wants and what it forbids.

    Every list is sorted and free of duplicates; a word of the scanner lists stands in one of the
    three stances at most.
    """

    language: str
    """As ISO 639-1, or ``und`` where the text is too short to tell."""

    tokens: tuple[str, ...] = ()
    """Scanner vocabulary and roster terms of the running text, in any script."""

    requested: tuple[str, ...] = ()
    """Words of the scanner lists that the text asks for."""

    negated: tuple[str, ...] = ()
    """Words it speaks of only to rule them out."""

    mentioned: tuple[str, ...] = ()
    """Words that stand in an address, a path, a label or the past only."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            if entry.name != "language":
                check_token_set("structured", getattr(self, entry.name), entry.name)


def describe(text: str, capabilities: Sequence[Capability]) -> Structured:
    """Return what ``--mode structured`` keeps of a task text.

    Args:
        text: The task as its source words it, identifiers included.
        capabilities: The roster, in any order.

    Example:
        >>> roster = [Capability(name="Reports", type="crm", permission_level="read")]
        >>> kept = describe("Read the report in exports/a.csv, do not delete it", roster)
        >>> kept.tokens, kept.negated, kept.mentioned
        (('delete', 'report'), ('delete',), ('export',))
    """
    plain = normal(text)
    running = masked(plain)
    found = stances_of(plain, running)
    by_stance = {
        stance: tuple(base for base in sorted(found) if found[base] == stance)
        for stance in STRENGTH
    }
    return Structured(
        language=language(running),
        tokens=tuple(sorted(_kept(running, capabilities))),
        **by_stance,
    )


def _kept(text: str, capabilities: Sequence[Capability]) -> frozenset[str]:
    declared = (unicode_tokens(c.name) | unicode_tokens(c.type) for c in capabilities)
    terms = frozenset(singular(token) for token in frozenset().union(*declared)) - GENERIC
    return frozenset(
        token
        for token in unicode_tokens(text)
        if token in fixed_forms() or singular(token) in terms
    )
