"""Rows of the Gold configs: a clean table, taken as often as there are versions, and edited."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from catchkit.builders.edges import Dependency
from catchkit.builders.tables import LETTERS
from catchkit.configs import INT32, STRING, Family, list_of
from catchkit.errors import ReleaseError

BLOCK_RUNS = 64
"""Runs that are Python objects at a time while the clean table is made."""

EDGE_COLUMNS = {
    "edge_reader": list_of(INT32),
    "edge_writer": list_of(INT32),
    "edge_kind": list_of(STRING),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueEdit:
    """One argument value that a version has instead of the clean one."""

    event: int
    """Position in ``events``."""

    path: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One row: a run of the clean table, what differs in it, and the labels."""

    row_id: str
    run_id: str
    edges: Sequence[Dependency] | None = None
    """All its dependency edges, sorted; ``None`` where they are the clean ones."""

    edit: ValueEdit | None = None
    columns: Mapping[str, Any]
    """Every other column that the clean table does not have."""


def row_id_of(*address: object) -> str:
    """Return an id that does not spell out what the row is.

    Example:
        >>> len(row_id_of("gold_v1_openhands", 0, "run-1", True))
        16
    """
    text = "\x1f".join(map(str, ("gold", *address)))
    return hashlib.sha256(text.encode()).hexdigest()[:16].translate(LETTERS)


def clean_table(rows: Iterator[Mapping[str, Any]], family: Family) -> pa.Table:
    """Return the rows of clean runs with those columns of a family that they have."""
    blocks = []
    while block := list(islice(rows, BLOCK_RUNS)):
        fields = [field for field in family.arrow_schema if field.name in block[0]]
        blocks.append(pa.Table.from_pylist(block, schema=pa.schema(fields)))
    return pa.concat_tables(blocks) if blocks else pa.table({"run_id": pa.array([], STRING)})


def version_table(clean: pa.Table, versions: Iterable[Version], family: Family) -> pa.Table:
    """Return versions as a table of a family, in an order that depends on their ids alone.

    Args:
        clean: One row per run, with the columns that no fault changes and those it may.
        versions: The rows to make.
        family: Their columns.
    """
    rows = {run_id: at for at, run_id in enumerate(clean.column("run_id").to_pylist())}
    ordered = sorted(versions, key=lambda version: row_id_of("order", version.row_id))
    places = pa.array([rows[version.run_id] for version in ordered], pa.int64())
    if not ordered:
        return family.arrow_schema.empty_table()
    taken = clean.take(places).combine_chunks()
    columns = {name: taken.column(name) for name in taken.column_names}
    columns |= _edges(taken, ordered)
    if "events" in columns:
        columns["events"] = _edited(columns["events"].combine_chunks(), ordered)
    for field in family.arrow_schema:
        if field.name == family.id_column:
            columns[field.name] = pa.array([version.row_id for version in ordered], field.type)
        elif field.name not in columns:
            held = [version.columns[field.name] for version in ordered]
            columns[field.name] = pa.array(held, field.type)
    return pa.table([columns[name] for name in family.arrow_schema.names], family.arrow_schema)


def _edges(taken: pa.Table, versions: Sequence[Version]) -> dict[str, pa.Array]:
    found = {}
    for part, (name, kind) in enumerate(EDGE_COLUMNS.items()):
        held = taken.column(name).to_pylist()
        for at, version in enumerate(versions):
            if version.edges is not None:
                held[at] = [edge[part] for edge in version.edges]
        found[name] = pa.array(held, kind)
    return found


def _edited(events: pa.ListArray, versions: Sequence[Version]) -> pa.ListArray:
    """Return the events of each version, with one value replaced where it has an edit.

    Values are replaced where they lie in memory: taking runs apart into Python objects and back
    would take a hundred times as long.
    """
    inner = events.values
    leaves = inner.field("leaves")
    tokens, paths = leaves.values.field("token"), leaves.values.field("path")
    first_event, first_leaf = (np.asarray(lists.offsets) for lists in (events, leaves))
    places: dict[int, str] = {}
    for at, version in enumerate(versions):
        if (edit := version.edit) is not None:
            event = int(first_event[at]) + edit.event
            found = range(int(first_leaf[event]), int(first_leaf[event + 1]))
            place = next((leaf for leaf in found if paths[leaf].as_py() == edit.path), None)
            if place is None:
                raise ReleaseError(f"{version.run_id}: event {edit.event} has no {edit.path!r}")
            places[place] = edit.value
    if not places:
        return events
    mask = np.zeros(len(tokens), dtype=np.bool_)
    mask[list(places)] = True
    values = pa.array([places[place] for place in sorted(places)], tokens.type)
    changed = pc.replace_with_mask(tokens, pa.array(mask), values)
    return _with_tokens(events, changed)


def _with_tokens(events: pa.ListArray, tokens: pa.Array) -> pa.ListArray:
    inner = events.values
    leaves = inner.field("leaves")
    leaf = _replaced(leaves.values, "token", tokens)
    lists = pa.ListArray.from_arrays(leaves.offsets, leaf, type=leaves.type)
    return pa.ListArray.from_arrays(
        events.offsets, _replaced(inner, "leaves", lists), type=events.type
    )


def _replaced(structs: pa.StructArray, name: str, column: pa.Array) -> pa.StructArray:
    fields = list(structs.type)
    arrays = [column if field.name == name else structs.field(field.name) for field in fields]
    return pa.StructArray.from_arrays(arrays, fields=fields)
