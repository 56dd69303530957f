"""How clean and faulty runs differ as a whole: edges and spans, per fault."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from catchkit.injection.files import FileRun
from catchkit.injection.pairs import Pair
from catchkit.injection.values import ValueRun, value_edges

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Edges and largest span of the runs of one fault, before and after.

    File faults: dependency edges between steps. Value faults: from a call to the latest earlier
    result that holds one of its values, in calls and results.
    """

    fault: str
    pairs: int
    edges_clean: float
    """Mean number of edges."""

    edges_faulty: float
    span_clean: float
    """Mean of the run's largest span; 0 in a run without edges."""

    span_faulty: float
    span_p95_clean: float
    span_p95_faulty: float
    span_increased: int
    """Runs whose largest span grew."""

    def to_row(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        return asdict(self)


def summaries(pairs: Sequence[Pair[FileRun]] | Sequence[Pair[ValueRun]]) -> tuple[Summary, ...]:
    """Summarise pairs, all together first and then by fault."""
    faults = sorted({pair.fault for pair in pairs})
    measured = [(pair.fault, *_measured(pair.clean), *_measured(pair.faulty)) for pair in pairs]
    return tuple(
        _summary(fault, [row[1:] for row in measured if fault in (ALL, row[0])])
        for fault in ((ALL, *faults) if len(faults) > 1 else faults)
    )


def _measured(run: FileRun | ValueRun) -> tuple[int, int]:
    """Return the number of edges and the largest span."""
    if isinstance(run, FileRun):
        return run.n_edges, max(run.spans, default=0)
    edges = value_edges(run)
    return len(edges), max((reader - writer for reader, writer in edges), default=0)


def _summary(fault: str, rows: Sequence[tuple[int, ...]]) -> Summary:
    edges_clean, span_clean, edges_faulty, span_faulty = np.array(rows, dtype=np.int64).T
    return Summary(
        fault=fault,
        pairs=len(rows),
        edges_clean=float(edges_clean.mean()),
        edges_faulty=float(edges_faulty.mean()),
        span_clean=float(span_clean.mean()),
        span_faulty=float(span_faulty.mean()),
        span_p95_clean=float(np.percentile(span_clean, 95)),
        span_p95_faulty=float(np.percentile(span_faulty, 95)),
        span_increased=int((span_faulty > span_clean).sum()),
    )
