"""Tables on disk: written through one schema, read back only when the footer agrees with it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.configs import Family, spelled
from catchkit.errors import ReleaseError

ROW_GROUP_ROWS = 100
"""Small, so that a viewer can page and no row group of nested text outgrows its readers."""

LONG_ROW_GROUP_ROWS = 1000
"""For long tables of short rows: each group costs its own dictionaries and indices. On the traces
groups of this size take half the bytes."""


def write_table(path: Path, table: pa.Table, *, row_group_rows: int = ROW_GROUP_ROWS) -> None:
    """Write a table as Parquet; the same rows give the same bytes under one Arrow version."""
    pq.write_table(
        table,
        path,
        compression="zstd",
        row_group_size=row_group_rows,
        write_page_index=True,
        write_statistics=True,
    )


def read_table(path: Path, family: Family) -> pa.Table:
    """Read a Parquet file of a family.

    Raises:
        ReleaseError: The file is no Parquet file, or its columns are not the family's.
    """
    try:
        schema = pq.read_schema(path)
        check_schema(path, schema, family.arrow_schema)
        table = pq.ParquetFile(path).read()
        # Reading alone lets text through that is not UTF-8 and lists that end before they begin.
        table.validate(full=True)
        return table
    except (pa.ArrowException, OSError) as problem:
        raise ReleaseError(f"{path}: cannot be read as Parquet ({_first_line(problem)})") from None


def check_schema(path: Path, got: pa.Schema, expected: pa.Schema) -> None:
    """Raise a ``ReleaseError`` naming the first column that differs in name, place or type."""
    for at, field in enumerate(expected):
        if field.name not in got.names:
            raise ReleaseError(f"{path}: column {field.name!r} is missing")
        if got.names[at] != field.name:
            raise ReleaseError(f"{path}: column {at} is {got.names[at]!r}, expected {field.name!r}")
        if spelled(got.types[at]) != spelled(field.type):
            raise ReleaseError(
                f"{path}: column {field.name!r} is {spelled(got.types[at])}, "
                f"expected {spelled(field.type)}"
            )
    if extra := got.names[len(expected) :]:
        raise ReleaseError(f"{path}: column {extra[0]!r} is not in the schema")


def content_digest(table: pa.Table) -> str:
    """Return a digest of what a table says, whatever library version wrote its file."""
    batches = table.to_batches(max_chunksize=1000)
    rows = (row for batch in batches for row in batch.to_pylist())
    return row_digest(table.schema.names, rows)


def row_digest(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return the content digest of rows that need not be in memory together."""
    digest = hashlib.sha256(json.dumps(list(columns)).encode())
    for row in rows:
        digest.update(json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
    return f"sha256:{digest.hexdigest()}"


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
