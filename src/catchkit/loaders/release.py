"""A folder of tables with a manifest: the release a user built, or the packaged snapshot."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import UnionType
from typing import TypeVar, get_origin, get_type_hints

import pyarrow as pa

from catchkit.configs import config, configs
from catchkit.errors import ReleaseError
from catchkit.loaders.files import inside, sha256_of
from catchkit.loaders.swap import complete_swap
from catchkit.loaders.tables import read_table

MANIFEST = "manifest.json"
FORMAT = 1
UNFINISHED = "conversion.json"
"""The account of a conversion; without a manifest beside it, something could not be read."""

MAX_MANIFEST_BYTES = 16 * 1024 * 1024
SNAPSHOT = Path(__file__).parent.parent / "snapshots"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One file of a folder."""

    sha256: str
    bytes: int
    rows: int | None
    """Number of rows of a table; ``None`` for text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """One config of a folder."""

    rows: int
    digest: str
    """Content digest: changes exactly when a row or the schema does."""

    schema_digest: str
    files: tuple[str, ...]
    """Its files in reading order, as paths below the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a folder holds; everything a reader must know before trusting it."""

    dataset: str
    version: str
    builder: str
    """Name and version of the toolkit that wrote the folder."""

    configs: Mapping[str, ConfigEntry]
    files: Mapping[str, FileEntry]
    sources: Mapping[str, str]
    """Source or input file -> its upstream revision or pinned hash."""

    def to_json(self) -> str:
        """Return the manifest file's text."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, path: Path) -> "Manifest":
        """Read a manifest file.

        Raises:
            ReleaseError: It is missing, too large, not JSON, or not of this format.
        """
        if (path.parent / UNFINISHED).is_file() and not path.is_file():
            raise ReleaseError(
                f"{path.parent} holds a conversion that is not whole: see {UNFINISHED} in it"
            )
        if not path.is_file():
            raise ReleaseError(f"{path} is missing: {path.parent} was not written by catchkit")
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise ReleaseError(f"{path}: larger than {MAX_MANIFEST_BYTES} bytes")
        try:
            fields = json.loads(path.read_text("utf-8"))
            number = fields.pop("format")
            if number != FORMAT:
                raise ReleaseError(f"{path}: format {number!r}, this catchkit reads {FORMAT}")
            fields["configs"] = {
                name: checked_fields(ConfigEntry(**{**entry, "files": tuple(entry["files"])}))
                for name, entry in fields["configs"].items()
            }
            fields["files"] = {
                name: checked_fields(FileEntry(**entry)) for name, entry in fields["files"].items()
            }
            return checked_fields(cls(**fields))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
            raise ReleaseError(f"{path}: not a manifest ({problem})") from None


Entry = TypeVar("Entry", Manifest, ConfigEntry, FileEntry)


def checked_fields(entry: Entry) -> Entry:
    """Return an entry read from JSON after checking that each field is of its declared type.

    Raises:
        TypeError: One is not.
    """
    for name, kind in get_type_hints(type(entry)).items():
        value = getattr(entry, name)
        plain = kind if isinstance(kind, UnionType) else get_origin(kind) or kind
        if not isinstance(value, plain) or (isinstance(value, bool) and plain is not bool):
            raise TypeError(f"{name} is {value!r}")
        if isinstance(value, tuple) and not all(isinstance(one, str) for one in value):
            raise TypeError(f"{name} is {value!r}")
    return entry


@dataclass(frozen=True, slots=True)
class Release:
    """A folder whose manifest has been read; files are checked when they are read."""

    root: Path
    manifest: Manifest

    @classmethod
    def open(cls, root: Path) -> "Release":
        """Open a folder.

        Raises:
            ReleaseError: It has no readable manifest.
        """
        complete_swap(root)
        return cls(root, Manifest.from_json(root / MANIFEST))

    @property
    def described(self) -> str:
        """Which data this is, in words for a report."""
        place = "the packaged snapshot" if self.root == SNAPSHOT else str(self.root)
        return f"{place} ({self.manifest.dataset} {self.manifest.version})"

    def entry(self, name: str) -> ConfigEntry:
        """Return the manifest entry of a config.

        Raises:
            UsageError: catchkit knows no such config.
            ReleaseError: The folder does not hold it.
        """
        config(name)
        if name not in self.manifest.configs:
            raise ReleaseError(
                f"{self.root} has no config {name!r}; it holds "
                f"{', '.join(sorted(self.manifest.configs))}"
            )
        return self.manifest.configs[name]

    def table(self, name: str) -> pa.Table:
        """Return all rows of a config, after checking the hash of every file of it.

        Raises:
            UsageError: catchkit knows no such config.
            ReleaseError: A file is missing, changed, or not of the config's schema.
        """
        entry = self.entry(name)
        tables = [read_table(self.checked(file), config(name).family) for file in entry.files]
        table = pa.concat_tables(tables).combine_chunks()
        if table.num_rows != entry.rows:
            raise ReleaseError(
                f"{self.root}: config {name!r} has {table.num_rows} rows, "
                f"the manifest says {entry.rows}"
            )
        return table

    def checked(self, file: str) -> Path:
        """Return the path of a file after checking that it is the one the manifest lists.

        Raises:
            ReleaseError: It is not listed, missing, or has other bytes.
        """
        listed = self.manifest.files.get(file)
        path = inside(self.root, file)
        if listed is None:
            raise ReleaseError(f"{path}: not listed in {MANIFEST}")
        if not path.is_file():
            raise ReleaseError(f"{path}: listed in {MANIFEST} and missing")
        if (found := sha256_of(path)) != listed.sha256:
            raise ReleaseError(
                f"{path}: sha256 is {found}, {MANIFEST} says {listed.sha256}; "
                "the file was changed after the build"
            )
        return path


def locate(data: Path | None) -> Release:
    """Open the data a command works on.

    Args:
        data: A release folder; ``None`` means ``./catchbench`` where that is a release,
            else the snapshot that is part of the package.

    Raises:
        ReleaseError: The folder named, or ``./catchbench``, cannot be read.
    """
    if data is not None:
        return Release.open(data)
    built = Path("catchbench")
    complete_swap(built)
    if (built / MANIFEST).is_file():
        return Release.open(built)
    return packaged()


def packaged() -> Release:
    """Open the snapshot that is part of the package, every part of it that has its own manifest.

    Raises:
        ReleaseError: A manifest cannot be read.
    """
    whole = Release.open(SNAPSHOT).manifest
    for place in sorted(SNAPSHOT.glob(f"*/{MANIFEST}")):
        part, folder = Manifest.from_json(place), place.parent.name
        entries = {
            name: replace(entry, files=tuple(f"{folder}/{file}" for file in entry.files))
            for name, entry in part.configs.items()
        }
        files = {f"{folder}/{name}": entry for name, entry in part.files.items()}
        whole = replace(
            whole,
            configs={**whole.configs, **entries},
            files={**whole.files, **files},
            sources={**whole.sources, **part.sources},
        )
    return Release(SNAPSHOT, whole)


def known_entries(release: Release) -> dict[str, ConfigEntry]:
    """Return the configs of a folder in the order of ``catchkit.configs``."""
    held = release.manifest.configs
    return {name: held[name] for name in configs() if name in held}
