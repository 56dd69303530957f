"""Puts a finished folder in the place of an old one in a single step."""

import ctypes
import errno
import os
import shutil
import sys
from pathlib import Path

AT_FDCWD = -100
RENAME_EXCHANGE = 2
RENAME_SWAP = 2
_NO_EXCHANGE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}


def swap_in(finished: Path, target: Path) -> None:
    """Move the folder ``finished`` to ``target``, replacing what stands there.

    At every moment ``target`` is the old folder, the new one, or (only where the system cannot
    exchange two names) absent for the time of one rename, which ``complete_swap`` then finishes.

    Args:
        finished: A complete folder beside ``target``; it is gone afterwards.
        target: Where it belongs; may exist.
    """
    if not target.exists():
        finished.rename(target)
    elif exchange(finished, target):
        shutil.rmtree(finished)
    else:
        ready, old = _ready(target), _old(target)
        finished.rename(ready)
        target.rename(old)
        complete_swap(target)
    _sync(target.parent)


def complete_swap(target: Path) -> None:
    """Finish a replacement that was cut off between its two renames; usually does nothing."""
    target = target.absolute()
    ready, old = _ready(target), _old(target)
    if not target.exists() and ready.is_dir():
        ready.rename(target)
    if target.exists():
        shutil.rmtree(ready, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step; false where the system or file system cannot.

    Raises:
        OSError: The system can, and refused for another reason.
    """
    library = ctypes.CDLL(None, use_errno=True)
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        failed = library.renamex_np(first, second, RENAME_SWAP)
    elif hasattr(library, "renameat2"):
        failed = library.renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE)
    else:
        return False
    if not failed:
        return True
    if (code := ctypes.get_errno()) in _NO_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), str(one), None, str(other))


def _ready(target: Path) -> Path:
    return target.with_name(f".{target.name}.catchkit-new")


def _old(target: Path) -> Path:
    return target.with_name(f".{target.name}.catchkit-old")


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
