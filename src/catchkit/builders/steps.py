"""Turns the events of a record into steps."""

from dataclasses import dataclass
from typing import Literal

from catchkit.builders.record import RecordEvent, TraceRecord

StepForm = Literal["message", "call", "result"]
Kind = Literal["decision", "tool_call"]

AGENT, ENVIRONMENT = "agent", "env"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run."""

    kind: Kind
    actor: str
    tool: str | None
    call: int | None
    """Position of the call among the events, for a tool call that has one."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a run and where each event went."""

    steps: tuple[Step, ...]
    step_of: tuple[int | None, ...]
    """Per event the step that it is a part of; ``None`` for one that is no part of any."""


def steps_of(record: TraceRecord, form: StepForm) -> Steps:
    """Return the steps of a run.

    Args:
        record: The run.
        form: ``message``: every message and result. ``call``: an assistant message is a decision,
            then each of its calls a tool call. ``result``: a user or assistant message is a
            decision, a result a tool call. System messages make no step in any form.
    """
    steps: list[Step] = []
    step_of: list[int | None] = [None] * len(record.events)
    for at, event in enumerate(record.events):
        if (step := _step(event, at, form)) is not None:
            step_of[at] = len(steps)
            steps.append(step)
    for at, event in enumerate(record.events):
        if event.kind == "result" and event.pair is not None:
            if step_of[at] is None:
                step_of[at] = step_of[event.pair]
            elif step_of[event.pair] is None:
                step_of[event.pair] = step_of[at]
    return Steps(tuple(steps), tuple(step_of))


def _step(event: RecordEvent, at: int, form: StepForm) -> Step | None:
    if event.role == "system":
        return None
    match form, event.kind:
        case "call", "message" if event.role == "assistant":
            return Step("decision", AGENT, None, None)
        case "call", "call":
            return Step("tool_call", ENVIRONMENT, event.tool, at)
        case "call", _:
            return None
        case _, "message":
            return Step("decision", event.actor, None, None)
        case _, "result":
            return Step("tool_call", event.actor, event.tool, event.pair)
        case _:
            return None
