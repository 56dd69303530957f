"""Runs as lists of chat messages in the OpenAI form: a user's own traces, with no code."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from catchkit.builders.chat_files import chat_records
from catchkit.builders.corpus import Corpus, Event, Json, Skipped, Trace
from catchkit.builders.streams import Located, Provenance, provenance, traces
from catchkit.builders.traces import agentdojo, tau2_bench, tau_bench

REPO = "local/messages"
PIN = "0" * 40
MESSAGES = ("messages", "traj", "conversation", "trajectory", "history")
IDS = ("id", "run_id", "trace_id")
TASKS = ("task_id", "instance_id", "task")
OUTCOMES = ("resolved", "success", "outcome", "reward")
ROLES = {"developer": "system", "function": "tool", "human": "user", "ai": "assistant"}
"""Other words for the four roles."""

GOOD = frozenset({"success", "succeeded", "successful", "pass", "passed", "resolved", "true"})
BAD = frozenset({"failure", "fail", "failed", "error", "unresolved", "false"})


def is_write(tool: str) -> bool:
    """Return whether a tool's name begins like one that changes something."""
    return tau2_bench.is_write(tool) or agentdojo.is_write(tool)


def is_read(tool: str) -> bool:
    """Return whether a tool may read what another one changed."""
    return not is_write(tool) and tau2_bench.is_read(tool)


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a file: JSON lines, a JSON array, or one run."""
    source = provenance(path, repo=REPO, pin=PIN, license="NOASSERTION")
    return traces(chat_records(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    record = located.record
    messages = _first(record, MESSAGES)
    if not isinstance(messages, list):
        raise TypeError(f"no list of messages under any of {', '.join(MESSAGES)}")
    events = tuple(_event(cast("dict[str, Any]", message)) for message in messages)
    key, task = _first(record, IDS), _first(record, TASKS)
    model = _first(record, ("model", "model_name"))
    asked = next((event.text for event in events if event.role == "user"), "")
    return Trace(
        key=_digest(record) if key is None else str(key),
        task_id=_digest(asked) if task is None else str(task),
        model=None if model is None else str(model),
        events=events,
        failed=is_failure(record),
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def is_failure(record: Mapping[str, Any]) -> bool | None:
    """Return whether a record says that its run failed; ``None`` when it does not say.

    Example:
        >>> is_failure({"reward": 0.5}), is_failure({"outcome": "passed"}), is_failure({})
        (True, False, None)
    """
    match _first(record, OUTCOMES):
        case bool() | int() | float() as value:
            return value < 1
        case str() as word if word.casefold() in GOOD | BAD:
            return word.casefold() in BAD
        case dict() as nested:
            return is_failure(nested)
        case _:
            return None


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Json:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _event(message: dict[str, Any]) -> Event:
    role = ROLES.get(message["role"], message["role"])
    calls = list(message.get("tool_calls") or ())
    if message.get("function_call"):  # the older form: one call, and no id
        calls.append({"function": message["function_call"]})
    usual = {**message, "role": role, "tool_calls": [_usual(call) for call in calls]}
    event = tau_bench.event(usual, agent=str(message.get("name") or "agent"))
    if role == "user" and calls:  # a user with tools of their own
        event = replace(tau_bench.event({**usual, "role": "assistant"}, agent="user"), role="user")
    return event


def _usual(call: dict[str, Any]) -> dict[str, Any]:
    """Return a call with its name and arguments under ``function``, wherever they stood."""
    function = call.get("function", call)
    name = function if isinstance(function, str) else function["name"]
    given = call if isinstance(function, str) else function
    arguments = _first(given, ("arguments", "args", "input"))
    return {"id": call.get("id"), "function": {"name": name, "arguments": arguments}}


def _digest(value: Json) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


CORPUS = Corpus(
    name="messages",
    title="Chat messages of one's own",
    repo=REPO,
    pin=PIN,
    license="NOASSERTION",
    is_synthetic=False,
    label_process="outcome",
    has_both_outcomes=True,
    label_rule=(
        "`resolved` or `success`, a word or truth value under `outcome`, or `reward`, of which "
        "1 is success; none of them is an unknown outcome."
    ),
    identity_rule=(
        "A run is `id` or `run_id`, else a digest of the record; a task is `task_id` or "
        "`instance_id`, else a digest of the first user message; the model is `model`."
    ),
    shards=("**/*.jsonl*", "**/*.ndjson*", "**/*.json", "**/*.json.gz"),
    read=read,
    step_form="result",
    published_rule="write_to_reads",
    is_write=is_write,
    is_read=is_read,
    min_steps=2,
    results="json",
)
