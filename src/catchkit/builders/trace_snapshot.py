"""Writes the packaged part of the traces: what may be shipped, from converted corpora."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from catchkit.builders.conversion import convert, present
from catchkit.builders.corpus import SHIPPABLE, corpora
from catchkit.builders.dataset import record_files
from catchkit.builders.tables import shuffled_table
from catchkit.configs import Family
from catchkit.errors import ReleaseError
from catchkit.loaders.release import Manifest, Release
from catchkit.loaders.tables import LONG_ROW_GROUP_ROWS, read_table
from catchkit.loaders.writer import write_folder
from catchkit.trace_configs import TRACE, configs_of

RUNS_PER_FILE = 2000
"""Runs in one file of records, which keeps every file small enough for a repository."""


def write_trace_snapshot(place: Path, work: Path, target: Path, *, workers: int = 1) -> Manifest:
    """Convert every corpus that may be shipped and write its records and configs.

    Args:
        place: Folder with one folder of raw runs per corpus.
        work: Folder for the conversions, which a second call takes up again.
        target: The snapshot folder.
        workers: Processes.

    Raises:
        SourceError: ``place`` holds no corpus.
        ReleaseError: A run could not be read.
        UsageError: A folder holds something else.
    """
    known = corpora()
    names = [name for name in present(place) if known[name].is_shippable]
    for account in convert(names, place, work, apart=True, workers=workers):
        if not account.is_complete:
            raise ReleaseError(f"{account.corpus} is not whole: {account.damage[0]}")
    tables: dict[str, pa.Table] = {}
    parts: dict[str, list[str]] = {}
    for name in names:
        release = Release.open(work / name)
        for at, table in enumerate(_records(release, name)):
            tables[f"records/{name}-{at:04}.parquet"] = table
        for config in configs_of(name):
            file = f"{config.name}.parquet"
            tables[file] = _shippable([release.table(config.name)], config.family)
            parts[config.name] = [file]
    sources = {f"traces of {name}": f"{known[name].repo} {known[name].pin}" for name in names}
    return write_folder(
        target,
        tables=tables,
        parts=parts,
        sources=sources,
        row_group_rows=LONG_ROW_GROUP_ROWS,
        workers=workers,
    )


def _records(release: Release, corpus: str) -> Iterator[pa.Table]:
    read = [read_table(path, TRACE) for path in record_files(release, corpus)]
    whole = _shippable(read, TRACE)
    for start in range(0, whole.num_rows, RUNS_PER_FILE):
        yield whole.slice(start, RUNS_PER_FILE)


def _shippable(tables: Sequence[pa.Table], family: Family) -> pa.Table:
    whole = pa.concat_tables(tables)
    kept = pc.is_in(whole.column("license"), pa.array(sorted(SHIPPABLE), pa.string()))
    return shuffled_table(whole.filter(kept), family.id_column)
