"""Files that are complete or absent, and paths that stay in their folder."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from catchkit.errors import CatchkitError, ReleaseError


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give a place to write to, and move it to ``path`` only when the block ends well.

    Raises:
        CatchkitError: ``path`` is a folder, or stands in a folder that does not exist.
    """
    if path.is_dir():
        raise CatchkitError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise CatchkitError(f"{path.parent} is no folder; create it first")
    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    try:
        yield partial
        with partial.open("rb") as stream:
            os.fsync(stream.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def inside(folder: Path, name: str) -> Path:
    """Return the file ``name`` of a folder, refusing every way out of that folder.

    Raises:
        ReleaseError: ``name`` is absolute, climbs, or passes through a link.
    """
    parts = PurePosixPath(name).parts
    climbs = name.startswith("/") or ".." in parts or "\\" in name or "\0" in name
    steps = [] if climbs else [folder.joinpath(*parts[:n]) for n in range(1, len(parts) + 1)]
    if not steps or any(step.is_symlink() for step in steps):
        raise ReleaseError(f"{folder}: the manifest names {name!r}, which leads out of the folder")
    return steps[-1]
