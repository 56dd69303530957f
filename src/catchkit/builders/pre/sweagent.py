"""SWE-agent runs on SWE-bench Lite."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.permissions import Rule, classify, words
from catchkit.builders.readers.commands import BASH, from_prompt, from_run
from catchkit.builders.source import Origin, Source
from catchkit.builders.untrusted import read_json
from catchkit.errors import SourceError
from catchkit.schema import Capability

SUBMISSION = "20240728_sweagent_gpt4o"

_NAVIGATION = words("open goto scroll scroll_down scroll_up search_dir search_file find_file")
_EDITOR = words("edit create")
_EXECUTION = words("python bash")
LEVELS = (
    Rule("read", "name", _NAVIGATION),
    Rule("write", "name", _EDITOR),
    Rule("execute", "name", _EXECUTION),
)
TYPES = (
    Rule("navigation", "name", _NAVIGATION),
    Rule("editor", "name", _EDITOR),
    Rule("execution", "name", _EXECUTION),
)

_ISSUE = re.compile(r"ISSUE:(.*?)(?=^INSTRUCTIONS:|\Z)", re.DOTALL | re.MULTILINE)

Step = Mapping[str, Any]


def _wants(path: str) -> bool:
    return path.endswith(".traj")


def _parse(material: Material) -> Iterator[Parsed]:
    """Yield one configuration per run, ordered by path."""
    for path in sorted(material.files):
        try:
            run = read_json(material.files[path], path)
            yield _config(path, run, material)
        except SourceError as problem:
            yield Skipped(path, "file unreadable", str(problem))


def _config(path: str, run: object, material: Material) -> Parsed:
    if not isinstance(run, dict):
        return Skipped(path, "not a run")
    history = run.get("history")
    if not isinstance(history, list) or not all(isinstance(step, dict) for step in history):
        return Skipped(path, "not a run")
    if not history or history[0].get("role") != "system":
        return Skipped(path, "no system message at the start")
    declared = _declared(path, run, history)
    if not set(declared) - {BASH}:
        return Skipped(path, "no commands declared")
    used = _used(history, declared)
    roster = [*declared, *(name for name in (BASH, "python") if name in used - set(declared))]
    instance_id = PurePosixPath(path).name.removesuffix(".traj")
    return RawConfig(
        instance_id=instance_id,
        text=_issue(history) or instance_id,
        capabilities=tuple(_capability(name) for name in roster),
        needed=tuple(name for name in roster if name in used),
        repo=material.repo,
        commit=material.commit,
        path=path,
        license=material.license,
    )


def _declared(path: str, run: Mapping[str, Any], history: Sequence[Step]) -> list[str]:
    """Return the declared commands, whichever of the three layouts the run has."""
    system = _content(history[0])
    names = from_prompt(system)
    if not names:
        tools = _mapping(_mapping(_replay_config(path, run).get("agent")).get("tools"))
        names = from_run(tools, _called(history))
    if BASH not in names and "bash commands" in system.lower():
        names.append(BASH)
    return names


def _replay_config(path: str, run: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the run was configured with: an object, or the text of one."""
    kept = run.get("replay_config")
    return _mapping(read_json(kept, path) if isinstance(kept, str) else kept)


def _called(history: Sequence[Step]) -> Iterator[str]:
    for step in history:
        calls = step.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            name = _mapping(_mapping(call).get("function")).get("name")
            if isinstance(name, str) and name.strip():
                yield name


def _used(history: Sequence[Step], declared: Sequence[str]) -> set[str]:
    """Return what the run used: declared commands by name, python, and bash for anything else."""
    used = set()
    for step in history:
        action = step.get("action")
        if step.get("role") != "assistant" or not isinstance(action, str) or not action.strip():
            continue
        word = action.split(maxsplit=1)[0]
        if word in declared:
            used.add(word)
        else:
            used.add("python" if word in ("python", "python3") else BASH)
    return used


def _issue(history: Sequence[Step]) -> str:
    """Return the issue text of the first user message that has one and is no demonstration."""
    for step in history:
        if step.get("role") == "user" and not step.get("is_demo"):
            found = _ISSUE.search(_content(step))
            if found:
                return found.group(1).strip()
    return ""


def _content(step: Step) -> str:
    """Return the text of a message: a string, or the texts of its parts."""
    content = step.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _capability(name: str) -> Capability:
    evidence = {"name": {name}}
    return Capability(
        name=name,
        type=classify(evidence, TYPES, default="command"),
        permission_level=classify(evidence, LEVELS, default="unknown"),
    )


def _group(origin: Origin) -> str:
    owner_and_name, _, _ = origin.instance_id.rpartition("-")
    return (owner_and_name or origin.instance_id).replace("__", "/")


SOURCE = Source(
    name="sweagent",
    title="Commands declared to SWE-agent on SWE-bench Lite",
    url="https://github.com/swe-bench/experiments",
    pin=f"submission {SUBMISSION}, a label and not a revision",
    label_process="declared_minus_used",
    license_rule="NOASSERTION: the submission declares no licence",
    wants=_wants,
    parse=_parse,
    group=_group,
    group_rule=(
        "The repository of the SWE-bench instance. All rosters are one list of commands, so no "
        "split can keep rosters apart."
    ),
)
