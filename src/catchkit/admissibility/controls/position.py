"""Flags every capability but the first one as the roster is shown."""

import numpy as np

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following, places
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Flagged, Rosters


def _rule(rosters: Rosters, _: np.random.Generator) -> Flagged:
    flagged: Flagged = places(rosters) > 0
    return flagged


CONTROL = RosterControl(
    name="position",
    summary="All but the capability that is shown first.",
    artefact="what is shown first is needed and the rest is excess",
    predict=lambda rosters: Flags.of(rosters, places(rosters) > 0),
    plant=following(_rule),
)
