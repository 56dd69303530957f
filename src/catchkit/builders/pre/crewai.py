"""Crews declared with the CrewAI framework in public repositories."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.permissions import Rule, classify, words
from catchkit.builders.places import Place
from catchkit.builders.readers.crew_python import rosters, united
from catchkit.builders.source import Origin, Source, repository_of
from catchkit.builders.untrusted import read_yaml
from catchkit.errors import SourceError
from catchkit.loaders.release import SNAPSHOT, Release
from catchkit.schema import Capability

AGENTS = "agents.yaml"
MAX_RECORDS = 300
MAX_BACKSTORY_CHARACTERS = 500
MAX_BACKSTORY_WORDS = 90
UNREAD_FOLDERS = frozenset(
    {".git", ".venv", "venv", "env", "__pycache__", "node_modules", "site-packages"}
)

LEVELS = (
    Rule(
        "read",
        "name",
        words(
            "FileReadTool DirectoryReadTool CSVSearchTool DirectorySearchTool JSONSearchTool "
            "PDFSearchTool TXTSearchTool DOCXSearchTool XMLSearchTool MDXSearchTool RagTool "
            "FixedRAGSearchTool"
        ),
    ),
    Rule("write", "name", words("FileWriterTool")),
    Rule("execute", "name", words("CodeInterpreterTool")),
    Rule(
        "network",
        "name",
        words(
            "SerperDevTool ScrapeWebsiteTool WebsiteSearchTool FirecrawlScrapeWebsiteTool "
            "FirecrawlSearchTool SeleniumScrapingTool YoutubeChannelSearchTool "
            "YoutubeVideoSearchTool GithubSearchTool EXASearchTool BrowserbaseLoadTool "
            "SerpApiSearchTool"
        ),
    ),
)
LISTED = frozenset[str]().union(*(rule.words for rule in LEVELS))
"""Tools of the framework itself; any other is a crew's own."""

ALIASES: Mapping[str, str] = {
    "serper_dev_tool": "SerperDevTool",
    "scrape_website_tool": "ScrapeWebsiteTool",
    "website_search_tool": "WebsiteSearchTool",
    "file_read_tool": "FileReadTool",
    "file_writer_tool": "FileWriterTool",
    "directory_read_tool": "DirectoryReadTool",
    "csv_search_tool": "CSVSearchTool",
    "code_interpreter_tool": "CodeInterpreterTool",
}

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_PYTHON = re.compile(r"(.*_)?crew\.py|agents\.py|tools\.py", re.IGNORECASE)


def _wants(path: str) -> bool:
    parts = PurePosixPath(path).parts
    read = _is_agents_file(parts) or bool(parts and _PYTHON.fullmatch(parts[-1]))
    return read and UNREAD_FOLDERS.isdisjoint(parts)


def _is_agents_file(parts: Sequence[str]) -> bool:
    return bool(parts) and parts[-1] == AGENTS and "config" in parts[:-1]


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield one configuration per declared agent that has tools, in file order."""
    skipped: list[Skipped] = []
    by_agent = united(_python_rosters(material, skipped))
    yield from skipped
    for path, data in material.named(AGENTS):
        if _is_agents_file(path.parts):
            yield from _agents(material, str(path), data, by_agent)


def _python_rosters(
    material: Material, skipped: list[Skipped]
) -> Iterator[Mapping[str, tuple[str, ...]]]:
    for path in sorted(map(PurePosixPath, material.files), key=lambda path: path.parts):
        if path.suffix.lower() == ".py":
            try:
                yield rosters(material.files[str(path)], str(path))
            except SourceError as problem:
                skipped.append(Skipped(str(path), "Python file unreadable", str(problem)))


def _agents(
    material: Material, path: str, data: bytes, by_agent: Mapping[str, tuple[str, ...]]
) -> Iterator[Parsed]:
    # Bytes that are not UTF-8 are dropped, as one stray quotation mark would cost a whole crew.
    text = data.decode("utf-8", "ignore").removeprefix("\ufeff")
    repeated: list[str] = []
    try:
        entries = read_yaml(text, path, on_duplicate=repeated.append)
    except SourceError as problem:
        yield Skipped(path, "file unreadable", str(problem))
        return
    yield from (Skipped(f"{path}: {key}", "key repeated, the last one read") for key in repeated)
    if not isinstance(entries, dict):
        yield Skipped(path, "file is no mapping")
        return
    for key, entry in entries.items():
        yield _config(material, path, str(key), entry, by_agent)


def _config(
    material: Material,
    path: str,
    key: str,
    entry: object,
    by_agent: Mapping[str, tuple[str, ...]],
) -> Parsed:
    where = f"{path}: {key}"
    if not isinstance(entry, dict):
        return Skipped(where, "entry is no mapping")
    text = entry_text(entry)
    if not text:
        return Skipped(where, "entry has no text")
    roster = tool_names(_named(entry.get("tools"))) or tool_names(by_agent.get(key, ()))
    if not roster:
        return Skipped(where, "agent without tools")
    return RawConfig(
        instance_id=where,
        text=text,
        capabilities=tuple(map(_capability, roster)),
        repo=material.repo,
        commit=material.commit,
        path=path,
        license=material.license,
    )


def entry_text(entry: Mapping[str, Any]) -> str:
    r"""Return the task text of an agent: role, goal and, unless it is long, backstory.

    Example:
        >>> entry_text({"role": "Scout", "goal": " Look  ahead "})
        'Role: Scout\nGoal: Look ahead'
    """
    role = _line(entry.get("role")) or _line(entry.get("name"))
    backstory = _line(entry.get("backstory"))
    if len(backstory) > MAX_BACKSTORY_CHARACTERS or len(backstory.split()) > MAX_BACKSTORY_WORDS:
        backstory = ""
    parts = {"Role": role, "Goal": _line(entry.get("goal")), "Backstory": backstory}
    return "\n".join(f"{label}: {part}" for label, part in parts.items() if part)


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _named(value: object) -> Iterator[str]:
    """Yield the names of a ``tools`` entry: a string, a list of entries, or a mapping."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from _named(element)
    elif isinstance(value, dict):
        stated = (value[key] for key in ("name", "tool", "class", "type") if value.get(key))
        first = next(stated, None)
        yield from _named(list(value) if first is None else first)


