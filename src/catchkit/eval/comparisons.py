"""How two methods are compared on the same rows, under the sound and the published recipe."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from catchkit.errors import PredictionError
from catchkit.eval.auc import Counts, Mask, Values, delong, roc_auc
from catchkit.eval.board import Tally
from catchkit.eval.flags import Flags
from catchkit.eval.intervals import (
    DRAWS,
    Interval,
    claim_generator,
    drawn_weights,
    percentile_interval,
    resampled_sums,
    weighted_auc,
)
from catchkit.eval.metric import metrics
from catchkit.eval.outcomes import outcomes
from catchkit.eval.prefixes import usable
from catchkit.eval.rosters import Rosters
from catchkit.eval.scores import Scores
from catchkit.eval.significance import Test, mcnemar, poisson_binomial, sign_flip, wilcoxon
from catchkit.eval.traces import Traces

MEAN_BATCH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a comparison shows, before it is corrected for others."""

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


def compare_ranks(
    first: Scores, second: Scores, traces: Traces, metric: str, claim: str
) -> Finding:
    """Compare how two methods rank the labelled steps of the same runs.

    By default groups of runs change sign together, whatever the number of seeds. Under
    ``published`` every run is on its own, several seeds vote, and reciprocal ranks are compared
    by signed ranks.

    Args:
        first: Scores of the first method.
        second: Scores of the second one.
        traces: With the labelled steps shown.
        metric: A metric of ranks.
        claim: Address of the random draws.

    Raises:
        PredictionError: The two answer no run in common.
    """
    published = traces.recipe == "published"
    answered = ~(first.abstained | second.abstained) | published
    _check_common(answered)
    a, b = (outcomes(one, traces, metric)[:, answered].mean(axis=0) for one in (first, second))
    draws = _mean_draws(a - b, traces, answered, claim)
    test = _rank_test(a, b, traces, answered, metric, claim)
    return Finding(
        a=float(a.mean()),
        b=float(b.mean()),
        difference=percentile_interval(float(a.mean() - b.mean()), draws),
        se=float(draws.std()),
        p=test.p,
        test=test.name,
        units=len(a) if published else len(np.unique(traces.groups[answered])),
    )


def _rank_test(
    a: Values, b: Values, traces: Traces, answered: Mask, metric: str, claim: str
) -> Test:
    if traces.recipe == "default":
        groups = renumbered(traces.groups[answered])
        return sign_flip(a - b, claim_generator(f"{claim}: signs"), groups=groups)
    if metric == "mrr":
        return wilcoxon(a - b)
    # The seeds vote, as in the original; its estimate and ours use their mean.
    return mcnemar(a > 0.5, b > 0.5)


def _mean_draws(differences: Values, traces: Traces, answered: Mask, claim: str) -> Values:
    """Return the mean difference of resampled runs, or of whole groups by default."""
    if traces.recipe == "published":
        order = traces.published_order
        values = np.column_stack([differences[order], np.ones(len(order))])
    else:
        groups = renumbered(traces.groups[answered])
        values = np.column_stack([np.bincount(groups, differences), np.bincount(groups)])
    units = [np.arange(len(values))]
    sums = resampled_sums(values, units, claim_generator(claim), batch=MEAN_BATCH)[:, 0]
    means: Values = sums[:, 0] / sums[:, 1]
    return means


def compare_values(
    first: Values,
    second: Values,
    groups: Counts | None,
    claim: str,
    *,
    guessing: Literal["greater", "less"] | None,
) -> Finding:
    """Compare one value per run with another, or with what guessing reaches on it.

    Args:
        first: Of a method.
        second: Of another one, or the chance of guessing right.
        groups: Number of each run's group; ``None`` takes runs as independent.
        claim: Address of the random draws.
        guessing: Where the second is guessing, the side tested, exactly: the number of hits
            against independent guesses. Else signs are flipped.
    """
    off = first - second
    units = np.arange(len(off)) if groups is None else groups
    table = np.column_stack([np.bincount(units, off), np.bincount(units)])
    rng = claim_generator(claim)
    sums = resampled_sums(table, [np.arange(len(table))], rng, batch=MEAN_BATCH)[:, 0]
    draws = sums[:, 0] / sums[:, 1]
    test = (
        sign_flip(off, claim_generator(f"{claim}: signs"), groups=groups)
        if guessing is None
        else poisson_binomial(float(first.sum()), second, guessing)
    )
    return Finding(
        a=float(first.mean()),
        b=float(second.mean()),
        difference=percentile_interval(float(off.mean()), draws),
        se=float(draws.std()),
        p=test.p,
        test=test.name,
        units=len(table),
    )


