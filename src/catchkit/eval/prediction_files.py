"""Reads an id column and a value column from a file or dataset, whole or not at all."""

import csv
import fnmatch
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.errors import PredictionError, did_you_mean

if TYPE_CHECKING:
    from datasets import Dataset

MAX_BYTES = 512 * 1024 * 1024
MAX_ROWS = 10_000_000
DEFAULT_COLUMN = "prediction"
SEED_COLUMNS = "seed_*"


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionColumn:
    """What a prediction file says, before it is matched to a config."""

    origin: str
    """The file, for messages and reports."""

    column: str
    ids: Sequence[Any]
    values: Sequence[Any]
    where: Callable[[int], str]
    """Names an entry for a message, such as ``row 7`` or ``line 8``."""


def read_predictions(
    predictions: "str | Path | pa.Table | Dataset", *, id_column: str, column: str
) -> PredictionColumn:
    """Read the two columns of a prediction file, table or dataset.

    Args:
        predictions: A ``.parquet``, ``.csv`` or ``.jsonl`` file, an Arrow table, or a dataset.
        id_column: The config's id column.
        column: The value column. In CSV a value is a JSON list; an empty cell abstains.

    Raises:
        PredictionError: The file is missing, empty, unreadable or lacks a column.
    """
    if isinstance(predictions, str | Path):
        path = Path(predictions)
        _check_file(path)
        read = _READERS.get(path.suffix.lower())
        if read is None:
            raise PredictionError(
                f"{path}: cannot tell the format from {path.suffix!r}; "
                f"use one of {', '.join(_READERS)}"
            )
        found = read(path, id_column, column)
    else:
        found = _from_table(_as_table(predictions), "the dataset", id_column, column)
    if not found.ids:
        raise PredictionError(f"{found.origin}: holds no row")
    return found


def column_names(predictions: "str | Path | pa.Table | Dataset") -> list[str]:
    """Return the columns of a prediction file, table or dataset; of JSONL those of its first row.

    Raises:
        PredictionError: The file is missing, empty or unreadable.
    """
    if not isinstance(predictions, str | Path):
        return list(predictions.column_names)
    path = Path(predictions)
    _check_file(path)
    match path.suffix.lower():
        case ".parquet":
            try:
                return list(pq.read_schema(path).names)
            except (pa.ArrowException, OSError, ValueError):
                return []
        case ".csv":
            return next(csv.reader(io.StringIO(_text_of(path), newline="")), [])
        case ".jsonl":
            return list(next((row for _, row in _json_rows(path)), {}))
        case _:
            return []


def read_replicates(
    predictions: "str | Path | pa.Table | Dataset", *, id_column: str, column: str
) -> list[PredictionColumn]:
    """Read a value column, or one column per seed of a stochastic method.

    Args:
        predictions: As for ``read_predictions``.
        id_column: The config's id column.
        column: The value column; with a ``*`` all columns of that pattern. ``prediction`` also
            finds ``seed_0``, ``seed_1``, ... in a file without a column of that name.

    Raises:
        PredictionError: As for ``read_predictions``.
    """
    present = column_names(predictions)
    if column == DEFAULT_COLUMN and column not in present and "seed_0" in present:
        column = SEED_COLUMNS
    names = fnmatch.filter(present, column) if "*" in column else [column]
    return [
        read_predictions(predictions, id_column=id_column, column=name)
        for name in names or [column]
    ]


def _check_file(path: Path) -> None:
    if not path.exists():
        raise PredictionError(f"{path}: no such file")
    if not path.is_file():
        raise PredictionError(f"{path}: not a file")
    if path.stat().st_size == 0:
        raise PredictionError(f"{path}: is empty")
    if path.stat().st_size > MAX_BYTES:
        raise PredictionError(f"{path}: larger than {MAX_BYTES} bytes")


def _check_columns(origin: str, present: Sequence[str], id_column: str, column: str) -> None:
    for name in (id_column, column):
        if name not in present:
            raise PredictionError(
                f"{origin}: no column {name!r}{did_you_mean(name, present)}; "
                f"it has {', '.join(map(repr, present)) or 'none'}"
            )
        if list(present).count(name) > 1:
            raise PredictionError(f"{origin}: column {name!r} stands there twice")
    if id_column == column:
        raise PredictionError(f"{origin}: {column!r} is the id column; name the column of values")


