"""Share of right alarms to expect where one run in ten fails, at a 5 % false-alarm budget."""

from catchkit.eval.alarms import alarms, expected_precision
from catchkit.eval.auc import Mask, Values
from catchkit.eval.metric import Metric

RATE = 0.1
BUDGET = 0.05


def _compute(
    scores: Values, failed: Mask, *, rate: float = RATE, budget: float = BUDGET
) -> float | None:
    found = alarms(scores, failed, budget=budget)
    return expected_precision(found.tpr, found.guaranteed, rate=rate)


def _floor(failed: Mask, *, rate: float = RATE, budget: float = BUDGET) -> float | None:
    clean = int((~failed).sum())
    return rate if int(budget * (clean + 1) + 1e-9) else None


METRIC = Metric(
    name="expected_precision",
    title="Share of right alarms where 10 % of all runs fail, at a 5 % false-alarm budget.",
    compute=_compute,
    takes="scores",
    floor=_floor,
)
