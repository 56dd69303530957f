"""Every number a card states, computed from the rows of the release."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import Board, Reference, label_of
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFacts:
    """What one config holds."""

    name: str
    rows: int
    digest: str
    num_bytes: int
    """Size of its rows in memory, as the card header has to state it."""

    download_size: int
    files: tuple[str, ...]
    capabilities: int
    excess: int
    configurations_with_excess: int
    configurations_of_one: int
    configurations_without_token: int
    groups: int
    label_processes: Mapping[str, int]
    licenses: Mapping[str, int]
    references: Mapping[str, Reference]
    """Every bundled reference on all rows."""

    @property
    def base_rate(self) -> float:
        """Share of the capabilities that are excess."""
        return self.excess / self.capabilities


def facts_of(release: Release, name: str) -> ConfigFacts:
    """Compute what a card says of one config.

    Raises:
        ReleaseError: The config cannot be read.
    """
    table = release.table(name)
    entry = release.entry(name)
    rosters = rosters_of(table)
    return ConfigFacts(
        name=name,
        rows=table.num_rows,
        digest=entry.digest,
        num_bytes=table.nbytes,
        download_size=sum(release.manifest.files[file].bytes for file in entry.files),
        files=entry.files,
        **_roster_facts(rosters),
        groups=len(set(table.column("group").to_pylist())),
        label_processes=counted(table, "label_process"),
        licenses=counted(table, "license"),
        references=_references(rosters),
    )


def counted(table: pa.Table, column: str) -> dict[str, int]:
    """Return how often each value of a column occurs, the most frequent first."""
    counts = Counter(table.column(column).to_pylist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _roster_facts(rosters: Rosters) -> dict[str, int]:
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
