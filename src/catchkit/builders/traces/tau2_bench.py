"""Customer-service runs in which the user may hold tools too, with a reward."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.corpus import Call, Corpus, Event, Skipped, Trace
from catchkit.builders.streams import (
    UNREADABLE,
    Located,
    Provenance,
    arguments_of,
    damage,
    json_array,
    json_members,
    provenance,
    text_of,
    traces,
)
from catchkit.builders.traces import tau_bench

REPO = "sierra-research/tau2-bench"
PIN = "a2c024725189473d2d7cea3a5cfdbcc67478e41f"
WRITES = (
    "connect_", "create_", "disable_", "disconnect_", "enable_", "grant_", "make_", "reboot_",
    "refuel_", "reseat_", "reset_", "resume_", "set_", "suspend_", "toggle_",
)  # fmt: skip
"""How the name of a tool begins that changes the state, besides those of tau-bench."""

BASES = ("airline", "retail", "telecom")
"""Domains whose tasks are also run under other policies, in a domain of a longer name."""


def is_write(tool: str) -> bool:
    """Return whether a tool changes the database or the user's device.

    Example:
        >>> is_write("toggle_roaming"), is_write("book_reservation"), is_write("check_apn_settings")
        (True, True, False)
    """
    return tau_bench.is_write(tool) or tool.startswith(WRITES)


def is_read(tool: str) -> bool:
    """Return whether a tool reads them."""
    return not is_write(tool) and tau_bench.is_read(tool)


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the simulations of a results file."""
    source = provenance(path, repo=REPO, pin=PIN, license="MIT")
    try:
        head = json_members(path, without="simulations")
    except UNREADABLE:
        head = {}  # reading the simulations meets and reports the same damage
    info = head.get("info") if isinstance(head.get("info"), dict) else {}
    parse = partial(_parse, source=source, head=head, info=info or {})
    is_empty = True
    for entry in traces(json_array(path, "simulations"), parse):
        is_empty = False
        yield entry
    if is_empty:
        yield damage(path.name, ValueError("no simulations"), "not a record of this format")


def _parse(
    located: Located, *, source: Provenance, head: dict[str, Any], info: dict[str, Any]
) -> Trace | Skipped:
    run, entry = located.record, source.entry
    environment, agent = info.get("environment_info") or {}, info.get("agent_info") or {}
    domain = str(
        environment.get("domain_name") or entry.get("domain") or head.get("domain") or "unknown"
    )
    model = agent.get("llm") or entry.get("model") or head.get("model")
    reward = (run.get("reward_info") or {}).get("reward")
    return Trace(
        key=str(run["id"]),
        task_id=f"{base_domain(domain)}-{run['task_id']}",
        model=None if model is None else str(model),
        domain=domain,
        events=tuple(_event(message, agent=str(model or "agent")) for message in run["messages"]),
        failed=None if reward is None else float(reward) != 1.0,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def base_domain(domain: str) -> str:
    """Return the domain that has the same tasks under its usual policy.

    Example:
        >>> base_domain("airline_tighter_policy"), base_domain("medical_triage")
        ('airline', 'medical_triage')
    """
    return next((base for base in BASES if domain.startswith(base)), domain)


def _event(message: dict[str, Any], *, agent: str) -> Event:
    role, text = message["role"], text_of(message.get("content"))
    calls = tuple(_call(call) for call in message.get("tool_calls") or ())
    match role:
        case "tool":
            failed = message.get("error")
            return Event(
                role="tool",
                actor="env",
                text=text,
                call_id=message.get("id"),
                is_error=text.startswith("Error") if failed is None else bool(failed),
            )
        case "assistant":
            return Event(role="assistant", actor=agent, text=text, calls=calls)
        case "user":
            return Event(role="user", actor="user", text=text, calls=calls)
        case "system":
            return Event(role="system", actor="system", text=text)
        case _:
            raise ValueError(f"role {role!r}")


def _call(call: dict[str, Any]) -> Call:
    return Call(
        tool=str(call["name"]), arguments=arguments_of(call.get("arguments")), id=call.get("id")
    )


CORPUS = Corpus(
    name="tau2_bench",
    title="tau2-bench: airline, retail, telecom and variants",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=True,
    synthetic_because="the benchmark's paper: customers, orders and phone lines are generated",
    label_process="outcome",
    has_both_outcomes=True,
    label_rule="`reward_info.reward` 1.0 is success; null, of runs that never began, is unknown.",
    identity_rule=(
        "A run is the simulation's `id`, the model `info.agent_info.llm`. A task is domain and "
        "`task_id`; the same task under another policy is the same task."
    ),
    shards=("**/trajectories/*.json*",),
    read=read,
    step_form="result",
    published_rule="write_to_reads",
    is_write=is_write,
    is_read=is_read,
    min_events=3,
    min_steps=2,
    results="json",
    identifier_keys=frozenset({"reservation_id"}),
)
