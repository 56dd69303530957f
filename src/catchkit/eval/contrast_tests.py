"""How each kind of contrast is estimated and tested, under the sound and the published recipe."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from catchkit.eval.auc import Counts, Mask, Values, delong, delong_single
from catchkit.eval.board import Tally
from catchkit.eval.entrants import AbsentError, Entrants
from catchkit.eval.families import Contrast, Family, TestKind
from catchkit.eval.intervals import (
    DRAWS,
    Interval,
    claim_generator,
    percentile_interval,
    resampled_sums,
)
from catchkit.eval.metric import metrics
from catchkit.eval.outcomes import outcomes
from catchkit.eval.scores import Scores
from catchkit.eval.significance import mcnemar, sign_flip, wilcoxon
from catchkit.eval.traces import Traces

MEAN_BATCH = 1_000
CHOICE_BATCH = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a contrast shows, before it is corrected for the others of its family."""

    a: float
    b: float
    difference: Interval
    se: float
    """Standard deviation of the resampled difference, or DeLong's."""

    p: float
    test: str
    units: int
    """Runs, configurations or groups that were compared."""

    winner: str | None = None
    """For a chosen best: which candidate it is."""


def paired_ranks(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Compare how two entrants rank the labelled steps of the same runs."""
    traces, metric = entrants.traces, contrast.metric
    first, second = _pair(contrast, entrants)
    published = traces.recipe == "published"
    answered = ~(first.abstained | second.abstained) | published
    if not answered.any():
        raise AbsentError("the two entrants answer no run in common")
    a, b = (outcomes(one, traces, metric)[:, answered] for one in (first, second))
    mean_a, mean_b = a.mean(axis=0), b.mean(axis=0)
    differences = mean_a - mean_b
    groups = None if published else _renumbered(traces.groups[answered])
    draws = _mean_draws(differences, traces, answered, contrast.id)
    rng = claim_generator(f"{contrast.id}: signs")
    if not published:
        test = sign_flip(differences, rng, groups=groups)
    elif metric == "mrr":
        test = wilcoxon(differences)
    else:
        # Several seeds vote, as in the original; the estimate above uses their mean.
        test = mcnemar(mean_a > 0.5, mean_b > 0.5)
    return Finding(
        a=float(mean_a.mean()),
        b=float(mean_b.mean()),
        difference=percentile_interval(float(mean_a.mean() - mean_b.mean()), draws),
        se=float(draws.std()),
        p=test.p,
        test=test.name,
        units=len(differences) if groups is None else int(groups.max()) + 1,
    )


def paired_auc(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Compare how two entrants tell failed runs from others."""
    traces = entrants.traces
    if traces.failed is None:
        raise AbsentError(f"{entrants.name} has no outcomes")
    first, second = _pair(contrast, entrants)
    answered = ~(first.abstained | second.abstained)
    a, b = (one.values.mean(axis=0)[answered] for one in (first, second))
    failed = traces.failed[answered]
    groups = None if traces.recipe == "published" else _renumbered(traces.groups[answered])
    found = delong(a, b, failed, groups)
    areas = [delong_single(one, failed, null=0.5).value for one in (a, b)]
    return Finding(
        a=areas[0],
        b=areas[1],
        difference=Interval(value=found.value, low=found.low, high=found.high, draws=0),
        se=found.se,
        p=found.p,
        test="delong" if groups is None else "clustered_delong",
        units=len(failed) if groups is None else int(groups.max()) + 1,
    )


def auc_bar(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Compare an entrant's area with a fixed value, one-sided where a direction is declared."""
    traces = entrants.traces
    if traces.failed is None:
        raise AbsentError(f"{entrants.name} has no outcomes")
    null = 0.5 if contrast.null is None else contrast.null
    scores = entrants.scores(contrast.a or "")
    answered = ~scores.abstained
    failed = traces.failed[answered]
    groups = None if traces.recipe == "published" else _renumbered(traces.groups[answered])
    found = delong_single(scores.values.mean(axis=0)[answered], failed, null=null, groups=groups)
    beyond = NormalDist().cdf(found.z * (-contrast.direction or 1))
    return Finding(
        a=found.value,
        b=null,
        difference=Interval(
            value=found.value - null, low=found.low - null, high=found.high - null, draws=0
        ),
        se=found.se,
        p=found.p if contrast.direction == 0 else beyond,
        test="delong" if groups is None else "clustered_delong",
        units=len(failed),
    )


def flags_greater(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Ask whether one entrant's flags score above another's, on whole configurations."""
    return _flags(contrast, entrants, two_sided=False)


def flags_two_sided(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Ask whether the flags of two entrants score differently, on whole configurations."""
    return _flags(contrast, entrants, two_sided=True)


def flags_best(contrast: Contrast, family: Family, entrants: Entrants) -> Finding:
    """Compare the best of several candidates with one entrant, choosing anew in every draw.

    The null distribution is that of the largest centred difference, so that having chosen the
    best is paid for.
    """
    names = [*family.candidates, contrast.b or ""]
    tallies = [Tally.of(entrants.rosters, entrants.flags(name)) for name in names]
    answered = ~np.logical_or.reduce([tally.abstained for tally in tallies])
    counts = np.hstack([tally.counts[answered] for tally in tallies])
    units, strata = _units(entrants, answered)
    sums = resampled_sums(
        _by_unit(counts, units),
        strata,
        claim_generator(contrast.id),
        batch=CHOICE_BATCH,
    ).sum(axis=1)
    observed = _values(counts.sum(axis=0), contrast.metric)
    drawn = _values(sums, contrast.metric)
    off = observed[:-1] - observed[-1]
    off_drawn = drawn[:, :-1] - drawn[:, -1:]
    best = int(off.argmax())
    exceeding = (off_drawn - off).max(axis=1) >= off[best]
    chosen = off_drawn.max(axis=1)
    return Finding(
        a=float(observed[best]),
        b=float(observed[-1]),
        difference=percentile_interval(float(off[best]), chosen),
        se=float(chosen.std()),
        p=float(exceeding.sum() + 1) / (DRAWS + 1),
        test="best_of_bootstrap",
        units=sum(map(len, strata)),
        winner=names[best],
    )


def _flags(contrast: Contrast, entrants: Entrants, *, two_sided: bool) -> Finding:
    tallies = [
        Tally.of(entrants.rosters, entrants.flags(name or "")) for name in (contrast.a, contrast.b)
    ]
    answered = ~(tallies[0].abstained | tallies[1].abstained)
    counts = np.hstack([tally.counts[answered] for tally in tallies])
    units, strata = _units(entrants, answered)
    drawn = _values(
        resampled_sums(_by_unit(counts, units), strata, claim_generator(contrast.id)).sum(axis=1),
        contrast.metric,
    )
    a, b = _values(counts.sum(axis=0), contrast.metric)
    differences = drawn[:, 0] - drawn[:, 1]
    at_most, at_least = (
        (float(tail.sum()) + 1) / (DRAWS + 1) for tail in (differences <= 0, differences >= 0)
    )
    return Finding(
        a=float(a),
        b=float(b),
        difference=percentile_interval(float(a - b), differences),
        se=float(differences.std()),
        p=min(1.0, 2 * min(at_most, at_least)) if two_sided else at_most,
        test="cluster_bootstrap",
        units=sum(map(len, strata)),
    )


def _units(entrants: Entrants, answered: Mask) -> tuple[Counts, list[Counts]]:
    """Return the unit of each answered roster, and the units of each source.

    Under ``published`` a configuration is a unit; by default all configurations that share an
    origin are one, and are drawn together.
    """
    rosters = entrants.rosters
    at = np.flatnonzero(answered)
    if entrants.recipe == "published":
        units = np.arange(len(at))
    else:
        named = np.array(entrants.table.column("group").to_pylist())
        units = _renumbered(np.unique(named, return_inverse=True)[1][at])
    place = np.full(len(rosters.ids), -1)
    place[at] = units
    strata = [np.unique(place[rows][answered[rows]]) for rows in rosters.by_source().values()]
    return units, strata


def _by_unit(counts: Counts, units: Counts) -> Counts:
    summed = np.zeros((int(units.max()) + 1, counts.shape[1]), dtype=np.int64)
    np.add.at(summed, units, counts)
    return summed


def _values(counts: Values | Counts, metric: str) -> Values:
    """Return the metric of every three columns of counts, along the last axis."""
    compute = metrics()[metric].compute
    parts = np.asarray(counts, dtype=np.float64).reshape(*counts.shape[:-1], -1, 3)
    values: Values = compute(*np.moveaxis(parts, -1, 0))
    return values


def _renumbered(groups: Counts) -> Counts:
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


def _pair(contrast: Contrast, entrants: Entrants) -> tuple[Scores, Scores]:
    return entrants.scores(contrast.a or ""), entrants.scores(contrast.b or "")


def _mean_draws(differences: Values, traces: Traces, answered: Mask, claim: str) -> Values:
    """Return the mean difference of resampled runs, or of whole groups by default."""
    rng = claim_generator(claim)
    if traces.recipe == "published":
        order = traces.published_order
        values = np.column_stack([differences[order], np.ones(len(order))])
        units = np.arange(len(order))
    else:
        groups = _renumbered(traces.groups[answered])
        values = np.column_stack([np.bincount(groups, differences), np.bincount(groups)])
        units = np.arange(len(values))
    sums = resampled_sums(values, [units], rng, batch=MEAN_BATCH)[:, 0]
    return sums[:, 0] / sums[:, 1]


TESTS: Mapping[TestKind, Callable[[Contrast, Family, Entrants], Finding]] = {
    "paired_ranks": paired_ranks,
    "paired_auc": paired_auc,
    "auc_bar": auc_bar,
    "flags_greater": flags_greater,
    "flags_two_sided": flags_two_sided,
    "flags_best": flags_best,
}
