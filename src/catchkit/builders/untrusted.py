"""Readers for files that nobody has vouched for: limited, strict, and never executing anything."""

import json
import math
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from catchkit.errors import SourceError

MAX_BYTES = 16 * 1024 * 1024
"""Largest single file; the largest one harvested so far has 1.4 MB."""

MAX_DEPTH = 100
"""Deepest nesting of lists and mappings; the deepest one harvested so far has 21 levels."""

MAX_NUMBER_CHARACTERS = 400
"""Longest number; a double needs 24."""

MAX_YAML_CHARACTERS = 4 * 1024 * 1024
"""Longest YAML text, which takes fifty times as long to read as JSON."""

MAX_YAML_NODES = 200_000
"""Most nodes of a YAML file once every alias is written out."""

Report = Callable[[str], object]


def printable(text: str) -> str:
    """Return a text of others without what a terminal would obey or a file cannot hold.

    Example:
        >>> printable("clear" + chr(27) + "[2J")
        'clear?[2J'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def read_text(data: bytes, name: str) -> str:
    """Return the text of a UTF-8 file; a byte-order mark is taken off.

    Raises:
        SourceError: The file is too large or not UTF-8; the message names it.
    """
    if len(data) > MAX_BYTES:
        raise SourceError(f"{name}: larger than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise SourceError(f"{name}: not UTF-8 (byte {problem.start})") from None


def read_json(data: bytes | str, name: str) -> Any:  # noqa: ANN401 - JSON of any shape
    """Return what a JSON file holds: one value, no key twice, every number finite.

    Args:
        data: The bytes, or text that was part of another file.
        name: How an error names the file.

    Raises:
        SourceError: It is too large, too deep, not UTF-8 or not such JSON.

    Example:
        >>> read_json(b'{"tools": ["a"]}', "tools.json")
        {'tools': ['a']}
        >>> read_json(b'{"a": 1, "a": 2}', "twice.json")
        Traceback (most recent call last):
        catchkit.errors.SourceError: twice.json: not readable as JSON (key 'a' appears twice)
    """
    text = data if isinstance(data, str) else read_text(data, name)
    try:
        value = _DECODER.decode(text)
        check_depth(value)
        _refuse_lone_surrogates(text, value)
    except RecursionError:
        raise SourceError(f"{name}: nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as problem:
        raise SourceError(f"{name}: not readable as JSON ({problem})") from None
    return value


def check_depth(value: Any) -> None:  # noqa: ANN401 - JSON of any shape
    """Raise a ``ValueError`` when lists and mappings nest deeper than ``MAX_DEPTH``."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


def _children(value: Any) -> list[Any]:  # noqa: ANN401 - JSON of any shape
    found = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [child for child in found if isinstance(child, dict | list)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"key {key[:40]!r} appears twice")
        found[key] = value
    return found


def _number(convert: type[int] | type[float]) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = convert(text) if len(text) <= MAX_NUMBER_CHARACTERS else math.inf
        if math.isinf(number):
            raise ValueError(f"the number {text[:20]}... is too large")
        return number

    return read


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _refuse_lone_surrogates(text: str, value: Any) -> None:  # noqa: ANN401 - JSON of any shape
    """Raise for half a character: it can be escaped in JSON and not be written as UTF-8."""
    if _SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode("utf-8")


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_DECODER = json.JSONDecoder(
    object_pairs_hook=_once,
    parse_int=_number(int),
    parse_float=_number(float),
    parse_constant=_refuse_constant,
)


def read_yaml(data: bytes | str, name: str, *, on_duplicate: Report | None = None) -> Any:  # noqa: ANN401
    """Return what a YAML file holds: plain values only, one document, few aliases.

    Args:
        data: The bytes, or text whose decoding was the caller's choice.
        name: How an error names the file.
        on_duplicate: Called with a key that stands twice in one mapping, the last one winning;
            without it such a file is refused.

    Raises:
        SourceError: It is too large, too deep, expands too far, or is not such YAML.

    Example:
        >>> read_yaml(b"tools: [a, b]", "agents.yaml")
        {'tools': ['a', 'b']}
        >>> read_yaml(b"!!python/name:os.system", "bad.yaml")
        Traceback (most recent call last):
        catchkit.errors.SourceError: bad.yaml: not readable as YAML (could not determine a ...
    """
    text = data if isinstance(data, str) else read_text(data, name)
    if len(text) > MAX_YAML_CHARACTERS:
        raise SourceError(f"{name}: longer than {MAX_YAML_CHARACTERS} characters")
    try:
        _check_events(text)
        loader = _Loader(text)
        loader.on_duplicate = on_duplicate
        try:
            return loader.get_single_data()
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as problem:
        what = " ".join(str(problem).split())[:200]
        raise SourceError(f"{name}: not readable as YAML ({what})") from None


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come: how many nodes it holds so far, aliases written out."""

    anchor: str | None
    nodes: int = 1


def _check_events(text: str) -> None:
    """Raise before anything is built when a YAML text nests or expands too far.

    The sizes of anchored nodes are added up wherever an alias repeats them, so nine lines that
    stand for a billion values are refused after reading nine lines.
    """
    sizes: dict[str, int] = {}
    stack = [_Open(None)]
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        match event:
            case yaml.CollectionStartEvent():
                stack.append(_Open(event.anchor))
            case yaml.CollectionEndEvent():
                closed = stack.pop()
                _add(stack, closed.nodes, closed.anchor, sizes)
            case yaml.ScalarEvent():
                if len(event.value) > MAX_NUMBER_CHARACTERS and _LIKE_NUMBER.fullmatch(event.value):
                    raise ValueError(f"the number {event.value[:20]}... is too large")
                _add(stack, 1, event.anchor, sizes)
            case yaml.AliasEvent():
                if event.anchor not in sizes:
                    raise ValueError(f"alias {event.anchor!r} refers to nothing that is complete")
                _add(stack, sizes[event.anchor], None, sizes)
        if len(stack) > MAX_DEPTH + 1:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


# YAML reads 1:30:00 as base 60, whose value takes quadratic time to work out.
_LIKE_NUMBER = re.compile(r"[-+]?[0-9.][0-9a-fA-Fox_:.+-]*")


def _add(stack: list[_Open], nodes: int, anchor: str | None, sizes: dict[str, int]) -> None:
    stack[-1].nodes += nodes
    if stack[-1].nodes > MAX_YAML_NODES:
        raise ValueError(f"more than {MAX_YAML_NODES} nodes once aliases are written out")
    if anchor is not None:
        sizes[anchor] = nodes


class _Loader(yaml.CSafeLoader):
    """The safe loader, told what to do about a key that stands twice in one mapping."""

    on_duplicate: Report | None = None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                continue
            if (known := (key.tag, key.value)) in seen:
                self._report(key.value)
            seen.add(known)
        return super().construct_mapping(node, deep)

    def _report(self, key: str) -> None:
        if self.on_duplicate is None:
            raise ValueError(f"key {key[:40]!r} appears twice")
        self.on_duplicate(key)
