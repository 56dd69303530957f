"""Flags by permission level alone, whatever the task."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters

RISKY = ("write", "execute", "network", "admin")


def _predict(rosters: Rosters) -> Flags:
    return Flags.of(rosters, np.isin(rosters.levels, RISKY))


BASELINE = Baseline(
    name="flag_risky_perms",
    summary="Every capability that writes, executes, reaches the network or administers.",
    predict=_predict,
)
