"""Customer-service runs with tool calls and a reward from the state of the database."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Call, Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    arguments_of,
    json_array,
    provenance,
    text_of,
    traces,
)

REPO = "sierra-research/tau-bench"
PIN = "59a200c6d575d595120f1cb70fea53cef0632f6b"
WRITES = ("book_", "cancel_", "modify_", "update_", "return_", "exchange_", "send_")
"""How the name of a tool begins that changes the database."""

NO_DATABASE = frozenset({"calculate", "think", "transfer_to_human_agents", "list_all_airports"})
"""Tools that neither read nor change it."""


def is_write(tool: str) -> bool:
    """Return whether a tool changes the database.

    Example:
        >>> is_write("cancel_reservation"), is_write("get_order_details"), is_write("think")
        (True, False, False)
    """
    return tool.startswith(WRITES)


def is_read(tool: str) -> bool:
    """Return whether a tool reads the database."""
    return not is_write(tool) and tool not in NO_DATABASE


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a file, a JSON array."""
    source = provenance(path, repo=REPO, pin=PIN, license="MIT")
    return traces(json_array(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    run, stated = located.record, str(source.entry.get("model") or "")
    model = None if not stated or stated.startswith("not stated") else stated
    stem = located.path.name.split(".json")[0]
    domain = source.entry.get("domain") or ("retail" if "retail" in stem else "airline")
    return Trace(
        key=f"{stem}/{run['task_id']}/{run.get('trial', 0)}",
        task_id=f"{domain}-{run['task_id']}",
        model=model,
        domain=domain,
        events=tuple(event(message, agent=model or "agent") for message in run["traj"]),
        failed=_reward(run) != 1.0,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _reward(run: dict[str, Any]) -> float:
    """Return the reward, or its database part where a file makes it a mixture."""
    detail = (run.get("info") or {}).get("reward_info") or {}
    components = detail.get("components") or {}
    return float(components.get("base_success", run["reward"]))


def event(message: dict[str, Any], *, agent: str) -> Event:
    """Return a message in the OpenAI chat form as an event."""
    role, text = message["role"], text_of(message.get("content"))
    match role:
        case "tool":
            return Event(
                role="tool",
                actor="env",
                text=text,
                call_id=message.get("tool_call_id"),
                tool=message.get("name"),
                is_error=text.startswith("Error"),
            )
        case "assistant":
            calls = tuple(_call(call) for call in message.get("tool_calls") or ())
            return Event(role="assistant", actor=agent, text=text, calls=calls)
        case "user" | "system":
            return Event(role=role, actor=role, text=text)
        case _:
            raise ValueError(f"role {role!r}")


def _call(call: dict[str, Any]) -> Call:
    function = call["function"]
    return Call(
        tool=str(function["name"]), arguments=arguments_of(function["arguments"]), id=call.get("id")
    )


CORPUS = Corpus(
    name="tau_bench",
    title="tau-bench, airline and retail",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=True,
    synthetic_because="the benchmark's paper and code: customers, orders and flights are generated",
    label_process="outcome",
    has_both_outcomes=True,
    label_rule="`reward` 1.0 is success, or `base_success` of it where the reward is a mixture.",
    identity_rule="A run is file, `task_id` and `trial`; the model stands in the manifest.",
    shards=("**/trajectories/*.json*", "*airline*.json*", "*retail*.json*"),
    read=read,
    step_form="result",
    published_rule="write_to_reads",
    is_write=is_write,
    is_read=is_read,
    min_events=3,
    min_steps=2,
    results="json",
    identifier_keys=frozenset({"reservation_id"}),  # six letters or digits, at times letters alone
)
