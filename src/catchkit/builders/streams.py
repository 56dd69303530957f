"""Reads records one at a time from JSON files that may be large, compressed or damaged.

Nothing here raises on bad input: what cannot be read comes out as ``Skipped`` with
``is_damage``, and whatever can still be read follows it.
"""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from catchkit.builders.corpus import Json, Skipped, Trace
from catchkit.errors import CatchkitError

CHUNK_CHARACTERS = 1 << 20
MAX_RECORD = 1 << 28
"""Bytes of a line, or characters of an array item, beyond which it counts as damaged."""

UNREADABLE = (OSError, EOFError, zlib.error, ValueError, RecursionError)
MALFORMED = (
    *(KeyError, TypeError, ValueError, AttributeError, IndexError),
    *(ArithmeticError, RecursionError, CatchkitError),
)


@dataclass(frozen=True, slots=True)
class Located:
    """A JSON object and where it stands."""

    path: Path
    where: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a shard comes from."""

    repo: str
    commit: str
    path: str
    license: str
    entry: dict[str, Any]
    """The shard's own entry in the manifest beside it; empty where there is none."""


def traces(
    records: Iterator[Located | Skipped], parse: Callable[[Located], Trace | Skipped]
) -> Iterator[Trace | Skipped]:
    """Turn records into runs; one that is not of the expected shape is reported as damage."""
    for record in records:
        if isinstance(record, Skipped):
            yield record
            continue
        try:
            parsed = parse(record)
        except MALFORMED as problem:
            parsed = damage(record.where, problem, "not a record of this format")
        yield parsed


def damage(where: str, problem: BaseException, reason: str = "unreadable") -> Skipped:
    """Return the report of something that cannot be read."""
    detail = f"{type(problem).__name__}: {problem}"[:200]
    return Skipped(where=where, reason=reason, is_damage=True, detail=detail)


def json_lines(path: Path) -> Iterator[Located | Skipped]:
    """Yield the objects of a file with one per line; ``.gz`` is read through.

    Lines end at the newline byte only: JSON strings may hold other line separators.
    """
    number = 0
    try:
        with opened(path) as stream:
            while line := stream.readline(MAX_RECORD):
                number += 1
                if line.strip():
                    yield _object(path, f"{path.name}:{number}", line)
    except UNREADABLE as problem:
        yield damage(f"{path.name}:{number + 1}", problem)


def json_document(path: Path) -> Iterator[Located | Skipped]:
    """Yield the one object that a file consists of."""
    try:
        with opened(path) as stream:
            whole = stream.read(MAX_RECORD)
    except UNREADABLE as problem:
        yield damage(path.name, problem)
    else:
        yield _object(path, path.name, whole)


def json_array(path: Path, key: str | None = None) -> Iterator[Located | Skipped]:
    """Yield the objects of an array without holding more than one of them.

    Args:
        path: A file that is an array, or an object with one.
        key: The member of the top object that is the array; ``None`` where the file is one.
    """
    at = 0
    try:
        with io.TextIOWrapper(opened(path), "utf-8-sig") as text:
            window = _Window(text)
            items = window.items() if key is None else window.member_items(key)
            for at, item in enumerate(items):
                yield _located(path, f"{path.name}[{at}]", item)
                at += 1
    except UNREADABLE as problem:
        yield damage(f"{path.name}[{at}]", problem)


def json_members(path: Path, *, without: str) -> dict[str, Any]:
    """Return the members of the top object of a file, except one large array.

    Raises:
        ValueError: The file is no object; other errors of reading it likewise pass through.
    """
    with io.TextIOWrapper(opened(path), "utf-8-sig") as text:
        return _Window(text).members(without)


def opened(path: Path) -> BinaryIO:
    """Open a file for reading bytes, decompressing it when it begins like a gzip file."""
    with path.open("rb") as stream:
        is_gzip = stream.read(2) == b"\x1f\x8b"
    return cast("BinaryIO", gzip.open(path, "rb")) if is_gzip else path.open("rb")


def text_of(content: Json) -> str:
    r"""Return message content as one text: a string, nothing, or a list of typed blocks.

    Example:
        >>> text_of([{"type": "text", "text": "a"}, {"type": "text", "content": "b"}])
        'a\nb'
    """
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "\n".join(filter(None, map(text_of, content)))
        case dict():
            inner = content.get("text", content.get("content"))
            return text_of(inner) if isinstance(inner, str | list) else ""
        case _:
            return str(content)


