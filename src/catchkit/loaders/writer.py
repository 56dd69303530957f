"""Writes a folder of tables with its manifest, whole or not at all."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from catchkit.configs import DATASET, DATASET_VERSION, config
from catchkit.errors import CatchkitError, UsageError
from catchkit.loaders.files import sha256_of
from catchkit.loaders.release import MANIFEST, ConfigEntry, FileEntry, Manifest, Release
from catchkit.loaders.swap import complete_swap, swap_in
from catchkit.loaders.tables import ROW_GROUP_ROWS, content_digest, write_table

Texts = Callable[[Release], Mapping[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A config that stands in another folder already, written by the same code."""

    source: Release
    config: str
    file: str
    """Its file in the new folder."""

    @property
    def entry(self) -> ConfigEntry:
        """The config's entry in the new folder."""
        return replace(self.source.entry(self.config), files=(self.file,))

    def put(self, folder: Path) -> FileEntry:
        """Copy the file, checked, and return its entry."""
        (name,) = self.source.entry(self.config).files
        path = self.source.checked(name)
        place = folder / self.file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        return self.source.manifest.files[name]


def write_folder(
    target: Path,
    *,
    tables: Mapping[str, pa.Table],
    parts: Mapping[str, Sequence[str]],
    sources: Mapping[str, str],
    texts: Texts = lambda _: {},
    copies: Mapping[str, Copy] = MappingProxyType({}),
    row_group_rows: int = ROW_GROUP_ROWS,
    workers: int = 1,
) -> Manifest:
    """Write tables, texts and a manifest to a folder, replacing an older one in a single step.

    Everything is written beside the target first; killed at any moment, the target is the old
    folder or the new one.

    Args:
        target: The folder; it may exist when it is empty or was written by this function.
        tables: File name below the folder -> table.
        parts: Config name -> its files in reading order.
        sources: Source or input file -> its upstream revision or pinned hash.
        texts: Given the folder as far as it is written, returns file name -> text.
        copies: Config name -> a config of one file that is taken over from another folder, byte
            for byte and with its digest.
        row_group_rows: Rows in each group of a table's file.
        workers: How many files to write at once; the bytes do not depend on it.

    Returns:
        The manifest, texts included.

    Raises:
        UsageError: The target is something that must not be replaced.
    """
    target = target.absolute()
    check_replaceable(target)
    complete_swap(target)
    _remove_abandoned(target)
    stage = target.with_name(f".{target.name}.catchkit-building-{os.getpid()}")
    stage.mkdir(parents=True)
    try:
        with ThreadPoolExecutor(workers) as pool:
            written = pool.map(
                lambda name: _write(stage / name, tables[name], row_group_rows), tables
            )
            files = dict(zip(tables, written, strict=True))
        files |= {copy.file: copy.put(stage) for copy in copies.values()}
        entries = _entries(tables, parts) | {name: copy.entry for name, copy in copies.items()}
        manifest = Manifest(
            dataset=DATASET,
            version=DATASET_VERSION,
            builder=f"catchkit {version('catchkit')}",
            configs=entries,
            files=files,
            sources=sources,
        )
        for name, text in texts(Release(stage, manifest)).items():
            (stage / name).write_text(text, "utf-8")
            files[name] = _entry(stage / name, rows=None)
        manifest = replace(manifest, files=files)
        (stage / MANIFEST).write_text(manifest.to_json(), "utf-8")
        _sync(stage)
        swap_in(stage, target)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return manifest


def check_replaceable(target: Path) -> None:
    """Raise a ``UsageError`` when the target holds something that a build did not write."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise UsageError(f"{target} is not a folder; name another one")
    if target.resolve() in (here := Path.cwd(), *here.parents):
        raise UsageError(f"{target} holds the folder this runs in; name another one")
    if not target.parent.is_dir():
        raise UsageError(f"{target.parent} is no folder; create it first")
    if target.is_dir() and any(target.iterdir()) and not _is_ours(target):
        raise UsageError(
            f"{target} holds files that no build wrote; name an empty folder or a new one"
        )


def _is_ours(target: Path) -> bool:
    try:
        return Manifest.from_json(target / MANIFEST).dataset == DATASET
    except CatchkitError:
        return False


def _remove_abandoned(target: Path) -> None:
    """Remove what builds left behind whose process is gone."""
    prefix = f".{target.name}.catchkit-building-"
    for left in target.parent.glob(f"{prefix}*"):
        process = left.name.removeprefix(prefix)
        if not process.isdecimal() or not _is_running(int(process)):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def _write(path: Path, table: pa.Table, row_group_rows: int) -> FileEntry:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_table(path, table, row_group_rows=row_group_rows)
    return _entry(path, rows=table.num_rows)


def _entry(path: Path, *, rows: int | None) -> FileEntry:
    return FileEntry(sha256=sha256_of(path), bytes=path.stat().st_size, rows=rows)


def _entries(
    tables: Mapping[str, pa.Table], parts: Mapping[str, Sequence[str]]
) -> dict[str, ConfigEntry]:
    entries = {}
    for name, names in parts.items():
        whole = pa.concat_tables([tables[file] for file in names])
        entries[name] = ConfigEntry(
            rows=whole.num_rows,
            digest=content_digest(whole),
            schema_digest=config(name).family.schema_digest,
            files=tuple(names),
        )
    return entries


def _sync(folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
