"""Runs of moatless-tools on repository issues: a state machine, later a tree of actions."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from catchkit.builders.coding import edited, model_name
from catchkit.builders.corpus import Call, Corpus, Edit, Event, Json, Skipped, Touch, Trace
from catchkit.builders.streams import (
    Located,
    Provenance,
    json_lines,
    provenance,
    text_of,
    traces,
)

REPO = "aorwall/moatless-tools"
PIN = "91f874186e8298e5270c00a334c7a962bb4cdfad"
THOUGHTS = ("thoughts", "scratch_pad", "message")
GLOB = frozenset("*?[")


def read(path: Path) -> Iterator[Trace | Skipped]:
    """Read the runs of a pack, one per line."""
    source = provenance(path, repo=REPO, pin=PIN, license="MIT")
    return traces(json_lines(path), partial(_parse, source=source))


def _parse(located: Located, *, source: Provenance) -> Trace | Skipped:
    line, run = located.record, located.record["record"]
    resolved = line["outcome"].get("resolved")
    return Trace(
        key=str(line["run_id"]),
        task_id=str(line["instance_id"]),
        model=model_name(line.get("model")),
        events=tuple(_transitions(run) if "transitions" in run else _nodes(run)),
        failed=None if resolved is None else not resolved,
        repo=source.repo,
        commit=source.commit,
        path=source.path,
        license=source.license,
    )


def _transitions(run: dict[str, Any]) -> Iterator[Event]:
    """Yield the states of a run; a state uses the output that holds one of its inputs."""
    yield Event(role="user", actor="user", text=text_of(run.get("initial_message")))
    at = 1
    given: dict[str, tuple[Json, int]] = {}
    for transition in run["transitions"]:
        name, state = transition["name"], transition.get("state") or {}
        uses = {
            source
            for field, (value, source) in given.items()
            if value and state.get(field) == value
        }
        if not transition["actions"]:
            text = text_of(state.get("message"))
            yield Event(role="assistant", actor="agent", text=text, uses=tuple(sorted(uses)))
            at += 1
        for tried in transition["actions"]:
            action, output = tried["action"] or {}, tried.get("output") or {}
            call = _state_call(name, state, action)
            yield Event(
                role="assistant",
                actor="agent",
                text=_thought(action),
                calls=(call,),
                uses=tuple(sorted(uses)),
            )
            yield _output(name, output, tried.get("retry_message"))
            given.update((field, (value, at + 1)) for field, value in output.items())
            at += 2


def _state_call(name: str, state: dict[str, Any], action: dict[str, Any]) -> Call:
    call = Call(tool=name, arguments=action)
    path = state.get("file_path")
    match name:
        case "SearchCode":
            searches = [action, *(action.get("search_requests") or ())]
            paths = [search.get("file_pattern") for search in searches]
            return Call(tool=name, arguments=action, touches=_reads(_named(paths)))
        case "IdentifyCode":
            spans = action.get("identified_spans") or ()
            return Call(tool=name, arguments=action, touches=_reads(_files(spans)))
        case "ClarifyCodeChange" if path:
            return Call(tool=name, arguments=action, touches=_reads([path]))
        case "EditCode" if path:
            first, last = state.get("start_line"), state.get("end_line")
            edit = Edit(
                path=path,
                new=_replacement(text_of(action.get("content"))),
                lines=None if first is None or last is None else (first, last),
            )
            written = (Touch(resource=path, access="write"),)
            return Call(tool=name, arguments=action, touches=written, edit=edit)
        case _:
            return call


def _output(name: str, output: dict[str, Any], retry_message: str | None) -> Event:
    """Return what a state answers: each member of its output, texts as they are."""
    parts = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in output.values()
    ]
    is_rejected = retry_message is not None
    return Event(
        role="tool",
        actor="env",
        text="\n".join([retry_message] if retry_message is not None else parts),
        tool=name,
        is_error=is_rejected or (name == "EditCode" and "diff" not in output),
    )


def _nodes(run: dict[str, Any]) -> Iterator[Event]:
    """Yield the nodes of a run; each uses the last event of its parent."""
    yield Event(role="system", actor="system", text=text_of(run["agent"].get("system_prompt")))
    at = 1
    last_of: dict[str, int] = {}
    for node in run["nodes"]:
        parent = last_of.get(str(node.get("parent_id")))
        uses = () if parent is None else (parent,)
        produced = tuple(_node(node, uses))
        yield from produced
        at += len(produced)
        if produced or parent is not None:
            last_of[str(node["node_id"])] = at - 1 if produced else (parent or 0)


def _node(node: dict[str, Any], uses: tuple[int, ...]) -> Iterator[Event]:
    action, observation = node.get("action"), node.get("observation")
    if not action:
        if node.get("message"):
            yield Event(role="user", actor="user", text=text_of(node["message"]), uses=uses)
        return
    name = str(action["action_args_class"]).rpartition(".")[2]
    name = name.removesuffix("Arguments").removesuffix("Args").removesuffix("Action")
    call = _node_call(name, action)
    yield Event(role="assistant", actor="agent", text=_thought(action), calls=(call,), uses=uses)
    if observation:
        properties = observation.get("properties") or {}
        yield Event(
            role="tool",
            actor="env",
            text=text_of(observation.get("message")),
            tool=name,
            is_error=bool(observation.get("expect_correction") or properties.get("fail_reason")),
        )


def _node_call(name: str, action: dict[str, Any]) -> Call:
    arguments = {key: value for key, value in action.items() if key != "action_args_class"}
    call = Call(tool=name, arguments=arguments)
    if name == "Edit":
        return edited(call)
    named = _files(action.get("files") or ()) or _named([action.get("file_pattern")])
    return Call(tool=name, arguments=arguments, touches=_reads(named))


def _thought(action: dict[str, Any]) -> str:
    return next((text_of(action[name]) for name in THOUGHTS if action.get(name)), "")


def _files(spans: Iterable[dict[str, Any]]) -> list[str]:
    """Return the files of a list of spans, each once."""
    return list(dict.fromkeys(str(span["file_path"]) for span in spans))


def _named(patterns: list[str | None]) -> list[str]:
    """Return the patterns that name one file."""
    return list(dict.fromkeys(path for path in patterns if path and not GLOB & set(path)))


def _reads(paths: list[str]) -> tuple[Touch, ...]:
    return tuple(Touch(resource=path, access="read") for path in paths)


def _replacement(content: str) -> str:
    """Return the new text without the tags that some models were told to put around it."""
    return content.strip("\n").removeprefix("<replace>\n").removesuffix("\n</replace>")


CORPUS = Corpus(
    name="moatless",
    title="moatless-tools on SWE-bench Lite",
    repo=REPO,
    pin=PIN,
    license="MIT",
    is_synthetic=False,
    label_process="outcome",
    has_both_outcomes=True,
    label_rule="`outcome.resolved`, from the evaluation results; `info.status` is no outcome.",
    identity_rule="A run is `run_id`, a task the SWE-bench `instance_id`, the model `model`.",
    shards=("**/*.jsonl*",),
    read=read,
    step_form="call",
    published_rule="last_on_file",
    min_steps=2,
)
