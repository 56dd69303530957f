"""How the command lines of common tools are read: a table of their options."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Access: TypeAlias = Literal["read", "write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How a command line of one tool is read."""

    access: Access = "read"
    valued: frozenset[str] = frozenset()
    """Options that take the next word, or the rest of theirs, as a value."""

    leading: int = 0
    """Operands before the first file, such as a pattern."""

    supplied_by: frozenset[str] = frozenset()
    """Options that give what the leading operand otherwise gives."""

    written_with: frozenset[str] = frozenset()
    """Options under which the files are changed in place."""

    deep_with: frozenset[str] = frozenset()
    """Options under which operands may be folders; then only names with a suffix are files."""

    may_be_folders: bool = False
    """Whether they always may, likewise."""

    output: frozenset[str] = frozenset()
    """Options that name a file to write."""


def _usage(
    valued: str = "",
    leading: int = 0,
    *,
    access: Access = "read",
    given: str = "",
    in_place: str = "",
    deep: str = "",
    folders: bool = False,
    output: str = "",
) -> Usage:
    sets = (
        frozenset(text.split()) for text in (f"{valued} {output}", given, in_place, deep, output)
    )
    options, supplied, written, recursive, outputs = sets
    return Usage(
        access=access,
        valued=options,
        leading=leading,
        supplied_by=supplied,
        written_with=written,
        deep_with=recursive,
        may_be_folders=folders,
        output=outputs,
    )


NO_FILES = 1 << 30
"""Leading operands of a tool whose operands are no files."""

_GREP = _usage(
    "e f m A B C d D --regexp --file --include --exclude --exclude-dir --max-count --context",
    1,
    given="e f --regexp --file",
    deep="r R --recursive --dereference-recursive",
)
_PLAIN = _usage()
_CHECKER = _usage("k m n p c --tb --config --maxfail", folders=True)

USAGES = {
    **dict.fromkeys(("cat", "zcat", "tac", "rev", "wc", "cmp"), _PLAIN),
    **dict.fromkeys(("md5sum", "sha1sum", "sha256sum"), _PLAIN),
    **dict.fromkeys(("less", "more", "strings", "column", "source", ".", "py_compile"), _PLAIN),
    **dict.fromkeys(("head", "tail"), _usage("n c --lines --bytes")),
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep"), _GREP),
    **dict.fromkeys(("awk", "gawk", "mawk"), _usage("F v f i", 1, given="f", in_place="i")),
    **dict.fromkeys(("pytest", "pylint", "flake8", "mypy", "unittest"), _CHECKER),
    "rg": _usage("e f m A B C g t T", 1, given="e f", folders=True),
    "nl": _usage("b d f h i l n s v w"),
    "sed": _usage("e f l --expression --file", 1, given="e f --expression --file",
                  in_place="i --in-place"),
    "perl": _usage("e E I M", 1, given="e E", in_place="i"),
    "sort": _usage("k t S T", output="o --output"),
    "uniq": _usage("f s w"),
    "curl": _usage("H d X u A e b", NO_FILES, output="o --output"),
    "wget": _usage("P T t", NO_FILES, output="O --output-document"),
    "cut": _usage("b c d f"),
    "paste": _usage("d"),
    "diff": _usage("U C I L x --label", deep="r --recursive"),
    "od": _usage("A t N j w"),
    "xxd": _usage("l s c"),
    "hexdump": _usage("n s e f"),
    "base64": _usage("w"),
    "jq": _usage("f", 1, given="f"),
    "tee": _usage(access="write"),
    "touch": _usage("d r t --date --reference", access="write"),
    "truncate": _usage("s r --size --reference", access="write"),
    "unlink": _usage(access="write"),
    "rm": _usage(access="write", deep="r R --recursive"),
    "ed": _usage("p", access="write"),
}  # fmt: skip

COPIES = frozenset({"cp", "mv", "ln", "install"})
WRAPPERS = {
    "sudo": _usage("u g"),
    "env": _usage("u C S"),
    "time": _usage("f o"),
    "nohup": _PLAIN,
    "command": _PLAIN,
    "exec": _PLAIN,
    "nice": _usage("n"),
    "stdbuf": _usage("i o e"),
    "timeout": _usage("s k --signal --kill-after", 1),
    "xargs": _usage("n P I L d a s"),
}
"""Commands that run the command which follows their own options."""