def tool_names(written: Iterable[str]) -> list[str]:
    """Return tools by the name of their class or function, without empty and repeated ones.

    Example:
        >>> tool_names(["crewai_tools.SerperDevTool(n=3)", "'csv_search_tool'", "lookup"])
        ['SerperDevTool', 'CSVSearchTool', 'lookup']
    """
    return list(dict.fromkeys(name for name in map(_tool_name, written) if name))


def _tool_name(written: str) -> str:
    name = written.strip().strip("'\"`").strip()
    if alias := ALIASES.get(name.lower()):
        return alias
    name = name.rpartition(".")[2].strip()
    if name.endswith(")"):
        name = name.partition("(")[0].strip()
    if alias := ALIASES.get(name.lower()):
        return alias
    identifiers = _IDENTIFIER.findall(name)
    classes = (word for word in identifiers if word.endswith("Tool"))
    listed = (_camel_case(word) for word in identifiers if word.endswith("_tool"))
    found = next(classes, None) or next((word for word in listed if word in LISTED), None)
    return found or next(iter(identifiers), "")


def _camel_case(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _capability(name: str) -> Capability:
    return Capability(
        name=name,
        type=f"crewai_tools.{name}" if name in LISTED else "custom",
        permission_level=classify({"name": {name}}, LEVELS, default="unknown"),
    )


def _select(configs: Iterable[RawConfig]) -> Iterator[Parsed]:
    """Keep the first of equal role and tools over all repositories, up to the cap; number them."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for config in configs:
        role = config.text.partition("\n")[0].lower()
        key = (role, tuple(sorted(capability.name for capability in config.capabilities)))
        if key in seen:
            yield Skipped(config.instance_id, "role and tools seen before", config.repo)
        elif len(seen) == MAX_RECORDS:
            yield Skipped(config.instance_id, f"beyond {MAX_RECORDS} records", config.repo)
        else:
            seen.add(key)
            yield replace(config, instance_id=f"crewai-{len(seen):04d}")


def _places() -> Sequence[Place]:
    """Return the repositories of the released records, at their commits, in released order."""
    rows = Release.open(SNAPSHOT).table("pre_crewai").to_pylist()
    pinned = dict.fromkeys((row["repo"], row["commit"], row["license"]) for row in rows)
    return [
        Place(
            where=f"https://codeload.github.com/{repo}/zip/{commit}",
            repo=repo,
            commit=commit,
            license=spdx,
        )
        for repo, commit, spdx in pinned
    ]


def _group(origin: Origin) -> str:
    return repository_of(origin.repo)


SOURCE = Source(
    name="crewai",
    title="CrewAI agents declared in public repositories",
    url="https://github.com/crewAIInc/crewAI",
    pin="a fixed list of repositories, each at a commit",
    label_process="llm_judge",
    license_rule="the licence the repository declares",
    wants=_wants,
    parse=_parse,
    select=_select,
    places=_places,
    group=_group,
    group_rule="The repository, since the agents of one crew share tools and wording.",
)
