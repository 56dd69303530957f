"""Converts one shard of a corpus: raw runs in, records and graphs out, whole or not at all."""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from catchkit.builders.corpus import Corpus, Skipped, Trace, companions_of, corpus_named
from catchkit.builders.publish import DEFAULT_KEY, published
from catchkit.builders.record import TraceRecord
from catchkit.builders.streams import MALFORMED, damage
from catchkit.builders.tables import Row, fraction_rows, graph_row, live_rows, shuffled
from catchkit.configs import DATASET_VERSION, Family
from catchkit.loaders.files import sha256_of
from catchkit.loaders.tables import LONG_ROW_GROUP_ROWS
from catchkit.trace_configs import TRACE, configs_of

REPORT = "report.json"
"""The completion marker of a converted shard: it is there exactly when the shard is whole."""

BLOCK_RUNS = 256
"""Runs in memory at a time. Rows are shuffled within a block, so that memory does not grow."""

RECORDS = "records"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardReport:
    """What came of one shard."""

    corpus: str
    shard: str
    """Its file name."""

    input_digest: str
    """Changes whenever the shard, a file it consults, the key or the converter does."""

    runs: int
    """Runs that came out."""

    skipped: Mapping[str, int]
    """Runs left out on purpose, by reason."""

    damage: tuple[str, ...]
    """What could not be read: file and record, and why."""

    unparsed_commands: int
    """Shell commands whose files are unknown."""

    unpaired_results: int
    """Tool results for which no call was found."""

    rows: Mapping[str, int]
    """Rows of each table."""

    files: Mapping[str, str]
    """SHA-256 of each file written."""

    @property
    def is_complete(self) -> bool:
        """Whether nothing of the shard was damaged."""
        return not self.damage

    @classmethod
    def read(cls, folder: Path) -> "ShardReport | None":
        """Return the report in a folder, or ``None`` when there is no whole one."""
        try:
            fields = json.loads((folder / REPORT).read_text("utf-8"))
            return cls(**{**fields, "damage": tuple(fields["damage"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None


def convert_shard(src: Path, dst: Path, *, corpus: str, key: bytes = DEFAULT_KEY) -> ShardReport:
    """Convert one file of raw runs into a folder of tables; equal input gives equal bytes.

    The folder appears in one step with its report inside. One that is there already, whole and
    made from the same input by the same converter, is left as it is.

    Args:
        src: The file.
        dst: The folder to write.
        corpus: Which reader to use.
        key: Secret of every digest and stand-in.
    """
    declared = corpus_named(corpus)
    digest = input_digest(src, declared, key)
    done = ShardReport.read(dst)
    if done and done.input_digest == digest and _is_whole(dst, done):
        return done
    stage = dst.with_name(f".{dst.name}.partial-{os.getpid()}")
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    try:
        report = _convert(src, stage, declared, key, digest)
        _put(stage, dst)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return report


def input_digest(src: Path, corpus: Corpus, key: bytes) -> str:
    """Return what decides whether a shard must be converted anew."""
    digest = hashlib.sha256(f"{corpus.name} {DATASET_VERSION} {_code_digest()}".encode())
    digest.update(hashlib.sha256(key).digest())
    for path in (src, *companions_of(corpus, src)):
        digest.update(f"\n{path.name} {sha256_of(path)}".encode())
    return digest.hexdigest()


def _code_digest() -> str:
    """Return a digest of the code that makes the tables."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*folder.glob("*.py"), *folder.glob("traces/*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_whole(folder: Path, report: ShardReport) -> bool:
    paths = {folder / name: digest for name, digest in report.files.items()}
    return all(path.is_file() and sha256_of(path) == digest for path, digest in paths.items())


def _put(stage: Path, dst: Path) -> None:
    """Move a finished folder into place; what stood there was another input's."""
    for path in stage.iterdir():
        with path.open("rb") as stream:
            os.fsync(stream.fileno())
    if dst.exists():
        (dst / REPORT).unlink(missing_ok=True)
        shutil.rmtree(dst, ignore_errors=True)
    try:
        stage.rename(dst)
    except OSError:
        # Another worker, thought lost, was quicker; what it wrote is the same.
        if ShardReport.read(dst) != ShardReport.read(stage):
            raise


def _convert(src: Path, stage: Path, corpus: Corpus, key: bytes, digest: str) -> ShardReport:
    tally = _Tally()
    families = {config.name: config.family for config in configs_of(corpus.name)}
    with ExitStack() as stack:
        sinks = {
            name: stack.enter_context(_Sink(stage / f"{name}.parquet", family))
            for name, family in {RECORDS: TRACE, **families}.items()
        }
        records = _records(src, corpus, key, tally)
        while block := list(islice(records, BLOCK_RUNS)):
            for name, rows in _tables(block, corpus, tally).items():
                if name in sinks:
                    sinks[name].write(rows)
    report = ShardReport(
        corpus=corpus.name,
        shard=src.name,
        input_digest=digest,
        runs=tally.runs,
        skipped=dict(sorted(tally.skipped.items())),
        damage=tuple(tally.damage),
        unparsed_commands=tally.unparsed,
        unpaired_results=tally.unpaired,
        rows={name: sink.rows for name, sink in sinks.items()},
        files={f"{name}.parquet": sha256_of(stage / f"{name}.parquet") for name in sinks},
    )
    (stage / REPORT).write_text(json.dumps(asdict(report), indent=1, sort_keys=True) + "\n")
    return report


class _Tally:
    def __init__(self) -> None:
        self.runs = self.unparsed = self.unpaired = 0
        self.skipped: Counter[str] = Counter()
        self.damage: list[str] = []
        self.seen: set[str] = set()


def _records(src: Path, corpus: Corpus, key: bytes, tally: _Tally) -> Iterator[TraceRecord]:
    for entry in corpus.read(src):
        made = _published(entry, corpus, key) if isinstance(entry, Trace) else entry
        if isinstance(made, Skipped):
            if made.is_damage:
                tally.damage.append(f"{made.where}: {made.reason} ({made.detail})")
            else:
                tally.skipped[made.reason] += 1
        elif made.run_id in tally.seen:
            tally.skipped["repeats a run of the same file"] += 1
        else:
            tally.seen.add(made.run_id)
            yield made


def _published(trace: Trace, corpus: Corpus, key: bytes) -> TraceRecord | Skipped:
    try:
        return published(trace, corpus, key=key)
    except MALFORMED as problem:
        return damage(trace.key, problem, "a run that cannot be converted")


def _tables(records: list[TraceRecord], corpus: Corpus, tally: _Tally) -> Mapping[str, list[Row]]:
    found: dict[str, list[Row]] = {RECORDS: []}
    post: list[Row] = []
    for record in records:
        row = graph_row(record, corpus)
        if isinstance(row, Skipped):
            tally.skipped[row.reason] += 1
            continue
        tally.runs += 1
        tally.unparsed += sum(event.is_unparsed for event in record.events)
        if corpus.step_form != "message":
            tally.unpaired += sum(e.kind == "result" and e.pair is None for e in record.events)
        found[RECORDS].append(record.to_row())
        post.append(row)
    found[f"post_{corpus.name}"] = post
    found[f"live_{corpus.name}"] = [live for row in post for live in live_rows(row)]
    found[f"live_{corpus.name}_fraction"] = [view for row in post for view in fraction_rows(row)]
    return found


class _Sink:
    """A Parquet file that grows by blocks of rows, each shuffled."""

    def __init__(self, path: Path, family: Family) -> None:
        self._family, self._schema = family, family.arrow_schema
        self._writer = pq.ParquetWriter(
            path, self._schema, compression="zstd", compression_level=9, write_page_index=True
        )
        self.rows = 0

    def __enter__(self) -> "_Sink":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.close()

    def write(self, rows: list[dict[str, Any]]) -> None:
        ordered = shuffled(rows, self._family.id_column)
        table = pa.Table.from_pylist(ordered, schema=self._schema)
        self._writer.write_table(table, row_group_size=LONG_ROW_GROUP_ROWS)
        self.rows += table.num_rows
