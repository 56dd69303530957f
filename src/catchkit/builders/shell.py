"""Which files a shell command reads and writes, from its syntax; nothing is run.

Only names that stand in the command count: what a glob, an unknown variable or a program of unknown
text may touch is left out.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from catchkit.builders.command_usages import Access
from catchkit.builders.commands import (
    SHELLS,
    Word,
    edited_lines,
    inline_program,
    named_files,
    script_of,
    split,
    unwrapped,
)
from catchkit.builders.corpus import Edit, Touch
from catchkit.builders.pyfiles import opened_files
from catchkit.builders.shell_grammar import syntax_tree
from catchkit.builders.shell_words import Words

if TYPE_CHECKING:  # an optional library
    from tree_sitter import Node

MAX_NODES = 20_000
"""Syntax nodes visited before a command counts as unparsed: loops are unrolled."""

MAX_DEPTH = 8
"""Shells inside shells before a command counts as unparsed: a script may call itself."""

NOT_FOLLOWED = frozenset({"heredoc_body", "heredoc_start", "heredoc_end", "comment"})
LISTS = frozenset({"program", "list", "do_group", "compound_statement", "else_clause"})
OUTPUTS = frozenset({">", ">|"})

_PATCHED = re.compile(r"^\+\+\+ b/(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellReading:
    """What a shell command does with files."""

    touches: tuple[Touch, ...]
    """In the order of the command; empty when it could not be parsed."""

    edits: tuple[Edit, ...]
    """Whole files that it writes out of the command itself, and numbered lines it changes."""

    is_parsed: bool
    """Whether all of it could be parsed, programs of known text included."""

    cwd: str | None
    """The folder it leaves the shell in: empty where it began, ``None`` when unknown."""

    texts: Mapping[str, str]
    """Text of the files that are known to hold it afterwards, by resource."""


def file_accesses(
    command: str, cwd: str | None = "", texts: Mapping[str, str] | None = None
) -> ShellReading:
    """Read a shell command for the files that it names.

    Args:
        command: One or more lines of bash.
        cwd: The folder it starts in, which relative paths are joined to; empty leaves them as
            they are, ``None`` means that it is unknown, which leaves them out.
        texts: Text of files by resource, as earlier commands left them. A Python or shell script
            among them is read when the command runs it.

    Raises:
        MissingExtraError: The parser is not installed.

    Example:
        >>> reading = file_accesses("cd src && sed -i s/a/b/ x.py && cat x.py > ../out.txt")
        >>> [(touch.resource, touch.access) for touch in reading.touches]
        [('src/x.py', 'write'), ('src/x.py', 'read'), ('out.txt', 'write')]
    """
    state = _State(cwd=cwd, texts=dict(texts or {}))
    try:
        touches = tuple(_parsed(command, state))
    except RecursionError:
        state.is_parsed, touches = False, ()
        state.edits.clear()
    return ShellReading(
        touches=touches,
        edits=tuple(state.edits),
        is_parsed=state.is_parsed,
        cwd=state.cwd,
        texts=state.texts,
    )


@dataclass(slots=True, kw_only=True)
class _State:
    """What a shell knows while it runs."""

    cwd: str | None
    texts: dict[str, str]
    values: dict[str, str] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    folders: list[str | None] = field(default_factory=list)
    """Folders that it was in before."""

    is_parsed: bool = True
    visits: int = 0
    depth: int = 0

    def resource(self, path: str) -> str | None:
        """Return a path joined to the folder; ``None`` where that is unknown."""
        if self.cwd is None and not path.startswith(("/", "~")):
            return None
        return posixpath.normpath(posixpath.join(self.cwd or "", path))


def _parsed(script: str, state: _State) -> Iterator[Touch]:
    """Yield what a script touches, run in the shell of ``state``."""
    source = script.encode("utf-8", "replace")
    root = syntax_tree(source) if state.depth <= MAX_DEPTH else None
    if root is None:
        state.is_parsed = False
    else:
        yield from _Walk(Words(source, state.values), state).node(root, "")


class _Walk:
    """Follows a parsed script in the order in which the shell would run it."""

    def __init__(self, words: Words, state: _State) -> None:
        self._words = words
        self._state = state

    def node(self, node: "Node", stdin: str) -> Iterator[Touch]:
        """Yield what a part touches; ``stdin`` is the here-document that its last command reads."""
        self._state.visits += 1
        if self._state.visits > MAX_NODES:
            self._state.is_parsed = False
            return
        match node.type:
            case "command":
                yield from self._command(node, stdin)
            case "redirected_statement":
                yield from self._redirected(node, stdin)
            case "variable_assignment":
                yield from self._assignment(node)
            case "file_redirect" | "heredoc_redirect":
                yield from self._redirect(node)
            case "for_statement":
                yield from self._loop(node)
            case "pipeline" | "subshell" | "command_substitution" | "process_substitution":
                yield from self._apart(self._children(node, stdin))
            case kind if kind not in NOT_FOLLOWED:
                yield from self._children(node, stdin if kind in LISTS else "")

    def _children(self, node: "Node", stdin: str) -> Iterator[Touch]:
        for at, child in enumerate(node.named_children, start=1):
            yield from self.node(child, stdin if at == node.named_child_count else "")

    def _apart(self, touches: Iterator[Touch]) -> Iterator[Touch]:
        """Pass on what a shell of its own touches; it leaves folder and variables as they were."""
        cwd, values = self._state.cwd, dict(self._state.values)
        self._state.depth += 1
        yield from touches
        self._state.depth -= 1
        self._state.cwd = cwd
        self._state.values.clear()
        self._state.values.update(values)

    def _assignment(self, node: "Node") -> Iterator[Touch]:
        yield from self._children(node, "")
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            self._set(self._words.text(name), "" if value is None else self._words.word(value))

    def _set(self, name: str, value: Word) -> None:
        if value is None:
            self._state.values.pop(name, None)
        else:
            self._state.values[name] = value

    def _loop(self, node: "Node") -> Iterator[Touch]:
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        for value in node.children_by_field_name("value"):
            yield from self._children(value, "")
            if name is not None and body is not None and self._state.visits <= MAX_NODES:
                self._set(self._words.text(name), self._words.word(value))
                yield from self.node(body, "")

    def _redirected(self, node: "Node", stdin: str) -> Iterator[Touch]:
        body = node.child_by_field_name("body")
        redirects = node.children_by_field_name("redirect")
        document = next(filter(None, map(self._words.document, redirects)), stdin)
        # The redirections below a list belong to its last command, which may follow a ``cd``.
        is_one = body is not None and body.type == "command"
        first = [redirect for redirect in redirects if is_one and _is_input(redirect)]
        for redirect in first:
            yield from self._redirect(redirect)
        if body is not None:
            yield from self.node(body, document)
        is_copied = is_one and body is not None and self._words.text(body).strip() == "cat"
        for redirect in redirects:
            if redirect not in first:
                yield from self._redirect(redirect, document if is_copied else "")

    def _redirect(self, node: "Node", document: str = "") -> Iterator[Touch]:
        """Yield what a redirection touches; ``document`` is all that is known to go into it."""
        if node.type == "heredoc_redirect":  # what follows the marker on its line hangs below it
            for child in node.named_children:
                is_redirect = child.type.endswith("_redirect")
                inner = self._redirect(child, document) if is_redirect else self.node(child, "")
                yield from inner
            return
        yield from self._children(node, "")
        target = node.child_by_field_name("destination")
        if node.type != "file_redirect" or target is None or target.type == "number":
            return
        for touch in self._touch(self._words.word(target), "read" if _is_input(node) else "write"):
            if document and any(child.type in OUTPUTS for child in node.children):
                self._state.texts[touch.resource] = document
                self._state.edits.append(Edit(path=touch.resource, new=document))
            yield touch

    def _command(self, node: "Node", stdin: str) -> Iterator[Touch]:
        name = node.child_by_field_name("name")
        for child in node.named_children:
            if child.type.endswith("_redirect"):
                stdin = stdin or self._words.document(child)
                yield from self._redirect(child)
            else:
                yield from self._nested(child)
        if name is not None:
            parts = (name, *node.children_by_field_name("argument"))
            yield from self._run(unwrapped([self._words.word(part) for part in parts]), stdin)

    def _nested(self, node: "Node") -> Iterator[Touch]:
        """Yield what substitutions inside a word touch."""
        if node.type.endswith("_substitution"):
            yield from self.node(node, "")
        elif node.type != "variable_assignment":  # before a command it holds for that one only
            for child in node.named_children:
                yield from self._nested(child)

    def _run(self, words: Sequence[Word], stdin: str) -> Iterator[Touch]:
        command = posixpath.basename(words[0] or "") if words else ""
        script = script_of(words)
        for path, access in named_files(words):
            yield from self._touch(path, access)
        if (found := edited_lines(words)) and (target := self._state.resource(found[0])):
            self._state.edits.append(Edit(path=target, lines=found[1]))
        if command in ("cd", "pushd"):
            self._state.folders.append(self._state.cwd)
            self._change_folder(words[1:])
        elif command == "popd":
            self._state.cwd = self._state.folders.pop() if self._state.folders else None
        elif command == "patch" or list(words[:2]) == ["git", "apply"]:
            for path in _PATCHED.findall(stdin):
                yield from self._touch(path, "write")
        elif script is not None:
            text = self._state.texts.get(self._state.resource(script) or "")
            is_python = command.startswith("python") or script.endswith(".py")
            yield from self._program(text, is_python=is_python)
        elif command in SHELLS or command.startswith("python"):
            text = inline_program(words)
            is_python = command not in SHELLS
            yield from self._program(stdin if text is None else text, is_python=is_python)

    def _program(self, text: str | None, *, is_python: bool) -> Iterator[Touch]:
        """Yield what a program of known text touches."""
        if text and is_python:
            opened = opened_files(text)
            self._state.is_parsed &= opened is not None
            for path, access in opened or ():
                yield from self._touch(path, access)
        elif text:
            yield from self._apart(_parsed(text, self._state))

    def _change_folder(self, words: Sequence[Word]) -> None:
        _, operands = split(words, set())
        target = operands[0] if len(operands) == 1 else None
        if target == "-":
            self._state.cwd = self._state.folders[-2] if len(self._state.folders) > 1 else None
        elif target is None or target.startswith("~"):
            self._state.cwd = None
        elif (folder := self._state.resource(target)) is not None:
            self._state.cwd = "" if folder == "." else folder

    def _touch(self, path: Word, access: Access) -> Iterator[Touch]:
        if not path or path.startswith(("/dev/", "/proc/")):
            return
        if (resource := self._state.resource(path)) is not None:
            if access == "write":
                self._state.texts.pop(resource, None)
            yield Touch(resource=resource, access=access, origin="shell")


def _is_input(redirect: "Node") -> bool:
    return any(child.type in ("<", "<&") for child in redirect.children)
