"""Gold as a folder: every config of a version, for one corpus and one seed."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pyarrow as pa

from catchkit.configs import SPLIT
from catchkit.errors import SourceError, UsageError
from catchkit.gold_configs import FILE_CORPORA, SHIPPED_SEED, VALUE_CORPORA, gold_configs
from catchkit.injection.donors import Donors
from catchkit.injection.extraction import Mode
from catchkit.injection.gold_files import FileGold
from catchkit.injection.gold_values import ValueGold, donors_of
from catchkit.injection.injector import Substrate
from catchkit.injection.material import gold_corpus, material, packaged_records
from catchkit.injection.planted import Planted, Version
from catchkit.injection.randomness import Stream
from catchkit.loaders.release import Manifest, Release
from catchkit.loaders.writer import write_folder
from catchkit.trace_configs import NOT_SHIPPED

SUBSTRATES: Mapping[Version, Substrate] = {"v1": "file", "v2": "value"}
MAX_SEED = 2**31 - 1


def gold(
    version: Version,
    corpus: str,
    *,
    place: Path | None = None,
    mode: Mode = "repaired",
    stream: Stream = "addressed",
) -> FileGold | ValueGold:
    """Return the clean runs of a corpus, ready to have faults planted under any seed.

    Args:
        version: ``v1``, file-level faults, or ``v2``, named-value faults.
        corpus: The corpus.
        place: See ``material``.
        mode: How values are read; for ``v2`` only.
        stream: Under ``published``, replacement values come from the runs at hand as in the
            original. Otherwise they come from the packaged runs of the corpus where there are
            any, so that a run more or less moves no other injection.

    Raises:
        UsageError: There is no such corpus, or it cannot take these faults.
        SourceError: There are no runs, or one cannot be read.
    """
    declared = gold_corpus(corpus, SUBSTRATES[version])
    records = material(declared, place)
    if version == "v1":
        return FileGold.of(records, declared)
    lent = packaged_donors(corpus, mode) if place and stream == "addressed" else None
    return ValueGold.of(records, declared, mode, lent)


@cache
def packaged_donors(corpus: str, mode: Mode) -> Donors | None:
    """Return the values that the packaged runs of a corpus lend; ``None`` where there are none."""
    declared = gold_corpus(corpus, "value")
    lenders = packaged_records(declared)
    return None if lenders is None else donors_of(lenders, declared, mode)


def check_seed(seed: int) -> None:
    """Raise a ``UsageError`` for a seed that a row cannot hold."""
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed {seed} is not between 0 and {MAX_SEED}")


def write_gold(
    target: Path,
    planted: Planted,
    *,
    sources: Mapping[str, str],
    texts: Callable[[Release], Mapping[str, str]],
) -> Manifest:
    """Write the configs of one seed as a release folder of their own.

    A config without rows is left out: ``datasets`` cannot load one.

    Raises:
        UsageError: The target holds something else.
        SourceError: No run can take any fault.
    """
    tables = {name: table for name, table in planted.tables.items() if table.num_rows}
    if not tables:
        raise SourceError(
            f"none of the {planted.clean_runs} clean runs of {planted.corpus} can take a fault"
        )
    return write_folder(
        target,
        tables={file_of(name): table for name, table in tables.items()},
        parts={name: [file_of(name)] for name in tables},
        sources=sources,
        texts=texts,
    )


def write_gold_snapshot(target: Path, *, workers: int = 1) -> Manifest:
    """Write the packaged part of Gold: every config that is shipped, at the shipped seed.

    Raises:
        UsageError: The target holds something else.
        ReleaseError: The packaged records are damaged.
    """
    shipped = [config.name for config in gold_configs() if config.is_shipped]
    versions: dict[Version, frozenset[str]] = {"v1": FILE_CORPORA, "v2": VALUE_CORPORA}
    tables: dict[str, pa.Table] = {}
    for version, names in versions.items():
        for corpus in sorted(names - NOT_SHIPPED):
            planted = gold(version, corpus).plant(SHIPPED_SEED)
            tables |= {name: table for name, table in planted.tables.items() if name in shipped}
    return write_folder(
        target,
        tables={f"{name}.parquet": table for name, table in tables.items()},
        parts={name: [f"{name}.parquet"] for name in tables},
        sources={},
        workers=workers,
    )


def file_of(config: str) -> str:
    """Return the file of a config below a Gold folder.

    Example:
        >>> file_of("gold_v1_openhands")
        'data/gold_v1_openhands/test-00000-of-00001.parquet'
    """
    return f"data/{config}/{SPLIT}-00000-of-00001.parquet"
