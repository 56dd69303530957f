"""The rows of a Gold config as arrays: run versions, their candidates, and where the fault is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from catchkit.builders.features import Runs
from catchkit.eval.auc import Counts, Mask
from catchkit.eval.traces import Recipe, Traces, by_id, traces_of

STALE = "stale"
"""How the names of faults begin that leave a run with something out of date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """Versions of runs, clean and injected; a fault sits in one part of an injected one.

    The parts of a row are its steps, or under ``arguments`` the arguments of its calls.
    """

    traces: Traces
    """All rows; the starts, sizes and positions are those of the parts."""

    injected: Mask
    pairs: Counts
    """Number of each row's pair."""

    faults: tuple[str, ...]
    """Fault of each row's pair."""

    targets: Counts
    """Part that holds the fault, -1 for a clean version."""

    eligible: Mask
    """Per part, whether the fault could have gone there."""

    @property
    def is_attribution(self) -> bool:
        """Whether every version is faulty, and the question is by which fault."""
        return bool(self.injected.all())

    @property
    def positive(self) -> Mask:
        """What a score of a whole row should find: faulty versions, or stale ones."""
        if not self.is_attribution:
            return self.injected
        return np.array([fault.startswith(STALE) for fault in self.faults])

    def by_fault(self) -> dict[str, Counts]:
        """Return fault -> its rows, sorted by name."""
        named = np.array(self.faults)
        return {str(name): np.flatnonzero(named == name) for name in sorted(set(self.faults))}


def gold_of(table: pa.Table, recipe: Recipe = "default") -> Gold:
    """Read the rows of a Gold config, labels included."""
    table = by_id(table)
    rows = table.select(["pair_id", "is_injected", "fault", "site", "eligible"]).to_pylist()
    traces = replace(traces_of(table, "runs", recipe), question="steps", failed=None)
    if "events" in table.column_names:
        calls = [_arguments(events) for events in table.column("events").to_pylist()]
        traces = replace(traces, question="arguments", runs=_parts(calls))
        paths = table.column("site_path").to_pylist()
        sites = [
            [] if row["site"] is None else [(row["site"], path)]
            for row, path in zip(rows, paths, strict=True)
        ]
        eligible = [[(one["event"], one["path"]) for one in row["eligible"]] for row in rows]
    else:
        calls = [[(step, "") for step in range(size)] for size in traces.sizes.tolist()]
        sites = [[] if row["site"] is None else [(row["site"], "")] for row in rows]
        eligible = [[(step, "") for step in row["eligible"]] for row in rows]
    places = [{part: at for at, part in enumerate(parts)} for parts in calls]
    pairs = np.array([row["pair_id"] for row in rows])
    found = [[place[one] for one in site] for place, site in zip(places, sites, strict=True)]
    return Gold(
        traces=traces,
        injected=np.array([row["is_injected"] for row in rows]),
        pairs=np.unique(pairs, return_inverse=True)[1].astype(np.int64),
        faults=tuple(row["fault"] for row in rows),
        targets=np.array([one[0] if one else -1 for one in found], dtype=np.int64),
        eligible=_marked(traces.starts, places, eligible),
    )


def _arguments(events: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    """Return every argument of every call, in order."""
    return [
        (at, leaf["path"])
        for at, event in enumerate(events)
        if event["kind"] == "call"
        for leaf in event["leaves"]
    ]


def _parts(calls: Sequence[Sequence[tuple[int, str]]]) -> Runs:
    """Return rows made of arguments instead of steps: they have order and nothing else."""
    starts = np.cumsum([0, *map(len, calls)], dtype=np.int64)
    none = np.zeros(0, dtype=np.int64)
    total = int(starts[-1])
    return Runs(
        starts=starts,
        is_tool=np.ones(total, dtype=bool),
        actor=np.zeros(total, dtype=np.int64),
        edge_starts=np.zeros(len(starts), dtype=np.int64),
        reader=none,
        writer=none,
    )


def _marked(
    starts: Counts,
    places: Sequence[dict[tuple[int, str], int]],
    eligible: Sequence[Sequence[tuple[int, str]]],
) -> Mask:
    marked = np.zeros(int(starts[-1]), dtype=bool)
    for start, place, parts in zip(starts[:-1].tolist(), places, eligible, strict=True):
        # An injected value may have changed which arguments there are; those gone are no rivals.
        marked[[start + place[part] for part in parts if part in place]] = True
    return marked
