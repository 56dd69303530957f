"""Runs in four made-up work environments, plain or with a third party's text planted in them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Call, Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    arguments_of,
    json_lines,
    provenance,
    text_of,
    traces,
)

REPO = "sequrity-ai/agentdojo"
PIN = "7ee80b495601259176d0af7585cae17501fcc9a6"
WRITES = (
    "add_", "append_", "cancel_", "create_", "delete_", "invite_", "post_", "remove_",
    "reschedule_", "reserve_", "schedule_", "send_", "share_", "update_",
)  # fmt: skip
"""How the name of a tool begins that changes the environment."""


def is_write(tool: str) -> bool:
    """Return whether a tool changes the environment.

    Example:
        >>> is_write("send_money"), is_write("get_balance")
        (True, False)
    """
    return tool.startswith(WRITES)


def is_read(tool: str) -> bool:
    """Return whether a tool reads the environment; the clock is no part of it."""
    return not is_write(tool) and tool != "get_current_day"


def is_undisturbed(key: str) -> bool:
    """Return whether a run is a user's task without an attack.

    Example:
        >>> is_undisturbed("m/banking/user_task_0/none/none")
        True
        >>> is_undisturbed("m/banking/injection_task_0/none/none")
        False
    """
    parts = key.split("/")
    return parts[-2:-1] == ["none"] and parts[-3].startswith("user_task")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a pack, one per line."""
    source = provenance(path, repo=REPO, pin=PIN, license="MIT")
    return traces(json_lines(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    line, run = located.record, located.record["record"]
    suite, outcome = str(run["suite_name"]), run["utility"]
    model = str(line["run_id"]).partition("/")[0]  # ``pipeline_name`` may be ``local``
    return Trace(
        key=str(line["run_id"]),
        task_id=f"{suite}-{run['user_task_id']}",
        model=model,
        domain=suite,
        events=tuple(_event(message, agent=model) for message in run["messages"]),
        failed=None if outcome is None else not outcome,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _event(message: dict[str, Any], *, agent: str) -> Event:
    role, text = message["role"], text_of(message.get("content"))
    match role:
        case "tool":
            error = message.get("error")
            return Event(
                role="tool",
                actor="env",
                text=text or str(error or ""),
                call_id=message.get("tool_call_id"),
                tool=(message.get("tool_call") or {}).get("function"),
                is_error=error is not None,
            )
        case "assistant":
            calls = tuple(_call(call) for call in message.get("tool_calls") or ())
            return Event(role="assistant", actor=agent, text=text, calls=calls)
        case "system" | "user":
            return Event(role=role, actor=role, text=text)
        case _:
            raise ValueError(f"role {role!r}")


def _call(call: dict[str, Any]) -> Call:
    return Call(
        tool=str(call["function"]), arguments=arguments_of(call.get("args")), id=call.get("id")
    )


CORPUS = Corpus(
    name="agentdojo",
    title="AgentDojo: workspace, travel, banking, slack",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=True,
    synthetic_because="the benchmark's paper: its environments are filled with dummy data",
    label_process="outcome",
    has_both_outcomes=True,
    label_rule=(
        "`utility`: whether the user's task was done. `security` is another question: in an "
        "attacked run true means that the planted goal was reached."
    ),
    identity_rule=(
        "A run is `run_id` (model, suite, user task, attack, injection task), a task the suite "
        "with the user task; an attacker's goal run as a user task is a task of its own."
    ),
    shards=("**/*.jsonl*",),
    read=read,
    step_form="result",
    published_rule="write_to_reads",
    is_write=is_write,
    is_read=is_read,
    min_steps=2,
    results="yaml",
    identifier_keys=frozenset({"event_id", "file_id", "id"}),  # small numbers
    may_be_clean=is_undisturbed,
)
