"""Scans a table or every table of a folder for identifiers."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.deidentify.audit import Finding, audit
from catchkit.deidentify.second_opinion import Reader
from catchkit.errors import ReleaseError, UsageError

ROWS_AT_ONCE = 2_000
SCHEMA = "(schema)"
"""Where a finding in column names or in the footer's notes is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A finding, its row counted from the start of its file."""

    file: str
    """Path below the scanned folder, or the name of the scanned file."""

    row_id: str
    """Value of the row's first column, by which a reader finds it; empty for the schema."""

    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was read and what was found in it."""

    files: tuple[str, ...]
    rows: int
    located: tuple[Located, ...]

    def with_status(self, status: str) -> tuple[Located, ...]:
        """Return the findings of one status, in order of file and row."""
        return tuple(entry for entry in self.located if entry.finding.status == status)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found that is not on the reviewed list.

        Possible personal names do not count: a list of given names is no proof.
        """
        return not self.with_status("hit")


def scan(target: Path, *, second: Reader | None) -> Scan:
    """Read every string of a Parquet file, or of every Parquet file below a folder.

    Args:
        target: The file or folder.
        second: A second reading besides the seven patterns; ``None`` for none.

    Raises:
        UsageError: The target does not exist, or holds no Parquet file.
        ReleaseError: A file cannot be read.
    """
    files = _tables(target)
    rows = 0
    located: list[Located] = []
    for name, path in files.items():
        try:
            with pq.ParquetFile(path) as table:
                located += _in_schema(name, table.schema_arrow, second)
                located += _in_rows(name, table, second)
                rows += table.metadata.num_rows
        except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
            raise ReleaseError(f"{path}: cannot be read as Parquet ({problem})") from None
    return Scan(files=tuple(files), rows=rows, located=tuple(located))


def _tables(target: Path) -> Mapping[str, Path]:
    """Return the files to read, by the name under which they are reported."""
    if target.is_file():
        return {target.name: target}
    if not target.is_dir():
        raise UsageError(f"{target} does not exist; name a Parquet file or a release folder")
    found = sorted(path for path in target.rglob("*.parquet") if path.is_file())
    if not found:
        raise UsageError(f"{target} holds no Parquet file")
    return {path.relative_to(target).as_posix(): path for path in found}


def _in_rows(name: str, table: pq.ParquetFile, second: Reader | None) -> Iterator[Located]:
    offset = 0
    for batch in table.iter_batches(batch_size=ROWS_AT_ONCE):
        rows = _rows(batch)
        for finding in audit(rows, second=second):
            row_id = str(next(iter(rows[finding.row].values())))
            counted = replace(finding, row=offset + finding.row)
            yield Located(file=name, row_id=row_id, finding=counted)
        offset += batch.num_rows


def _rows(batch: pa.RecordBatch) -> list[dict[str, object]]:
    """Return the rows of a batch; of columns that share a name every one is kept."""
    seen: Counter[str] = Counter()
    names = []
    for name in batch.schema.names:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    columns = [column.to_pylist() for column in batch.columns]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _in_schema(name: str, schema: pa.Schema, second: Reader | None) -> Iterator[Located]:
    """Read column names, nested ones too, and the notes a writer left in the footer."""
    notes = [note.decode("utf-8", "replace") for note in (schema.metadata or {}).values()]
    for finding in audit([{SCHEMA: [*map(str, schema), *notes]}], second=second):
        yield Located(file=name, row_id="", finding=finding)
