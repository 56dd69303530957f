"""Flags whatever any of the five rules flags."""

import numpy as np

from catchkit.eval.baseline import Baseline, baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters

RULES = (
    "owasp_excess_permissions",
    "owasp_excess_functionality",
    "owasp_privilege_escalation",
    "unrequested_high_impact",
    "sensitive_access",
)


def _predict(rosters: Rosters) -> Flags:
    flagged = [baseline(rule).predict(rosters).flagged for rule in RULES]
    return Flags.of(rosters, np.logical_or.reduce(flagged))


BASELINE = Baseline(
    name="owasp_asi_combined", summary="Whatever any of the five rules flags.", predict=_predict
)
