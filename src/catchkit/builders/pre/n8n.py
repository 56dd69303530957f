"""AI-agent workflows of the n8n template gallery."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from catchkit.builders.material import NO_LICENSE, Material, Parsed, RawConfig, Skipped
from catchkit.builders.permissions import Rule, classify, words
from catchkit.builders.places import Place
from catchkit.builders.source import Origin, Source
from catchkit.builders.untrusted import read_json
from catchkit.errors import SourceError
from catchkit.loaders.release import SNAPSHOT, Release
from catchkit.schema import Capability

AGENT = "@n8n/n8n-nodes-langchain.agent"
TOOL_EDGE = "ai_tool"
GALLERY = "n8n.io/workflows"
API = "https://api.n8n.io/api/templates/workflows"
META = ".meta.json"
"""Ending of a file that holds the gallery's name and description of a plain workflow."""

LEVELS = (
    Rule("network", "type part", words("http")),
    Rule("network", "type word", words("api")),
    Rule("execute", "type word", words("code execute run script workflow")),
    Rule("execute", "type part", words("code")),
    Rule(
        "write",
        "word",
        words(
            "add append archive book cancel clear copy create delete draft edit insert invite "
            "move post publish remove reply send set share submit transfer update upload write"
        ),
    ),
    Rule("network", "type part", words("api")),
    Rule(
        "network",
        "word",
        words(
            "brave browser calendar discord drive dropbox facebook firecrawl gmail google hubspot "
            "http instagram jira linkedin mail mcp notion reddit rss serp slack telegram twitter "
            "web whatsapp wikipedia wolfram api"
        ),
    ),
    Rule(
        "read",
        "word",
        words(
            "analyze check download fetch find get list lookup monitor read retrieve search select "
            "summarize"
        ),
    ),
)

# A run of capitals in the middle of a text loses its last letter: `API key` gives ap and key.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?=[A-Z]|$)")
_BLANKS = re.compile(r"[ \t]+")
_EMPTY_LINES = re.compile(r"\n{3,}")


