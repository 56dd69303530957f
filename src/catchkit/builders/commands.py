"""Which operands of common commands are files, and whether they are read or written."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TypeAlias

from catchkit.builders.command_usages import COPIES, USAGES, WRAPPERS, Access, Usage

Word: TypeAlias = str | None
"""A word of a command line; ``None`` where it is known only when the command runs."""

Named: TypeAlias = Iterator[tuple[str, Access]]

SHELLS = frozenset({"bash", "sh", "zsh"})
TAKES_VALUE = frozenset({"-W", "-X", "-o"})
"""Options of an interpreter that take the next word."""

_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]*$")

_PLACE = re.compile(r"\+\d+")
"""A place in a file, as some viewers take it before the name."""

_LINES = re.compile(r"(\d+)(?:,(\d+))?\s*[acdirs]")


def split(
    words: Sequence[Word], valued: Set[str], suffixed: Set[str] = frozenset()
) -> tuple[dict[str, Word], list[Word]]:
    """Split what follows a command's name into options and operands, as getopt would.

    Args:
        words: The words behind the name.
        valued: Options that take a value: the rest of their word, else the next word.
        suffixed: Options that may have a value in the rest of their word only.

    Returns:
        The options with their last value, or an empty one, and the operands.

    Example:
        >>> split(["-rnA", "3", "--include=x", "a", "--", "-b"], {"A"})
        ({'r': '', 'n': '', 'A': '3', '--include': 'x'}, ['a', '-b'])
        >>> split(["-ni.bak", "a"], set(), {"i"})
        ({'n': '', 'i': '.bak'}, ['a'])
    """
    options: dict[str, Word] = {}
    operands: list[Word] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands.extend(rest)
        elif word is None or word == "-" or not word.startswith("-"):
            operands.append(word)
        elif word.startswith("--"):
            name, has_value, value = word.partition("=")
            takes_next = name in valued and not has_value
            options[name] = next(rest, None) if takes_next else value
        else:
            letters, value = _cluster(word[1:], valued, suffixed)
            options.update(dict.fromkeys(letters, ""))
            takes_next = letters[-1] in valued and not value
            options[letters[-1]] = next(rest, None) if takes_next else value
    return options, operands


def _cluster(word: str, valued: Set[str], suffixed: Set[str]) -> tuple[str, str]:
    """Split the options of one word from the value of the last of them."""
    for at, letter in enumerate(word, start=1):
        if letter in valued or letter in suffixed:
            return word[:at], word[at:]
    return word, ""


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


def edited_lines(words: Sequence[Word]) -> tuple[str, tuple[int, int]] | None:
    """Return the file and the lines that ``sed`` changes in place, where they are numbers.

    Example:
        >>> edited_lines(["sed", "-i", "3,5d", "a.py"])
        ('a.py', (3, 5))
    """
    if not words or words[0] != "sed":
        return None
    usage = USAGES["sed"]
    options, operands = split(words[1:], usage.valued, usage.written_with)
    files = [path for path, _ in _files(operands[1:], "write")]
    found = _LINES.match(operands[0] or "") if operands else None
    if usage.written_with.isdisjoint(options) or not usage.supplied_by.isdisjoint(options):
        return None
    if found is None or len(files) != 1:
        return None
    first, last = int(found[1]), int(found[2] or found[1])
    return (files[0], (first, last)) if 1 <= first <= last else None


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
    options, operands = split(words, usage.valued, usage.written_with)
    is_in_place = not usage.written_with.isdisjoint(options)
    if is_in_place and operands[:1] == [""]:  # the suffix of the copy, as some systems want it
        operands = operands[1:]
    leading = usage.leading if usage.supplied_by.isdisjoint(options) else 0
    access: Access = "write" if is_in_place else usage.access
    may_be_folders = usage.may_be_folders or not usage.deep_with.isdisjoint(options)
    for path, _ in _files(operands[leading:], access):
        path = path.partition("::")[0]
        if not may_be_folders or _has_suffix(path):
            yield path, access
    yield from _files([options.get(name) for name in sorted(usage.output)], "write")


def _files(words: Iterable[Word], access: Access) -> Named:
    for word in words:
        if word not in (None, "", "-", ".", "..") and not _PLACE.fullmatch(str(word)):
            yield str(word), access


def _has_suffix(path: str) -> bool:
    """Return whether a name looks like a file's; that of a folder may end in a version number."""
    return _SUFFIX.search(path) is not None


def _copied(command: str, words: Sequence[Word]) -> Named:
    options, operands = split(words, {"t", "S", "m", "o", "g", "--target-directory"})
    folder = options.get("t") or options.get("--target-directory")
    sources = operands if folder else operands[:-1]
    target = folder or (operands[-1] if sources else None)
    if command != "ln":
        yield from _files(sources, "write" if command == "mv" else "read")
    if target is None:
        return
    is_folder = bool(folder) or len(sources) > 1 or target.endswith("/") or target in (".", "..")
    for source in sources if is_folder else [target]:
        if source is not None:
            path = posixpath.join(target, posixpath.basename(source)) if is_folder else target
            yield path, "write"


def _git(words: Sequence[Word]) -> Named:
    _, operands = split(words, {"C", "c", "n", "b", "U", "s", "m"})
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
    options, operands = split(words, {"p", "i", "d", "o", "F"})
    yield from _files(operands[:1], "write")
    yield from _files([options["i"]] if "i" in options else operands[1:2], "read")
