"""The rows of a PRE config as flat arrays: one entry per capability, one offset per roster."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from catchkit.errors import UsageError
from catchkit.schema import require

Flagged = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Kind = TypeVar("Kind", bound=np.generic)

PUBLISHED_ORDER = ("crewai", "n8n", "mcp", "injecagent", "sweagent", "synthetic")
"""The order in which the original benchmark reports its sources and draws from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rosters:
    """Configurations and their capabilities; ``n`` rosters with ``m`` capabilities in all."""

    ids: tuple[str, ...]
    sources: tuple[str, ...]
    """Source of each roster, length n."""

    offsets: Counts
    """Roster ``i`` owns the capabilities ``offsets[i]`` to ``offsets[i + 1]``; length n + 1."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    levels: tuple[str, ...]
    """Name, type and permission level of each capability, length m."""

    tokens: tuple[frozenset[str], ...]
    """What survives of each task text, length n."""

    overrides: tuple[dict[str, frozenset[str]], ...]
    """What a rule reads beyond the tokens, length n."""

    excess: Flagged | None
    """The label of each capability; ``None`` when it is hidden."""

    declared_position: Counts | None
    """Where each capability stood upstream; ``None`` when it is hidden."""

    @property
    def sizes(self) -> Counts:
        """Number of capabilities of each roster, length n, each at least 1."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> Counts:
        """Which roster each capability belongs to, length m."""
        return np.repeat(np.arange(len(self.ids)), self.sizes)

    def names_of(self, roster: int) -> tuple[str, ...]:
        """Return the names that one roster declares."""
        return self.names[self.offsets[roster] : self.offsets[roster + 1]]

    def capabilities(self) -> Iterator[tuple[int, str, str, str]]:
        """Yield (roster, name, type, level) for each capability."""
        yield from zip(self.owners.tolist(), self.names, self.types, self.levels, strict=True)

    def per_roster(self, flags: Flagged) -> Counts:
        """Count the set flags of each roster, length n."""
        return np.add.reduceat(flags.astype(np.int64), self.offsets[:-1])

    def showing(self, reads: Collection[str]) -> "Rosters":
        """Return the same rosters with every answer hidden that is not named in ``reads``."""
        return replace(
            self,
            excess=self.excess if "excess" in reads else None,
            declared_position=self.declared_position if "declared_position" in reads else None,
        )

    def by_source(self) -> dict[str, Counts]:
        """Return source -> indices of its rosters, in published order, new sources last."""
        present = set(self.sources)
        order = [source for source in PUBLISHED_ORDER if source in present]
        order += sorted(present.difference(PUBLISHED_ORDER))
        sources = np.array(self.sources)
        return {source: np.flatnonzero(sources == source) for source in order}


def rosters_of(table: pa.Table) -> Rosters:
    """Read the rosters of a table of the ``pre`` schema; hidden columns may be left out of it.

    Raises:
        UsageError: The table is of another schema.
        RecordError: A roster is empty, or a column aligned with it has another length.
    """
    if "capabilities" not in table.column_names:
        raise UsageError("only the pre configs list capabilities, and only they can be scored yet")
    rosters = table.column("capabilities").combine_chunks()
    _check_aligned(table, rosters.value_lengths().to_pylist())
    flat = rosters.flatten()
    return Rosters(
        ids=tuple(table.column("instance_id").to_pylist()),
        sources=tuple(table.column("source").to_pylist()),
        offsets=_offsets(rosters),
        names=tuple(flat.field("name").to_pylist()),
        types=tuple(flat.field("type").to_pylist()),
        levels=tuple(flat.field("permission_level").to_pylist()),
        tokens=tuple(map(frozenset, table.column("spec_tokens").to_pylist())),
        overrides=tuple(
            {name: frozenset(words) for name, words in row.items()}
            for row in table.column("spec_overrides").to_pylist()
        ),
        excess=_flat(table, "excess", np.bool_),
        declared_position=_flat(table, "declared_position", np.int64),
    )


def _check_aligned(table: pa.Table, sizes: list[int | None]) -> None:
    aligned = {
        column: table.column(column).combine_chunks().value_lengths().to_pylist()
        for column in ("excess", "declared_position")
        if column in table.column_names
    }
    for row, size in enumerate(sizes):
        require(bool(size), "capabilities", f"row {row} is null or empty")
        for column, lengths in aligned.items():
            got = lengths[row]
            require(got == size, column, f"row {row} has {got} values for {size}")


# Through Python lists: Arrow's own way to numpy imports pandas, which takes longer than the rest.


def _offsets(lists: pa.ListArray) -> Counts:
    return np.cumsum([0, *lists.value_lengths().to_pylist()], dtype=np.int64)


def _flat(table: pa.Table, column: str, kind: type[Kind]) -> npt.NDArray[Kind] | None:
    if column not in table.column_names:
        return None
    return np.array(table.column(column).combine_chunks().flatten().to_pylist(), dtype=kind)
