"""Which files a shell command reads and writes, from its syntax; nothing is run.

The grammar is tree-sitter's: of the 10,678 commands of the mini-swe-agent runs it rejects 3,
the same that ``bash -n`` rejects. Only names that stand in the command count: what a glob, an
unknown variable or a program given as data may touch is left out.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from catchkit.builders.commands import Access, Word, named_files, split, unwrapped
from catchkit.builders.corpus import Touch
from catchkit.builders.pyfiles import opened_files
from catchkit.errors import MissingExtraError

if TYPE_CHECKING:  # an optional library
    from tree_sitter import Node, Parser

MAX_NODES = 20_000
"""Syntax nodes visited before a command counts as unparsed: loops are unrolled."""

SHELLS = frozenset({"bash", "sh", "zsh"})
EXPANSIONS = frozenset({"simple_expansion", "expansion"})
NOT_FOLLOWED = frozenset({"heredoc_body", "heredoc_start", "heredoc_end", "comment"})
LISTS = frozenset({"program", "list", "do_group", "compound_statement", "else_clause"})

ASCII_SHADOW = bytes(byte if byte < 0x80 else ord("x") for byte in range(256))
"""What is parsed in place of a command, byte for byte: letters beyond ASCII are no syntax, and
some of them crash the grammar's scanner."""

