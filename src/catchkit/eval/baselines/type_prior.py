"""Flags by the label that most capabilities of the same type have in other rosters."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.priors import majority_of_the_others
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return majority_of_the_others(rosters, rosters.types)


BASELINE = Baseline(
    name="type_prior",
    summary="The majority label of the same type in the source's other rosters.",
    predict=_predict,
    reads=("excess",),
)
