"""Flags by the label that the type has in other configurations."""

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following, half_of
from catchkit.eval.baselines.type_prior import BASELINE

CONTROL = RosterControl(
    name="type_prior",
    summary=BASELINE.summary,
    artefact="types that are always excess, whatever the task",
    reads=BASELINE.reads,
    predict=BASELINE.predict,
    plant=following(half_of(lambda rosters: rosters.types)),
)
