"""Records, one JSON object per line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catchkit.builders.untrusted import MAX_BYTES, read_json
from catchkit.errors import SourceError


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the object of each line with the words in which an error names the line.

    Raises:
        SourceError: The file cannot be read, or a line is too long or no JSON object.
    """
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_BYTES + 1):
                number += 1
                if line.strip():
                    yield f"{path}:{number}", _object(line, f"{path}:{number}")
    except OSError as problem:
        raise SourceError(f"{path}: cannot be read ({problem.strerror})") from None


def to_line(record: dict[str, Any]) -> str:
    r"""Return a record as one line.

    Example:
        >>> to_line({"b": 1, "a": "c"})
        '{"b": 1, "a": "c"}\n'
    """
    return json.dumps(record, ensure_ascii=False) + "\n"


def _object(line: bytes, where: str) -> dict[str, Any]:
    value = read_json(line, where)
    if not isinstance(value, dict):
        raise SourceError(f"{where}: a {type(value).__name__}, expected an object")
    return value
