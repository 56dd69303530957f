"""Flags a high-impact action that the task does not request."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.requests import unrequested
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return unrequested(rosters, "high_impact_bases")


BASELINE = Baseline(
    name="unrequested_high_impact",
    summary="A high-impact action that the task does not request.",
    predict=_predict,
)
