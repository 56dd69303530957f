"""Tools that servers of the Model Context Protocol list."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.readers.tool_lists import Tool, capabilities, tools_in
from catchkit.builders.source import Origin, Source, repository_of
from catchkit.builders.untrusted import read_json, read_yaml
from catchkit.errors import SourceError

DESCRIPTIONS = ("server.json", "server.yaml")
"""What a registry and a container catalogue say of a server; its folder holds its tools."""

# The earlier the pattern, the closer its files are to what the server itself answers.
_TOOL_FILES = tuple(
    map(
        re.compile,
        (
            r"tools[-_]list(\.\w+)*\.(json|txt)",
            r"tools\.json",
            r".*server-card\.json",
            r"manifest(-\w+)?\.json",
            r"(glama|mcp|agent|smithery)\.json",
        ),
    )
)


def _wants(path: str) -> bool:
    return PurePosixPath(path).name in DESCRIPTIONS or _rank(path) < len(_TOOL_FILES)


def _rank(path: str) -> int:
    name = PurePosixPath(path).name
    ranks = (at for at, pattern in enumerate(_TOOL_FILES) if pattern.fullmatch(name))
    return next(ranks, len(_TOOL_FILES))


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield one configuration per described server, else one per tool list without description.

    A tool file belongs to the description in the nearest folder above it.
    """
    described = {path.parent: path for path, _ in material.named(*DESCRIPTIONS)}
    lists: dict[PurePosixPath | None, list[str]] = {path: [] for path in described.values()}
    for path in sorted(set(material.files) - {str(path) for path in described.values()}):
        above = (described[p] for p in PurePosixPath(path).parents if p in described)
        lists.setdefault(next(above, None), []).append(path)
    alone = lists.pop(None, [])
    for description, files in lists.items():
        yield _attempt(material, description, files)
    for path in alone:
        if PurePosixPath(path).name not in DESCRIPTIONS:
            yield _attempt(material, None, [path])


def _attempt(material: Material, description: PurePosixPath | None, files: list[str]) -> Parsed:
    where = str(description or files[0])
    try:
        about = read_description(where, material.files[where]) if description else {}
        tools = _first_list(material, files)
    except SourceError as problem:
        return Skipped(where, "file unreadable", str(problem))
    if tools is None:
        beside = "beside the description" if description else "in the file"
        return Skipped(where, f"no tool list {beside}")
    return config_of(about, tools, material, where)


def _first_list(material: Material, files: list[str]) -> list[Tool] | None:
    for path in sorted(files, key=lambda path: (_rank(path), path)):
        tools = tools_in(material.files[path], path)
        if tools is not None:
            return tools
    return None


def read_description(path: str, data: bytes) -> Mapping[str, Any]:
    """Return what a registry or catalogue file says, as one flat mapping.

    Raises:
        SourceError: It cannot be read or is no mapping.
    """
    catalogue = path.endswith(".yaml")
    found = read_yaml(data, path) if catalogue else read_json(data, path)
    entry = found.get("server", found) if isinstance(found, dict) else None
    if not isinstance(entry, dict):
        raise SourceError(f"{path}: not a description of a server")
    about = entry.get("about")
    return {**entry, **about} if catalogue and isinstance(about, dict) else entry


def describe(about: Mapping[str, Any]) -> str:
    """Return the task text of a server: its title, else its name, and its description.

    Example:
        >>> describe({"name": "io.example/clock", "description": "Tells  the time."})
        'io.example/clock: Tells the time.'
    """
    title = _text(about, "title") or _text(about, "name")
    return f"{title}: {_text(about, 'description')}".strip().removesuffix(":")


def _text(about: Mapping[str, Any], key: str) -> str:
    value = about.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def config_of(
    about: Mapping[str, Any], tools: Iterable[Tool], material: Material, where: str
) -> Parsed:
    """Return the configuration of one server, numbered later by ``select``.

    Args:
        about: What is said of the server: ``name``, ``title``, ``description``, ``repository``.
        tools: What it lists.
        material: Where the listing comes from.
        where: The file or address of it.
    """
    roster = tuple(capabilities(tools))
    if not roster:
        return Skipped(where, "no tools")
    registered = about.get("repository")
    repository = registered if isinstance(registered, dict) else {}
    return RawConfig(
        instance_id=_text(about, "name") or material.repo,
        text=describe(about) or material.repo,
        capabilities=roster,
        repo=_text(repository, "url") or material.repo,
        commit=material.commit,
        path=(_text(repository, "subfolder") or ".") if repository else where,
        license=material.license,
    )


def slug(server: str) -> str:
    """Return a server name as it stands in an id.

    Example:
        >>> slug("io.github.Owner/Some_Server")
        'io-github-owner-some-server'
    """
    return re.sub("[^a-z0-9]+", "-", server.lower()).strip("-")


def _select(configs: Iterable[RawConfig]) -> Iterator[Parsed]:
    """Number the servers in order; one that was listed before is a skip."""
    seen: set[str] = set()
    for config in configs:
        server = config.instance_id
        if server in seen:
            yield Skipped(config.path, "server listed before", server)
            continue
        seen.add(server)
        yield numbered(config, len(seen))


def numbered(config: RawConfig, position: int) -> RawConfig:
    """Return a server's configuration with its id: its 1-based place in a list and its name."""
    return replace(config, instance_id=f"mcp-{position:04d}-{slug(config.instance_id) or 'server'}")


def _group(origin: Origin) -> str:
    return repository_of(origin.repo)


SOURCE = Source(
    name="mcp",
    title="Tools listed by public MCP servers",
    url="https://registry.modelcontextprotocol.io",
    pin="a fixed list of registry names, listed live on one day",
    label_process="llm_judge",
    license_rule="the licence the server's repository declares; the listing itself states none",
    wants=_wants,
    parse=_parse,
    select=_select,
    group=_group,
    group_rule="The repository, since one project often registers several servers.",
)
