"""Share of the failed runs that raise an alarm under a false-alarm budget of 5 %."""

from catchkit.eval.alarms import alarms, guessed_rate
from catchkit.eval.auc import Mask, Values
from catchkit.eval.metric import Metric

BUDGET = 0.05


def _compute(scores: Values, failed: Mask) -> float:
    return alarms(scores, failed, budget=BUDGET).tpr


def _floor(failed: Mask) -> float:
    return guessed_rate(failed, budget=BUDGET)


METRIC = Metric(
    name="tpr_at_5fpr",
    title="Share of failed runs that raise an alarm when 5 % of the others may.",
    compute=_compute,
    takes="scores",
    floor=_floor,
)
