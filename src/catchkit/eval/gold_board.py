"""Where a planted fault is, and which versions hold one: a prediction beside its floors."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values
from catchkit.eval.baseline import baselines
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.floors import floors
from catchkit.eval.gold import Gold
from catchkit.eval.intervals import (
    Interval,
    claim_generator,
    drawn_weights,
    percentile_interval,
    resampled_sums,
    weighted_auc,
)
from catchkit.eval.metric import metrics
from catchkit.eval.ranks import Ranks, ranks
from catchkit.eval.runs_board import RunMetrics
from catchkit.eval.scores import Scores
from catchkit.eval.significance import label_swap
from catchkit.eval.steps_board import StepMetrics

MATCHED, FULL = "random (matched)", "random (full)"
NOTHING = StepMetrics(top1=None, top3=None, mrr=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldMetrics:
    """How well the fault is found."""

    top1: float | None
    top3: float | None
    mrr: float | None
    """Among the parts that could have taken the fault; ``None`` for scores of whole versions."""

    full: StepMetrics
    """Among all parts of the version."""

    runs: RunMetrics
    """Faulty versions against clean ones, by the highest score of each; in the attribution view
    stale ones against dropped ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldScore(GoldMetrics):
    """What a prediction reaches on some versions, abstentions left out."""

    versions: int
    scored: int
    abstained: int
    coverage: float | None
    injected: int
    """Scored versions with a fault."""

    pool_mean: float | None
    """Candidates per scored fault, on average."""

    pools_of_one: int
    """Scored faults without a rival: any score finds them."""

    seeds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSource:
    """The same for one fault."""

    score: GoldScore
    floors: Mapping[str, StepMetrics]
    references: Mapping[str, GoldMetrics]


@dataclass(frozen=True, kw_only=True)
class GoldEvaluation(Evaluation):
    """How well a prediction finds planted faults, unrounded; ``sources`` are the faults."""

    score: GoldScore
    floors: Mapping[str, StepMetrics]
    references: Mapping[str, GoldMetrics]
    sources: Mapping[str, GoldSource]
    minus_floor: Mapping[str, Interval]
    """Each matched metric minus its floor, drawing whole groups again."""

    roc_auc: Interval | None
    """Over versions, drawing whole groups, both members of a pair together."""

    roc_auc_p: float | None
    """One-sided, of swapping the labels within pairs."""

    notes: tuple[str, ...]


