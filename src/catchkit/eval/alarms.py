"""Alarms under a false-alarm budget, calibrated on the runs that did not fail."""

from dataclasses import dataclass

import numpy as np

from catchkit.eval.auc import Mask, Values, check_classes


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarms:
    """How often a monitor with a false-alarm budget speaks up."""

    budget: float
    tpr: float
    """Chance of an alarm on a failed run, calibrated on all runs that did not fail."""

    realised: float
    """Chance of an alarm on a run that did not fail, each judged by the others only; never
    above the budget."""

    guaranteed: float
    """Chance of an alarm on a new run like those that did not fail, and what a score that knows
    nothing reaches on failed ones; never above the budget."""

    @property
    def is_usable(self) -> bool:
        """Whether there are enough runs for the budget to allow any alarm at all."""
        return self.guaranteed > 0


def alarms(scores: Values, failed: Mask, *, budget: float) -> Alarms:
    """Return the alarm rates of a score under a budget, ties broken at random.

    A run raises an alarm when fewer than ``k`` of the calibrating runs reach its score, ``k``
    being the largest number that keeps the chance of a false alarm within the budget.

    Args:
        scores: Finite, higher is more suspicious.
        failed: Whether each run failed; both outcomes occur, at least two runs did not fail.
        budget: Between 0 and 1.

    Raises:
        PredictionError: There is only one outcome.

    Example:
        >>> failed = np.array([False] * 19 + [True])
        >>> alarms(np.arange(20.0), failed, budget=0.05).tpr
        1.0
    """
    check_classes(failed, "the rate of true alarms")
    clean = np.sort(scores[~failed])
    count = len(clean)
    allowed = _allowed(count, budget)
    allowed_within = int(np.floor(budget * count + 1e-9))
    own = 1  # a clean run does not calibrate itself
    return Alarms(
        budget=budget,
        tpr=_rate(scores[failed], clean, allowed, 0),
        realised=_rate(scores[~failed], clean, allowed_within, own),
        guaranteed=guessed_rate(failed, budget=budget),
    )


def guessed_rate(failed: Mask, *, budget: float) -> float:
    """Return the rate of alarms that a score which knows nothing reaches under a budget.

    Example:
        >>> guessed_rate(np.array([False] * 19 + [True]), budget=0.05)
        0.05
    """
    clean = int((~failed).sum())
    return _allowed(clean, budget) / (clean + 1)


def _allowed(clean: int, budget: float) -> int:
    return int(np.floor(budget * (clean + 1) + 1e-9))


def _rate(scores: Values, clean: Values, allowed: int, own: int) -> float:
    above = len(clean) - np.searchsorted(clean, scores, "right")
    tied = np.searchsorted(clean, scores, "right") - np.searchsorted(clean, scores, "left") - own
    chances = np.clip((allowed - above) / (tied + 1), 0.0, 1.0)
    # About its first value, so that the mean of equal chances is exactly that chance.
    return float(chances[0] + (chances - chances[0]).mean())


def expected_precision(tpr: float, fpr: float, *, rate: float) -> float | None:
    """Return which share of alarms is right where a share ``rate`` of all runs fails.

    ``None`` when there are no alarms at all.

    Example:
        >>> expected_precision(0.5, 0.5, rate=0.1)
        0.1
    """
    alarmed = tpr * rate + fpr * (1 - rate)
    if not alarmed:
        return None
    return rate if tpr == fpr else tpr * rate / alarmed
