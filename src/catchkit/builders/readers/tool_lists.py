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
_TEMPLATE_ID = re.compile(
    r'\A\s*(\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*)[A-Za-z_${][^",]*(?=,)'
)

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
    events = re.split(r"\r?\n\r?\n", text) if re.match(r"\s*(event|data|id):", text) else [text]
    for event in events:
        lines = _EVENT_DATA.findall(event.replace("\r\n", "\n")) if len(events) > 1 else [event]
        if message := "\n".join(lines).strip():
            # A stored template of a reply may have an unquoted variable for its id.
            found = _listed(read_json(_TEMPLATE_ID.sub(r"\g<1>0", message), name))
            if found is not None:
                return found
    return None


def _listed(value: Any) -> list[Tool] | None:  # noqa: ANN401 - untrusted JSON
    for key in ("result", "tools"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    if isinstance(value, list) and all(isinstance(t, dict) and "name" in t for t in value):
        return value
    return None


def capabilities(tools: Iterable[Tool]) -> Iterator[Capability]:
    """Yield one capability per tool name, white space in names normalised, first one wins."""
    seen = set()
    for tool in tools:
        name = " ".join(str(tool["name"]).split())
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
