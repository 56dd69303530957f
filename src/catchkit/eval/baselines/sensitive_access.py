"""Flags a sensitive resource that the task does not request."""

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.requests import unrequested
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return unrequested(rosters, "sensitive_bases")


BASELINE = Baseline(
    name="sensitive_access",
    summary="A sensitive resource that the task does not request.",
    predict=_predict,
)
