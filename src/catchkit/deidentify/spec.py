"""What survives of a task text: words the scanner rules know, and the roster's own terms."""

from collections.abc import Iterable, Sequence

from catchkit.deidentify.rules import (
    BASES,
    bases_in,
    capability_subject,
    capability_tokens,
    levels_asked,
    subject,
)
from catchkit.deidentify.scrub import scrub
from catchkit.deidentify.tokens import singular, tokens
from catchkit.deidentify.vocabulary import fixed_forms
from catchkit.schema import Capability, Overrides


def derive(text: str, capabilities: Sequence[Capability]) -> tuple[tuple[str, ...], Overrides]:
    """Return the kept tokens of a task text, and what a rule would have read beyond them.

    Args:
        text: The task as its source words it, identifiers included.
        capabilities: The roster in declared order.

    Returns:
        ``spec_tokens`` and ``spec_overrides`` of the record.

    Example:
        >>> roster = [Capability(name="read_vault", type="secret", permission_level="read")]
        >>> kept, lost = derive("Search https://vault.example.org for Ada", roster)
        >>> kept, lost.functionality_capabilities, lost.sensitive_bases
        (('search',), ('read_vault',), ('vault',))
    """
    kept = _kept(tokens(scrub(text)), capabilities)
    return tuple(sorted(kept)), _lost(tokens(text), kept, capabilities)


def _kept(words: Iterable[str], capabilities: Sequence[Capability]) -> frozenset[str]:
    terms = frozenset().union(*(capability_subject(c.name, c.type) for c in capabilities))
    return frozenset(word for word in words if word in fixed_forms() or singular(word) in terms)


def _lost(
    raw: frozenset[str], kept: frozenset[str], capabilities: Sequence[Capability]
) -> Overrides:
    """Return what a rule reads from the raw words and not from the kept ones, as names only.

    Limited to what the roster can be asked about, so that nothing else comes back.
    """
    levels = {capability.permission_level for capability in capabilities}
    declared = frozenset().union(*(capability_tokens(c.name, c.type) for c in capabilities))
    bases = {
        name: (bases_in(raw, listed) - bases_in(kept, listed)) & bases_in(declared, listed)
        for name, listed in BASES.items()
    }
    found = {
        "permission_levels": (levels_asked(raw) - levels_asked(kept)) & levels,
        "functionality_capabilities": _related(raw, capabilities) - _related(kept, capabilities),
        **bases,
    }
    return Overrides(**{name: tuple(sorted(words)) for name, words in found.items()})


def _related(words: frozenset[str], capabilities: Sequence[Capability]) -> frozenset[str]:
    about = subject(words)
    return frozenset(c.name for c in capabilities if capability_subject(c.name, c.type) & about)
