"""Parses shell commands.

The grammar is tree-sitter's: of the 10,678 commands of the mini-swe-agent runs it rejects 3, the
same that ``bash -n`` rejects; bashlex rejects 1,507.
"""

from functools import cache
from typing import TYPE_CHECKING

from catchkit.errors import MissingExtraError

if TYPE_CHECKING:  # an optional library
    from tree_sitter import Node, Parser

ASCII_SHADOW = bytes(byte if byte < 0x80 else ord("x") for byte in range(256))
"""What is parsed in place of a command, byte for byte: letters beyond ASCII are no syntax, and
some of them crash the scanner of tree-sitter-bash 0.25.1."""


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


def syntax_tree(source: bytes) -> "Node | None":
    """Return the root of a command's syntax; ``None`` when any of it cannot be parsed.

    Positions of the nodes are those of ``source``, their own text is not.
    """
    root = parser().parse(source.translate(ASCII_SHADOW)).root_node
    return None if root.has_error else root
