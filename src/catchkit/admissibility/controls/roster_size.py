"""Flags by the label that rosters of the same size have."""

from catchkit.admissibility.control import RosterControl
from catchkit.admissibility.labels import following, half_of
from catchkit.eval.baselines.roster_size_prior import BASELINE

CONTROL = RosterControl(
    name="roster_size",
    summary=BASELINE.summary,
    artefact="rosters of some sizes are all excess",
    reads=BASELINE.reads,
    predict=BASELINE.predict,
    plant=following(half_of(lambda rosters: rosters.sizes[rosters.owners].tolist())),
)
