"""Turns the place a user names into materials: a folder, an archive, a repository, an address."""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from catchkit.builders.archive import read_zip
from catchkit.builders.licenses import is_license, license_of
from catchkit.builders.material import NO_COMMIT, NO_LICENSE, Material, Skipped
from catchkit.builders.mirror import github_name, read_commit
from catchkit.builders.untrusted import MAX_BYTES, printable, read_json
from catchkit.builders.web import MAX_ANSWER_BYTES, address
from catchkit.errors import SourceError, UsageError
from catchkit.loaders.files import inside

LISTING = "MANIFEST.json"
"""A list that says of each file of a folder where it comes from."""

_NAMED = re.compile(r"([\w.-]+/[\w.-]+)=")
_AT_COMMIT = re.compile(r"@([0-9a-f]{40})\Z")
MAX_FOLDER_BYTES = 1024 * 1024 * 1024

Wants = Callable[[str], bool]
Get = Callable[[str], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where to read, and what its records name as their origin."""

    where: str
    """A folder, a zip archive, a file, a repository or an http(s) address."""

    repo: str | None = None
    """Repository to name; by default what a listing, the address or the folder name says."""

    commit: str | None = None
    """Revision; what a git repository is read at."""

    license: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Place":
        """Read ``[OWNER/NAME=]PATH``, ``URL`` or ``REPOSITORY@COMMIT``.

        Example:
            >>> place = Place.parse("owner/name=mirrors/one.git@" + "0" * 40)
            >>> place.repo, place.where, place.commit == "0" * 40
            ('owner/name', 'mirrors/one.git', True)
        """
        named, at_commit = _NAMED.match(text), _AT_COMMIT.search(text)
        return cls(
            where=text[named.end() if named else 0 : at_commit.start() if at_commit else None],
            repo=named[1] if named else None,
            commit=at_commit[1] if at_commit else None,
        )

    @property
    def is_remote(self) -> bool:
        """Whether reading it contacts a host."""
        return self.where.lower().startswith(("http://", "https://"))

    @property
    def shown(self) -> str:
        """A name that gives away nothing but the last part of a path, or host and path."""
        if self.is_remote:
            parts = address(self.where)
            return f"{parts.hostname}{parts.path}".rstrip("/")
        return Path(self.where).resolve().name.removesuffix(".git")


def materials(place: Place, wants: Wants, get: Get) -> Iterator[Material | Skipped]:
    """Yield the wanted files of a place, one material per origin, and what was left out.

    Args:
        place: Where to read.
        wants: Says of a path whether the source reads it.
        get: Fetches an address; called only when the place is one.

    Raises:
        SourceError: The place cannot be read.
        UsageError: There is no such place.
    """
    if place.is_remote:
        return _from_content(place, get(place.where), wants)
    path = Path(place.where)
    if os.path.isfile(path):  # noqa: PTH113 - unlike a Path it answers for a name too long
        return _from_content(place, _read_file(path, MAX_ANSWER_BYTES), wants)
    if not os.path.isdir(path):  # noqa: PTH112 - the same
        raise UsageError(f"there is no file or folder {path}")
    if place.commit is not None and _is_repository(path):
        return _from_repository(place, path, place.commit, wants)
    if (path / LISTING).is_file():
        return _from_listing(path, wants)
    return _from_folder(place, path, wants)


def _from_content(place: Place, data: bytes, wants: Wants) -> Iterator[Material | Skipped]:
    """Read one file: an archive by its first bytes, else a document named like the place."""
    parts = address(place.where) if place.is_remote else None
    name = PurePosixPath(unquote(parts.path)).name if parts else Path(place.where).name
    if data.startswith(b"PK\x03\x04"):
        files, left = read_zip(data, place.where, _or_license(wants))
        yield from left
        yield _material(place, place.shown, files, wants)
    else:
        # A single file that somebody names is meant, whatever its name.
        yield _material(place, place.shown, {name or "index": data}, lambda _: True)


def _from_repository(
    place: Place, path: Path, commit: str, wants: Wants
) -> Iterator[Material | Skipped]:
    files, left = read_commit(path, commit, _or_license(wants))
    yield from left
    yield _material(place, github_name(path) or place.shown, files, wants)


def _from_folder(place: Place, path: Path, wants: Wants) -> Iterator[Material | Skipped]:
    files = {}
    room = MAX_FOLDER_BYTES
    for file in _walk(path):
        name = file.relative_to(path).as_posix()
        if not _or_license(wants)(name):
            continue
        if problem := _problem_of(file, name):
            yield Skipped(printable(name), problem)
            continue
        files[name] = _read_file(file)
        room -= len(files[name])
        if room < 0:
            raise SourceError(f"{path}: more than {MAX_FOLDER_BYTES} bytes to read")
    yield _material(place, place.shown, files, wants)


def _walk(path: Path) -> Iterator[Path]:
    """Yield the files of a folder in order, following no link."""

    def refuse(problem: OSError) -> None:
        raise SourceError(f"{problem.filename}: cannot be read ({problem.strerror})")

    for folder, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not (Path(folder) / name).is_symlink())
        yield from (Path(folder) / name for name in sorted(names))


def _problem_of(file: Path, name: str) -> str | None:
    """Return why a file of a folder is not read, ``None`` when it is."""
    if file.is_symlink() or not file.is_file():
        return "not a plain file"
    if file.stat().st_size > MAX_BYTES:
        return "file too large"
    # A name that is not UTF-8 on disk could not be written into a record.
    writable = name == name.encode("utf-8", "replace").decode()
    return None if writable else "file name unreadable"


def _from_listing(path: Path, wants: Wants) -> Iterator[Material | Skipped]:
    """Read a folder whose listing names repository, commit, path, licence and hash of each file."""
    origins: dict[tuple[str, str, str], list[tuple[str, str, bytes]]] = defaultdict(list)
    for entry in _listed(path / LISTING):
        if not wants(entry["file"]):
            continue
        file = inside(path, entry["file"])
        if not file.is_file():
            yield Skipped(entry["file"], "listed file missing")
            continue
        data = _read_file(file)
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            yield Skipped(entry["file"], "listed file changed")
            continue
        # A copy with the same bytes in another repository is listed with where they come from.
        repo, commit, upstream = (
            entry.get(f"upstream_{key}", entry[key]) for key in ("repo", "commit", "path")
        )
        origins[repo, commit, entry["license"]].append((entry["file"], upstream, data))
    for (repo, commit, spdx), found in origins.items():
        unique = len({path for _, path, _ in found}) == len(found)
        files = {path if unique else file: data for file, path, data in found}
        yield Material(repo=repo, commit=commit, license=spdx, files=files)


def _listed(path: Path) -> list[dict[str, str]]:
    entries = read_json(_read_file(path), str(path))
    keys = ("file", "repo", "commit", "path", "license", "sha256")
    for entry in entries if isinstance(entries, list) else [None]:
        if not isinstance(entry, dict) or not all(isinstance(entry.get(k), str) for k in keys):
            raise SourceError(f"{path}: every entry needs {', '.join(keys)}")
    return list(entries)


def _read_file(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    try:
        if path.stat().st_size > max_bytes:
            raise SourceError(f"{path}: larger than {max_bytes} bytes")
        return path.read_bytes()
    except OSError as problem:
        raise SourceError(f"{path}: cannot be read ({problem.strerror})") from None


def _material(place: Place, repo: str, files: dict[str, bytes], wants: Wants) -> Material:
    return Material(
        repo=place.repo or repo,
        commit=place.commit or NO_COMMIT,
        license=place.license or license_of(files) or NO_LICENSE,
        files={name: data for name, data in files.items() if wants(name)},
    )


def _or_license(wants: Wants) -> Wants:
    return lambda path: wants(path) or is_license(path)


def _is_repository(path: Path) -> bool:
    return (path / ".git").exists() or all((path / name).exists() for name in ("HEAD", "objects"))
