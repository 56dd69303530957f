"""Reads the words of a parsed shell command as the command will see them."""

import re
from typing import TYPE_CHECKING

from catchkit.builders.commands import Word

if TYPE_CHECKING:  # an optional library
    from tree_sitter import Node

EXPANSIONS = frozenset({"simple_expansion", "expansion"})

_UNKNOWN = re.compile(r"(?<!\\)[*?\[{}]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_QUOTED_ESCAPE = re.compile(r'\\([$`"\\\n])')


class Words:
    """The text under the nodes of one parsed command."""

    def __init__(self, source: bytes, values: dict[str, str]) -> None:
        self._source = source
        self._values = values
        """Variables whose value is written out in the command, as of now."""

    def text(self, node: "Node") -> str:
        """Return the source of a node."""
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def word(self, node: "Node") -> Word:
        """Return a word without its quotation; ``None`` where syntax does not tell."""
        text = self.text(node)
        match node.type:
            case "word" | "number" | "extglob_pattern" | "variable_name":
                return None if _UNKNOWN.search(text) else _ESCAPE.sub(r"\1", text)
            case "command_name":
                return self.word(node.named_children[0]) if node.named_children else text
            case "raw_string":
                return text[1:-1]
            case "ansi_c_string":
                return None if "\\" in text else text[2:-1]
            case "string":
                return self._quoted(node)
            case "concatenation":
                return _joined([self.word(child) for child in node.named_children])
            case kind if kind in EXPANSIONS:
                return self._values.get(text.strip("${}"))
            case _:
                return None

    def document(self, redirect: "Node") -> str:
        """Return the body of a here-document or here-string; empty for another redirection."""
        parts = redirect.named_children
        if redirect.type == "herestring_redirect":
            return "".join(self.word(part) or "" for part in parts)
        return next((self.text(part) for part in parts if part.type == "heredoc_body"), "")

    def _quoted(self, node: "Node") -> Word:
        """Return a double-quoted string: the parser leaves out blanks between its parts."""
        at = node.start_byte + 1
        parts: list[Word] = []
        for child in node.named_children:
            if child.type != "string_content":
                parts += [self._plain(at, child.start_byte), self.word(child)]
                at = child.end_byte
        return _joined([*parts, self._plain(at, node.end_byte - 1)])

    def _plain(self, start: int, end: int) -> str:
        text = self._source[start:end].decode("utf-8", "replace")
        return _QUOTED_ESCAPE.sub(lambda found: found[1].replace("\n", ""), text)


def _joined(parts: list[Word]) -> Word:
    return None if None in parts else "".join(map(str, parts))