def _as_table(predictions: "pa.Table | Dataset") -> pa.Table:
    if hasattr(predictions, "__arrow_c_stream__"):  # an Arrow table, or a data frame
        return pa.table(predictions)
    if hasattr(predictions, "with_format") and hasattr(predictions, "num_rows"):
        if isinstance(predictions, dict):
            raise PredictionError(f"choose a split of it: {', '.join(map(repr, predictions))}")
        # Through the Arrow view, so that a shuffled or filtered dataset keeps its own order.
        return predictions.with_format("arrow")[:]
    raise PredictionError(
        f"a {type(predictions).__name__} holds no predictions; pass a file, an Arrow table, "
        "a data frame or a datasets.Dataset"
    )


def _from_table(table: pa.Table, origin: str, id_column: str, column: str) -> PredictionColumn:
    _check_columns(origin, table.column_names, id_column, column)
    return PredictionColumn(
        origin=origin,
        column=column,
        ids=table.column(id_column).to_pylist(),
        values=table.column(column).to_pylist(),
        where=lambda at: f"row {at + 1}",
    )


def _read_parquet(path: Path, id_column: str, column: str) -> PredictionColumn:
    try:
        with pq.ParquetFile(path) as file:
            _check_columns(str(path), file.schema_arrow.names, id_column, column)
            if file.metadata.num_rows > MAX_ROWS:
                raise PredictionError(f"{path}: more than {MAX_ROWS} rows")
            table = file.read(columns=[id_column, column])
            table.validate(full=True)
        return _from_table(table, str(path), id_column, column)
    except (pa.ArrowException, OSError, ValueError) as problem:
        first = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise PredictionError(f"{path}: cannot be read as Parquet ({first})") from None


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise PredictionError(
            f"{path}: not UTF-8 (byte {problem.start} is 0x{problem.object[problem.start]:02x}); "
            "save it as UTF-8"
        ) from None


def _read_csv(path: Path, id_column: str, column: str) -> PredictionColumn:
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(io.StringIO(_text_of(path), newline=""), strict=True)
    ids: list[str | None] = []
    values: list[Any] = []
    lines: list[int] = []
    try:
        header = next(reader, [])
        _check_columns(str(path), header, id_column, column)
        id_at, value_at = header.index(id_column), header.index(column)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                raise PredictionError(
                    f"{path}: line {reader.line_num} has {len(cells)} cells, "
                    f"the header has {len(header)}"
                )
            ids.append(cells[id_at])
            values.append(_cell_value(cells[value_at], f"{path}: line {reader.line_num}"))
            lines.append(reader.line_num)
    except csv.Error as problem:
        raise PredictionError(f"{path}: line {reader.line_num}: {problem}") from None
    return PredictionColumn(
        origin=str(path),
        column=column,
        ids=ids,
        values=values,
        where=lambda at: f"line {lines[at]}",
    )


def _cell_value(cell: str, where: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    if not cell.strip():
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise PredictionError(
            f"{where}: {_shortened(cell)} is not a JSON list such as [true, false]"
        ) from None


def _read_jsonl(path: Path, id_column: str, column: str) -> PredictionColumn:
    rows = list(_json_rows(path))
    present = list(rows[0][1]) if rows else []
    if rows:
        _check_columns(str(path), present, id_column, column)
    for line, row in rows:
        for name in (id_column, column):
            if name not in row:
                raise PredictionError(f"{path}: line {line} has no {name!r}; write null to abstain")
    lines = [line for line, _ in rows]
    return PredictionColumn(
        origin=str(path),
        column=column,
        ids=[row[id_column] for _, row in rows],
        values=[row[column] for _, row in rows],
        where=lambda at: f"line {lines[at]}",
    )


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(_text_of(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_unique_keys)
        except (ValueError, RecursionError) as problem:
            raise PredictionError(f"{path}: line {number} is not JSON ({problem})") from None
        if not isinstance(row, dict):
            raise PredictionError(f"{path}: line {number} is not a JSON object")
        yield number, row


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _shortened(text: str, most: int = 40) -> str:
    return repr(text if len(text) <= most else text[:most] + "…")


_READERS: dict[str, Callable[[Path, str, str], PredictionColumn]] = {
    ".parquet": _read_parquet,
    ".csv": _read_csv,
    ".jsonl": _read_jsonl,
}
