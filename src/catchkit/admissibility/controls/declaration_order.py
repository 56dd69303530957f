"""Flags every capability but the one that was declared first upstream."""

import numpy as np

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following
from catchkit.eval.baselines.declaration_order import BASELINE
from catchkit.eval.rosters import Flagged, Rosters


def _rule(rosters: Rosters, _: np.random.Generator) -> Flagged:
    return BASELINE.predict(rosters).flagged


CONTROL = RosterControl(
    name="declaration_order",
    summary=BASELINE.summary,
    artefact="what is declared first upstream is needed and the rest is excess",
    reads=BASELINE.reads,
    predict=BASELINE.predict,
    plant=following(_rule),
)
