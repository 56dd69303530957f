"""Reads files of a zip archive in memory; nothing is unpacked to disk."""

import io
import zipfile
from collections.abc import Callable
from pathlib import PurePosixPath

from catchkit.builders.material import Skipped
from catchkit.builders.untrusted import MAX_BYTES
from catchkit.errors import SourceError

MAX_MEMBERS = 50_000
MAX_TOTAL_BYTES = 256 * 1024 * 1024
_LINK = 0o120000
_KIND = 0o170000


def read_zip(
    data: bytes, name: str, wants: Callable[[str], bool]
) -> tuple[dict[str, bytes], list[Skipped]]:
    """Return the wanted files of an archive by path, and what was left out and why.

    The one folder that holds everything, as in an archive of a repository, is taken off.

    Args:
        data: The archive.
        name: How an error names it.
        wants: Says of a path whether the file is read.

    Raises:
        SourceError: It is no zip archive, a member leads out of it, is encrypted, appears twice
            or is a link, or the content is too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            _check(name, members)
            top = _common_folder([member.filename for member in members])
            paths = {member.filename[len(top) :]: member for member in members}
            wanted = {path: member for path, member in paths.items() if wants(path)}
            if sum(member.file_size for member in wanted.values()) > MAX_TOTAL_BYTES:
                raise SourceError(f"{name}: more than {MAX_TOTAL_BYTES} bytes unpacked")
            kept = {path: m for path, m in wanted.items() if m.file_size <= MAX_BYTES}
            left = [Skipped(path, "file too large") for path in wanted if path not in kept]
            return {path: _read(archive, member) for path, member in kept.items()}, left
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as problem:
        raise SourceError(f"{name}: not readable as a zip archive ({problem})") from None


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Read a member, no further than its header says: the header may lie."""
    with archive.open(member) as stream:
        content = stream.read(member.file_size + 1)
    if len(content) != member.file_size:
        raise ValueError(f"{member.filename} is not as long as its header says")
    return content


def _check(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise SourceError(f"{name}: more than {MAX_MEMBERS} files")
    seen = set()
    for member in members:
        path = member.filename
        parts = PurePosixPath(path).parts
        if path.startswith("/") or ".." in parts or "\\" in path or ":" in parts[0]:
            raise SourceError(f"{name}: {path!r} leads out of the archive")
        if member.external_attr >> 16 & _KIND == _LINK:
            raise SourceError(f"{name}: {path!r} is a link")
        if member.flag_bits & 1:
            raise SourceError(f"{name}: {path!r} is encrypted")
        if path in seen:
            raise SourceError(f"{name}: {path!r} appears twice")
        seen.add(path)


def _common_folder(paths: list[str]) -> str:
    """Return the first folder with its slash when every path lies in it, else nothing."""
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    top = tops.pop() if len(tops) == 1 else ""
    return f"{top}/" if top else ""
