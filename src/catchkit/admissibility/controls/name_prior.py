"""Flags by the label that the name has in other configurations."""

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following, half_of
from catchkit.eval.baselines.name_prior import BASELINE

CONTROL = RosterControl(
    name="name_prior",
    summary=BASELINE.summary,
    artefact="names that are always excess, whatever the task",
    reads=BASELINE.reads,
    predict=BASELINE.predict,
    plant=following(half_of(lambda rosters: rosters.names)),
)
