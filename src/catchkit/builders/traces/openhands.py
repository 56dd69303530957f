"""Runs of OpenHands, an agent with a file editor and a shell, on repository issues."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders import shell_grammar
from catchkit.builders.coding import edited, model_name, run_in_shell, upstream_id
from catchkit.builders.corpus import Call, Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    json_lines,
    provenance,
    traces,
)
from catchkit.builders.traces import tau_bench

REPO = "OpenHands/OpenHands"
PIN = "4ce8594d56a8a09b6c12d6dfd6fe746e825be644"
GYM_REPO = "SWE-Gym/OpenHands-Sampled-Trajectories"
GYM_PIN = "baf3a4e4bff514d48ddc08a93a2ade5c126212c7"
EDITORS = frozenset({"str_replace_editor", "str_replace_based_edit_tool", "edit_file"})
SHELLS = frozenset({"execute_bash", "bash", "run"})

_FOLDER = re.compile(r"<uploaded_files>\s*(\S+)\s*</uploaded_files>")
_ERROR = re.compile(r"(OBSERVATION:\s*)?(ERROR:|No replacement was performed|Error )")
_EXIT = re.compile(r"exit code (-?\d+)|\[(Error) occurred in processing last action\]")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a pack, one per line: last calls of an evaluation, or SWE-Gym records."""
    shell_grammar.parser()  # its absence is no damage of the records
    evaluation = provenance(path, repo=REPO, pin=PIN, license="MIT")
    gym = provenance(path, repo=GYM_REPO, pin=GYM_PIN, license="NOASSERTION")
    return sampled(json_lines(path), partial(_parse, evaluation=evaluation, gym=gym))


def sampled(
    records: Iterator[Located | Skipped], parse: Callable[[Located], Trace | Skipped]
) -> Iterator[Trace | Skipped]:
    """Yield each run of a shard once: some occur again under an id with a copy number."""
    seen: set[str] = set()
    for record in records:
        for entry in traces(iter([record]), parse):
            if isinstance(entry, Trace) and entry.key in seen:
                entry = Skipped(where=record.where, reason="the same run a second time")
            elif isinstance(entry, Trace):
                seen.add(entry.key)
            yield entry


def _parse(located: Located, *, evaluation: Provenance, gym: Provenance) -> Trace | Skipped:
    line = located.record
    if "record" not in line:
        return sampled_run(located, source=gym)
    resolved = line["outcome"].get("resolved")
    last = [choice["message"] for choice in line["record"]["response"]["choices"][:1]]
    return Trace(
        key=str(line["run_id"]),
        task_id=str(line["instance_id"]),
        model=model_name(line.get("model")),
        events=tuple(events([*line["record"]["messages"], *last])),
        failed=None if resolved is None else not resolved,
        repo=evaluation.repo,
        commit=evaluation.commit,
        path=evaluation.path,
        license=evaluation.license,
    )


def sampled_run(located: Located, *, source: Provenance) -> Trace | Skipped:
    """Return a record of SWE-Gym's samples as a run."""
    record = located.record
    messages, tag = record["messages"], str(record["run_id"])
    messages = json.loads(messages) if isinstance(messages, str) else messages
    task_id = upstream_id(str(record["instance_id"]))
    resolved = record["resolved"]
    return Trace(
        key=f"{tag}/{task_id}/{_digest(messages, resolved)}",
        task_id=task_id,
        model=tag.partition("_maxiter_")[0] or None,
        events=tuple(events(messages)),
        failed=None if resolved is None else not resolved,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _digest(messages: list[dict[str, Any]], resolved: bool | None) -> str:
    """Return a digest of what was said, whatever empty fields a copy of the record adds."""
    said = [{key: value for key, value in message.items() if value} for message in messages]
    text = json.dumps([said, resolved], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def events(messages: list[dict[str, Any]]) -> Iterator[Event]:
    """Yield the messages of a run; its shell stays in the folder it was last sent to."""
    cwd: str | None = ""
    texts: Mapping[str, str] = {}
    unanswered: list[Call] = []
    for message in messages:
        event = tau_bench.event(message, agent="agent")
        if event.role == "user" and (folder := _FOLDER.search(event.text)):
            cwd = folder[1]
        if event.role == "tool":
            event = replace(event, is_error=_is_error(event.text))
            if unanswered and not event.is_error:
                texts = _after(unanswered[0], texts)
            unanswered = unanswered[1:]
        calls = []
        for call in event.calls:
            command = call.arguments.get("command")
            if call.tool in EDITORS:
                call = edited(call)
            elif call.tool in SHELLS and isinstance(command, str):
                call, reading = run_in_shell(call, command, cwd, texts)
                cwd, texts = reading.cwd, reading.texts
            calls.append(call)
        unanswered = calls or unanswered
        yield replace(event, calls=tuple(calls))


def _after(call: Call, texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return the texts of files after a call that did what it should."""
    edit = call.edit
    if edit is None:
        return texts
    known = texts.get(edit.path) if edit.old is not None else None
    if call.arguments.get("command") == "create":
        known = edit.new
    elif known is not None and edit.old is not None:
        known = known.replace(edit.old, edit.new or "", 1)
    others = {path: text for path, text in texts.items() if path != edit.path}
    return others if known is None else {**others, edit.path: known}


def _is_error(text: str) -> bool:
    ends = _EXIT.findall(text[-200:])
    return bool(_ERROR.match(text)) or bool(ends and ends[-1] != ("0", ""))


CORPUS = Corpus(
    name="openhands",
    title="OpenHands on SWE-bench Verified, and a sample of SWE-Gym",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=False,
    label_process="outcome",
    has_both_outcomes=True,
    label_rule="`outcome.resolved` from the evaluation report; `resolved` in SWE-Gym records.",
    identity_rule=(
        "A run is `run_id`; in SWE-Gym records, where that is a tag of the sampling, tag, task and "
        "a digest of the messages. A task is the upstream `instance_id`, without a copy number."
    ),
    shards=("**/*.jsonl*",),
    read=read,
    step_form="call",
    fold_salt=42,
    published_rule="last_on_file",
    min_steps=2,
)
