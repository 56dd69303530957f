"""Failed multi-agent runs with a human label: the split that a program composed the teams of."""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Corpus, Event, Hub, Skipped, Trace
from catchkit.builders.streams import Located, json_document, provenance, text_of, traces

REPO = "ag2ai/Agents_Failure_Attribution"
PIN = "f4d2b6da464a826580e59b3a0eae15ea2d642d7c"
EXECUTION = ("exitcode", "code output")
"""How the answer of a code executor begins, in lower case."""

_PARENTHESIS = re.compile(r"\s*\(.*\)\s*$", re.DOTALL)


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the one run of a file."""
    return traces(json_document(path), partial(_parse, provenance_of=path))


def _parse(located: Located, *, provenance_of: Path) -> Trace | Skipped:
    record = located.record
    outcome = record.get("is_correct", record.get("is_corrected"))
    if str(outcome).casefold() != "false":
        return Skipped(where=located.where, reason="not marked as failed")
    events = tuple(_event(message) for message in record["history"])
    step = int(record["mistake_step"])
    if not 0 <= step < len(events):
        return Skipped(where=located.where, reason="the labelled step is outside the run")
    source = provenance(provenance_of, repo=REPO, pin=PIN, license="MIT")
    return Trace(
        key=record_key(record),
        task_id=str(record["question_ID"]),
        model=None,
        events=events,
        failed=True,
        mistake_step=step,
        mistake_actor=str(record["mistake_agent"]),
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def record_key(record: dict[str, Any]) -> str:
    """Return the key under which judge caches know a run: a digest of its canonical JSON."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _event(message: dict[str, Any]) -> Event:
    text = text_of(message.get("content"))
    actor = actor_of(message)
    is_tool = actor == "Computer_terminal" or text.casefold().startswith(EXECUTION)
    return Event(role="tool" if is_tool else "assistant", actor=actor, text=text)


def actor_of(message: dict[str, Any]) -> str:
    """Return who speaks: the name, else the role without its stage direction.

    Example:
        >>> actor_of({"role": "Orchestrator (-> WebSurfer)"}), actor_of({"role": "human"})
        ('Orchestrator', 'human')
    """
    spoken = message.get("name") or _PARENTHESIS.sub("", str(message.get("role") or ""))
    return str(spoken) or "unknown"


CORPUS = Corpus(
    name="who_and_when",
    title="Who&When, algorithm-generated",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=False,
    label_process="human_attribution",
    has_both_outcomes=False,
    label_rule="`mistake_step`, a 0-based index into `history`, and `mistake_agent`; all failed.",
    identity_rule="A run is its record's digest, a task its `question_ID`; no model is recorded.",
    shards=("**/Algorithm-Generated/*.json",),
    read=read,
    step_form="message",
    published_rule="full_context",
    min_steps=3,
    hub=Hub(
        repo_id="Kevin355/Who_and_When",
        revision="59b9fcba1aaed7bbf206b5f4d3c68b8face2f49c",
        files=("**/Algorithm-Generated/*.json", "**/Hand-Crafted/*.json"),
    ),
)
