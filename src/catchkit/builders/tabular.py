"""Reads records one at a time from Parquet files."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.builders.corpus import Skipped
from catchkit.builders.streams import Located, damage

ROWS_AT_ONCE = 8
"""Runs are long: a few rows make megabytes."""

BUFFER_BYTES = 1 << 20
"""Read of a column at once; without a buffer all of a row group's column is held."""


def parquet_rows(path: Path, columns: tuple[str, ...]) -> Iterator[Located | Skipped]:
    """Yield the rows of a file; what cannot be read is reported as damage.

    A file forty times as long raised the peak from 88 to 95 MB. Threads, and memory that the
    allocator keeps for later, made it grow with the file.

    Args:
        path: A Parquet file.
        columns: What to read of it; a column that the file has not is left out of the rows.
    """
    at = 0
    try:
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER_BYTES) as table:
            present = [name for name in table.schema_arrow.names if name in columns]
            for batch in table.iter_batches(ROWS_AT_ONCE, columns=present, use_threads=False):
                for row in batch.to_pylist():
                    yield Located(path, f"{path.name}[{at}]", row)
                    at += 1
                pa.default_memory_pool().release_unused()
    except (OSError, pa.ArrowException, ValueError) as problem:
        yield damage(f"{path.name}[{at}]", problem)