def arguments_of(value: Json) -> dict[str, Json]:
    """Return call arguments as an object, whether spelled as one or as JSON text; else nothing.

    Example:
        >>> arguments_of('{"a": 1}'), arguments_of("{'a': 1}"), arguments_of(None)
        ({'a': 1}, {}, {})
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def provenance(shard: Path, *, repo: str, pin: str, license: str) -> Provenance:  # noqa: A002
    """Return where a shard comes from: its manifest entry where there is one, else the defaults."""
    for folder in (shard.parent, *shard.parent.parents[:2]):
        entry = _manifest(folder / "MANIFEST.json").get(shard.relative_to(folder).as_posix())
        if entry is not None:
            return Provenance(
                repo=str(entry.get("repo") or repo),
                commit=str(entry.get("commit") or pin),
                path=str(entry.get("path") or shard.name),
                license=str(entry.get("license") or license),
                entry=entry,
            )
    return Provenance(repo=repo, commit=pin, path=shard.name, license=license, entry={})


def _manifest(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    try:
        entries = json.loads(path.read_bytes())
        return {str(entry["file"]): entry for entry in entries}
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}


def _object(path: Path, where: str, text: bytes) -> Located | Skipped:
    try:
        return _located(path, where, json.loads(text))
    except (ValueError, RecursionError) as problem:
        return damage(where, problem)


def _located(path: Path, where: str, value: Json) -> Located | Skipped:
    if isinstance(value, dict):
        return Located(path, where, value)
    return damage(where, TypeError(f"a {type(value).__name__}, expected an object"))


class _Window:
    """A moving window over JSON text that holds one value at a time."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def items(self) -> Iterator[Json]:
        """Yield the items of the array that comes next."""
        self._expect("[")
        if self._peek() == "]":
            self._at += 1
            return
        while True:
            yield self._value()
            if self._expect(",]") == "]":
                return

    def member_items(self, key: str) -> Iterator[Json]:
        """Yield the items of the array that is this member of the object that comes next."""
        for name in self._names():
            if name == key:
                yield from self.items()
            else:
                self._value()

    def members(self, without: str) -> dict[str, Any]:
        """Return the other members of the object that comes next."""
        kept: dict[str, Any] = {}
        for name in self._names():
            if name == without:
                for _ in self.items():
                    pass
            else:
                kept[name] = self._value()
        return kept

    def _names(self) -> Iterator[str]:
        """Yield each member name of an object; the caller reads the value before the next one."""
        self._expect("{")
        if self._peek() == "}":
            return
        while True:
            name = self._value()
            if not isinstance(name, str):
                raise ValueError(f"a member name is a {type(name).__name__}")
            self._expect(":")
            yield name
            if self._expect(",}") == "}":
                return

    def _value(self) -> Json:
        self._peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                if end < len(self._text) or not self._fill():
                    self._at = end
                    return cast("Json", value)
            except json.JSONDecodeError as problem:
                if not (self._may_be_cut(problem) and self._fill()):
                    raise

    def _may_be_cut(self, problem: json.JSONDecodeError) -> bool:
        """Whether an error may come from the window's end rather than from damage."""
        return problem.msg.startswith("Unterminated") or problem.pos >= len(self._text) - 16

    def _peek(self) -> str:
        while True:
            while self._at < len(self._text):
                if (character := self._text[self._at]) not in " \t\r\n":
                    return character
                self._at += 1
            if not self._fill():
                raise ValueError("the file ends in the middle")

    def _expect(self, wanted: str) -> str:
        if (character := self._peek()) not in wanted:
            raise ValueError(f"found {character!r} where one of {wanted!r} was expected")
        self._at += 1
        return character

    def _fill(self) -> bool:
        """Read on, at least doubling what is held; false at the end of the file."""
        held = self._text[self._at :]
        if len(held) > MAX_RECORD:
            raise ValueError(f"a value is longer than {MAX_RECORD} characters")
        more = self._stream.read(max(CHUNK_CHARACTERS, len(held)))
        self._text, self._at = held + more, 0
        return bool(more)
