"""The commands of SWE-agent's interface: an editor with one open file, else a shell."""

import posixpath
import re
import shlex
from dataclasses import dataclass

from catchkit.builders.coding import run_in_shell
from catchkit.builders.command_usages import Access
from catchkit.builders.corpus import Call, Edit, Touch

SHOWS_OPEN_FILE = frozenset({"goto", "scroll_up", "scroll_down"})
WITHOUT_FILE = frozenset({"search_dir", "find_file", "submit"})
END_OF_EDIT = "end_of_edit"

_EDIT = re.compile(r"edit\s+(\d+):(\d+)\s*$")
_FAILED = re.compile(
    r"\s*(Your proposed edit has introduced new syntax error|COMMAND FAILED TO EXECUTE|"
    r"EXECUTION TIMED OUT|No file open|Usage: |Error: |\S+: line \d+: |"
    r"(File|Directory) \S+ not found)"
)


@dataclass(frozen=True, slots=True)
class State:
    """The situation before an action."""

    open_file: str | None
    working_dir: str


def is_failure(observation: str) -> bool:
    """Return whether an observation says that the command did not do what it should.

    Example:
        >>> is_failure("File a.py not found"), is_failure("[File: /r/a.py (3 lines total)]")
        (True, False)
    """
    return _FAILED.match(observation) is not None


def call_of(action: str, state: State) -> Call:
    r"""Return an action as a call, with the files it accesses.

    Example:
        >>> call = call_of("edit 3:4\nx = 1\nend_of_edit\n", State("/r/a.py", "/r"))
        >>> call.touches[0].resource, call.edit.lines, call.edit.new
        ('/r/a.py', (3, 4), 'x = 1')
    """
    line, _, body = action.strip().partition("\n")
    words = _words(line)
    name = words[0] if words else ""
    if name == "edit":
        return _edit(line, body, state)
    if name in SHOWS_OPEN_FILE:
        return _with_file(name, words, state.open_file, "read")
    if name == "search_file":
        return _with_file(name, words, _path(words[2:3], state) or state.open_file, "read")
    if name in ("open", "create"):
        access: Access = "read" if name == "open" else "write"
        return _with_file(name, words, _path(words[1:2], state), access)
    if name in WITHOUT_FILE:
        return _with_file(name, words, None, "read")
    call, _ = run_in_shell(
        Call(tool="bash", arguments={"command": action}), action, state.working_dir
    )
    return call


def _edit(line: str, body: str, state: State) -> Call:
    """Return an edit, which acts on the open file; one without a line range does nothing."""
    text = body.rpartition(END_OF_EDIT)[0] if END_OF_EDIT in body else body
    text = text.removesuffix("\n")
    found = _EDIT.match(line)
    call = Call(tool="edit", arguments={"lines": line.removeprefix("edit").strip(), "text": text})
    if found is None or state.open_file is None:
        return call
    return Call(
        tool="edit",
        arguments=call.arguments,
        touches=(Touch(resource=state.open_file, access="write"),),
        edit=Edit(path=state.open_file, new=text, lines=(int(found[1]), int(found[2]))),
    )


def _with_file(name: str, words: list[str], path: str | None, access: Access) -> Call:
    return Call(
        tool=name,
        arguments={"operands": list(words[1:])},
        touches=(Touch(resource=path, access=access),) if path else (),
    )


def _path(words: list[str], state: State) -> str | None:
    return posixpath.normpath(posixpath.join(state.working_dir, words[0])) if words else None


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # an unpaired quotation mark
        return line.split()
