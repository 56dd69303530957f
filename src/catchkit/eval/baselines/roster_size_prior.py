"""Flags by the label that most capabilities of the same roster size have in other rosters."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.priors import majority_of_the_others
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return majority_of_the_others(rosters, rosters.sizes[rosters.owners].tolist())


BASELINE = Baseline(
    name="roster_size_prior",
    summary="The majority label of the same roster size in the source's other rosters.",
    predict=_predict,
    reads=("excess",),
)
