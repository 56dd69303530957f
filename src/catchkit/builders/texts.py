"""Task texts as their sources word them: a working file, never a part of a release."""

from pathlib import Path

from catchkit.builders.jsonl import read_objects
from catchkit.errors import SourceError


def read_texts(path: Path) -> dict[str, str]:
    """Return id -> text from a file with one ``instance_id`` and ``text`` per line.

    Raises:
        SourceError: A line is malformed, has no text, or repeats an id.
    """
    known: dict[str, str] = {}
    for where, line in read_objects(path):
        instance_id, text = line.get("instance_id"), line.get("text")
        if not isinstance(instance_id, str) or not isinstance(text, str) or not text.strip():
            raise SourceError(f"{where}: 'instance_id' and 'text' must be texts")
        if instance_id in known:
            raise SourceError(f"{where}: {instance_id!r} stands there twice")
        known[instance_id] = text
    return known
