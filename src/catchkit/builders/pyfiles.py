"""Which files a short Python program opens, read from its syntax without running it."""

import ast
import posixpath
import warnings
from collections.abc import Iterator
from typing import TypeAlias

from catchkit.builders.command_usages import Access
from catchkit.builders.commands import Named

Paths: TypeAlias = tuple[str, ...]
"""What an expression may be, each a path; empty where that is known only at run time."""

READS = frozenset({"read_text", "read_bytes"})
WRITES = frozenset({"write_text", "write_bytes", "touch", "unlink"})
REMOVES = frozenset({"os.remove", "os.unlink"})
COPIES = frozenset({"shutil.copy", "shutil.copy2", "shutil.copyfile"})
MOVES = frozenset({"shutil.move", "os.rename", "os.replace"})
OPENS = frozenset({"open", "io.open", "codecs.open"})
IN_PLACE = frozenset({"fileinput.input", "fileinput.FileInput"})
PATHS = frozenset({"Path", "pathlib.Path", "PosixPath", "str", "os.fspath"})
JOINS = frozenset({"os.path.join", "posixpath.join"})


def opened_files(source: str) -> tuple[tuple[str, Access], ...] | None:
    r"""Return the files that a program names and opens, in the order of its text.

    A name stands for the text last assigned to it, or for each item of the list it loops over.

    Returns:
        Paths as the program spells them, with the access; ``None`` when it is no Python 3.

    Example:
        >>> opened_files("p = 'a.py'\nwith open(p) as f: s = f.read()\nopen(p, 'w').write(s)")
        (('a.py', 'read'), ('a.py', 'write'))
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as an escape that Python will refuse one day
            tree = ast.parse(source)
        return tuple(_Reader().accesses(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Reader:
    """Walks a program in the order of its text."""

    def __init__(self) -> None:
        self._values: dict[str, Paths] = {}

    def accesses(self, node: ast.AST) -> Named:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.For):
                self._bind([child.target], self._items(child.iter))
            yield from self.accesses(child)
        if isinstance(node, ast.Assign):
            self._bind(node.targets, self._paths(node.value))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind([node.target], self._paths(node.value))
        elif isinstance(node, ast.Call):
            yield from self._call(node)

    def _bind(self, targets: list[ast.expr], paths: Paths) -> None:
        for target in targets:
            if isinstance(target, ast.Name):
                self._values[target.id] = paths

    def _items(self, node: ast.expr) -> Paths:
        if isinstance(node, ast.List | ast.Tuple):
            return tuple(path for item in node.elts for path in self._paths(item))
        return self._paths(node)

    def _paths(self, node: ast.expr) -> Paths:
        match node:
            case ast.Constant(value=str(text)):
                return (text,)
            case ast.Name(id=name):
                return self._values.get(name, ())
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                return self._joined(left, right)
            case ast.Call(func=function, args=[first, *more]):
                if _dotted(function) in PATHS and not more:
                    return self._paths(first)
                if _dotted(function) in PATHS | JOINS:
                    return self._joined(first, *more)
            case ast.List() | ast.Tuple():
                return self._items(node)
        return ()

    def _joined(self, *parts: ast.expr) -> Paths:
        found = [self._paths(part) for part in parts]
        if any(len(paths) != 1 for paths in found):
            return ()
        return (posixpath.join(*(paths[0] for paths in found)),)

    def _call(self, call: ast.Call) -> Named:
        function, name = call.func, _dotted(call.func)
        first, second = (self._argument(call, at) for at in (0, 1))
        if name in OPENS:
            yield from _each(first, _mode(call, 1))
        elif name in IN_PLACE:
            named = first or self._keyword(call, "files")
            yield from _each(named, "write" if _is_true(call, "inplace") else "read")
        elif name in REMOVES:
            yield from _each(first, "write")
        elif name in COPIES | MOVES:
            yield from _each(first, "read" if name in COPIES else "write")
            yield from _each(second, "write")
        elif isinstance(function, ast.Attribute):
            owner = self._paths(function.value)
            if function.attr == "open":
                yield from _each(owner, _mode(call, 0))
            elif function.attr in READS | WRITES:
                yield from _each(owner, "read" if function.attr in READS else "write")

    def _argument(self, call: ast.Call, at: int) -> Paths:
        return self._paths(call.args[at]) if len(call.args) > at else ()

    def _keyword(self, call: ast.Call, name: str) -> Paths:
        return next((self._paths(k.value) for k in call.keywords if k.arg == name), ())


def _each(paths: Paths, access: Access) -> Iterator[tuple[str, Access]]:
    return ((path, access) for path in paths)


def _dotted(node: ast.expr) -> str:
    """Return a name such as ``os.path.join``; empty for any other expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            before = _dotted(value)
            return f"{before}.{attribute}" if before else ""
        case _:
            return ""


def _mode(call: ast.Call, at: int) -> Access:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    given += call.args[at : at + 1]
    mode = given[0].value if given and isinstance(given[0], ast.Constant) else "r"
    return "write" if set(str(mode)) & set("wax+") else "read"


def _is_true(call: ast.Call, name: str) -> bool:
    return any(
        k.arg == name and isinstance(k.value, ast.Constant) and bool(k.value.value)
        for k in call.keywords
    )
