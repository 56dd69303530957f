"""Writes what a baseline predicts, and a two-row example of a prediction file."""

import csv
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.configs import BOOL, PRE, STRING, config, list_of
from catchkit.errors import UsageError
from catchkit.eval.baseline import baseline, predict
from catchkit.eval.rosters import rosters_of
from catchkit.loaders.files import written_whole
from catchkit.loaders.release import locate

SCHEMA = pa.schema([(PRE.id_column, STRING), ("prediction", list_of(BOOL))])
FORMATS = (".parquet", ".csv", ".jsonl")


def baseline_table(name: str, method: str, data: Path | None = None) -> pa.Table:
    """Return what a baseline predicts for a config, as a table the evaluator takes.

    Args:
        name: The config.
        method: The baseline.
        data: A release folder; by default ``./catchbench``, else the packaged snapshot.

    Raises:
        UsageError: There is no such config or baseline.
        ReleaseError: The data is damaged.

    Example:
        >>> baseline_table("pre_n8n", "flag_all").num_rows
        219
    """
    config(name)
    chosen = baseline(method)
    rosters = rosters_of(locate(data).table(name))
    lists = predict(chosen, rosters).lists(rosters)
    return pa.table([list(rosters.ids), lists], schema=SCHEMA)


def write_predictions(path: Path, table: pa.Table) -> None:
    """Write a prediction table as Parquet, CSV or JSONL, by the ending of its name.

    Raises:
        UsageError: The ending is another one.
    """
    if path.suffix not in FORMATS:
        raise UsageError(f"{path}: end the name in one of {', '.join(FORMATS)}")
    with written_whole(path) as partial:
        if path.suffix == ".parquet":
            pq.write_table(table, partial, compression="zstd")
        else:
            text = _csv(table) if path.suffix == ".csv" else _jsonl(table)
            partial.write_text(text, "utf-8")


def _csv(table: pa.Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    for row in table.to_pylist():
        instance_id, value = row.values()
        writer.writerow([instance_id, "" if value is None else json.dumps(value)])
    return text.getvalue()


def _jsonl(table: pa.Table) -> str:
    return "".join(json.dumps(row) + "\n" for row in table.to_pylist())