def compare_areas(first: Scores, second: Scores, traces: Traces, _: str, __: str = "") -> Finding:
    """Compare how two methods tell failed runs from others, after DeLong.

    By default runs of one group may depend on each other; under ``published`` they may not. The
    score of a method with several seeds is their mean.

    Raises:
        PredictionError: The two answer no run in common, or runs of one outcome only.
    """
    failed, answered = _outcomes_of(traces), ~(first.abstained | second.abstained)
    _check_common(answered)
    a, b = (one.values.mean(axis=0)[answered] for one in (first, second))
    groups = None if traces.recipe == "published" else renumbered(traces.groups[answered])
    found = delong(a, b, failed[answered], groups)
    return Finding(
        a=roc_auc(a, failed[answered]),
        b=roc_auc(b, failed[answered]),
        difference=Interval(value=found.value, low=found.low, high=found.high, draws=0),
        se=found.se,
        p=found.p,
        test="delong" if groups is None else "clustered_delong",
        units=int(answered.sum()) if groups is None else int(groups.max()) + 1,
    )


def compare_versions(
    first: Values, second: Values, positive: Mask, groups: Counts, claim: str
) -> Finding:
    """Compare two areas over versions of runs, drawing whole groups, pairs together.

    Args:
        first: One score per version.
        second: The same of the other method.
        positive: Which versions are to be found.
        groups: Number of each version's group, without gaps.
        claim: Address of the random draws.
    """
    units = [np.arange(int(groups.max()) + 1)]
    drawn = [
        weighted_auc(first, positive, weights) - weighted_auc(second, positive, weights)
        for weights in drawn_weights(units, claim_generator(claim), groups=groups)
    ]
    differences = np.concatenate(drawn)
    a, b = (roc_auc(one, positive) for one in (first, second))
    finite = differences[np.isfinite(differences)]
    return _bootstrapped(a, b, finite, int(groups.max()) + 1, two_sided=True)


def compare_prefixes(first: Scores, second: Scores, traces: Traces, _: str, claim: str) -> Finding:
    """Compare the mean area over prefix lengths, drawing whole groups with all their prefixes.

    Raises:
        PredictionError: The two answer no prefix in common, or no length has both outcomes.
    """
    failed, answered = _outcomes_of(traces), ~(first.abstained | second.abstained)
    _check_common(answered)
    prefix = traces.prefix if traces.prefix is not None else np.zeros(len(failed), np.int64)
    lengths = usable(failed[answered], prefix[answered])
    groups = renumbered(traces.groups[answered])
    columns = [one.values.mean(axis=0)[answered] for one in (first, second)]
    drawn = []
    units = [np.arange(int(groups.max()) + 1)]
    for weights in drawn_weights(units, claim_generator(claim), groups=groups):
        areas = [
            [weighted_auc(one[rows], failed[answered][rows], weights[:, rows]) for one in columns]
            for rows in lengths.values()
        ]
        drawn.append(np.array(areas).mean(axis=0).T)
    draws = np.concatenate(drawn)
    draws = draws[np.isfinite(draws).all(axis=1)]
    compute = metrics("prefixes")["prefix_auc"].compute
    a, b = (compute(one, failed[answered], prefix[answered]) for one in columns)
    return _bootstrapped(a, b, draws[:, 0] - draws[:, 1], int(groups.max()) + 1, two_sided=True)


def compare_flags(
    first: Flags,
    second: Flags,
    rosters: Rosters,
    groups: Counts | None,
    metric: str,
    claim: str,
    *,
    two_sided: bool = True,
) -> Finding:
    """Compare the flags of two methods on the rosters that both answer.

    Args:
        first: Flags of the first method.
        second: Flags of the second one.
        rosters: With the label shown.
        groups: Number of each roster's group; whole groups are drawn. ``None`` draws rosters.
        metric: A metric of counts.
        claim: Address of the random draws.
        two_sided: Whether either may be higher; else the first is expected to be.

    Raises:
        PredictionError: The two answer no roster in common.
    """
    tallies = [Tally.of(rosters, flags) for flags in (first, second)]
    answered = ~(first.abstained | second.abstained)
    _check_common(answered)
    counts = np.hstack([tally.counts[answered] for tally in tallies])
    by_unit, strata = counts_by_unit(counts, answered, rosters, groups)
    sums = resampled_sums(by_unit, strata, claim_generator(claim)).sum(axis=1)
    drawn = metric_of_counts(sums, metric)
    a, b = metric_of_counts(counts.sum(axis=0), metric).tolist()
    differences = drawn[:, 0] - drawn[:, 1]
    return _bootstrapped(a, b, differences, sum(map(len, strata)), two_sided=two_sided)


