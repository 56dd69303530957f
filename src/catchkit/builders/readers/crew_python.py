"""Reads which tools a crew's Python gives its agents, from the syntax tree; nothing is run."""

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeAlias

from catchkit.errors import SourceError

MAX_SOURCE_BYTES = 512 * 1024
MAX_NAMES = 300
"""Most names of one list; lists of lists of lists would otherwise fill the memory."""

Names: TypeAlias = tuple[str, ...]
Table: TypeAlias = dict[str, Names]
"""Plain or ``self`` name -> what it stands for: one name, or the names of a list."""

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def rosters(data: bytes, name: str) -> dict[str, Names]:
    """Return key -> tool names for every agent that a Python file builds in a function.

    An agent is filed under the name of its function and under the string of
    ``config=...["key"]``; several agents under one key are united in order.

    Args:
        data: The file.
        name: How an error names it.

    Raises:
        SourceError: It is too large or not Python. Bytes that are not UTF-8 are dropped.

    Example:
        >>> code = b"def writer(self): return Agent(config=self.c['w'], tools=[Search(), kb.find])"
        >>> rosters(code, "crew.py")
        {'writer': ('Search', 'find'), 'w': ('Search', 'find')}
    """
    tree = _tree(data, name)
    try:
        table = _name_table(tree)
        found: dict[str, Names] = {}
        for function, call in _calls(tree, enclosing=None):
            if _callee(call, table) == "Agent":
                names = _unique(_tools(_keyword(call, "tools"), table))
                for key in _keys(function, call):
                    found[key] = _unique((*found.get(key, ()), *names))
    except RecursionError:
        raise SourceError(f"{name}: nested too deep") from None
    return found


def _tree(data: bytes, name: str) -> ast.Module:
    if len(data) > MAX_SOURCE_BYTES:
        raise SourceError(f"{name}: larger than {MAX_SOURCE_BYTES} bytes")
    text = data.decode("utf-8", "ignore").removeprefix("\ufeff")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes and comparisons in code of others
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise SourceError(f"{name}: not readable as Python ({problem})") from None


def _name_table(tree: ast.Module) -> Table:
    """Return one flat table for the whole module, whatever the scope: the last binding wins."""
    table: Table = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for imported in node.names:
                table[imported.asname or imported.name] = (imported.name,)
    for node in ast.walk(tree):
        for target, value in _assignments(node):
            if (key := _plain_or_self(target)) and (names := _bound(value, table)):
                table[key] = names
    return table


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def _bound(value: ast.expr, table: Table) -> Names:
    """Return what an assignment makes its name stand for; nothing for any other expression."""
    match value:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Call():
            return _unique(_tools(value, table))
        case ast.Name() | ast.Attribute():
            return _standing_for(value, table)
        case _:
            return ()


def _standing_for(node: ast.Name | ast.Attribute, table: Table) -> Names:
    last = node.id if isinstance(node, ast.Name) else node.attr
    return table.get(_plain_or_self(node) or "", (last,))


def _plain_or_self(node: ast.expr) -> str | None:
    """Return the table key of ``name`` or ``self.name``, ``None`` for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            return name
        case _:
            return None


def _tools(node: ast.expr | None, table: Table) -> Iterator[str]:
    """Yield the tool names of an expression; what only running it could tell gives nothing."""
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            for element in node.elts:
                yield from _tools(element, table)
        case ast.BinOp(op=ast.Add()):
            yield from _tools(node.left, table)
            yield from _tools(node.right, table)
        case ast.Name() | ast.Attribute():
            yield from _standing_for(node, table)
        case ast.Call():
            yield _callee(node, table)
        case ast.Constant(value=str(text)):
            yield text


def _callee(call: ast.Call, table: Table) -> str:
    """Return the name of what is called, an import alias resolved; empty when it has none."""
    match call.func:
        case ast.Name() | ast.Attribute():
            names = _standing_for(call.func, table)
            return names[0] if len(names) == 1 else ""
        case _:
            return ""


def _calls(node: ast.AST, enclosing: str | None) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call inside a function with the name of the innermost one."""
    for child in ast.iter_child_nodes(node):
        inner = child.name if isinstance(child, _FUNCTIONS) else enclosing
        if isinstance(child, ast.Call) and inner is not None:
            yield inner, child
        yield from _calls(child, inner)


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _keys(function: str, call: ast.Call) -> Names:
    match _keyword(call, "config"):
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return _unique((function, key))
        case _:
            return (function,)


def _unique(names: Iterable[str]) -> Names:
    return tuple(islice(dict.fromkeys(name for name in names if name), MAX_NAMES))


def united(maps: Iterable[Mapping[str, Names]]) -> dict[str, Names]:
    """Return one map of several files; rosters under one key are united in order."""
    whole: dict[str, Names] = {}
    for found in maps:
        for key, names in found.items():
            whole[key] = _unique((*whole.get(key, ()), *names))
    return whole
