"""Which step went wrong: a prediction beside guessing, position rules and baselines."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values
from catchkit.eval.baseline import baselines
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.floors import floors
from catchkit.eval.intervals import (
    Interval,
    claim_generator,
    percentile_interval,
    resampled_sums,
)
from catchkit.eval.lift import Lift, lifts
from catchkit.eval.metric import metrics
from catchkit.eval.outcomes import outcomes
from catchkit.eval.position_rules import FAMILIES, Ceiling, ceiling, hits_of_rules
from catchkit.eval.ranks import ranks
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

GUESSING = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMetrics:
    """Rank metrics, means over runs; ``None`` where no run is scored."""

    top1: float | None
    top3: float | None
    mrr: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepScore(StepMetrics):
    """What a prediction reaches on some runs, abstentions left out."""

    runs: int
    scored: int
    abstained: int
    coverage: float | None
    """Scored runs / all runs."""

    tied: int
    """Scored runs whose labelled step shares its score with another one, under the first seed."""

    seeds: int
    best: StepMetrics
    """If every abstained run had been answered right."""

    worst: StepMetrics
    """If every abstained run had been answered with the labelled step ruled out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReference(StepMetrics):
    """A baseline or position rule on the runs that the prediction answers."""

    reads: tuple[str, ...]
    """The hidden columns it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSource:
    """The same for one domain."""

    score: StepScore
    floors: Mapping[str, StepMetrics]
    references: Mapping[str, StepReference]


@dataclass(frozen=True, kw_only=True)
class StepEvaluation(Evaluation):
    """How well a prediction finds the labelled step, unrounded."""

    score: StepScore
    floors: Mapping[str, StepMetrics]
    references: Mapping[str, StepReference]
    sources: Mapping[str, StepSource]
    minus_floor: Mapping[str, Interval]
    """Each metric minus what guessing reaches, drawing whole groups again."""

    position_rules: Mapping[str, Ceiling]
    """How far naming a position gets, whatever happens there, per family of rules."""

    lift: Mapping[str, Lift]
    """Top-1 above the best position rule of each family."""

    as_published: StepMetrics
    """Under the rules of the original benchmark: ties go to the earlier step, an abstention is
    scored, and a method that names one step is right or wrong in every metric."""

    notes: tuple[str, ...]


class StepsBoard:
    """A prediction beside every reference, on the same runs."""

    def __init__(self, traces: Traces, scores: Scores) -> None:
        if traces.mistakes is None:
            raise ValueError("scoring reads the label: show it 'mistake_step'")
        self.traces, self.scores, self.mistakes = traces, scores, traces.mistakes
        self.answered: Mask = ~scores.abstained

    @cached_property
    def own(self) -> dict[str, Values]:
        """Metric -> its value for every run, the mean over seeds."""
        return _values(self.scores, self.traces)

    @cached_property
    def guesses(self) -> dict[str, Values]:
        """Metric -> what guessing reaches on every run."""
        return floors(self.traces.sizes)

    @cached_property
    def named(self) -> dict[str, tuple[tuple[str, ...], dict[str, Values]]]:
        """Reference -> the hidden columns it reads, and its metrics for every run."""
        found = {}
        for name, chosen in baselines("steps").items():
            scores = chosen.predict(self.traces.showing(chosen.reads))
            found[name] = chosen.reads, _values(scores, self.traces)
        rules = hits_of_rules("three_rules", self.traces.sizes, self.mistakes)
        for name, steps in zip(rules.names, rules.named, strict=True):
            found[name] = (), _values(_one_step(self.traces, steps), self.traces)
        return found

    def score(self, rows: Counts) -> StepScore:
        """Score the prediction on some runs."""
        scored = rows[self.answered[rows]]
        first = ranks(self.scores.values[0], self.traces.starts, self.mistakes)
        silent = len(rows) - len(scored)
        reached = {name: values[scored].sum() for name, values in self.own.items()}
        bounds = [
            StepMetrics(
                **{name: _share(total + extra, len(rows)) for name, total in reached.items()}
            )
            for extra in (silent, 0)
        ]
        return StepScore(
            **{name: _share(total, len(scored)) for name, total in reached.items()},
            runs=len(rows),
            scored=len(scored),
            abstained=silent,
            coverage=_share(len(scored), len(rows)),
            tied=int((first.tied[scored] > 1).sum()),
            seeds=len(self.scores.values),
            best=bounds[0],
            worst=bounds[1],
        )

    def floors(self, rows: Counts) -> dict[str, StepMetrics]:
        """Return what guessing reaches on those of the runs that the prediction answers."""
        return {GUESSING: StepMetrics(**_means(self.guesses, rows[self.answered[rows]]))}

    def references(self, rows: Counts) -> dict[str, StepReference]:
        """Score every reference on those of the runs that the prediction answers."""
        scored = rows[self.answered[rows]]
        return {
            name: StepReference(**_means(values, scored), reads=reads)
            for name, (reads, values) in self.named.items()
        }

    def source(self, rows: Counts) -> StepSource:
        """Return everything about one domain."""
        return StepSource(
            score=self.score(rows), floors=self.floors(rows), references=self.references(rows)
        )

    def minus_floor(self, label: str) -> dict[str, Interval]:
        """Return each metric minus guessing on the answered runs, with a clustered interval."""
        if not self.answered.any():
            return {}
        _, groups = np.unique(self.traces.groups[self.answered], return_inverse=True)
        names = list(self.own)
        off = [(self.own[name] - self.guesses[name])[self.answered] for name in names]
        columns = [np.bincount(groups, values) for values in (*off, np.ones(len(groups)))]
        sums = resampled_sums(
            np.column_stack(columns), [np.arange(len(columns[0]))], claim_generator(label)
        )[:, 0]
        return {
            name: percentile_interval(float(off[at].mean()), sums[:, at] / sums[:, -1])
            for at, name in enumerate(names)
        }

    def position_rules(self, label: str) -> dict[str, Ceiling]:
        """Return how far naming a position gets on the answered runs."""
        sizes, mistakes = self.traces.sizes[self.answered], self.mistakes[self.answered]
        if len(sizes) < 2:
            return {}
        return {
            family: ceiling(family, sizes, mistakes, claim_generator(f"{label}: {family}"))
            for family in FAMILIES
        }

    def lift(self, label: str) -> dict[str, Lift]:
        """Return Top-1 above the best position rule on the answered runs."""
        if not self.answered.any():
            return {}
        return lifts(
            self.own["top1"][self.answered],
            self.traces.sizes[self.answered],
            self.mistakes[self.answered],
            self.traces.groups[self.answered],
            label,
        )

    def as_published(self) -> StepMetrics:
        """Score every run under the original's rules."""
        published = replace(self.traces, recipe="published")
        everything = np.arange(len(self.traces.ids))
        return StepMetrics(**_means(_values(self.scores, published), everything))


def _values(scores: Scores, traces: Traces) -> dict[str, Values]:
    return {name: outcomes(scores, traces, name).mean(axis=0) for name in metrics("ranks")}


def _one_step(traces: Traces, steps: Counts) -> Scores:
    values = np.zeros(int(traces.starts[-1]))
    values[traces.starts[:-1] + steps] = 1.0
    return Scores.of(traces, values)


def _means(values: Mapping[str, Values], rows: Counts) -> dict[str, float | None]:
    return {name: _share(one[rows].sum(), len(rows)) for name, one in values.items()}


def _share(part: float, whole: int) -> float | None:
    return float(part / whole) if whole else None
