"""What the readers of coding-agent corpora share: task ids, file editors, shell commands."""

import re
from collections.abc import Mapping
from dataclasses import replace

from catchkit.builders.corpus import Call, Edit, Json, Touch
from catchkit.builders.shell import ShellReading, file_accesses

EDITOR_WRITES = frozenset({"create", "str_replace", "insert", "append", "write"})
"""Commands of a ``str_replace`` editor that change the file."""

OLD_TEXT = "old_str"
"""Argument of such an editor that holds the text to replace."""

_COPY_NUMBER = re.compile(r"(?<=\d)_\d+$")
_REMARK = re.compile(r"\s*\(.*\)\s*$", re.DOTALL)


def upstream_id(instance_id: str) -> str:
    """Return a task's own id, without the copy number that a redistributor appended.

    Example:
        >>> upstream_id("dask__dask-9212_1"), upstream_id("astropy__astropy-12907")
        ('dask__dask-9212', 'astropy__astropy-12907')
    """
    return _COPY_NUMBER.sub("", instance_id)


def model_name(stated: Json) -> str | None:
    """Return a model's name without the remark in brackets behind it; ``None`` when not given.

    Example:
        >>> model_name("gpt4-0125 (SWE-agent, cost limit 2.0)")
        'gpt4-0125'
    """
    return (_REMARK.sub("", str(stated)) or None) if stated else None


def edited(call: Call) -> Call:
    """Return a call of a ``str_replace`` editor with the file it names and what it replaces.

    Example:
        >>> edited(Call(tool="edit", arguments={"command": "view", "path": "a.py"})).touches
        (Touch(resource='a.py', access='read', origin='tool'),)
    """
    given = call.arguments
    path, command = given.get("path") or given.get("file"), given.get("command")
    if not isinstance(path, str):
        return call
    is_write = command in EDITOR_WRITES
    touch = Touch(resource=path, access="write" if is_write else "read")
    old = _text(given.get(OLD_TEXT)) if command == "str_replace" else None
    new = _text(given.get("file_text" if command == "create" else "new_str"))
    edit = Edit(path=path, old=old, new=new) if is_write else None
    return replace(call, touches=(touch,), edit=edit)


def run_in_shell(
    call: Call, command: str, cwd: str | None, texts: Mapping[str, str] | None = None
) -> tuple[Call, ShellReading]:
    """Return a call of a shell with the files its command names, and what else was read there."""
    reading = file_accesses(command, cwd, texts)
    edit = reading.edits[0] if reading.edits else None
    is_unparsed = not reading.is_parsed
    return replace(call, touches=reading.touches, edit=edit, is_unparsed=is_unparsed), reading


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
