"""Checks a release folder: every hash, footer, count, record and card entry, and that it loads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.builders.convert import REPORT
from catchkit.builders.graph import TraceGraph
from catchkit.builders.tables import Row, fraction_rows, live_rows
from catchkit.cards.card import CARD, card_of, is_release
from catchkit.cards.proof import loading_faults
from catchkit.configs import PRE, Family, config, configs
from catchkit.errors import CatchkitError, RecordError, ReleaseError
from catchkit.loaders.files import inside
from catchkit.loaders.release import MANIFEST, UNFINISHED, ConfigEntry, Release, known_entries
from catchkit.loaders.tables import content_digest, read_table
from catchkit.schema import PreRecord
from catchkit.trace_configs import POST


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong with a release."""

    kind: str
    problem: str
    """Which file, row and column, and what is wrong with it."""

    more: int = 0
    """How many further faults of the kind there are."""


def verify(folder: Path) -> list[Fault]:
    """Return the first fault of each kind; an empty list means that the release is whole.

    Args:
        folder: A folder written by ``catchkit build``, ``gold`` or ``convert``. Only a release
            of ``build`` must hold every config; only a conversion has no card.

    Raises:
        ReleaseError: There is no such folder.
    """
    if not folder.is_dir():
        raise ReleaseError(f"{folder}: no such folder")
    try:
        release = Release.open(folder)
    except ReleaseError as problem:
        return [Fault(kind="manifest", problem=str(problem))]
    faults = []
    for kind, check in CHECKS.items():
        problems = list(check(release))
        if problems:
            faults.append(Fault(kind=kind, problem=problems[0], more=len(problems) - 1))
    return faults


def _hashes(release: Release) -> Iterator[str]:
    for name in release.manifest.files:
        try:
            release.checked(name)
        except ReleaseError as problem:
            yield str(problem)


def _strangers(release: Release) -> Iterator[str]:
    listed = {release.root / name for name in (*release.manifest.files, MANIFEST)}
    is_conversion = CARD not in release.manifest.files
    for path in sorted(release.root.rglob("*")):
        if is_conversion and path.name in (UNFINISHED, REPORT) and path.is_file():
            continue  # what a conversion needs to go on where it stopped
        if path not in listed and (path.is_symlink() or not path.is_dir()):
            yield f"{path}: not listed in {MANIFEST}"


def _configs(release: Release) -> Iterator[str]:
    manifest = release.root / MANIFEST
    held = release.manifest.configs
    for name, known in configs().items():
        if name not in held:
            if known.is_shipped and is_release(release):
                yield f"{manifest}: config {name!r} is missing"
        elif held[name].schema_digest != config(name).family.schema_digest:
            yield f"{manifest}: config {name!r} has another schema than this catchkit"
    for name in held:
        if name not in configs():
            yield f"{manifest}: config {name!r} is unknown to this catchkit"


def _read(
    release: Release, *, only: Family | None = None
) -> Iterator[tuple[str, str, pa.Table | ReleaseError]]:
    """Yield (config, file, its table or why it cannot be read), each file once.

    A file that several configs share comes with the one of fewest parts, its own.
    """
    seen = set()
    entries = {
        name: entry
        for name, entry in known_entries(release).items()
        if only in (None, config(name).family)
    }
    for name in sorted(entries, key=lambda name: len(config(name).parts)):
        for file in entries[name].files:
            if file in seen:
                continue
            seen.add(file)
            try:
                table = read_table(inside(release.root, file), config(name).family)
            except ReleaseError as problem:
                yield name, file, problem
            else:
                yield name, file, table


def _footers(release: Release) -> Iterator[str]:
    for _, _, table in _read(release):
        if isinstance(table, ReleaseError):
            yield str(table)


def _counts(release: Release) -> Iterator[str]:
    rows = {}
    for _, file, table in _read(release):
        if isinstance(table, ReleaseError):
            continue
        rows[file] = table.num_rows
        listed = release.manifest.files.get(file)
        if listed is not None and listed.rows != table.num_rows:
            yield f"{release.root / file}: {table.num_rows} rows, {MANIFEST} says {listed.rows}"
    for name, entry in known_entries(release).items():
        found = sum(rows.get(file, 0) for file in entry.files)
        if found != entry.rows:
            yield f"config {name!r}: {found} rows, {MANIFEST} says {entry.rows}"


