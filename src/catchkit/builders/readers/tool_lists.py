"""Finds the tools in the files and replies in which MCP servers list them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from catchkit.builders.permissions import Rule, classify, words
from catchkit.builders.untrusted import read_json, read_text
from catchkit.errors import SourceError
from catchkit.schema import Capability

MAX_SCHEMA_CHARACTERS = 2000

_EXECUTION = words("shell command terminal bash exec execute script python node")
_NETWORK = words(
    "url uri http https fetch web website browser browse crawl scrape search endpoint api request"
)
_RUNS_CODE = words("runs-code")

LEVELS = (
    Rule("execute", "word", _EXECUTION),
    Rule("execute", "phrase", _RUNS_CODE),
    Rule("write", "hint", words("destructiveHint")),
    Rule("network", "word", _NETWORK),
    Rule("read", "hint", words("readOnlyHint")),
    Rule("network", "hint", words("openWorldHint")),
)
TYPES = (
    Rule("execution", "word", _EXECUTION),
    Rule("execution", "phrase", _RUNS_CODE),
    Rule("network", "word", _NETWORK),
    Rule("file", "word", words("file document pdf docx csv json image video audio")),
    Rule("database", "word", words("sql database query table record")),
    Rule("messaging", "word", words("email message chat slack sms notification")),
    Rule("commerce", "word", words("order payment invoice billing commerce purchase")),
    Rule("workflow", "word", words("ticket issue task calendar schedule project")),
)

# An underscore belongs to a word: `search_products` holds no `search`.
_WORD = re.compile(r"\w+")
_CODE_RUN = re.compile(r"\b(?:code[ _-]?run|run[ _-]?code)\b")
_EVENT_DATA = re.compile(r"^data:[ ]?(.*)$", re.MULTILINE)
_EVENT_STREAM = re.compile(r"\s*(?:event|data|id|retry)?:")
_ID_AT_THE_START = re.compile(
    r'\A\s*(\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*)[A-Za-z_${][^",]*(?=,)'
)
_ID_AT_THE_END = re.compile(r'("id"\s*:\s*)[A-Za-z_$][^",{}]*(?=\}\s*\Z)')

Tool = Mapping[str, Any]


def tools_in(data: bytes, name: str) -> list[Tool] | None:
    """Return the tools that a file lists, ``None`` when it is not a tool list.

    Read are a ``tools/list`` reply, plain or as an event stream; an object with ``tools``; and a
    bare list.

    Raises:
        SourceError: The file cannot be read.

    Example:
        >>> tools_in(b'{"result": {"tools": [{"name": "ping"}]}}', "reply.json")
        [{'name': 'ping'}]
    """
    text = read_text(data, name)
    if not text.strip():
        raise SourceError(f"{name}: is empty")
    messages = _event_data(text) if _EVENT_STREAM.match(text) else [text]
    found = (_listed(read_json(_with_id(message), name)) for message in messages)
    return next((tools for tools in found if tools is not None), None)


def _event_data(text: str) -> Iterator[str]:
    """Yield the data of each event of a stream; an empty line ends an event."""
    for event in text.replace("\r\n", "\n").split("\n\n"):
        if data := "\n".join(_EVENT_DATA.findall(event)).strip():
            yield data


def _with_id(message: str) -> str:
    """Return a stored template of a reply with a number where its id is an unquoted variable."""
    return _ID_AT_THE_END.sub(r"\g<1>0", _ID_AT_THE_START.sub(r"\g<1>0", message))


def _listed(value: Any) -> list[Tool] | None:  # noqa: ANN401 - untrusted JSON
    for key in ("result", "tools"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    if isinstance(value, list) and all(map(_is_tool, value)):
        return value
    return None


def _is_tool(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def capabilities(tools: Iterable[Tool]) -> Iterator[Capability]:
    """Yield one capability per tool name, white space in names normalised, first one wins."""
    seen = set()
    for tool in tools:
        name = " ".join(tool["name"].split())
        if name and name not in seen:
            seen.add(name)
            yield _capability(name, tool)


def _capability(name: str, tool: Tool) -> Capability:
    text = _inspected(name, tool)
    hints = tool.get("annotations")
    evidence = {
        "word": frozenset(_WORD.findall(text)),
        "phrase": _RUNS_CODE if _CODE_RUN.search(text) else frozenset(),
        # A hint counts only when it is literally true.
        "hint": {key for key, hint in hints.items() if hint is True}
        if isinstance(hints, dict)
        else frozenset(),
    }
    return Capability(
        name=name,
        type=classify(evidence, TYPES, default="mcp_tool"),
        permission_level=classify(evidence, LEVELS, default="unknown"),
    )


def _inspected(name: str, tool: Tool) -> str:
    """Return the text that the rules look at: name, description and input schema."""
    description = tool.get("description")
    schemas = (tool[key] for key in ("inputSchema", "input_schema", "arguments") if key in tool)
    schema = json.dumps(next(schemas, {}), sort_keys=True)[:MAX_SCHEMA_CHARACTERS]
    parts = [name, description if isinstance(description, str) else "", schema]
    return " ".join(" ".join(parts).split()).lower()
