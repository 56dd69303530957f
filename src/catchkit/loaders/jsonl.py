"""Records, one JSON object per line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catchkit.errors import SourceError

MAX_LINE_BYTES = 16 * 1024 * 1024


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the object of each line with the words in which an error names the line.

    Raises:
        SourceError: The file cannot be read, or a line is too long or no JSON object.
    """
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                if line.strip():
                    yield f"{path}:{number}", _object(line, f"{path}:{number}")
    except OSError as problem:
        raise SourceError(f"{path}: cannot be read ({problem.strerror})") from None


def to_line(record: dict[str, Any]) -> str:
    r"""Return a record as one line.

    Example:
        >>> to_line({"b": 1, "a": "text"})
        '{"b": 1, "a": "text"}\n'
    """
    return json.dumps(record, ensure_ascii=False) + "\n"


def _object(line: bytes, where: str) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise SourceError(f"{where}: longer than {MAX_LINE_BYTES} bytes")
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"{where}: not readable as JSON ({problem})") from None
    if not isinstance(value, dict):
        raise SourceError(f"{where}: a {type(value).__name__}, expected an object")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found
