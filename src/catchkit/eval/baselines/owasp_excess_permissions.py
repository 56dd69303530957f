"""Flags a permission level that no word of the task asks for."""

import numpy as np

from catchkit.deidentify.rules import levels_asked
from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters

HARMLESS = frozenset({"read", "unknown"})


def _predict(rosters: Rosters) -> Flags:
    allowed = [
        HARMLESS | levels_asked(words) | lost["permission_levels"]
        for words, lost in zip(rosters.tokens, rosters.overrides, strict=True)
    ]
    flagged = [level not in allowed[roster] for roster, _, _, level in rosters.capabilities()]
    return Flags.of(rosters, np.array(flagged, dtype=bool))


BASELINE = Baseline(
    name="owasp_excess_permissions",
    summary="A permission level that no word of the task asks for.",
    predict=_predict,
)
