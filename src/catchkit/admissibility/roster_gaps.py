"""How far flags of declared configurations lie above flagging everything."""

import numpy as np

from catchkit.admissibility.thresholds import Thresholds
from catchkit.eval.bands import ClusteredMean, judge, required_units
from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import FLOOR, Tally
from catchkit.eval.flags import Flags
from catchkit.eval.matched import Counts, Values
from catchkit.eval.metric import metrics
from catchkit.eval.rosters import Rosters


def f1_parts(rosters: Rosters, flags: Flags) -> tuple[float, Values]:
    """Return F1 and what each configuration contributes to it, in first order.

    The contributions average to F1, so that the error of a difference of two F1 is that of the
    mean of differences of contributions.
    """
    counts = Tally.of(rosters, flags).counts.astype(float)
    hits, alarms, misses = counts.T
    whole = 2 * hits + alarms + misses
    f1 = float(f1_of(counts.sum(axis=0)))
    scale = whole.mean()
    if scale == 0:
        return f1, np.full(len(hits), f1)
    return f1, f1 + (2 * hits - f1 * whole) / scale


def f1_of(counts: Values | Counts) -> Values:
    """Return the F1 of hits, false alarms and misses."""
    f1: Values = metrics("counts")["f1"].compute(*np.asarray(counts, dtype=float))
    return f1


def floor_parts(rosters: Rosters) -> tuple[float, Values]:
    """Return the F1 of flagging everything, and what each configuration contributes to it."""
    return f1_parts(rosters, predict(baseline(FLOOR), rosters))


def gap_of(rosters: Rosters, flags: Flags) -> tuple[float, float, ClusteredMean]:
    """Return F1, the floor's F1, and the difference over configurations."""
    f1, parts = f1_parts(rosters, flags)
    floor, under = floor_parts(rosters)
    difference = parts - under
    return f1, floor, ClusteredMean.of(difference, np.arange(len(difference)))


def required_configurations(rosters: Rosters, thresholds: Thresholds) -> int:
    """Return how many configurations put an absent gap inside the margin, before any reading.

    What a shortcut flags is not known then; its gap is taken to vary over configurations as much
    as the F1 of the floor does.
    """
    _, parts = floor_parts(rosters)
    limits = thresholds.leakage
    return required_units(
        float(parts.var()),
        margin=thresholds.rosters.margin,
        alpha=limits.alpha,
        power=limits.sample_power,
    )


def is_registered(gap: ClusteredMean, thresholds: Thresholds) -> bool:
    """Return whether a gap, taken alone, is told from none."""
    found = judge(
        gap,
        margin=thresholds.rosters.margin,
        alpha=thresholds.leakage.alpha,
        readings=1,
        one_sided=True,
    )
    return found.place == "outside"
