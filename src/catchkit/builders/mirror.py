"""Reads files of a git repository at one commit without checking anything out."""

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from re import fullmatch, search

from catchkit.builders.material import Skipped
from catchkit.builders.untrusted import MAX_BYTES
from catchkit.errors import SourceError

GIT_SECONDS = 120
MAX_TOTAL_BYTES = 256 * 1024 * 1024

# A repository that nobody vouches for brings its own configuration. Nothing below runs a hook,
# a filter, a pager or a helper, asks for a password, or fetches what is missing.
_QUIET = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_HARMLESS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    blob: str
    size: int | None
    """``None`` where the repository lists the file and lacks its content."""


def read_commit(
    repository: Path, commit: str, wants: Callable[[str], bool]
) -> tuple[dict[str, bytes], list[Skipped]]:
    """Return the wanted files of a commit by path, and what was left out and why.

    Args:
        repository: A bare repository, or a checkout, which is read as its repository.
        commit: The full hash, 40 hexadecimal digits.
        wants: Says of a path whether the file is read.

    Raises:
        SourceError: It is no repository, lacks the commit, or is too large.
    """
    if not fullmatch("[0-9a-f]{40}", commit):
        raise SourceError(f"{repository}: {commit!r} is no full commit hash of 40 digits")
    listed = _git(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    wanted = [entry for entry in _entries(listed) if wants(entry.path)]
    kept = [entry for entry in wanted if entry.size is not None and entry.size <= MAX_BYTES]
    if sum(entry.size or 0 for entry in kept) > MAX_TOTAL_BYTES:
        raise SourceError(f"{repository}: more than {MAX_TOTAL_BYTES} bytes")
    asked = "".join(f"{entry.blob}\n" for entry in kept).encode()
    answer = _git(repository, "cat-file", "--batch", stdin=asked) if kept else b""
    left = [Skipped(entry.path, _why_left(entry)) for entry in wanted if entry not in kept]
    return _contents(kept, answer), left


def github_name(repository: Path) -> str | None:
    """Return owner and name of the GitHub repository that a copy was made of, where it says so."""
    try:
        url = _git(repository, "config", "--get", "remote.origin.url").decode("utf-8", "replace")
    except SourceError:
        return None
    found = search(r"github\.com[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?\s*$", url)
    return found.group(1) if found else None


def _why_left(entry: _Entry) -> str:
    return "file not in the repository copy" if entry.size is None else "file too large"


def _entries(listed: bytes) -> Iterator[_Entry]:
    """Read ``ls-tree -z -l``: mode, kind, hash and size, a tab, the path; files only."""
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, kind, blob, size = about.decode("ascii").split()
        if kind == "blob" and mode.startswith("100"):
            known = int(size) if size.isdecimal() else None
            yield _Entry(path.decode("utf-8", "replace"), blob, known)


def _contents(entries: list[_Entry], answer: bytes) -> dict[str, bytes]:
    """Read ``cat-file --batch``: a line with hash, kind and size, the bytes, a line end."""
    files = {}
    at = 0
    for entry in entries:
        start = answer.index(b"\n", at) + 1
        at = start + (entry.size or 0) + 1
        files[entry.path] = answer[start : at - 1]
    return files


def _git(repository: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    folder = repository.resolve()
    trusted = ("-c", f"safe.directory={folder}", "-c", f"safe.directory={folder / '.git'}")
    place = ("-C", str(folder))
    # A folder that is no repository must not lead to the one it lies in.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    try:
        done = subprocess.run(
            ["git", *trusted, *_HARMLESS, *place, *arguments],
            input=stdin,
            capture_output=True,
            timeout=GIT_SECONDS,
            env={"PATH": os.environ.get("PATH", os.defpath), **_QUIET, **ceiling},
            check=False,
        )
    except FileNotFoundError:
        raise SourceError("git is not installed, and a repository cannot be read without") from None
    except subprocess.TimeoutExpired:
        raise SourceError(f"{repository}: git takes longer than {GIT_SECONDS} seconds") from None
    if done.returncode != 0:
        why = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
        raise SourceError(f"{repository}: git cannot read it ({why})")
    return done.stdout
