"""Flags every capability: the floor a method must beat to earn its false alarms."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return Flags.of(rosters, np.ones(len(rosters.names), dtype=bool))


BASELINE = Baseline(name="flag_all", summary="Every capability.", predict=_predict)
