"""Which runs failed: a prediction beside guessing, the length of a run and baselines."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from catchkit.eval.alarms import alarms
from catchkit.eval.auc import Counts, Mask, Values, delong, delong_single, roc_auc
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.fitted import Fitted, fitted
from catchkit.eval.intervals import Interval
from catchkit.eval.metric import metrics
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

GUESSING = "random"
SIZE_CONTROLS = ("length", "size", "size_spline", "size_boosted")
"""What a detector that only sees how much happened reaches, bent ever more freely."""

BUDGETS = {"fpr_at_5": 0.05, "fpr_at_10": 0.10}
LEAST_PER_OUTCOME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMetrics:
    """Metrics of detection; ``None`` where one outcome, or any alarm, is out of reach."""

    roc_auc: float | None
    average_precision: float | None
    tpr_at_5fpr: float | None
    tpr_at_10fpr: float | None
    expected_precision: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore(RunMetrics):
    """What a prediction reaches on some runs, abstentions left out."""

    runs: int
    scored: int
    abstained: int
    coverage: float | None
    failed: int
    """Scored runs that failed."""

    seeds: int
    fpr_at_5: float | None
    fpr_at_10: float | None
    """Realised share of false alarms; never above the budget."""

    roc_auc_residual: float | None
    """Area of what is left of the score once the logarithm of the run's length is regressed
    out."""

    roc_auc_best: float | None
    roc_auc_worst: float | None
    """Area if every abstained run stood at the right end, or at the wrong one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReference(RunMetrics):
    """A baseline on the runs that the prediction answers."""

    reads: tuple[str, ...]
    """The hidden columns it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSource:
    """The same for one domain."""

    score: RunScore
    floors: Mapping[str, RunMetrics]
    references: Mapping[str, RunReference]
    unscored_because: str | None
    """Why there is no area, where there is none."""


@dataclass(frozen=True, kw_only=True)
class RunEvaluation(Evaluation):
    """How well a prediction tells failed runs from others, unrounded."""

    score: RunScore
    floors: Mapping[str, RunMetrics]
    references: Mapping[str, RunReference]
    sources: Mapping[str, RunSource]
    roc_auc: Interval | None
    """Area under the curve; runs of one group may depend on each other."""

    over_size: Mapping[str, Interval]
    """Area minus that of each size control, on the same runs."""

    failure_rate: float
    notes: tuple[str, ...]


class RunsBoard:
    """A prediction beside every reference, on the same runs."""

    def __init__(self, traces: Traces, scores: Scores, failure_rate: float) -> None:
        if traces.failed is None:
            raise ValueError("scoring reads the label: show it 'failed'")
        self.traces, self.scores, self.failed = traces, scores, traces.failed
        self.failure_rate = failure_rate
        self.answered: Mask = ~scores.abstained

    @cached_property
    def fitted(self) -> Fitted:
        """What the baselines say of every run, and which of them cannot be fitted."""
        return fitted("runs", self.traces)

    def why_not(self, rows: Counts) -> str | None:
        """Return why some runs have no area; ``None`` where they have one."""
        scored = self._scored(rows)
        if not len(scored):
            return "no run is answered"
        failed = int(self.failed[scored].sum())
        if failed == len(scored):
            return f"all {failed} runs failed"
        return "no run failed" if not failed else None

    def score(self, rows: Counts) -> RunScore:
        """Score the prediction on some runs."""
        scored = self._scored(rows)
        usable = self.why_not(rows) is None
        failed = self.failed[scored]
        rates = {
            name: _mean(
                [alarms(one[scored], failed, budget=budget).realised for one in self.scores.values]
            )
            if usable and (~failed).sum() >= LEAST_PER_OUTCOME
            else None
            for name, budget in BUDGETS.items()
        }
        bounds = [self._bound(rows, end) if usable else None for end in (1.0, -1.0)]
        return RunScore(
            **self._metrics(self.scores.values, scored),
            runs=len(rows),
            scored=len(scored),
            abstained=len(rows) - len(scored),
            coverage=len(scored) / len(rows) if len(rows) else None,
            failed=int(failed.sum()),
            seeds=len(self.scores.values),
            **rates,
            roc_auc_residual=self._residual(scored) if usable else None,
            roc_auc_best=bounds[0],
            roc_auc_worst=bounds[1],
        )

    def floors(self, rows: Counts) -> dict[str, RunMetrics]:
        """Return what a constant score reaches on those of the runs that are answered."""
        scored = self._scored(rows)
        return {GUESSING: RunMetrics(**self._metrics(np.zeros((1, len(self.failed))), scored))}

    def references(self, rows: Counts) -> dict[str, RunReference]:
        """Score every baseline on those of the runs that the prediction answers."""
        scored = self._scored(rows)
        return {
            name: RunReference(**self._metrics(scores.values, scored), reads=reads)
            for name, (reads, scores) in self.fitted.scores.items()
        }

    def source(self, rows: Counts) -> RunSource:
        """Return everything about one domain."""
        return RunSource(
            score=self.score(rows),
            floors=self.floors(rows),
            references=self.references(rows),
            unscored_because=self.why_not(rows),
        )

    def interval(self) -> Interval | None:
        """Return the area of the seeds' mean score, with an interval over groups."""
        scored = self._scored(np.arange(len(self.failed)))
        if not self._has_variance(scored):
            return None
        mean = self.scores.values.mean(axis=0)[scored]
        found = delong_single(mean, self.failed[scored], null=0.5, groups=self._groups(scored))
        return Interval(value=found.value, low=found.low, high=found.high, draws=0)

    def over_size(self) -> dict[str, Interval]:
        """Return the area minus that of each size control, with an interval over groups."""
        scored = self._scored(np.arange(len(self.failed)))
        if not self._has_variance(scored):
            return {}
        mean, groups = self.scores.values.mean(axis=0)[scored], self._groups(scored)
        found = {}
        for name in SIZE_CONTROLS:
            if name in self.fitted.scores:
                control = self.fitted.scores[name][1].values.mean(axis=0)[scored]
                one = delong(mean, control, self.failed[scored], groups)
                found[name] = Interval(value=one.value, low=one.low, high=one.high, draws=0)
        return found

    def _scored(self, rows: Counts) -> Counts:
        return rows[self.answered[rows]]

    def _has_variance(self, scored: Counts) -> bool:
        failed = int(self.failed[scored].sum())
        several = len(np.unique(self.traces.groups[scored])) > 1
        return several and min(failed, len(scored) - failed) >= LEAST_PER_OUTCOME

    def _groups(self, scored: Counts) -> Counts:
        return np.unique(self.traces.groups[scored], return_inverse=True)[1].astype(np.int64)

    def _metrics(self, values: Values, scored: Counts) -> dict[str, float | None]:
        failed = self.failed[scored]
        names = metrics("scores")
        if len(set(failed.tolist())) < 2:
            return dict.fromkeys(names)
        found: dict[str, float | None] = {}
        for name, metric in names.items():
            extra = {"rate": self.failure_rate} if name == "expected_precision" else {}
            found[name] = _mean([metric.compute(one[scored], failed, **extra) for one in values])
        return found

    def _residual(self, scored: Counts) -> float | None:
        """Return the area once the score's line on the logarithm of the length is taken off."""
        length = np.log(self.traces.sizes[scored])
        failed, spread = self.failed[scored], length - length.mean()
        if not spread.any():
            return _mean([roc_auc(one[scored], failed) for one in self.scores.values])
        areas = []
        for values in self.scores.values:
            own = values[scored] - values[scored].mean()
            left = own - spread * (spread @ own) / (spread @ spread)
            # A score that is a line on the length leaves rounding noise, not an order.
            scale = np.abs(own).max() or 1.0
            areas.append(roc_auc(np.round(left / scale, 12), failed))
        return _mean(areas)

    def _bound(self, rows: Counts, end: float) -> float | None:
        """Return the area with every abstained run at one end of the ranking."""
        silent = ~self.answered[rows]
        areas = []
        for values in self.scores.values:
            given = values[rows]
            far = np.abs(given).max() + 1.0
            moved = np.where(self.failed[rows], end * far, -end * far)
            areas.append(roc_auc(np.where(silent, moved, given), self.failed[rows]))
        return _mean(areas)


def _mean(values: list[float | None] | list[float]) -> float | None:
    given = [value for value in values if value is not None]
    return float(np.mean(given)) if given else None
