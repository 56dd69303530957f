"""Which comparison each kind of contrast asks for."""

from collections.abc import Callable, Mapping

import numpy as np

from catchkit.errors import AbsentError
from catchkit.eval.auc import Counts, Z, delong_single
from catchkit.eval.comparisons import (
    Finding,
    best_of,
    compare_areas,
    compare_flags,
    compare_ranks,
    compare_values,
    renumbered,
)
from catchkit.eval.entrants import Entrants
from catchkit.eval.families import Contrast, Family, TestKind
from catchkit.eval.floors import floors
from catchkit.eval.gold_board import GoldBoard
from catchkit.eval.intervals import Interval

CHOICE_BATCH = 250
"""Resamples at a time where the best is chosen, as in the original."""


def _paired_ranks(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    first, second = (entrants.scores(name or "") for name in (contrast.a, contrast.b))
    return compare_ranks(first, second, entrants.traces, contrast.metric, contrast.id)


def _paired_auc(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    _check_outcomes(entrants)
    first, second = (entrants.scores(name or "") for name in (contrast.a, contrast.b))
    return compare_areas(first, second, entrants.traces, contrast.metric)


def _auc_bar(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Compare an entrant's area with a fixed value, one-sided where a direction is declared."""
    _check_outcomes(entrants)
    traces, null = entrants.traces, 0.5 if contrast.null is None else contrast.null
    scores = entrants.scores(contrast.a or "")
    answered = ~scores.abstained
    failed = np.array(traces.failed)[answered]
    groups = None if traces.recipe == "published" else renumbered(traces.groups[answered])
    found = delong_single(scores.values.mean(axis=0)[answered], failed, null=null, groups=groups)
    one_sided = found.p_above if contrast.direction > 0 else found.p_below
    return Finding(
        a=found.value,
        b=null,
        difference=Interval(
            value=found.value - null, low=found.low - null, high=found.high - null, draws=0
        ),
        se=found.se,
        p=one_sided if contrast.direction else found.p,
        test="delong" if groups is None else "clustered_delong",
        units=len(failed) if groups is None else int(groups.max()) + 1,
    )


def _flags_greater(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    return _flags(contrast, entrants, two_sided=False)


def _flags_two_sided(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    return _flags(contrast, entrants, two_sided=True)


def _flags_best(contrast: Contrast, family: Family, entrants: Entrants) -> Finding:
    return best_of(
        {name: entrants.flags(name) for name in family.candidates},
        entrants.flags(contrast.b or ""),
        entrants.rosters,
        _groups(entrants),
        contrast.metric,
        contrast.id,
        batch=CHOICE_BATCH,
    )


def _flags(contrast: Contrast, entrants: Entrants, *, two_sided: bool) -> Finding:
    first, second = (entrants.flags(name or "") for name in (contrast.a, contrast.b))
    return compare_flags(
        first,
        second,
        entrants.rosters,
        _groups(entrants),
        contrast.metric,
        contrast.id,
        two_sided=two_sided,
    )


def _gold_ranks(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Compare how one entrant finds a fault with guessing, or with another entrant."""
    gold = entrants.gold
    boards = []
    for name in (contrast.a, contrast.b):
        if name is not None:
            scores, is_whole = entrants.gold_scores(name)
            if is_whole:
                raise AbsentError(f"{name!r} scores whole versions of {entrants.name}, not parts")
            boards.append(GoldBoard(gold, scores, is_whole=False))
    rows = np.flatnonzero(gold.injected & np.logical_and.reduce([one.answered for one in boards]))
    if contrast.fault is not None:
        rows = rows[[gold.faults[row] == contrast.fault for row in rows.tolist()]]
    if not len(rows):
        raise AbsentError(f"{entrants.name} has no answered fault {contrast.fault or ''}".strip())
    is_matched = contrast.pool == "matched"
    values = [one.per_fault(rows, is_matched=is_matched)[contrast.metric] for one in boards]
    sizes = boards[0].pool_sizes[rows] if is_matched else gold.traces.sizes[rows]
    if len(boards) == 1:
        values.append(floors(sizes)[contrast.metric])
    return compare_values(
        values[0],
        values[1],
        None if entrants.recipe == "published" else renumbered(gold.traces.groups[rows]),
        contrast.id,
        guessing=None if len(boards) == 2 else contrast.side or "greater",
    )


def _label_swap(contrast: Contrast, _: Family, entrants: Entrants) -> Finding:
    """Ask whether an entrant scores the stale version of a run above the dropped one."""
    scores, is_whole = entrants.gold_scores(contrast.a or "")
    board = GoldBoard(entrants.gold, scores, is_whole=is_whole)
    interval, p = board.versions(contrast.id)
    if interval is None or p is None:
        raise AbsentError(f"{entrants.name} has no pair that {contrast.a!r} answers as a whole")
    return Finding(
        a=interval.value,
        b=0.5,
        difference=Interval(
            value=interval.value - 0.5, low=interval.low - 0.5, high=interval.high - 0.5
        ),
        se=(interval.high - interval.low) / (2 * Z),
        p=p,
        test="label_swap",
        units=int(board.answered.sum()) // 2,
    )


def _groups(entrants: Entrants) -> Counts | None:
    """Return the group of each roster; under ``published`` every roster is on its own."""
    if entrants.recipe == "published":
        return None
    named = np.array(entrants.table.column("group").to_pylist())
    return np.unique(named, return_inverse=True)[1].astype(np.int64)


def _check_outcomes(entrants: Entrants) -> None:
    if entrants.traces.failed is None:
        raise AbsentError(f"{entrants.name} has no outcomes")


TESTS: Mapping[TestKind, Callable[[Contrast, Family, Entrants], Finding]] = {
    "paired_ranks": _paired_ranks,
    "paired_auc": _paired_auc,
    "auc_bar": _auc_bar,
    "gold_ranks": _gold_ranks,
    "label_swap": _label_swap,
    "flags_greater": _flags_greater,
    "flags_two_sided": _flags_two_sided,
    "flags_best": _flags_best,
}
