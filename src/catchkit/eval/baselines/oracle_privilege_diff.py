"""Flags exactly what the label calls excess."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    if rosters.excess is None:
        raise ValueError("the oracle reads the label: show it 'excess'")
    return Flags.of(rosters, rosters.excess)


BASELINE = Baseline(
    name="oracle_privilege_diff",
    summary="The label itself: shows what a perfect column scores.",
    predict=_predict,
    reads=("excess",),
)