def _records(release: Release) -> Iterator[str]:
    owners: dict[str, str] = {}
    for name, file, table in _read(release, only=PRE):
        if isinstance(table, ReleaseError):
            continue
        for number, row in enumerate(table.to_pylist()):
            where = f"{release.root / file}: row {number}"
            try:
                record = PreRecord.from_row(row)
            except RecordError as problem:
                yield f"{where}, {problem}"
                continue
            if record.excess is None:
                yield f"{where}, column 'excess': is null"
            first = owners.setdefault(record.instance_id, where)
            if first != where:
                yield f"{where}, column 'instance_id': {record.instance_id!r} is also {first}"
            if config(name).parts == (name,) and name != f"pre_{record.source}":
                yield f"{where}, column 'source': {record.source!r} in config {name!r}"


def _traces(release: Release) -> Iterator[str]:
    """Yield graphs that break a promise, and live rows that are no beginning of their run."""
    for name, entry in known_entries(release).items():
        if config(name).family is not POST:
            continue
        corpus = name.removeprefix("post_")
        made: dict[str, dict[str, Row]] = {f"live_{corpus}": {}, f"live_{corpus}_fraction": {}}
        seen: set[str] = set()
        for where, row in _rows(release, entry):
            try:
                TraceGraph.from_row(row)
            except (RecordError, ValueError) as problem:
                yield f"{where}, {problem}"
                continue
            if row["run_id"] in seen:
                yield f"{where}, column 'run_id': {row['run_id']!r} stands there twice"
            seen.add(row["run_id"])
            for views, rows in zip(
                made.values(), (live_rows(row), fraction_rows(row)), strict=True
            ):
                views.update((live["row_id"], live) for live in rows)
        for view in made.keys() & known_entries(release).keys():
            yield from _prefixes(release, view, made[view])


def _prefixes(release: Release, name: str, made: dict[str, Row]) -> Iterator[str]:
    columns = config(name).family.arrow_schema.names
    for where, row in _rows(release, known_entries(release)[name]):
        expected = made.pop(row["row_id"], {})
        for column in columns:
            if expected.get(column, column) != row[column]:
                yield f"{where}, column {column!r}: is not what the run began with"
    for row_id in list(made)[:1]:
        yield f"config {name!r}: row {row_id!r} is missing"


def _rows(release: Release, entry: ConfigEntry) -> Iterator[tuple[str, Row]]:
    for file in entry.files:
        try:
            batches = pq.ParquetFile(inside(release.root, file)).iter_batches(batch_size=500)
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows):
                yield f"{release.root / file}: row {number}", row
        except (pa.ArrowException, OSError, ReleaseError):
            return  # the footer check names it


def _digests(release: Release) -> Iterator[str]:
    tables = {file: table for _, file, table in _read(release)}
    for name, entry in known_entries(release).items():
        parts = [tables[file] for file in entry.files]
        readable = [part for part in parts if not isinstance(part, ReleaseError)]
        if len(readable) == len(parts):
            found = content_digest(pa.concat_tables(readable))
            if found != entry.digest:
                yield f"config {name!r}: its rows have digest {found}, not {entry.digest}"


def _card(release: Release) -> Iterator[str]:
    path = release.root / CARD
    try:
        card = card_of(release)
    except CatchkitError as problem:
        yield f"{path}: cannot be computed anew ({problem})"
        return
    expected = card.splitlines() if card else []
    found = path.read_text("utf-8", errors="replace").splitlines() if path.is_file() else []
    for number, (line, other) in enumerate(zip_longest(found, expected), start=1):
        if line != other:
            yield f"{path}: line {number} is {line!r}, the rows say {other!r}"


def _loading(release: Release) -> Iterator[str]:
    """Load every config by name, which needs the card that names them."""
    if CARD in release.manifest.files:
        yield from loading_faults(release)


CHECKS: dict[str, Callable[[Release], Iterator[str]]] = {
    "hash": _hashes,
    "unlisted file": _strangers,
    "config": _configs,
    "footer": _footers,
    "count": _counts,
    "record": _records,
    "trace": _traces,
    "digest": _digests,
    "card": _card,
    "loading": _loading,
}
