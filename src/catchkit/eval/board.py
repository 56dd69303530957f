"""Counts a prediction and every baseline roster by roster, and scores them from the counts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from catchkit.eval.baseline import baselines, predict
from catchkit.eval.flags import Flags
from catchkit.eval.intervals import (
    Interval,
    claim_generator,
    percentile_interval,
    resampled_sums,
)
from catchkit.eval.metric import Values, metrics
from catchkit.eval.rosters import Counts, Flagged, Rosters

FLOOR = "flag_all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a prediction reaches on some configurations, abstentions left out."""

    precision: float | None
    recall: float | None
    f1: float | None
    """``None`` when nothing is scored; 0 where a scored prediction leaves it undefined."""

    tp: int
    fp: int
    fn: int
    configurations: int
    scored: int
    abstained: int
    coverage: float | None
    """Scored configurations / all configurations."""

    f1_best: float | None
    """F1 if every abstained configuration had been answered without a mistake."""

    f1_worst: float | None
    """F1 if every abstained configuration had been answered with nothing but mistakes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(Score):
    """A baseline on the configurations that the prediction answers."""

    reads: tuple[str, ...]
    """The hidden columns it reads."""

    f1_undecided_flagged: float | None
    """For a prior: F1 when ties and unseen keys count as excess instead of needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """True positives, false positives and false negatives of each roster, shape (n, 3)."""

    counts: Counts
    abstained: Flagged
    undecided_flagged: Counts | None = None
    """The same with every undecided capability flagged."""

    @classmethod
    def of(cls, rosters: Rosters, flags: Flags) -> "Tally":
        """Count a prediction against the label of the rosters."""
        counts = _counts(rosters, flags.flagged)
        if flags.undecided is None:
            return cls(counts=counts, abstained=flags.abstained)
        bolder = _counts(rosters, flags.flagged | flags.undecided)
        return cls(counts=counts, abstained=flags.abstained, undecided_flagged=bolder)


def _counts(rosters: Rosters, flagged: Flagged) -> Counts:
    excess = label_of(rosters)
    parts = (flagged & excess, flagged & ~excess, ~flagged & excess)
    return np.stack([rosters.per_roster(part) for part in parts], axis=1)


def label_of(rosters: Rosters) -> Flagged:
    """Return the label of each capability.

    Raises:
        ValueError: It is hidden.
    """
    if rosters.excess is None:
        raise ValueError("scoring reads the label: show it 'excess'")
    return rosters.excess


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A prediction beside every baseline, on the same rosters."""

    rosters: Rosters
    own: Tally
    baselines: Mapping[str, tuple[tuple[str, ...], Tally]]
    """Baseline -> the hidden columns it reads, and its counts."""

    @classmethod
    def of(cls, rosters: Rosters, flags: Flags) -> "Board":
        """Run every baseline and count everything."""
        return cls(
            rosters=rosters,
            own=Tally.of(rosters, flags),
            baselines={
                name: (chosen.reads, Tally.of(rosters, predict(chosen, rosters)))
                for name, chosen in baselines().items()
            },
        )

    def answered(self, rows: Counts) -> Counts:
        """Return those of the rosters that the prediction does not abstain on."""
        return rows[~self.own.abstained[rows]]

    def score(self, rows: Counts) -> Score:
        """Score the prediction on some rosters."""
        return self._score(self.own, rows)

    def floors(self, rows: Counts) -> dict[str, Score]:
        """Score the floor on those of the rosters that the prediction answers."""
        _, tally = self.baselines[FLOOR]
        return {FLOOR: self._score(tally, self.answered(rows))}

    def references(self, rows: Counts) -> dict[str, Reference]:
        """Score every baseline on those of the rosters that the prediction answers."""
        return {
            name: self._reference(reads, tally, self.answered(rows))
            for name, (reads, tally) in self.baselines.items()
        }

    def _reference(self, reads: tuple[str, ...], tally: Tally, rows: Counts) -> Reference:
        bolder = None
        if tally.undecided_flagged is not None and len(rows):
            bolder = _metric("f1", tally.undecided_flagged[rows].sum(axis=0))
        score = asdict(self._score(tally, rows))
        return Reference(**score, reads=reads, f1_undecided_flagged=bolder)

    def _score(self, tally: Tally, rows: Counts) -> Score:
        silent = rows[tally.abstained[rows]]
        scored = rows[~tally.abstained[rows]]
        counts = tally.counts[scored].sum(axis=0)
        excess = int(self.rosters.per_roster(label_of(self.rosters))[silent].sum())
        needed = int(self.rosters.sizes[silent].sum()) - excess
        hits, alarms, misses = (int(count) for count in counts)
        values = {name: _metric(name, counts) if len(scored) else None for name in metrics()}
        bounds = {
            "f1_best": counts + np.array([excess, 0, 0]),
            "f1_worst": counts + np.array([0, needed, excess]),
        }
        return Score(
            **values,
            tp=hits,
            fp=alarms,
            fn=misses,
            configurations=len(rows),
            scored=len(scored),
            abstained=len(silent),
            coverage=len(scored) / len(rows) if len(rows) else None,
            **{name: _metric("f1", bound) if len(rows) else None for name, bound in bounds.items()},
        )

    def differences(self, label: str, strata: Sequence[Counts]) -> list[Interval | None]:
        """Return F1 minus the floor's F1 for each stratum, then for all together.

        Whole rosters are drawn again within each stratum, 10,000 times; both F1 are computed on
        the same draw. ``None`` where a stratum has no answered roster.

        Args:
            label: Names the claim; the draws follow from it.
            strata: The answered rosters of each source.
        """
        _, floor = self.baselines[FLOOR]
        counts = np.hstack([self.own.counts, floor.counts])
        observed = np.stack([counts[rows].sum(axis=0) for rows in strata])
        sums = resampled_sums(counts, strata, claim_generator(label))
        pairs = [*zip(observed, sums.swapaxes(0, 1), strict=True)]
        pairs.append((observed.sum(axis=0), sums.sum(axis=1)))
        return [
            percentile_interval(float(_difference(value)), _difference(drawn))
            if value.any()
            else None
            for value, drawn in pairs
        ]


def _metric(name: str, counts: Values | Counts) -> float:
    return float(metrics()[name].compute(*np.asarray(counts, dtype=float)))


def _difference(counts: Values | Counts) -> Values:
    """F1 of the first three counts minus F1 of the last three, along the last axis."""
    f1 = metrics()["f1"].compute
    hits, alarms, misses, *floor = np.moveaxis(np.asarray(counts, dtype=float), -1, 0)
    difference: Values = f1(hits, alarms, misses) - f1(*floor)
    return difference