_UNKNOWN = re.compile(r"(?<!\\)[*?\[{}]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\([$`"\\\n])')
_PATCHED = re.compile(r"^\+\+\+ b/(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellReading:
    """What a shell command does with files."""

    touches: tuple[Touch, ...]
    """In the order of the command; empty when it could not be parsed."""

    is_parsed: bool
    """Whether all of it could be parsed, a Python program given in the command included."""

    cwd: str | None
    """The folder it leaves the shell in: empty where it began, ``None`` when unknown."""


@cache
def parser() -> "Parser":
    """Return the shell parser.

    Raises:
        MissingExtraError: It is not installed.
    """
    try:
        import tree_sitter
        import tree_sitter_bash
    except ImportError as problem:
        raise MissingExtraError("tree-sitter-bash", "shell") from problem
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def file_accesses(command: str, cwd: str | None = "") -> ShellReading:
    """Read a shell command for the files that it names.

    Args:
        command: One or more lines of bash.
        cwd: The folder it starts in, which relative paths are joined to; empty leaves them as
            they are, ``None`` means that it is unknown, which leaves them out.

    Raises:
        MissingExtraError: The parser is not installed.

    Example:
        >>> reading = file_accesses("cd src && sed -i s/a/b/ x.py && cat x.py > ../out.txt")
        >>> [(touch.resource, touch.access) for touch in reading.touches]
        [('src/x.py', 'write'), ('src/x.py', 'read'), ('out.txt', 'write')]
    """
    source = command.encode("utf-8", "replace")
    tree = parser().parse(source.translate(ASCII_SHADOW))
    walk = _Walk(source, cwd)
    try:
        if not tree.root_node.has_error:
            touches = tuple(walk.node(tree.root_node, ""))
            return ShellReading(touches=touches, is_parsed=walk.is_parsed, cwd=walk.cwd)
    except RecursionError:
        pass
    return ShellReading(touches=(), is_parsed=False, cwd=cwd)


class _Walk:
    """Follows a command in the order in which the shell would run it."""

    def __init__(self, source: bytes, cwd: str | None) -> None:
        self.cwd = cwd
        self._source = source
        self.is_parsed = True
        self._values: dict[str, str] = {}
        self._visits = 0

    def node(self, node: "Node", stdin: str) -> Iterator[Touch]:
        """Yield what a part touches; ``stdin`` is the here-document that its last command reads."""
        self._visits += 1
        if self._visits > MAX_NODES:
            self.is_parsed = False
            return
        match node.type:
            case "command":
                yield from self._command(node, stdin)
            case "redirected_statement":
                yield from self._redirected(node, stdin)
            case "variable_assignment":
                yield from self._assignment(node)
            case "for_statement":
                yield from self._loop(node)
            case "pipeline" | "subshell" | "command_substitution" | "process_substitution":
                outer = self.cwd, dict(self._values)
                yield from self._children(node, stdin)
                self.cwd, self._values = outer
            case kind if kind not in NOT_FOLLOWED:
                yield from self._children(node, stdin if kind in LISTS else "")

    def _children(self, node: "Node", stdin: str) -> Iterator[Touch]:
        for at, child in enumerate(node.named_children, start=1):
            yield from self.node(child, stdin if at == node.named_child_count else "")

    def _assignment(self, node: "Node") -> Iterator[Touch]:
        yield from self._children(node, "")
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None:
            text = "" if value is None else self._word(value)
            self._set(self._text(name), text)

    def _set(self, name: str, value: Word) -> None:
        if value is None:
            self._values.pop(name, None)
        else:
            self._values[name] = value

    def _loop(self, node: "Node") -> Iterator[Touch]:
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        for value in node.children_by_field_name("value"):
            yield from self._children(value, "")
            if name is not None and body is not None and self._visits <= MAX_NODES:
                self._set(self._text(name), self._word(value))
                yield from self.node(body, "")

    def _redirected(self, node: "Node", stdin: str) -> Iterator[Touch]:
        body = node.child_by_field_name("body")
        redirects = node.children_by_field_name("redirect")
        document = next(filter(None, map(self._document, redirects)), stdin)
        # The redirections below a list belong to its last command, which may follow a ``cd``.
        is_one = body is not None and body.type == "command"
        first = [redirect for redirect in redirects if is_one and _is_input(redirect)]
        for redirect in first:
            yield from self._redirect(redirect)
        if body is not None:
            yield from self.node(body, document)
        for redirect in redirects:
            if redirect not in first:
                yield from self._redirect(redirect)

    def _redirect(self, node: "Node") -> Iterator[Touch]:
        if node.type == "heredoc_redirect":  # what follows the marker on its line hangs below it
            for child in node.named_children:
                is_redirect = child.type.endswith("_redirect")
                yield from self._redirect(child) if is_redirect else self.node(child, "")
            return
        yield from self._children(node, "")
        target = node.child_by_field_name("destination")
        if node.type != "file_redirect" or target is None or target.type == "number":
            return
        access: Access = "read" if _is_input(node) else "write"
        yield from self._touch(self._word(target), access)

    def _command(self, node: "Node", stdin: str) -> Iterator[Touch]:
        name = node.child_by_field_name("name")
        arguments = node.children_by_field_name("argument")
        for child in node.named_children:
            if child.type.endswith("_redirect"):
                stdin = stdin or self._document(child)
                yield from self._redirect(child)
            else:
                yield from self._nested(child)
        if name is not None:
            words = [self._word(part) for part in (*name.named_children, *arguments)]
            yield from self._run(unwrapped(words), stdin)

    def _nested(self, node: "Node") -> Iterator[Touch]:
        """Yield what substitutions inside a word touch."""
        if node.type.endswith("_substitution"):
            yield from self.node(node, "")
        elif node.type != "variable_assignment":  # before a command it holds for that one only
            for child in node.named_children:
                yield from self._nested(child)

    def _run(self, words: Sequence[Word], stdin: str) -> Iterator[Touch]:
        command = posixpath.basename(words[0] or "") if words else ""
        program = _program(words, stdin) if command.startswith("python") else None
        if command in ("cd", "pushd"):
            self._change_folder(words[1:])
        elif command in SHELLS and "-c" in words[:-1]:
            yield from self._inner(words[list(words).index("-c") + 1])
        elif command in SHELLS and len(words) == 1 and stdin:
            yield from self._inner(stdin)
        elif program is not None:
            opened = opened_files(program)
            self.is_parsed &= opened is not None
            for path, access in opened or ():
                yield from self._touch(path, access)
        elif command == "patch" or list(words[:2]) == ["git", "apply"]:
            for path in _PATCHED.findall(stdin):
                yield from self._touch(path, "write")
        for path, access in named_files(words):
            yield from self._touch(path, access)

    def _inner(self, script: Word) -> Iterator[Touch]:
        if script is None:
            self.is_parsed = False
            return
        reading = file_accesses(script, self.cwd)
        self.is_parsed &= reading.is_parsed
        yield from reading.touches

    def _change_folder(self, words: Sequence[Word]) -> None:
        _, operands = split(words, frozenset())
        target = operands[0] if len(operands) == 1 else None
        if target is None or target == "-" or target.startswith("~"):
            self.cwd = None
        elif target.startswith("/") or self.cwd is not None:
            joined = posixpath.normpath(posixpath.join(self.cwd or "", target))
            self.cwd = "" if joined == "." else joined

    def _touch(self, path: Word, access: Access) -> Iterator[Touch]:
        if not path or path.startswith(("/dev/", "/proc/")):
            return
        if path.startswith(("/", "~")) or self.cwd is not None:
            resource = posixpath.normpath(posixpath.join(self.cwd or "", path))
            yield Touch(resource=resource, access=access, origin="shell")

    def _word(self, node: "Node") -> Word:
        """Return a word as the command will see it; ``None`` where syntax does not tell."""
        text = self._text(node)
        match node.type:
            case "word" | "number" | "extglob_pattern" | "variable_name":
                return None if _UNKNOWN.search(text) else _ESCAPE.sub(r"\1", text)
            case "raw_string":
                return text[1:-1]
            case "ansi_c_string":
                return None if "\\" in text else text[2:-1]
            case "string":
                return self._joined(node)
            case "concatenation":
                parts = [self._word(child) for child in node.named_children]
                return None if None in parts else "".join(map(str, parts))
            case kind if kind in EXPANSIONS:
                return self._values.get(text.strip("${}"))
            case _:
                return None

    def _text(self, node: "Node") -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _document(self, redirect: "Node") -> str:
        """Return the body of a here-document; empty for any other redirection."""
        parts = redirect.named_children
        if redirect.type == "herestring_redirect":
            return "".join(self._word(part) or "" for part in parts)
        return next((self._text(part) for part in parts if part.type == "heredoc_body"), "")

    def _joined(self, node: "Node") -> Word:
        """Return a double-quoted string: the parser leaves out blanks between its parts."""
        whole, at = self._source[node.start_byte : node.end_byte], 1
        parts: list[Word] = []
        for child in (child for child in node.named_children if child.type != "string_content"):
            start, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
            parts += [_unquoted(whole[at:start]), self._word(child)]
            at = end
        parts.append(_unquoted(whole[at:-1]))
        return None if None in parts else "".join(map(str, parts))


def _unquoted(text: bytes) -> str:
    return _QUOTED_ESCAPE.sub(
        lambda found: found[1].replace("\n", ""), text.decode("utf-8", "replace")
    )


def _is_input(redirect: "Node") -> bool:
    return any(child.type in ("<", "<&") for child in redirect.children)


def _program(words: Sequence[Word], stdin: str) -> str | None:
    """Return the program that a ``python`` command line holds; ``None`` when it is elsewhere."""
    if "-c" in words[:-1]:
        return words[list(words).index("-c") + 1]
    has_script = any(word is None or not word.startswith("-") for word in words[1:])
    return stdin if stdin and not has_script and "-m" not in words else None
