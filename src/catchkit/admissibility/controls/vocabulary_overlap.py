"""Flags a capability none of whose words survive in the tokens of its task."""

import numpy as np

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following
from catchkit.deidentify.rules import capability_tokens
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Flagged, Rosters


def _is_foreign(rosters: Rosters) -> Flagged:
    return np.array(
        [
            capability_tokens(name, kind).isdisjoint(rosters.tokens[roster])
            for roster, name, kind, _ in rosters.capabilities()
        ]
    )


CONTROL = RosterControl(
    name="vocabulary_overlap",
    summary="A capability that shares no word with what survives of its task.",
    artefact="the kept words of a task name what it needs",
    predict=lambda rosters: Flags.of(rosters, _is_foreign(rosters)),
    plant=following(lambda rosters, _: _is_foreign(rosters)),
)