class GoldBoard:
    """A prediction beside every reference, on the same versions."""

    def __init__(self, gold: Gold, scores: Scores, *, is_whole: bool) -> None:
        self.gold, self.scores, self.is_whole = gold, scores, is_whole
        self.answered: Mask = ~scores.abstained
        self.everything = np.arange(len(gold.injected))

    @cached_property
    def named(self) -> dict[str, Scores]:
        """Baseline -> its scores; those that read no answer."""
        traces = self.gold.traces.showing(())
        return {
            name: chosen.predict(traces)
            for name, chosen in baselines(traces.question).items()
            if not chosen.reads
        }

    @cached_property
    def pool_sizes(self) -> Counts:
        """Candidates of each version that could have taken the fault, at least 1."""
        run = self.gold.traces.run_of_step
        sizes = np.bincount(run[self._pool], minlength=len(self.gold.injected))
        return np.maximum(sizes, 1)

    @cached_property
    def _pool(self) -> Mask:
        member = self.gold.eligible.copy()
        holds = self.gold.injected
        member[self.gold.traces.starts[:-1][holds] + self.gold.targets[holds]] = True
        return member

    def score(self, rows: Counts) -> GoldScore:
        """Score the prediction on some versions."""
        scored = rows[self.answered[rows]]
        faulty = scored[self.gold.injected[scored]]
        sizes = self.pool_sizes[faulty]
        reached = self._metrics(self.scores, scored, is_whole=self.is_whole)
        return GoldScore(
            top1=reached.top1,
            top3=reached.top3,
            mrr=reached.mrr,
            full=reached.full,
            runs=reached.runs,
            versions=len(rows),
            scored=len(scored),
            abstained=len(rows) - len(scored),
            coverage=len(scored) / len(rows) if len(rows) else None,
            injected=len(faulty),
            pool_mean=float(sizes.mean()) if len(sizes) else None,
            pools_of_one=int((sizes == 1).sum()),
            seeds=len(self.scores.values),
        )

    def floors(self, rows: Counts) -> dict[str, StepMetrics]:
        """Return what guessing reaches on the answered faults, in both pools."""
        scored = rows[self.answered[rows]]
        faulty = scored[self.gold.injected[scored]]
        if not len(faulty):
            return {MATCHED: NOTHING, FULL: NOTHING}
        pools = {MATCHED: self.pool_sizes[faulty], FULL: self.gold.traces.sizes[faulty]}
        return {
            pool: StepMetrics(**{name: float(v.mean()) for name, v in floors(sizes).items()})
            for pool, sizes in pools.items()
        }

    def references(self, rows: Counts) -> dict[str, GoldMetrics]:
        """Score every reference on those of the versions that the prediction answers."""
        scored = rows[self.answered[rows]]
        return {
            name: self._metrics(scores, scored, is_whole=False)
            for name, scores in self.named.items()
        }

    def per_fault(self, rows: Counts, *, is_matched: bool) -> dict[str, Values]:
        """Return each rank metric for some faulty versions, in one of the two pools."""
        return self._per_fault(self.scores, rows, self._pool if is_matched else None)

    def whole(self) -> Values:
        """Return one score per version: its own, or the highest of its parts, seeds averaged."""
        return self._whole(self.scores)

    def source(self, rows: Counts) -> GoldSource:
        """Return everything about one fault."""
        return GoldSource(
            score=self.score(rows), floors=self.floors(rows), references=self.references(rows)
        )

    def minus_floor(self, label: str) -> dict[str, Interval]:
        """Return each matched metric minus its floor on the answered faults."""
        faulty = self.everything[self.answered & self.gold.injected]
        if self.is_whole or not len(faulty):
            return {}
        _, groups = np.unique(self.gold.traces.groups[faulty], return_inverse=True)
        guesses, count = floors(self.pool_sizes[faulty]), np.bincount(groups)
        found = {}
        for name, values in self._per_fault(self.scores, faulty, self._pool).items():
            off = values - guesses[name]
            table = np.column_stack([np.bincount(groups, off), count])
            rng = claim_generator(f"{label}: {name}")
            sums = resampled_sums(table, [np.arange(len(count))], rng)[:, 0]
            found[name] = percentile_interval(float(off.mean()), sums[:, 0] / sums[:, 1])
        return found

    def versions(self, label: str) -> tuple[Interval | None, float | None]:
        """Return the area over versions with an interval over groups, and the p-value of pairs."""
        rows = np.flatnonzero(self.answered)
        positive, values = self.gold.positive[rows], self._whole(self.scores)[rows]
        if len(set(positive.tolist())) < 2:
            return None, None
        _, groups = np.unique(self.gold.traces.groups[rows], return_inverse=True)
        batches = drawn_weights(
            [np.arange(int(groups.max()) + 1)], claim_generator(label), groups=groups
        )
        draws = np.concatenate([weighted_auc(values, positive, weights) for weights in batches])
        value = float(metrics("scores")["roc_auc"].compute(values, positive))
        finite = draws[np.isfinite(draws)]
        interval = percentile_interval(value, finite) if len(finite) else None
        faulty, clean = self._members(rows, values, positive)
        if not len(faulty):
            return interval, None
        return interval, label_swap(faulty, clean, claim_generator(f"{label}: swaps")).p

    def _members(self, rows: Counts, values: Values, positive: Mask) -> tuple[Values, Values]:
        """Return the scores of the two members of every pair that is answered as a whole."""
        first: dict[int, float] = {}
        second: dict[int, float] = {}
        for row, value, is_first in zip(rows, values, positive, strict=True):
            (first if is_first else second)[int(self.gold.pairs[row])] = value
        whole = sorted(first.keys() & second.keys())
        return np.array([first[pair] for pair in whole]), np.array([second[pair] for pair in whole])

    def _whole(self, scores: Scores) -> Values:
        """Return one score per version: its own, or the highest of its parts, seeds averaged."""
        mean: Values = np.mean([self._highest(scores, one) for one in scores.values], axis=0)
        return mean

    def _highest(self, scores: Scores, values: Values) -> Values:
        if len(values) == len(self.gold.injected) and self.is_whole and scores is self.scores:
            return values
        sizes = self.gold.traces.sizes
        highest = np.full(len(sizes), -np.inf)
        np.maximum.at(highest, self.gold.traces.run_of_step, values)
        # A version without any part has nothing suspicious in it.
        filled: Values = np.where(sizes > 0, highest, values.min(initial=0.0))
        return filled

    def _metrics(self, scores: Scores, scored: Counts, *, is_whole: bool) -> GoldMetrics:
        faulty = scored[self.gold.injected[scored]]
        matched = full = NOTHING
        if not is_whole and len(faulty):
            matched, full = (
                StepMetrics(
                    **{
                        name: float(values.mean())
                        for name, values in self._per_fault(scores, faulty, pool).items()
                    }
                )
                for pool in (self._pool, None)
            )
        return GoldMetrics(
            top1=matched.top1,
            top3=matched.top3,
            mrr=matched.mrr,
            full=full,
            runs=self._versions(scores, scored),
        )

    def _per_fault(self, scores: Scores, faulty: Counts, pool: Mask | None) -> dict[str, Values]:
        targets = np.maximum(self.gold.targets, 0)
        found = [
            _ranked(values, self.gold.traces.starts, targets, pool, faulty)
            for values in scores.values
        ]
        return {
            name: np.mean([metric.compute(one.above, one.tied) for one in found], axis=0)
            for name, metric in metrics("ranks").items()
        }

    def _versions(self, scores: Scores, scored: Counts) -> RunMetrics:
        positive = self.gold.positive[scored]
        names = metrics("scores")
        if len(set(positive.tolist())) < 2:
            return RunMetrics(**dict.fromkeys(names))
        rows = [self._highest(scores, values)[scored] for values in scores.values]
        return RunMetrics(
            **{
                name: _mean([metric.compute(one, positive) for one in rows])
                for name, metric in names.items()
            }
        )


def _ranked(
    values: Values, starts: Counts, targets: Counts, pool: Mask | None, rows: Counts
) -> Ranks:
    """Rank the targets of some rows; rows without any part cannot be among them."""
    sizes = np.diff(starts)
    given = sizes > 0
    kept = np.concatenate([[0], np.cumsum(sizes[given])])
    found = ranks(values, kept, targets[given], pool=pool)
    place = np.cumsum(given) - 1
    return found.among(place[rows])


def _mean(values: list[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return float(np.mean(given)) if given else None
