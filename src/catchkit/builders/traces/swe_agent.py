"""Runs of SWE-agent, an agent with an editor for one open file and a shell, on issues."""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders import shell_grammar
from catchkit.builders.coding import model_name, upstream_id
from catchkit.builders.corpus import Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    json_document,
    json_lines,
    provenance,
    text_of,
    traces,
)
from catchkit.builders.swe_commands import State, call_of, is_failure

REPO = "nus-apr/auto-code-rover"
PIN = "3536ac292e3062ffb3f6e98457958e2b803228d6"
TRAJECTORY = ".traj"
REPORT = "final_report.json"
EXIT = "exit_"
"""How the actions begin that the harness itself puts in when it ends a run."""

_FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_OPEN_FILE = re.compile(r"^\(Open file: (.+?)(?: \(\d+ lines total\))?\)$", re.MULTILINE)
_FOLDER = re.compile(r"^\(Current directory: (.+)\)$", re.MULTILINE)


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read one original trajectory, or the runs of a pack: trajectories or chat records."""
    shell_grammar.parser()  # its absence is no damage of the records
    source = provenance(path, repo=REPO, pin=PIN, license="NOASSERTION")
    if path.name.endswith(TRAJECTORY):
        return traces(_wrapped(path), partial(_parse, source=source))
    return traces(json_lines(path), partial(_parse, source=source))


def _wrapped(path: Path) -> Iterator[Located | Skipped]:
    """Yield a trajectory as a line of a pack, with the outcome from the report beside it."""
    instance_id = path.name.removesuffix(TRAJECTORY)
    resolved = _resolved_ids(path.parent / REPORT)
    for entry in json_document(path):
        if isinstance(entry, Located):
            line = {
                "run_id": f"{path.parent.name}/{instance_id}",
                "instance_id": instance_id,
                "outcome": {"resolved": None if resolved is None else instance_id in resolved},
                "record": entry.record,
            }
            entry = Located(path, entry.where, line)
        yield entry


def _resolved_ids(report: Path) -> frozenset[str] | None:
    """Return what an evaluation report lists as resolved; ``None`` without a readable report."""
    for entry in json_document(report) if report.is_file() else ():
        if isinstance(entry, Located) and isinstance(entry.record.get("resolved"), list):
            return frozenset(map(str, entry.record["resolved"]))
    return None


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    line = located.record
    task_id = upstream_id(str(line["instance_id"]))
    if "record" in line:
        model, resolved = line.get("model"), line["outcome"].get("resolved")
        key, events = str(line["run_id"]), _steps(line["record"])
    else:
        model, resolved = line.get("model_name"), line["target"]
        text = json.dumps([line["trajectory"], resolved], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        key, events = f"{model}/{task_id}/{digest}", _chat(line["trajectory"])
    return Trace(
        key=key,
        task_id=task_id,
        model=model_name(model),
        events=tuple(events),
        failed=None if resolved is None else not resolved,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _steps(record: dict[str, Any]) -> Iterator[Event]:
    """Yield what was said before the first action, then each action with its observation."""
    for message in record["history"]:
        if message["role"] == "assistant":
            break
        yield _said(message["role"], text_of(message.get("content")))
    for step in record["trajectory"]:
        action, thought = step["action"], text_of(step.get("response") or step.get("thought"))
        observation = text_of(step.get("observation"))
        if action.startswith(EXIT):
            yield _said("system", f"{thought}\n{observation}")
            continue
        situation = json.loads(step["state"])
        call = call_of(action, _state(situation["open_file"], situation["working_dir"]))
        yield Event(role="assistant", actor="agent", text=thought, calls=(call,))
        yield _observed(observation, call.tool)


def _chat(messages: list[dict[str, Any]]) -> Iterator[Event]:
    """Yield chat messages: an action is fenced, the state stands below each observation."""
    open_file, folder, called = "n/a", "", None
    for message in messages:
        role, text = message["role"], text_of(message.get("text") or message.get("system_prompt"))
        if role == "ai":
            fenced = _FENCED.findall(text)
            call = call_of(fenced[-1], _state(open_file, folder)) if fenced else None
            called = call and call.tool
            yield Event(role="assistant", actor="agent", text=text, calls=(call,) if call else ())
            continue
        yield _observed(text, called) if called else _said(role, text)
        called = None
        open_file = next(iter(_OPEN_FILE.findall(text)[-1:]), open_file)
        folder = next(iter(_FOLDER.findall(text)[-1:]), folder)


def _state(open_file: str, working_dir: str) -> State:
    return State(None if open_file in ("n/a", "") else open_file, working_dir)


def _observed(text: str, tool: str) -> Event:
    return Event(role="tool", actor="env", text=text, tool=tool, is_error=is_failure(text))


def _said(role: str, text: str) -> Event:
    if role not in ("system", "user"):
        raise ValueError(f"role {role!r}")
    return Event(role="system" if role == "system" else "user", actor=role, text=text)


CORPUS = Corpus(
    name="swe_agent",
    title="SWE-agent on SWE-bench Lite, and a sample of another collection",
    repo=REPO,
    pin=PIN,
    license="NOASSERTION",
    is_synthetic=False,
    label_process="outcome",
    has_both_outcomes=True,
    label_rule=(
        "`outcome.resolved`, or `resolved` of the `final_report.json` beside an original "
        "trajectory; `target` in chat records."
    ),
    identity_rule=(
        "A run is `run_id`, repetition and instance; in chat records model, task and a digest. "
        "A task is the upstream `instance_id`, without a copy number."
    ),
    shards=("**/*.jsonl*", "**/*.traj"),
    companions=("MANIFEST.json", REPORT),
    read=read,
    step_form="call",
    published_rule="last_on_file",
    min_steps=2,
)
