"""Flags by the label that most capabilities of the same permission level have in other rosters."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.priors import majority_of_the_others
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return majority_of_the_others(rosters, rosters.levels)


BASELINE = Baseline(
    name="level_prior",
    summary="The majority label of the same permission level in the source's other rosters.",
    predict=_predict,
    reads=("excess",),
)
