"""Gold v1: file-level faults in runs that succeeded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from catchkit.builders.corpus import Corpus, Skipped
from catchkit.builders.edges import Dependency
from catchkit.builders.record import TraceRecord
from catchkit.builders.tables import graph_of
from catchkit.gold_configs import GOLD_V1, GOLD_V1_ONLINE
from catchkit.injection.files import FileRun, can_be_clean, file_run
from catchkit.injection.injector import fault_named, faults_of
from catchkit.injection.pairs import Pair, attribution, mixed, single
from catchkit.injection.planted import Planted
from catchkit.injection.randomness import Stream, randomness
from catchkit.injection.versions import Version, clean_table, row_id_of, version_table

Pairs = Sequence[Pair[FileRun]]
STALE, DROPPED = "stale_read", "dropped_grounding"


@dataclass(frozen=True, slots=True)
class FileGold:
    """The clean runs of a corpus, from which Gold v1 is made under any seed."""

    corpus: Corpus
    runs: tuple[FileRun, ...]
    clean: pa.Table
    """What no fault changes, one row per run."""

    @classmethod
    def of(cls, records: Iterable[TraceRecord], corpus: Corpus) -> "FileGold":
        """Keep the runs that succeeded, are long enough, and rely on anything."""
        runs: list[FileRun] = []

        def rows() -> Iterator[dict[str, Any]]:
            for record in records:
                graph = graph_of(record, corpus) if record.failed is False else None
                if graph is None or isinstance(graph, Skipped):
                    continue
                run = file_run(graph, corpus)
                if can_be_clean(run):
                    runs.append(run)
                    yield {**graph.with_rule(("file",)).to_row(), "label_process": "injection"}

        clean = clean_table(rows(), GOLD_V1)
        return cls(corpus, tuple(runs), clean)

    def pairs(self, seed: int, stream: Stream = "addressed") -> Mapping[str, Pairs]:
        """Return the pairs of every config by name."""
        name, faults = f"gold_v1_{self.corpus.name}", faults_of("file")
        both = mixed(self.runs, faults, randomness(stream, seed, "file"))
        alone = {
            f"{name}_{fault.name}": single(self.runs, fault, randomness(stream, seed, "file"))
            for fault in faults
        }
        stale, dropped = (fault_named(fault) for fault in (STALE, DROPPED))
        twice = attribution(self.runs, stale, dropped, randomness(stream, seed, "file"))
        online = [pair for pair in both if pair.fault == STALE]
        return {name: both, **alone, f"{name}_attribution": twice, f"{name}_online": online}

    def plant(self, seed: int, stream: Stream = "addressed") -> Planted:
        """Plant faults under a seed: every config with its rows."""
        return Planted(
            version="v1",
            corpus=self.corpus.name,
            seed=seed,
            clean_runs=len(self.runs),
            tables={
                name: self.table(name, pairs, seed, stream)
                for name, pairs in self.pairs(seed, stream).items()
            },
        )

    def table(self, config: str, pairs: Pairs, seed: int, stream: Stream) -> pa.Table:
        """Return the rows of a config."""
        is_online = config.endswith("_online")
        shared = {"seed": seed, "stream": stream}
        versions = (
            _version(config, pair, shared, is_injected=is_injected, is_online=is_online)
            for pair in pairs
            for is_injected in _versions(config)
        )
        family = GOLD_V1_ONLINE if is_online else GOLD_V1
        return version_table(self.clean, versions, family)


def _versions(config: str) -> tuple[bool, ...]:
    """Return which versions a pair has: attribution compares two faults, not fault and none."""
    return (True,) if config.endswith("_attribution") else (False, True)


def _version(
    config: str,
    pair: Pair[FileRun],
    shared: Mapping[str, Any],
    *,
    is_injected: bool,
    is_online: bool,
) -> Version:
    run, change = (pair.faulty if is_injected else pair.clean), pair.change
    run_id = run.run_id
    address = (config, *shared.values(), run_id)
    columns = {
        **shared,
        "pair_id": row_id_of("pair", *address),
        "is_injected": is_injected,
        "fault": pair.fault,
        "site": change.site.at if is_injected else None,
        "changed_from": change.before if is_injected else None,
        "changed_to": change.after if is_injected else None,
        "eligible": [site.at for site in pair.eligible],
    }
    if is_online:
        columns["span"] = list(run.spans)
        columns["dependencies"] = [len(set(deps)) for deps in run.deps]
    return Version(
        row_id=row_id_of(*address, pair.fault, is_injected),
        run_id=run_id,
        edges=_edges(run) if is_injected else None,
        columns=columns,
    )


def _edges(run: FileRun) -> list[Dependency]:
    return [(at, dep, "file") for at, deps in enumerate(run.deps) for dep in sorted(set(deps))]
