"""The original's named-value injections and scores on generated runs, to the last digit.

The expected values are those that the original's own functions gave on them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest

from catchkit.eval.auc import roc_auc
from catchkit.eval.floors import floors
from catchkit.injection.distance import nearest
from catchkit.injection.donors import Donors
from catchkit.injection.extraction import Mode
from catchkit.injection.injector import fault_named
from catchkit.injection.pairs import Pair, single
from catchkit.injection.randomness import Published
from catchkit.injection.supersession import successions
from catchkit.injection.values import Consumption, ValueRun, consumptions
from gold_runs import value_runs

TOP1 = {
    "format-outlier": 0.238095,
    "schema-shape": 0.238095,
    "position-prior": 0,
    "field-prior": 0.062500,
    "tool-prior": 0.125000,
    "edit-distance": 0.345833,
    "superseded-value": 0.238095,
    "provenance": 1,
}


@pytest.mark.parametrize("mode", ["published", "repaired"])
def test_the_value_sites_without_a_hash_are_the_same_in_both_readings(mode: Mode) -> None:
    runs = value_runs("tau_bench", mode)
    assert [len(fault_named("dropped_value").sites(run)) for run in runs] == [7, 3] * 4
    assert [len(fault_named("stale_value").sites(run)) for run in runs] == [2, 0] * 4


def test_with_a_hash_the_published_reading_misses_order_numbers() -> None:
    runs = value_runs("tau_bench", "published", "#")
    assert [len(fault_named("dropped_value").sites(run)) for run in runs] == [2, 1] * 4
    assert not any(fault_named("stale_value").sites(run) for run in runs)


def test_with_a_hash_the_repaired_reading_misses_nothing() -> None:
    runs = value_runs("tau_bench", "repaired", "#")
    assert [len(fault_named("dropped_value").sites(run)) for run in runs] == [7, 3] * 4
    assert [len(fault_named("stale_value").sites(run)) for run in runs] == [2, 0] * 4


def test_the_stale_sites_of_a_run() -> None:
    sites = fault_named("stale_value").sites(value_runs("tau_bench", "published")[0])
    assert [(site.field, site.superseded, site.at) for site in sites] == [
        ("items.[].item_id", ("i6000",), 10),
        ("addr", ("A001",), 8),
    ]


def test_dropped_values_are_the_original_ones() -> None:
    assert value_edits("dropped_value") == [
        *((0, 8, "addr", "B402"), (1, 2, "order_id", "W2077"), (2, 6, "order_id", "W3051")),
        *((3, 2, "order_id", "W1007"), (4, 8, "order_id", "W2071"), (5, 2, "order_id", "W3027")),
        *((6, 4, "order_id", "W1001"), (7, 2, "order_id", "W2017")),
    ]


def test_stale_values_are_the_original_ones() -> None:
    assert value_edits("stale_value") == [
        *((0, 8, "addr", "A001"), (2, 10, "items.[]", "i6002")),
        *((4, 8, "addr", "A401"), (6, 8, "addr", "A601")),
    ]


def value_edits(fault: str) -> list[tuple[int, int, str, int | str | None]]:
    place = {run.run_id: at for at, run in enumerate(clean_runs())}
    return [
        (place[p.clean.run_id], p.change.site.at, p.change.site.key, p.change.after)
        for p in planted(fault)
    ]


@cache
def clean_runs() -> list[ValueRun]:
    return value_runs("tau_bench", "published")


@cache
def planted(fault: str) -> list[Pair[ValueRun]]:
    runs = clean_runs()
    return single(runs, fault_named(fault), Published(0, "value"), Donors.of(runs))


def test_the_floor_of_dropped_values() -> None:
    sizes = np.array([len(pair.eligible) for pair in planted("dropped_value")])
    assert floors(sizes)["top1"].mean() == pytest.approx(0.238095, abs=5e-7)


@pytest.mark.parametrize("score", TOP1)
def test_control_scores_at_the_sites(score: str) -> None:
    found = [top1(pair, SCORES[score]) for pair in planted("dropped_value")]
    assert np.mean(found) == pytest.approx(TOP1[score], abs=5e-7)


@pytest.mark.parametrize("score", TOP1)
def test_no_control_tells_the_runs_apart(score: str) -> None:
    pairs = planted("dropped_value")
    runs = [*(pair.clean for pair in pairs), *(pair.faulty for pair in pairs)]
    highest = np.array([max(SCORES[score](run, u) for u in consumptions(run)) for run in runs])
    is_faulty = np.repeat([False, True], len(pairs))
    assert roc_auc(highest, is_faulty) == pytest.approx(0.5)


Score = Callable[[ValueRun, Consumption], float]


def top1(pair: Pair[ValueRun], score: Score) -> float:
    """Return the tie-aware chance that the site has the highest score of its pool."""
    pool = {(site.at, site.path) for site in pair.eligible}
    scores = {
        (use.at, use.path): score(pair.faulty, use)
        for use in consumptions(pair.faulty)
        if (use.at, use.path) in pool
    }
    target = scores[pair.change.site.at, pair.change.site.path]
    if max(scores.values()) > target:
        return 0.0
    return 1 / sum(value == target for value in scores.values())


@cache
def used_at() -> dict[str, list[str]]:
    found = defaultdict(list)
    for run in clean_runs():
        for use in consumptions(run):
            found[use.key].append(use.value)
    return found


@cache
def called_with() -> dict[str, Counter[tuple[str, ...]]]:
    found: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for run in clean_runs():
        for at, event in enumerate(run.events):
            if event.kind == "call":
                found[event.tool or ""][names(run, at)] += 1
    return found


def names(run: ValueRun, at: int) -> tuple[str, ...]:
    return tuple(sorted({leaf.path.split(".")[0] for leaf in run.events[at].leaves}))


def character_class(value: str) -> tuple[bool, bool, bool]:
    return (
        any(c.isdigit() for c in value),
        any(c.isalpha() for c in value),
        any(not c.isalnum() for c in value),
    )


def format_outlier(_: ValueRun, use: Consumption) -> float:
    held = used_at()[use.key]
    lengths = np.array([len(value) for value in held], dtype=float)
    alike = sum(character_class(value) == character_class(use.value) for value in held)
    return float(
        abs(len(use.value) - lengths.mean()) / (lengths.std() or 1) + 1 - alike / len(held)
    )


def schema_shape(run: ValueRun, use: Consumption) -> float:
    held = called_with()[run.events[use.at].tool or ""]
    return 1 - held[names(run, use.at)] / held.total()


def edit_distance_to_others(run: ValueRun, use: Consumption) -> float:
    others = [u.value for u in consumptions(run) if u.key == use.key and u != use]
    return nearest(use.value, others)


def superseded_before(run: ValueRun, use: Consumption) -> float:
    lost: Sequence[frozenset[str]] = [
        earlier.fields[field] - later.fields[field]
        for earlier, later, field in successions(run)
        if later.call < use.at
    ]
    return float(any(use.value in values for values in lost))


SCORES: dict[str, Score] = {
    "format-outlier": format_outlier,
    "schema-shape": schema_shape,
    "position-prior": lambda run, use: use.at / (len(run.events) - 1),
    "field-prior": lambda _, use: -len(used_at()[use.key]),
    "tool-prior": lambda run, use: -called_with()[run.events[use.at].tool or ""].total(),
    "edit-distance": edit_distance_to_others,
    "superseded-value": superseded_before,
    "provenance": lambda _, use: float(use.grounding == "ungrounded"),
}
