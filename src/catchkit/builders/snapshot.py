"""Writes the packaged snapshot: the derived records from which a release is built offline."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from catchkit.builders.published import PEER, PEER_VERSION, Published, pins, read_published
from catchkit.configs import PRE, STRING, configs, list_of
from catchkit.loaders.release import Manifest
from catchkit.loaders.writer import write_folder
from catchkit.schema import PreRecord

JUDGE_TABLE = "predictions/llm_judge_needed.parquet"
JUDGE_SCHEMA = pa.schema([("instance_id", STRING), ("prediction", list_of(STRING))])
"""A prediction table as the evaluator takes it: flagged names, null where the judge abstains."""


def write_snapshot(target: Path) -> Manifest:
    """Import the published records and write them as a snapshot folder.

    Raises:
        MissingExtraError: The original benchmark is not installed.
        SourceError: Its files are not the pinned ones.
        UsageError: The target holds something else.
    """
    published = read_published()
    tables = {f"pre/{name}.parquet": pre_table(rows) for name, rows in published.records.items()}
    tables[JUDGE_TABLE] = judge_table(published)
    parts = {
        config.name: [f"pre/{part.removeprefix('pre_')}.parquet" for part in config.parts]
        for config in configs().values()
        if config.family is PRE
    }
    sources = {f"{PEER} {PEER_VERSION} {name}": f"sha256:{pin}" for name, pin in pins().items()}
    return write_folder(target, tables=tables, parts=parts, sources=sources)


def pre_table(records: Iterable[PreRecord]) -> pa.Table:
    """Return records as a table of the ``pre`` schema."""
    return pa.Table.from_pylist([record.to_row() for record in records], schema=PRE.arrow_schema)


def judge_table(published: Published) -> pa.Table:
    """Return the held-out judge's answers as a prediction table."""
    rows = [
        {"instance_id": instance_id, "prediction": None if names is None else list(names)}
        for instance_id, names in published.judge.items()
    ]
    return pa.Table.from_pylist(rows, schema=JUDGE_SCHEMA)
