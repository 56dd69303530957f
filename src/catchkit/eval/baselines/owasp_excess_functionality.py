"""Flags a capability that shares no subject word with its task."""

import numpy as np

from catchkit.deidentify.rules import capability_subject, subject
from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    asked = [subject(words) for words in rosters.tokens]
    related = [lost["functionality_capabilities"] for lost in rosters.overrides]
    flagged = []
    for roster, name, kind, _ in rosters.capabilities():
        about = capability_subject(name, kind)
        unrelated = bool(about) and about.isdisjoint(asked[roster])
        flagged.append(unrelated and name not in related[roster])
    return Flags.of(rosters, np.array(flagged, dtype=bool))


BASELINE = Baseline(
    name="owasp_excess_functionality",
    summary="A capability that shares no subject word with the task.",
    predict=_predict,
)
