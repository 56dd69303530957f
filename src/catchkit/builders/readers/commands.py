"""Finds the commands that a SWE-agent prompt or run configuration declares."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

BASH = "bash"

BUNDLES: Mapping[str, tuple[str, ...]] = {
    "defaults": ("goto", "open", "create", "scroll_up", "scroll_down"),
    "windowed": ("goto", "open", "create", "scroll_up", "scroll_down"),
    "search": ("find_file", "search_dir", "search_file"),
    "edit_linting": ("edit",),
    "windowed_edit_linting": ("edit",),
    "edit_replace": ("edit", "insert"),
    "windowed_edit_replace": ("edit", "insert"),
    "submit": ("submit",),
}
"""Commands of a tool bundle, by the last part of its path; for a run that does not spell them."""

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_ALONE = re.compile(rf"^({_NAME}):[ \t]*$", re.MULTILINE)
_DOCUMENTED = re.compile(rf"^({_NAME}):[ \t]*\n[ \t]+(?:docstring|signature):", re.MULTILINE)
_BLOCK = re.compile(
    r"COMMANDS:(.*?)(?=\n[ \t]*\n[ \t]*Please note|^RESPONSE|^FORMAT|\Z)", re.DOTALL | re.MULTILINE
)
# A name and its arguments in brackets or quotes; the text after the dash may come lines later.
_SIGNATURE = re.compile(rf"({_NAME})(?=[ \t]*$|[ \t]+[<\[('\"]|[ \t]+-[ \t])")
_DASH = re.compile(r"(?:^|[ \t])-[ \t]")


def from_prompt(system: str) -> list[str]:
    r"""Return the commands of a system prompt, in order.

    Two layouts are known: a name alone on its line before a colon, and one line each with the
    name, its arguments, a dash and a sentence.

    Example:
        >>> from_prompt("COMMANDS:\nopen:\n  docstring: opens\nedit:\n\nRESPONSE:\nls:")
        ['open', 'edit']
        >>> from_prompt("COMMANDS:\nopen <path> - opens\nedit\n<text>\nend_of_edit - edits")
        ['open', 'edit']
    """
    found = _BLOCK.search(system)
    block = found.group(1) if found else ""
    return _unique(_ALONE.findall(block)) or _unique(_one_line_each(block))


def _one_line_each(block: str) -> Iterator[str]:
    """Yield the name that opens each entry; an entry ends with the line that holds its dash."""
    opened = ""
    for line in block.splitlines():
        if not opened and (match := _SIGNATURE.match(line)):
            opened = match.group(1)
        if opened and _DASH.search(line):
            yield opened
            opened = ""
        elif not line.strip():
            opened = ""


def from_run(tools: Mapping[str, Any], called: Iterable[str]) -> list[str]:
    """Return the commands of a function-calling run, whose prompt lists none.

    Args:
        tools: The tool part of the run's configuration; empty where the run keeps none.
        called: Names of the functions the run calls, in order.

    Example:
        >>> bundles = [{"path": "tools/search"}, {"path": "tools/submit"}]
        >>> from_run({"bundles": bundles, "enable_bash_tool": True}, ["bash", "view"])
        ['bash', 'find_file', 'search_dir', 'search_file', 'submit', 'view']
    """
    docs = tools.get("command_docs")
    if isinstance(docs, str) and (listed := _DOCUMENTED.findall(docs)):
        return _unique(listed)
    names = [BASH] if tools.get("enable_bash_tool") is True else []
    bundles = tools.get("bundles")
    for bundle in bundles if isinstance(bundles, list) else []:
        names += _bundle(bundle)
    return _unique([*names, *called])


def _bundle(bundle: object) -> Iterator[str]:
    path = bundle.get("path") if isinstance(bundle, dict) else None
    hidden = bundle.get("hidden_tools") if isinstance(bundle, dict) else None
    if isinstance(path, str):
        for name in BUNDLES.get(path.rstrip("/").rpartition("/")[2], ()):
            if not (isinstance(hidden, list) and name in hidden):
                yield name


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
