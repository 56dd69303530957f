"""PreRecords in a Parquet file, as harvesting leaves them and labelling takes them up."""

from collections.abc import Iterable
from pathlib import Path

from catchkit.builders.snapshot import pre_table
from catchkit.configs import PRE
from catchkit.errors import RecordError
from catchkit.loaders.files import written_whole
from catchkit.loaders.tables import read_table, write_table
from catchkit.schema import PreRecord


def read_records(path: Path) -> tuple[PreRecord, ...]:
    """Return the records of a file in its order.

    Raises:
        ReleaseError: It is no Parquet file of the ``pre`` schema.
        RecordError: A row breaks a promise of the schema, or an id stands twice.
    """
    records = tuple(PreRecord.from_row(row) for row in read_table(path, PRE).to_pylist())
    seen: set[str] = set()
    for record in records:
        if record.instance_id in seen:
            raise RecordError(f"{path}: {record.instance_id!r} stands there twice")
        seen.add(record.instance_id)
    return records


def write_records(path: Path, records: Iterable[PreRecord]) -> None:
    """Write records whole or not at all."""
    with written_whole(path) as partial:
        write_table(partial, pre_table(records))