def counts_by_unit(
    counts: Counts, answered: Mask, rosters: Rosters, groups: Counts | None
) -> tuple[Counts, list[Counts]]:
    """Sum counts of the answered rosters over what is drawn together.

    Returns:
        The sums, and for each source the units it holds.
    """
    at = np.flatnonzero(answered)
    units = np.arange(len(at)) if groups is None else renumbered(groups[at])
    place = np.full(len(rosters.ids), -1)
    place[at] = units
    strata = [np.unique(place[rows][answered[rows]]) for rows in rosters.by_source().values()]
    summed = np.zeros((int(units.max(initial=-1)) + 1, counts.shape[1]), dtype=np.int64)
    np.add.at(summed, units, counts)
    return summed, strata


def metric_of_counts(counts: Values | Counts, metric: str) -> Values:
    """Return the metric of every three columns of counts, along the last axis."""
    parts = np.asarray(counts, dtype=np.float64).reshape(*counts.shape[:-1], -1, 3)
    values: Values = metrics()[metric].compute(*np.moveaxis(parts, -1, 0))
    return values


def renumbered(groups: Counts) -> Counts:
    """Return group numbers without gaps, from 0.

    Example:
        >>> renumbered(np.array([7, 2, 7])).tolist()
        [1, 0, 1]
    """
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


def _bootstrapped(
    a: float, b: float, differences: Values, units: int, *, two_sided: bool
) -> Finding:
    """Return a finding whose p-value is the share of draws on the other side of zero."""
    draws = len(differences)
    if not draws:
        raise PredictionError("no resample holds runs of both outcomes at every prefix")
    at_most, at_least = (
        (float(tail.sum()) + 1) / (draws + 1) for tail in (differences <= 0, differences >= 0)
    )
    return Finding(
        a=a,
        b=b,
        difference=percentile_interval(a - b, differences),
        se=float(differences.std()),
        p=min(1.0, 2 * min(at_most, at_least)) if two_sided else at_most,
        test="group_bootstrap",
        units=units,
    )


def best_of(
    candidates: dict[str, Flags],
    reference: Flags,
    rosters: Rosters,
    groups: Counts | None,
    metric: str,
    claim: str,
    *,
    batch: int,
) -> Finding:
    """Compare the best of several candidates with one method, choosing anew in every draw.

    The null distribution is that of the largest centred difference, so that having chosen the
    best is paid for. Arguments as for ``compare_flags``.
    """
    every = [*candidates.values(), reference]
    answered = ~np.logical_or.reduce([flags.abstained for flags in every])
    _check_common(answered)
    counts = np.hstack([Tally.of(rosters, flags).counts[answered] for flags in every])
    by_unit, strata = counts_by_unit(counts, answered, rosters, groups)
    sums = resampled_sums(by_unit, strata, claim_generator(claim), batch=batch).sum(axis=1)
    observed, drawn = (metric_of_counts(one, metric) for one in (counts.sum(axis=0), sums))
    off, off_drawn = observed[:-1] - observed[-1], drawn[:, :-1] - drawn[:, -1:]
    best = int(off.argmax())
    reached = ((off_drawn - off).max(axis=1) >= off[best]).sum()
    chosen = off_drawn.max(axis=1)
    return Finding(
        a=float(observed[best]),
        b=float(observed[-1]),
        difference=percentile_interval(float(off[best]), chosen),
        se=float(chosen.std()),
        p=float(reached + 1) / (DRAWS + 1),
        test="best_of_bootstrap",
        units=sum(map(len, strata)),
        winner=list(candidates)[best],
    )


def _outcomes_of(traces: Traces) -> Mask:
    if traces.failed is None:
        raise ValueError("comparing reads the label: show it 'failed'")
    return traces.failed


def _check_common(answered: Mask) -> None:
    if not answered.any():
        raise PredictionError("the two answer no row in common")
