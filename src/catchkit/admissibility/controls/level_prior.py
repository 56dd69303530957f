"""Flags by the label that the permission level has in other configurations."""

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following, half_of
from catchkit.eval.baselines.level_prior import BASELINE

CONTROL = RosterControl(
    name="level_prior",
    summary=BASELINE.summary,
    artefact="permission levels that are always excess, whatever the task",
    reads=BASELINE.reads,
    predict=BASELINE.predict,
    plant=following(half_of(lambda rosters: rosters.levels)),
)
