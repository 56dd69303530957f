"""Every number a card states, computed from the rows of the release."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import Board, Reference, label_of
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What every config holds."""

    name: str
    rows: int
    digest: str
    num_bytes: int
    """Size of its rows in memory, as the card header has to state it."""

    download_size: int
    files: tuple[str, ...]
    groups: int
    label_processes: Mapping[str, int]
    licenses: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFacts(Facts):
    """What a config of declared configurations holds besides."""

    capabilities: int
    excess: int
    configurations_with_excess: int
    configurations_of_one: int
    configurations_without_token: int
    references: Mapping[str, Reference]
    """Every bundled reference on all rows."""

    best_entrant: str
    """Which of the references had the highest pooled F1 among the published entrants."""

    shortcuts: Mapping[str, float]
    """F1 of every shortcut of the admissibility bar on all rows."""

    @property
    def base_rate(self) -> float:
        """Share of the capabilities that are excess."""
        return self.excess / self.capabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFacts(Facts):
    """What a config of traces holds besides."""

    runs: int
    models: int
    failed: int
    """Rows whose run failed."""

    labelled: int
    """Rows whose run has an outcome."""

    located: int
    """Rows whose decisive step somebody named."""

    steps: tuple[int, int, int]
    """Fewest, median and most steps of a row."""

    edges: Mapping[str, int]
    """Dependency edges by kind."""


def facts_of(release: Release, name: str) -> ConfigFacts:
    """Compute what a card says of one config of declared configurations.

    Raises:
        ReleaseError: The config cannot be read.
    """
    table = release.table(name)
    rosters = rosters_of(table)
    return ConfigFacts(
        **common_facts(release, name, table),
        **_roster_facts(rosters),
        references=_references(rosters),
        **_shortcut_facts(rosters),
    )


def plain_facts_of(release: Release, name: str) -> Facts:
    """Compute what a card's header says of a config of any other family.

    Raises:
        ReleaseError: The config cannot be read.
    """
    return Facts(**common_facts(release, name, release.table(name)))


def trace_facts_of(release: Release, name: str) -> TraceFacts:
    """Compute what a card says of one config of traces.

    Raises:
        ReleaseError: The config cannot be read.
    """
    table = release.table(name)
    steps = np.sort(pc.list_value_length(table.column("kind")).to_numpy())
    size = max(table.num_rows - 1, 0)
    outcome = table.column("failed")
    gold = table.column("mistake_step") if "mistake_step" in table.column_names else pa.nulls(0)
    return TraceFacts(
        **common_facts(release, name, table),
        runs=len(pc.unique(table.column("run_id"))),
        models=len(pc.unique(table.column("model").drop_null())),
        failed=pc.sum(outcome).as_py() or 0,
        labelled=table.num_rows - outcome.null_count,
        located=len(gold) - gold.null_count,
        steps=(int(steps[0]), int(steps[size // 2]), int(steps[size])),
        edges=dict(sorted(Counter(pc.list_flatten(table.column("edge_kind")).to_pylist()).items())),
    )


def common_facts(release: Release, name: str, table: pa.Table) -> dict[str, Any]:
    """Return the fields of ``Facts``."""
    entry = release.entry(name)
    return {
        "name": name,
        "rows": table.num_rows,
        "digest": entry.digest,
        "num_bytes": table.nbytes,
        "download_size": sum(release.manifest.files[file].bytes for file in entry.files),
        "files": entry.files,
        "groups": len(pc.unique(table.column("group"))) if "group" in table.column_names else 0,
        "label_processes": counted(table, "label_process"),
        "licenses": counted(table, "license"),
    }


def counted(table: pa.Table, column: str) -> dict[str, int]:
    """Return how often each value of a column occurs, the most frequent first."""
    counts = Counter(table.column(column).to_pylist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _roster_facts(rosters: Rosters) -> dict[str, Any]:
    excess = label_of(rosters)
    return {
        "capabilities": len(excess),
        "excess": int(excess.sum()),
        "configurations_with_excess": int((rosters.per_roster(excess) > 0).sum()),
        "configurations_of_one": int((rosters.sizes == 1).sum()),
        "configurations_without_token": sum(not words for words in rosters.tokens),
    }


def _references(rosters: Rosters) -> dict[str, Reference]:
    everything = predict(baseline("flag_all"), rosters)
    return Board.of(rosters, everything).references(np.arange(len(rosters.ids)))


def _shortcut_facts(rosters: Rosters) -> dict[str, Any]:
    # Takes half a second, which `list` does not need.
    from catchkit.admissibility.configurations import BEST_ENTRANT
    from catchkit.admissibility.rosters import shortcut_scores

    return {"best_entrant": BEST_ENTRANT, "shortcuts": shortcut_scores(rosters)}
