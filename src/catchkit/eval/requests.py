"""The rule of three baselines: a listed word in a capability that its task never asks for."""

import numpy as np

from catchkit.deidentify.rules import BASES, bases_in, capability_tokens
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def unrequested(rosters: Rosters, override: str) -> Flags:
    """Flag every capability that carries at least one listed word the task does not request.

    Args:
        rosters: The configurations.
        override: Which list, by the name of its override: a key of ``deidentify.rules.BASES``.
    """
    bases = BASES[override]
    requested = [
        bases_in(words, bases) | lost[override]
        for words, lost in zip(rosters.tokens, rosters.overrides, strict=True)
    ]
    flagged = [
        not bases_in(capability_tokens(name, kind), bases) <= requested[roster]
        for roster, name, kind, _ in rosters.capabilities()
    ]
    return Flags.of(rosters, np.array(flagged, dtype=bool))
