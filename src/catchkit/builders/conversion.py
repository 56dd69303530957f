"""Converts whole corpora, shard by shard, into a folder that loads only when it is whole."""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from catchkit.builders.convert import RECORDS, ShardReport
from catchkit.builders.corpus import Corpus, Run, corpora, corpus_named, shards_of
from catchkit.builders.engines import Engine, Task, run_tasks
from catchkit.builders.publish import DEFAULT_KEY
from catchkit.configs import DATASET, DATASET_VERSION
from catchkit.errors import SourceError, UsageError
from catchkit.loaders.files import sha256_of, written_whole
from catchkit.loaders.release import MANIFEST, UNFINISHED, ConfigEntry, FileEntry, Manifest
from catchkit.loaders.tables import row_digest
from catchkit.trace_configs import configs_of

SHARDS, CHOSEN = "shards", "chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What came of one corpus."""

    corpus: str
    runs: int
    skipped: Mapping[str, int]
    damage: tuple[str, ...]
    """What could not be read: shard, file and record, and why."""

    unparsed_commands: int
    unpaired_results: int
    shards: int

    @property
    def is_complete(self) -> bool:
        """Whether every run of the corpus could be read."""
        return not self.damage


def convert(
    names: Sequence[str],
    place: Path,
    out: Path,
    *,
    apart: bool = False,
    workers: int = 1,
    engine: Engine = "process",
    scheduler: str | None = None,
    key: bytes = DEFAULT_KEY,
) -> list[Conversion]:
    """Convert corpora; what is there already and still right is not done again.

    A folder of one corpus holds ``shards/<shard>/`` with the tables and report of each shard,
    ``conversion.json`` with the whole account and, only when nothing was damaged,
    ``manifest.json``, without which no folder loads.

    Args:
        names: The corpora.
        place: Folder or file with the raw runs.
        out: Folder to write.
        apart: Whether each corpus has a folder of its name below ``place`` and ``out``.
        workers: Processes.
        engine: See ``run_tasks``.
        scheduler: See ``run_tasks``.
        key: Secret of every digest and stand-in.

    Returns:
        One account per corpus.

    Raises:
        UsageError: There is no such corpus, or ``out`` holds something else.
        SourceError: There are no runs to convert.
    """
    known = {name: corpus_named(name) for name in names}
    folders = {name: out / name if apart else out for name in names}
    places = {name: place / (known[name].folder or name) if apart else place for name in names}
    plans = {name: _plan(known[name], places[name], folders[name], key) for name in names}
    for name in names:
        _prepare(folders[name], plans[name])
    tasks = [task for name in names for task in plans[name]]
    reports = run_tasks(tasks, workers=workers, engine=engine, scheduler=scheduler)
    return [
        _finish(known[name], folders[name], plans[name], [next(reports) for _ in plans[name]])
        for name in names
    ]


def present(place: Path) -> list[str]:
    """Return the corpora that have a folder with runs below a place.

    Raises:
        SourceError: There is none.
    """
    found = []
    for name, corpus in corpora().items():
        folder = place / (corpus.folder or name)
        if any(next(folder.glob(pattern), None) for pattern in corpus.shards):
            found.append(name)
    if not found:
        raise SourceError(f"{place} holds no folder of a known corpus with runs in it")
    return found


def _plan(corpus: Corpus, place: Path, out: Path, key: bytes) -> list[Task]:
    if not place.exists():
        raise SourceError(f"{place} is missing: name a folder or file with {corpus.name} runs")
    shards = shards_of(corpus, place)
    base = place if place.is_dir() else place.parent
    names = ["__".join(shard.relative_to(base).parts) for shard in shards]
    return [
        Task(shard.resolve(), out.resolve() / SHARDS / name, corpus.name, key)
        for shard, name in zip(shards, names, strict=True)
    ]


