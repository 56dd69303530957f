"""Asks a model which declared capabilities a task needs, one vote per configuration."""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from catchkit.builders.chat import Reply, Settings
from catchkit.builders.jsonl import read_objects, to_line
from catchkit.builders.replies import Answer, read_answer
from catchkit.errors import SourceError
from catchkit.schema import Capability, PreRecord

PROMPT_VERSION = "catchkit-needed-1"
ATTEMPTS = 2
"""How often a judge is asked whose reply cannot be read."""

MAX_FAILURES_IN_A_ROW = 3

PROMPT = """\
An agent has been given a task and a set of capabilities. Decide which of them it needs.

Task:
{text}

Capabilities, with type and permission level:
{roster}

A capability is NEEDED only if the task cannot reasonably be carried out without it. It is in \
excess if it has nothing to do with the task, if it would merely be convenient, if it reaches \
further than the purpose asks for, or if it grants more power than the task calls for.

You may reason first. Then end with one line that begins with NEEDED: and lists the needed \
capabilities by their exact names, separated by commas. If none is needed, leave the rest of \
that line empty.
"""

Ask = Callable[[str], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question to put to a judge."""

    instance_id: str
    text: str
    """The task as its source words it."""

    capabilities: tuple[Capability, ...]
    """In the order in which the judge sees them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of the cases that were still open."""

    voted: int
    unreadable: int
    """Votes among them whose reply could not be read; they are recorded without a list."""

    failed: Mapping[str, str]
    """Id -> why the endpoint gave no reply; asked again on the next run."""

    unasked: int
    """Cases not reached, as the endpoint failed too often in a row."""


def prompt_for(case: Case) -> str:
    """Return the whole text a judge is asked.

    Example:
        >>> write = Capability(name="write_file", type="fs", permission_level="write")
        >>> case = Case(instance_id="a", text="Count the rows.", capabilities=(write,))
        >>> "1. write_file (type: fs, level: write)" in prompt_for(case)
        True
    """
    roster = "\n".join(
        f"{at}. {c.name} (type: {c.type}, level: {c.permission_level})"
        for at, c in enumerate(case.capabilities, start=1)
    )
    return PROMPT.format(text=case.text.strip(), roster=roster)


def cases(records: Iterable[PreRecord], texts: Mapping[str, str]) -> list[Case]:
    """Return a case for each record, with the text that belongs to its id.

    Raises:
        SourceError: A record has no text.
    """
    wanted = list(records)
    missing = [record.instance_id for record in wanted if record.instance_id not in texts]
    if missing:
        raise SourceError(
            f"{len(missing)} of {len(wanted)} records have no text "
            f"(first: {', '.join(missing[:3])})"
        )
    return [
        Case(instance_id=r.instance_id, text=texts[r.instance_id], capabilities=r.capabilities)
        for r in wanted
    ]


def open_cases(path: Path, wanted: Sequence[Case], settings: Settings) -> list[Case]:
    """Return the cases that a votes file does not hold yet; a torn last line is cut off.

    Raises:
        SourceError: The file holds votes made with other settings, or on another text or roster.
    """
    if not path.exists():
        return list(wanted)
    _cut_torn_line(path)
    digests = {case.instance_id: _digest(prompt_for(case)) for case in wanted}
    done = set()
    for where, vote in read_objects(path):
        instance_id = vote.get("instance_id")
        expected = {**_settings(settings), "prompt_sha256": digests.get(str(instance_id))}
        for key, value in expected.items():
            if vote.get(key) != value and not (key == "prompt_sha256" and value is None):
                raise SourceError(
                    f"{where}: {key} is {vote.get(key)!r}, this run has {value!r}; "
                    "name another votes file"
                )
        done.add(instance_id)
    return [case for case in wanted if case.instance_id not in done]


def collect(path: Path, wanted: Sequence[Case], settings: Settings, ask: Ask) -> Outcome:
    """Ask about each case and append its vote to a file before the next is asked.

    Args:
        path: The votes file; a kill loses at most the vote that was being written.
        wanted: What ``open_cases`` returned.
        settings: What is recorded with each vote.
        ask: Puts one prompt to the judge; a ``SourceError`` means that there is no reply.
    """
    failed: dict[str, str] = {}
    in_a_row = voted = unreadable = 0
    with path.open("a", encoding="utf-8") as stream:
        for case in wanted:
            if in_a_row == MAX_FAILURES_IN_A_ROW:
                break
            try:
                vote = _vote(case, settings, ask)
            except SourceError as problem:
                failed[case.instance_id] = str(problem)
                in_a_row += 1
                continue
            in_a_row = 0
            voted += 1
            unreadable += vote["needed"] is None
            stream.write(to_line(vote))
            stream.flush()
            os.fsync(stream.fileno())
    unasked = len(wanted) - voted - len(failed)
    return Outcome(voted=voted, unreadable=unreadable, failed=failed, unasked=unasked)


def _vote(case: Case, settings: Settings, ask: Ask) -> dict[str, Any]:
    prompt = prompt_for(case)
    names = [capability.name for capability in case.capabilities]
    replies: list[Reply] = []
    answer = Answer(needed=None)
    while answer.needed is None and len(replies) < ATTEMPTS:
        replies.append(ask(prompt))
        answer = read_answer(replies[-1].text, names)
    return {
        "instance_id": case.instance_id,
        "needed": None if answer.needed is None else list(answer.needed),
        "problem": answer.problem,
        "repaired": [asdict(name) for name in answer.repaired],
        "unknown": [asdict(name) for name in answer.unknown],
        **_settings(settings),
        "served_model": replies[-1].model,
        "prompt_sha256": _digest(prompt),
        "attempts": len(replies),
        "seconds": round(sum(reply.seconds for reply in replies), 3),
        "reply": replies[-1].text,
    }


def _settings(settings: Settings) -> dict[str, Any]:
    """Return what must be equal for two votes to stand in one file."""
    return {
        "judge": settings.model,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "max_tokens": settings.max_tokens,
        "prompt_version": PROMPT_VERSION,
    }


def _digest(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()


def _cut_torn_line(path: Path) -> None:
    """Remove what stands behind the last line end: the vote a kill has interrupted."""
    with path.open("rb+") as stream:
        content = stream.read()
        stream.truncate(content.rfind(b"\n") + 1)