def _wants(path: str) -> bool:
    return path.endswith(".json")


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield one configuration per workflow file, ordered by template id."""
    metas = {path for path in material.files if path.endswith(META)}
    workflows = {path.removesuffix(META) + ".json" for path in metas}
    for path in sorted(material.files, key=_template_order):
        if path in metas:
            continue
        try:
            found = read_json(material.files[path], path)
            meta = path.removesuffix(".json") + META if path in workflows else None
            about = read_json(material.files[meta], meta) if meta else None
        except SourceError as problem:
            yield Skipped(path, "file unreadable", str(problem))
            continue
        yield _config(path, found, about, material)


def _template_order(path: str) -> tuple[int, str]:
    stem = PurePosixPath(path).name.partition(".")[0]
    return (int(stem) if stem.isdecimal() else 0, path)


def _config(path: str, found: object, about: object, material: Material) -> Parsed:
    """Read a workflow in the gallery's shape, or a plain one with what is known about it."""
    template = _mapping(_mapping(found).get("workflow"))
    plain = _mapping(template.get("workflow")) if template else _mapping(found)
    known = template or _mapping(about)
    nodes, connections = plain.get("nodes"), plain.get("connections")
    if not isinstance(nodes, list) or not isinstance(connections, dict):
        return Skipped(path, "not a workflow")
    by_name: dict[str, Mapping[str, Any]] = {}
    for node in filter(_is_node, map(_mapping, nodes)):
        by_name.setdefault(node["name"], node)
    agents = [node for node in by_name.values() if node["type"] == AGENT]
    if not agents:
        return Skipped(path, "no AI agent")
    roster = tuple(_capability(by_name[name]) for name in _wired_tools(connections, by_name))
    if not roster:
        return Skipped(path, "agent without tools")
    # The number inside a plain workflow counts on the machine that it was saved on.
    number = known.get("id")
    listed = isinstance(number, int) and not isinstance(number, bool)
    stem = PurePosixPath(path).name.removesuffix(".json")
    return RawConfig(
        instance_id=f"n8n-{number if listed else stem}",
        text=_text(known or plain, agents),
        capabilities=roster,
        repo=GALLERY if listed else material.repo,
        commit=str(number) if listed else material.commit,
        path=str(number) if listed else path,
        license=NO_LICENSE if listed else material.license,
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_node(node: Mapping[str, Any]) -> bool:
    name, kind = node.get("name"), node.get("type")
    return isinstance(name, str) and bool(name.strip()) and isinstance(kind, str)


def _wired_tools(
    connections: Mapping[str, Any], nodes: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Return the nodes that an agent may call, in the order in which the file wires them."""
    found: dict[str, None] = {}
    for source, outputs in connections.items():
        for connection, edges in _mapping(outputs).items():
            for edge in map(_mapping, _flat(edges)):
                target = edge.get("node")
                to_agent = isinstance(target, str) and nodes.get(target, {}).get("type") == AGENT
                if to_agent and TOOL_EDGE in (connection, edge.get("type")) and source in nodes:
                    found[source] = None
    return list(found)


def _flat(edges: object) -> Iterator[object]:
    """Yield the edges of a connection, a list per output; an unused output is null."""
    for output in edges if isinstance(edges, list) else []:
        yield from output if isinstance(output, list) else [output]


def _capability(node: Mapping[str, Any]) -> Capability:
    kind: str = node["type"]
    own = kind.rpartition(".")[2].removesuffix("Tool")
    type_words = _words(kind)
    texts = [node["name"], *_strings(node.get("parameters"))]
    evidence = {
        "type part": {part for part in ("http", "code", "api") if part in kind.lower()},
        "type word": type_words,
        "word": type_words.union(*map(_words, texts)),
    }
    return Capability(
        name=node["name"],
        type=_snake_case(own) or "tool",
        permission_level=classify(evidence, LEVELS, default="unknown"),
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


def _snake_case(name: str) -> str:
    """Return a node type in lower case with underscores.

    >>> _snake_case("rssFeedRead"), _snake_case("vectorStoreMongoDBAtlas")
    ('rss_feed_read', 'vector_store_mongo_dbatlas')
    """
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _strings(value: object) -> Iterator[str]:
    """Yield every key and every string at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield key
            yield from _strings(child)
    elif isinstance(value, list):
        for child in value:
            yield from _strings(child)


def _text(template: Mapping[str, Any], agents: Iterable[Mapping[str, Any]]) -> str:
    parts = [template.get("name"), template.get("description")]
    messages = dict.fromkeys(
        message
        for agent in agents
        for message in map(_tidy, _system_messages(agent.get("parameters")))
    )
    parts += [
        f"AI Agent systemMessage {number}:\n{message}"
        for number, message in enumerate(messages, start=1)
    ]
    tidy = [_tidy(part) for part in parts if isinstance(part, str)]
    return "\n\n".join(part for part in tidy if part)


def _system_messages(value: object) -> Iterator[str]:
    """Yield every non-blank string under a key ``systemMessage`` at any depth."""
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "systemMessage" and isinstance(child, str) and child.strip():
                yield child
            else:
                yield from _system_messages(child)
    elif isinstance(value, list):
        for child in value:
            yield from _system_messages(child)


def _tidy(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _EMPTY_LINES.sub("\n\n", _BLANKS.sub(" ", lines)).strip()


def template_places(ids: Iterable[str], gallery: str = API) -> list[Place]:
    """Return the addresses at which a gallery serves templates.

    Args:
        ids: Template numbers, in the order of the harvest.
        gallery: Address in front of the number.
    """
    return [Place(where=f"{gallery.rstrip('/')}/{number}", repo=GALLERY) for number in ids]


def _places() -> Sequence[Place]:
    """Return the templates of the released records, in released order."""
    rows = Release.open(SNAPSHOT).table("pre_n8n").to_pylist()
    return template_places(row["commit"] for row in rows)


def _group(origin: Origin) -> str:
    return origin.instance_id


SOURCE = Source(
    name="n8n",
    title="AI-agent workflows of the n8n template gallery",
    url="https://n8n.io/workflows",
    pin="a frozen list of template ids; the templates themselves can change",
    label_process="llm_judge",
    license_rule="NOASSERTION: the gallery declares no licence",
    wants=_wants,
    parse=_parse,
    places=_places,
    group=_group,
    group_rule="The template; each gives one row.",
)