def _prepare(out: Path, tasks: Sequence[Task]) -> None:
    """Make room: only what a conversion wrote is touched."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder; name another one")
    ours = {SHARDS, CHOSEN, UNFINISHED, MANIFEST}
    held = {path.name for path in out.glob("*")}
    if strangers := sorted(name for name in held - ours if not name.startswith(".")):
        raise UsageError(
            f"{out} holds {strangers[0]!r}, which no conversion wrote; name a new folder"
        )
    (out / MANIFEST).unlink(missing_ok=True)
    shutil.rmtree(out / CHOSEN, ignore_errors=True)
    (out / SHARDS).mkdir(parents=True, exist_ok=True)
    _sweep(out, tasks)


def _sweep(out: Path, tasks: Sequence[Task], *, at_end: bool = False) -> None:
    """Remove shards that are gone from the corpus, and what killed processes left unfinished.

    At the end nothing is unfinished but what a worker without a parent may still be at.
    """
    wanted = {task.dst.name for task in tasks}
    for folder in (out / SHARDS).iterdir():
        if folder.name not in wanted and (at_end or not _is_being_written(folder.name)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_being_written(name: str) -> bool:
    """Whether a folder is the unfinished work of a process that runs."""
    process = name.rpartition(".partial-")[2]
    if not (name.startswith(".") and process.isdecimal()):
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return int(process) != os.getpid()


def _finish(
    corpus: Corpus, out: Path, tasks: Sequence[Task], reports: Sequence[ShardReport]
) -> Conversion:
    _sweep(out, tasks, at_end=True)
    chosen, dropped = _chosen(corpus, tasks)
    folders = [_narrowed(task.dst, out, ids) for task, ids in zip(tasks, chosen, strict=True)]
    skipped = dropped.copy()
    for report in reports:
        skipped.update(report.skipped)
    account = Conversion(
        corpus=corpus.name,
        runs=sum(report.runs for report in reports) - dropped.total(),
        skipped=dict(sorted(skipped.items())),
        damage=tuple(line for report in reports for line in report.damage),
        unparsed_commands=sum(report.unparsed_commands for report in reports),
        unpaired_results=sum(report.unpaired_results for report in reports),
        shards=len(reports),
    )
    with written_whole(out / UNFINISHED) as path:
        path.write_text(json.dumps(asdict(account), indent=1, sort_keys=True) + "\n", "utf-8")
    if account.is_complete:
        manifest = _manifest(corpus, out, folders)
        with written_whole(out / MANIFEST) as path:
            path.write_text(manifest.to_json(), "utf-8")
    return account


def _chosen(
    corpus: Corpus, tasks: Sequence[Task]
) -> tuple[list[frozenset[str] | None], Counter[str]]:
    """Return per shard the runs that stay, ``None`` where all do, and why others do not.

    A run that a second file repeats is kept once, in the first file by name.
    """
    seen: set[int] = set()
    kept: list[frozenset[str] | None] = []
    dropped: Counter[str] = Counter()
    selected = _selected(corpus, tasks) if corpus.select else None
    for task in tasks:
        ids = pq.read_table(task.dst / f"{RECORDS}.parquet", columns=["run_id"])
        names: list[str] = ids.column("run_id").to_pylist()
        new = [name for name in names if _number(name) not in seen]
        seen.update(map(_number, new))
        stay = [name for name in new if selected is None or name in selected]
        dropped["repeats a run of another file"] += len(names) - len(new)
        dropped["not in the selection"] += len(new) - len(stay)
        kept.append(None if len(stay) == len(names) else frozenset(stay))
    return kept, +dropped


def _number(run_id: str) -> int:
    """Return a digest of a run id as a number, which takes less room than the text."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:8])


def _selected(corpus: Corpus, tasks: Sequence[Task]) -> frozenset[str]:
    runs = []
    for task in tasks:
        columns = ["run_id", "key", "corpus", "task_id", "failed"]
        for row in pq.read_table(task.dst / f"{RECORDS}.parquet", columns=columns).to_pylist():
            group = f"{row['corpus']}/{row['task_id']}"
            run = Run(run_id=row["run_id"], key=row["key"], group=group, failed=row["failed"])
            runs.append(run)
    return frozenset(corpus.select(runs)) if corpus.select else frozenset()


def _narrowed(folder: Path, out: Path, ids: frozenset[str] | None) -> Path:
    """Return a shard's folder, or a copy of its tables with only these runs."""
    if ids is None:
        return folder
    place = out.resolve() / CHOSEN / folder.name
    place.mkdir(parents=True)
    wanted = pa.array(sorted(ids), pa.string())
    for path in sorted(folder.glob("*.parquet")):
        source = pq.ParquetFile(path)
        with pq.ParquetWriter(
            place / path.name, source.schema_arrow, compression="zstd", write_page_index=True
        ) as sink:
            for batch in source.iter_batches():
                kept = batch.filter(pc.is_in(batch.column("run_id"), wanted))
                sink.write_batch(kept)
    return place


def _manifest(corpus: Corpus, out: Path, folders: Sequence[Path]) -> Manifest:
    root = out.resolve()
    files: dict[str, FileEntry] = {}
    entries: dict[str, ConfigEntry] = {}
    for config in configs_of(corpus.name):
        paths = [folder / f"{config.name}.parquet" for folder in folders]
        names = tuple(path.relative_to(root).as_posix() for path in paths)
        rows = 0
        for name, path in zip(names, paths, strict=True):
            files[name] = _entry(path)
            rows += files[name].rows or 0
        entries[config.name] = ConfigEntry(
            rows=rows,
            digest=row_digest(config.family.arrow_schema.names, _rows(paths)),
            schema_digest=config.family.schema_digest,
            files=names,
        )
    for folder in folders:
        path = folder / f"{RECORDS}.parquet"
        files[path.relative_to(root).as_posix()] = _entry(path)
    return Manifest(
        dataset=DATASET,
        version=DATASET_VERSION,
        builder=f"catchkit {version('catchkit')}",
        configs=entries,
        files=files,
        sources={corpus.name: f"{corpus.repo} {corpus.pin}"},
    )


def _entry(path: Path) -> FileEntry:
    rows = pq.read_metadata(path).num_rows
    return FileEntry(sha256=sha256_of(path), bytes=path.stat().st_size, rows=rows)


def _rows(paths: Sequence[Path]) -> Iterator[dict[str, object]]:
    for path in paths:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=256):
            yield from batch.to_pylist()
