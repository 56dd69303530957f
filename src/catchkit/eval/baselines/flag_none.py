"""Flags nothing."""

import numpy as np

from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


def _predict(rosters: Rosters) -> Flags:
    return Flags.of(rosters, np.zeros(len(rosters.names), dtype=bool))


BASELINE = Baseline(name="flag_none", summary="No capability.", predict=_predict)
