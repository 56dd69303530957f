"""Which operands of common commands are files, and whether they are read or written."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Access: TypeAlias = Literal["read", "write"]
Word: TypeAlias = str | None
"""A word of a command line; ``None`` where it is known only when the command runs."""

Named: TypeAlias = Iterator[tuple[str, Access]]


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


def _usage(
    valued: str = "",
    leading: int = 0,
    *,
    access: Access = "read",
    given: str = "",
    in_place: str = "",
    deep: str = "",
    folders: bool = False,
) -> Usage:
    sets = (frozenset(text.split()) for text in (valued, given, in_place, deep))
    options, supplied, written, recursive = sets
    return Usage(
        access=access,
        valued=options,
        leading=leading,
        supplied_by=supplied,
        written_with=written,
        deep_with=recursive,
        may_be_folders=folders,
    )


_GREP = _usage(
    "e f m A B C d D --regexp --file --include --exclude --exclude-dir --max-count --context",
    1,
    given="e f --regexp --file",
    deep="r R --recursive --dereference-recursive",
)
_PLAIN = _usage()
_CHECKER = _usage("k m n p c --tb --config --maxfail", folders=True)

USAGES = {
    **dict.fromkeys(("cat", "tac", "rev", "wc", "md5sum", "sha1sum", "sha256sum", "cmp"), _PLAIN),
    **dict.fromkeys(("less", "more", "strings", "column", "source", ".", "py_compile"), _PLAIN),
    **dict.fromkeys(("head", "tail"), _usage("n c --lines --bytes")),
    **dict.fromkeys(("grep", "egrep", "fgrep"), _GREP),
    **dict.fromkeys(("awk", "gawk", "mawk"), _usage("F v f", 1, given="f")),
    **dict.fromkeys(("pytest", "pylint", "flake8", "mypy", "unittest"), _CHECKER),
    "rg": _usage("e f m A B C g t T", 1, given="e f", folders=True),
    "nl": _usage("b d f h i l n s v w"),
    "sed": _usage("e f l --expression --file", 1, given="e f --expression --file",
                  in_place="i --in-place"),
    "perl": _usage("e E I M", 1, given="e E", in_place="i"),
    "sort": _usage("k t o S T"),
    "uniq": _usage("f s w"),
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

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]*$")

COPIES = frozenset({"cp", "mv", "ln", "install"})
SHELLS = frozenset({"bash", "sh", "zsh"})
TAKES_VALUE = frozenset({"-W", "-X", "-o"})
"""Options of an interpreter that take the next word."""

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


def split(words: Sequence[Word], valued: frozenset[str]) -> tuple[frozenset[str], list[Word]]:
    """Split what follows a command's name into options and operands, as getopt would.

    Example:
        >>> options, operands = split(["-rnA", "3", "--include=x", "a", "--", "-b"], {"A"})
        >>> sorted(options), operands
        (['--include', 'A', 'n', 'r'], ['a', '-b'])
    """
    options: set[str] = set()
    operands: list[Word] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands.extend(rest)
        elif word is None or word == "-" or not word.startswith("-"):
            operands.append(word)
        elif word.startswith("--"):
            name, has_value, _ = word.partition("=")
            options.add(name)
            if name in valued and not has_value:
                next(rest, None)
        else:
            for at, letter in enumerate(word[1:], start=2):
                options.add(letter)
                if letter in valued and at == len(word):
                    next(rest, None)
                if letter in valued or letter == "i":  # ``sed -i.bak``: the rest is its suffix
                    break
    return frozenset(options), operands


def unwrapped(words: Sequence[Word]) -> Sequence[Word]:
    """Return a command line without ``sudo``, ``timeout 60``, ``env A=1`` and the like before it.

    Example:
        >>> unwrapped(["sudo", "-u", "root", "timeout", "60", "cat", "a"])
        ['cat', 'a']
    """
    while words and (usage := WRAPPERS.get(posixpath.basename(words[0] or ""))):
        _, operands = _until_operand(words[1:], usage)
        words = operands[usage.leading :]
        while words and "=" in (words[0] or ""):
            words = words[1:]
    return words


def _until_operand(words: Sequence[Word], usage: Usage) -> tuple[Sequence[Word], Sequence[Word]]:
    """Split at the first operand: what follows has options of its own."""
    for at, word in enumerate(words):
        if len(split(words[: at + 1], usage.valued)[1]) == 1:
            return words[:at], [word, *words[at + 1 :]]
    return words, []


def named_files(words: Sequence[Word]) -> Named:
    """Yield the files that a command line names, with how it accesses them.

    Example:
        >>> list(named_files(["sed", "-i", "s/a/b/", "x.py"]))
        [('x.py', 'write')]
        >>> list(named_files(["grep", "-rn", "word", "src", "setup.py"]))
        [('setup.py', 'read')]
    """
    words = unwrapped(words)
    command = posixpath.basename(words[0] or "") if words else ""
    if command in USAGES:
        yield from _operands(USAGES[command], words[1:])
    elif command in COPIES:
        yield from _copied(command, words[1:])
    elif command == "git":
        yield from _git(words[1:])
    elif command == "patch":
        yield from _patched(words[1:])
    elif (script := script_of(words)) is not None:
        yield from _files([script], "read")
    elif command.startswith("python") and "-m" in words[1:-1]:
        yield from named_files(words[list(words).index("-m") + 1 :])


def script_of(words: Sequence[Word]) -> str | None:
    """Return the script that a command line runs, a Python or shell program in a file of its own.

    Example:
        >>> script_of(["python3", "-u", "-W", "error", "run.py", "-c", "x"]), script_of(["./go.sh"])
        ('run.py', './go.sh')
        >>> script_of(["python", "-m", "pytest", "a.py"]), script_of(["bash", "-lc", "ls"])
        (None, None)
    """
    first = words[0] or "" if words else ""
    if not _is_interpreter(first):
        is_path = first.startswith(("./", "/", "../"))
        return first if is_path and _has_suffix(first) else None
    rest = iter(words[1:])
    for word in rest:
        if word is None or word in ("-", "-m") or _gives_program(word):
            return None
        if word in TAKES_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return None


def inline_program(words: Sequence[Word]) -> Word:
    """Return the program that a command line holds after ``-c``.

    Example:
        >>> inline_program(["bash", "-lc", "ls"]), inline_program(["python", "a.py", "-c", "x"])
        ('ls', None)
    """
    rest = iter(words[1:])
    for word in rest:
        if word is None or not word.startswith("-") or word == "-m":
            return None
        if word in TAKES_VALUE:
            next(rest, None)
        elif _gives_program(word):
            return next(rest, None)
    return None


def _is_interpreter(word: str) -> bool:
    command = posixpath.basename(word)
    return command in SHELLS or command.startswith("python")


def _gives_program(word: str) -> bool:
    return word.startswith("-") and not word.startswith("--") and word.endswith("c")


def _operands(usage: Usage, words: Sequence[Word]) -> Named:
    options, operands = split(words, usage.valued)
    leading = 0 if options & usage.supplied_by else usage.leading
    access: Access = "write" if options & usage.written_with else usage.access
    may_be_folders = usage.may_be_folders or options & usage.deep_with
    for path, _ in _files(operands[leading:], access):
        path = path.partition("::")[0]
        if not may_be_folders or _has_suffix(path):
            yield path, access


def _files(words: Sequence[Word], access: Access) -> Named:
    for word in words:
        if word not in (None, "", "-", ".", ".."):
            yield str(word), access


def _has_suffix(path: str) -> bool:
    """Return whether a name looks like a file's; that of a folder may end in a version number."""
    return _SUFFIX.search(path) is not None


