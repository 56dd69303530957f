"""Which running agents will fail: a prediction at growing prefixes beside guessing and length."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from catchkit.errors import PredictionError
from catchkit.eval.auc import Counts, Mask, Values, delong_single
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.fitted import Fitted, fitted
from catchkit.eval.intervals import (
    Interval,
    claim_generator,
    drawn_weights,
    percentile_interval,
    weighted_auc,
)
from catchkit.eval.metric import metrics
from catchkit.eval.prefixes import TimeToDetection, time_to_detection, usable
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

GUESSING = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixMetrics:
    """Area under the curve per prefix length and on average."""

    prefix_auc: float | None
    """Mean over the lengths that runs of both outcomes reach; ``None`` where there is none."""

    by_prefix: Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixScore(PrefixMetrics):
    """What a prediction reaches on some prefixes, abstentions left out."""

    prefixes: int
    scored: int
    abstained: int
    coverage: float | None
    seeds: int
    running: Mapping[int, int]
    """Scored runs that are at least that long."""

    one_outcome: tuple[int, ...]
    """Lengths that runs of one outcome only reach: they have no area."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixReference(PrefixMetrics):
    """A baseline on the prefixes that the prediction answers."""

    reads: tuple[str, ...]
    """The hidden columns it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefixSource:
    """The same for one domain."""

    score: PrefixScore
    floors: Mapping[str, PrefixMetrics]
    references: Mapping[str, PrefixReference]


@dataclass(frozen=True, kw_only=True)
class PrefixEvaluation(Evaluation):
    """How well a prediction sees failures coming, unrounded."""

    score: PrefixScore
    floors: Mapping[str, PrefixMetrics]
    references: Mapping[str, PrefixReference]
    sources: Mapping[str, PrefixSource]
    prefix_auc: Interval | None
    """Drawing whole groups, all prefixes of a run together."""

    by_prefix: Mapping[int, Interval]
    time_to_detection: TimeToDetection
    notes: tuple[str, ...]


class PrefixesBoard:
    """A prediction beside every reference, on the same prefixes."""

    def __init__(self, traces: Traces, scores: Scores) -> None:
        if traces.failed is None or traces.prefix is None:
            raise ValueError("scoring reads the label: show it 'failed'")
        self.traces, self.scores = traces, scores
        self.failed, self.prefix = traces.failed, traces.prefix
        self.answered: Mask = ~scores.abstained

    @cached_property
    def fitted(self) -> Fitted:
        """What the baselines say of every prefix, and which of them cannot be fitted."""
        return fitted("prefixes", self.traces)

    def score(self, rows: Counts) -> PrefixScore:
        """Score the prediction on some prefixes."""
        scored = rows[self.answered[rows]]
        lengths, counts = np.unique(self.prefix[scored], return_counts=True)
        reached = self._metrics(self.scores.values, scored)
        return PrefixScore(
            prefix_auc=reached.prefix_auc,
            by_prefix=reached.by_prefix,
            prefixes=len(rows),
            scored=len(scored),
            abstained=len(rows) - len(scored),
            coverage=len(scored) / len(rows) if len(rows) else None,
            seeds=len(self.scores.values),
            running=dict(zip(lengths.tolist(), counts.tolist(), strict=True)),
            one_outcome=tuple(sorted(set(lengths.tolist()) - set(reached.by_prefix))),
        )

    def floors(self, rows: Counts) -> dict[str, PrefixMetrics]:
        """Return what a constant score reaches on those of the prefixes that are answered."""
        constant = np.zeros((1, len(self.failed)))
        return {GUESSING: self._metrics(constant, rows[self.answered[rows]])}

    def references(self, rows: Counts) -> dict[str, PrefixReference]:
        """Score every baseline on those of the prefixes that the prediction answers."""
        scored = rows[self.answered[rows]]
        found = {}
        for name, (reads, scores) in self.fitted.scores.items():
            reached = self._metrics(scores.values, scored)
            found[name] = PrefixReference(
                prefix_auc=reached.prefix_auc, by_prefix=reached.by_prefix, reads=reads
            )
        return found

    def source(self, rows: Counts) -> PrefixSource:
        """Return everything about one domain."""
        return PrefixSource(
            score=self.score(rows), floors=self.floors(rows), references=self.references(rows)
        )

    def intervals(self, label: str) -> tuple[Interval | None, dict[int, Interval]]:
        """Return the mean area, drawing whole groups, and the area at each prefix."""
        scored = np.flatnonzero(self.answered)
        try:
            lengths = usable(self.failed[scored], self.prefix[scored])
        except PredictionError:
            return None, {}
        mean = self.scores.values.mean(axis=0)[scored]
        _, groups = np.unique(self.traces.groups[scored], return_inverse=True)
        single = {
            length: self._at(mean[rows], self.failed[scored][rows], groups[rows])
            for length, rows in lengths.items()
            if min(np.bincount(self.failed[scored][rows].astype(np.int64), minlength=2)) > 1
            and len(np.unique(groups[rows])) > 1
        }
        drawn = []
        units = np.arange(int(groups.max()) + 1)
        for weights in drawn_weights([units], claim_generator(label), groups=groups):
            areas = [
                weighted_auc(mean[rows], self.failed[scored][rows], weights[:, rows])
                for rows in lengths.values()
            ]
            # A draw without one outcome at some length has no area there.
            drawn.append(np.stack(areas).mean(axis=0))
        draws = np.concatenate(drawn)
        draws = draws[np.isfinite(draws)]
        value = metrics("prefixes")["prefix_auc"].compute(
            mean, self.failed[scored], self.prefix[scored]
        )
        return percentile_interval(value, draws) if len(draws) else None, single

    def time_to_detection(self, single: Mapping[int, Interval]) -> TimeToDetection:
        """Return when the prediction sets in as a detector."""
        return time_to_detection({at: (one.low, one.high) for at, one in single.items()})

    def _at(self, values: Values, failed: Mask, groups: Counts) -> Interval:
        numbers = np.unique(groups, return_inverse=True)[1].astype(np.int64)
        found = delong_single(values, failed, null=0.5, groups=numbers)
        return Interval(value=found.value, low=found.low, high=found.high, draws=0)

    def _metrics(self, values: Values, scored: Counts) -> PrefixMetrics:
        failed, prefix = self.failed[scored], self.prefix[scored]
        try:
            lengths = usable(failed, prefix)
        except PredictionError:
            return PrefixMetrics(prefix_auc=None, by_prefix={})
        area = metrics("scores")["roc_auc"].compute
        by_prefix = {
            length: float(np.mean([area(one[scored][rows], failed[rows]) for one in values]))
            for length, rows in lengths.items()
        }
        return PrefixMetrics(
            prefix_auc=float(np.mean(list(by_prefix.values()))), by_prefix=by_prefix
        )
