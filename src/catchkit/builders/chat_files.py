"""Finds the runs in a file of chat messages: JSON lines, a JSON array, or a single run."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from catchkit.builders.corpus import Skipped
from catchkit.builders.streams import (
    MAX_RECORD,
    UNREADABLE,
    Located,
    damage,
    json_array,
    json_document,
    opened,
)

LINES = (".jsonl", ".ndjson")


def chat_records(path: Path) -> Iterator[Located | Skipped]:
    """Yield one record per run; a bare list of messages comes out as ``{"messages": ...}``.

    A file named ``.jsonl`` has a run per line. Any other is an array of runs, an array of the
    messages of one run, or a single object; lines of objects are recognised there too.
    """
    if any(ending in path.name for ending in LINES):
        return _lines(path)
    try:
        first = _first_line(path)
    except UNREADABLE as problem:
        return iter([damage(path.name, problem)])
    if first.startswith(b"["):
        return _array(path)
    return _lines(path) if _is_json(first) else json_document(path)


def _first_line(path: Path) -> bytes:
    with opened(path) as stream:
        while line := stream.readline(MAX_RECORD):
            if text := line.removeprefix(b"\xef\xbb\xbf").strip():
                return text
    return b""


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(path: Path) -> Iterator[Located | Skipped]:
    number = 0
    try:
        with opened(path) as stream:
            while line := stream.readline(MAX_RECORD):
                number += 1
                if line.strip():
                    yield _line(path, f"{path.name}:{number}", line)
    except UNREADABLE as problem:
        yield damage(f"{path.name}:{number + 1}", problem)


def _line(path: Path, where: str, line: bytes) -> Located | Skipped:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as problem:
        return damage(where, problem)
    if isinstance(value, dict | list):
        return Located(path, where, value if isinstance(value, dict) else {"messages": value})
    return damage(where, TypeError(f"a {type(value).__name__}, expected a run"))


def _array(path: Path) -> Iterator[Located | Skipped]:
    items = json_array(path)
    first = next(items, None)
    if first is None:
        return
    if isinstance(first, Skipped) or "role" not in first.record:
        yield from chain([first], items)
        return
    messages = [first.record]
    for item in items:
        if isinstance(item, Skipped):
            yield item  # what was said before it is still a run
        else:
            messages.append(item.record)
    yield Located(path, path.name, {"messages": messages})
