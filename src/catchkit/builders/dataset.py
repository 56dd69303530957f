"""Graphs and features of a trace config."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

import pyarrow as pa

from catchkit import catalog
from catchkit.builders.edges import Rule
from catchkit.builders.features import BLOCKS, check_blocks, run_features, runs_of
from catchkit.builders.features import step_features as steps_in_arrays
from catchkit.builders.graph import TraceGraph
from catchkit.builders.record import TraceRecord
from catchkit.builders.running import prefix_features
from catchkit.configs import config
from catchkit.errors import ReleaseError, UsageError
from catchkit.gold_configs import gold_configs
from catchkit.loaders.release import Release, locate, packaged
from catchkit.loaders.tables import read_table
from catchkit.trace_configs import LIVE, LIVE_FRACTION, TRACE, trace_configs


class Graphs(Sequence[TraceGraph]):
    """The graphs of a config in the order of its rows, each built when it is asked for."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, at: int) -> TraceGraph: ...
    @overload
    def __getitem__(self, at: slice) -> "Graphs": ...
    def __getitem__(self, at: int | slice) -> "TraceGraph | Graphs":
        if isinstance(at, slice):
            return Graphs(self._table.take(list(range(*at.indices(len(self))))))
        place = range(len(self))[at]
        return TraceGraph.from_row(self._table.slice(place, 1).to_pylist()[0])

    def __iter__(self) -> Iterator[TraceGraph]:
        for batch in self._table.to_batches(max_chunksize=256):
            yield from map(TraceGraph.from_row, batch.to_pylist())


def graphs(name: str, *, labels: bool = False, data: str | Path | None = None) -> Graphs:
    """Return the typed dependency graphs of a ``post``, ``live`` or ``gold`` config.

    Args:
        name: The config, such as ``"post_tau_bench"``.
        labels: Whether outcome and gold step come along.
        data: As for ``load``.

    Raises:
        UsageError: There is no such config, or it has no graphs.
        ReleaseError: The folder is damaged or does not hold the config.

    Example:
        >>> graph = graphs("post_tau_bench")[0]
        >>> graph.n_steps == len(graph.kind), graph.failed
        (True, None)
    """
    table = _table(name, data)
    return Graphs(table if labels else table.drop_columns(list(config(name).family.hidden)))


def features(
    name: str,
    blocks: Sequence[str] = tuple(BLOCKS),
    *,
    rule: Rule = "published",
    data: str | Path | None = None,
) -> pa.Table:
    """Return structural features of every run or prefix, keyed by the config's id.

    Args:
        name: A ``post``, ``live`` or ``gold`` config.
        blocks: Feature blocks, see ``catchkit.builders.features.BLOCKS``.
        rule: Which edges count: ``"published"``, ``"all"`` or a collection of edge kinds.
        data: As for ``load``.

    Returns:
        One row per row of the config, in its order.

    Raises:
        UsageError: There is no such config, block or edge kind.
        ReleaseError: The folder is damaged or does not hold the config.

    Example:
        >>> features("post_tau_bench", blocks=("flat", "dep_dens")).column_names
        ['run_id', 'n_steps', 'n_tool_calls', 'n_decisions', 'n_agents', 'edges_per_step']
    """
    check_blocks(blocks)
    table, family = _table(name, data), config(name).family
    found = (
        run_features(runs_of(table, rule), blocks)
        if family not in (LIVE, LIVE_FRACTION)
        else prefix_features(table, blocks, rule)
    )
    return pa.table({family.id_column: table.column(family.id_column), **found})


def step_features(
    name: str, *, rule: Rule = "published", data: str | Path | None = None
) -> pa.Table:
    """Return blast, span and degree of every step, keyed by the config's id and ``step``.

    Arguments and errors as for ``features``.

    Example:
        >>> step_features("post_who_and_when").column_names
        ['run_id', 'step', 'blast', 'span', 'degree']
    """
    table, family = _table(name, data), config(name).family
    runs = runs_of(table, rule)
    ids = table.column(family.id_column).take(pa.array(runs.run_of_step))
    steps = pa.array([at for size in runs.sizes.tolist() for at in range(size)], pa.int32())
    return pa.table({family.id_column: ids, "step": steps, **steps_in_arrays(runs)})


def _table(name: str, data: str | Path | None) -> pa.Table:
    known = [entry.name for entry in (*trace_configs(), *gold_configs())]
    if name not in known:
        config(name)
        raise UsageError.unknown("config of traces", name, known)
    return locate(None if data is None else Path(data)).table(name)


def records(corpus: str, data: str | Path | None = None) -> Iterator[TraceRecord]:
    """Yield the de-identified records of a corpus, from which graphs and Gold are made.

    Args:
        corpus: The corpus, such as ``"tau_bench"``.
        data: A folder written by ``catchkit convert``; by default the packaged snapshot.

    Raises:
        UsageError: There is no such corpus.
        ReleaseError: The folder is damaged or does not hold the corpus.

    Example:
        >>> record = next(records("tau_bench"))
        >>> record.events[0].kind, record.events[0].role
        ('message', 'system')
    """
    known = catalog.names("builders.traces")
    if corpus not in known:
        raise UsageError.unknown("corpus", corpus, known)
    release = packaged() if data is None else Release.open(Path(data))
    paths = record_files(release, corpus)
    if not paths:
        raise ReleaseError(f"{release.described} has no records of {corpus!r}")
    for path in paths:
        for batch in read_table(path, TRACE).to_batches(max_chunksize=64):
            yield from map(TraceRecord.from_row, batch.to_pylist())


def record_files(release: Release, corpus: str) -> list[Path]:
    """Return the files of a folder that hold the records of a corpus, each checked.

    Raises:
        ReleaseError: One is missing or changed.
    """
    converted = f"post_{corpus}" in release.manifest.configs
    return [
        release.checked(file)
        for file in sorted(release.manifest.files)
        if f"records/{corpus}-" in file or (converted and file.endswith("/records.parquet"))
    ]