def _copied(command: str, words: Sequence[Word]) -> Named:
    options, operands = split(words, frozenset({"t", "S", "m", "o", "g"}))
    if "t" in options or len(operands) < 2:
        return
    *sources, target = operands
    if command != "ln":
        yield from _files(sources, "write" if command == "mv" else "read")
    if target is None:
        return
    is_folder = len(sources) > 1 or target.endswith("/") or target in (".", "..")
    for source in sources if is_folder else [target]:
        if source is not None:
            path = posixpath.join(target, posixpath.basename(source)) if is_folder else target
            yield path, "write"


def _git(words: Sequence[Word]) -> Named:
    _, operands = split(words, frozenset({"C", "c", "n", "b", "U", "s", "m"}))
    if not operands:
        return
    action, *named = operands
    files = [word for word in named if word and _has_suffix(word) and ".." not in word]
    if action in ("checkout", "restore", "rm"):
        yield from _files([word for word in files if ":" not in word], "write")
    elif action == "mv":
        yield from _copied("mv", words[1:])
    elif action in ("diff", "blame", "add", "apply", "am"):
        yield from _files(files, "read")


def _patched(words: Sequence[Word]) -> Named:
    options, operands = split(words, frozenset({"p", "i", "d", "o", "F"}))
    yield from _files(operands[:1], "write")
    yield from _files([] if "i" in options else operands[1:2], "read")
