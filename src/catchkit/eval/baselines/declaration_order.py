"""Keeps the capability that was declared first and flags the rest."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    if rosters.declared_position is None:
        raise ValueError("the rule reads the upstream order: show it 'declared_position'")
    return Flags.of(rosters, rosters.declared_position > 0)


BASELINE = Baseline(
    name="declaration_order",
    summary="All but the capability that was declared first upstream: a shortcut, not a method.",
    predict=_predict,
    reads=("declared_position",),
)
