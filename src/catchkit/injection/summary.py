"""How clean and faulty versions differ as a whole: edges and spans, per fault."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from catchkit.injection.versions import EDGE_COLUMNS

ALL = "all"
COUNTED = frozenset({"file", "value_last"})
"""Edges that faults can move: on the last event on a file, or on the last output with a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Edges, largest span and pool of the runs of one fault, before and after."""

    fault: str
    pairs: int
    edges_clean: float
    """Mean number of dependency edges that the fault could move."""

    edges_faulty: float
    span_clean: float
    """Mean of the run's largest span, in steps; 0 in a run without edges."""

    span_faulty: float
    span_p95_clean: float
    span_p95_faulty: float
    span_increased: int
    """Runs whose largest span grew."""

    pool: float
    """Mean number of sites that could have taken the fault."""

    pools_of_one: int

    def to_row(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        return asdict(self)


def summaries(table: pa.Table) -> tuple[Summary, ...]:
    """Summarise the pairs of a Gold config, all together first where there are several faults.

    Pairs without a clean version, as in the attribution view, are left out.
    """
    columns = ["pair_id", "is_injected", "fault", "eligible", *EDGE_COLUMNS]
    pairs: dict[str, dict[bool, Mapping[str, Any]]] = {}
    for row in table.select(columns).to_pylist():
        pairs.setdefault(row["pair_id"], {})[row["is_injected"]] = row
    measured = [
        (pair[True]["fault"], *_measured(pair[False]), *_measured(pair[True]), len(pool))
        for pair in pairs.values()
        if len(pair) == 2 and (pool := pair[True]["eligible"])
    ]
    faults = sorted({row[0] for row in measured})
    return tuple(
        _summary(fault, [row[1:] for row in measured if fault in (ALL, row[0])])
        for fault in ((ALL, *faults) if len(faults) > 1 else faults)
    )


def _measured(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return the number of edges and the largest span of a version."""
    lists = zip(*(row[name] for name in EDGE_COLUMNS), strict=True)
    edges = {(reader, writer) for reader, writer, kind in lists if kind in COUNTED}
    return len(edges), max((reader - writer for reader, writer in edges), default=0)


def _summary(fault: str, rows: Iterable[tuple[int, ...]]) -> Summary:
    columns = np.array(list(rows), dtype=np.int64).T
    edges_clean, span_clean, edges_faulty, span_faulty, pool = columns
    return Summary(
        fault=fault,
        pairs=len(pool),
        edges_clean=float(edges_clean.mean()),
        edges_faulty=float(edges_faulty.mean()),
        span_clean=float(span_clean.mean()),
        span_faulty=float(span_faulty.mean()),
        span_p95_clean=float(np.percentile(span_clean, 95)),
        span_p95_faulty=float(np.percentile(span_faulty, 95)),
        span_increased=int((span_faulty > span_clean).sum()),
        pool=float(pool.mean()),
        pools_of_one=int((pool == 1).sum()),
    )
