"""Makes the rows of the trace configs from records."""

import hashlib
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from catchkit.builders.corpus import Corpus, Skipped
from catchkit.builders.edges import dependencies
from catchkit.builders.graph import TraceGraph
from catchkit.builders.record import TraceRecord
from catchkit.builders.steps import Steps, steps_of
from catchkit.seeds import opaque
from catchkit.trace_configs import FOLDS, FRACTIONS, PREFIX_STEPS

FRACTION_MIN_STEPS = 4
"""Shorter runs have no fraction rows: their prefixes would coincide."""

LETTERS = str.maketrans("0123456789", "ghijklmnop")
"""Turns hexadecimal digits into letters: what holds no digit is never taken for a number."""

Row = dict[str, Any]


def fold_of(group: str, salt: int = 0) -> int:
    """Return the predefined fold of a group; it never moves, whatever other groups there are.

    Example:
        >>> fold_of("tau_bench/retail-1") == fold_of("tau_bench/retail-1")
        True
    """
    purpose = f"fold {salt}" if salt else "fold"
    return int(opaque(purpose, group), 16) % FOLDS


def graph_row(record: TraceRecord, corpus: Corpus) -> Row | Skipped:
    """Return the ``post`` row of a record, or why it has none."""
    messages = sum(event.kind != "call" for event in record.events)
    if messages < corpus.min_events:
        return Skipped(where=record.key, reason=f"fewer than {corpus.min_events} messages")
    steps = steps_of(record, corpus.step_form)
    if len(steps.steps) < corpus.min_steps:
        return Skipped(where=record.key, reason=f"fewer than {corpus.min_steps} steps")
    edges = dependencies(record, steps, corpus)
    at_fault = record.mistake_event
    return {
        "run_id": record.run_id,
        "task_id": record.task_id,
        "domain": record.domain,
        "model": record.model,
        "corpus": record.corpus,
        "group": record.group,
        "kind": [step.kind for step in steps.steps],
        "actor": [step.actor for step in steps.steps],
        "tool": [step.tool for step in steps.steps],
        "touches": _touches(record, steps),
        "edge_reader": [edge[0] for edge in edges],
        "edge_writer": [edge[1] for edge in edges],
        "edge_kind": [edge[2] for edge in edges],
        "n_steps": len(steps.steps),
        "fold": fold_of(record.group, corpus.fold_salt),
        "failed": record.failed,
        "mistake_step": None if at_fault is None else steps.step_of[at_fault],
        "mistake_actor": record.mistake_actor,
        "label_process": record.label_process,
        "license": record.license,
        "repo": record.repo,
        "commit": record.commit,
        "path": record.path,
    }


def graph_of(record: TraceRecord, corpus: Corpus) -> TraceGraph | Skipped:
    """Return the graph of a record, or why it has none."""
    row = graph_row(record, corpus)
    return row if isinstance(row, Skipped) else TraceGraph.from_row(row)


def live_rows(row: Row) -> Iterator[Row]:
    """Yield the ``live`` rows of a ``post`` row: what a monitor saw after so many steps."""
    for steps in PREFIX_STEPS:
        if steps <= row["n_steps"]:
            yield _prefix(row, steps, address=f"{row['run_id']}/{steps}")


def fraction_rows(row: Row) -> Iterator[Row]:
    """Yield the rows of the view by share of the final length, which is not causal."""
    if row["n_steps"] < FRACTION_MIN_STEPS:
        return
    for fraction in FRACTIONS:
        steps = max(2, math.ceil(fraction * row["n_steps"]))
        prefix = _prefix(row, steps, address=f"{row['run_id']}/fraction {fraction}")
        yield {**prefix, "prefix_fraction": str(fraction)}


def shuffled(rows: Iterable[Row], id_column: str) -> list[Row]:
    """Return rows in an order that depends on their ids alone and says nothing about them."""
    return sorted(rows, key=lambda row: _digest(f"order of {row[id_column]}"))


def shuffled_table(table: pa.Table, id_column: str) -> pa.Table:
    """Return the rows of a table in the order of ``shuffled``."""
    ids = table.column(id_column).to_pylist()
    order = sorted(range(len(ids)), key=lambda at: _digest(f"order of {ids[at]}"))
    return table.take(order).combine_chunks()


def _touches(record: TraceRecord, steps: Steps) -> list[Row]:
    return [
        {"step": at, "resource": t.resource, "access": t.access, "origin": t.origin}
        for at, step in enumerate(steps.steps)
        if step.call is not None
        for t in record.events[step.call].touches
    ]


def _prefix(row: Row, steps: int, *, address: str) -> Row:
    """Cut a row; its edges are sorted by reader, so that those of a prefix come first."""
    edges = bisect_left(row["edge_reader"], steps)
    cut = {
        **{name: row[name][:steps] for name in ("kind", "actor", "tool")},
        **{name: row[name][:edges] for name in ("edge_reader", "edge_writer", "edge_kind")},
        "touches": [touch for touch in row["touches"] if touch["step"] < steps],
    }
    return {**row, **cut, "prefix_steps": steps, "row_id": _row_id(address)}


def _row_id(address: str) -> str:
    return _digest(f"live {address}")[:16].translate(LETTERS)


def _digest(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()
