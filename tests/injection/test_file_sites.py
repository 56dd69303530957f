"""How many steps of real runs can take a file fault, as an independent census counted them."""

import pytest

from catchkit.builders.corpus import corpus_named
from catchkit.builders.graph import TraceGraph
from catchkit.builders.tables import graph_of
from catchkit.injection.files import FileRun, file_run
from catchkit.injection.injector import fault_named
from gold_runs import real_records
from reading import REAL

SITES = {
    # sampling: fault -> runs with sites, sites, pools of one
    "claude-3-5-sonnet_verified50": {
        "dropped_grounding": (26, 139, 4),
        "stale_read": (22, 98, 4),
    },
    "swe-gym_sampled_raw44": {"stale_read": (23, 167, 2)},
}


@pytest.mark.skipif(not REAL.is_dir(), reason=f"the real runs are not in {REAL}")
@pytest.mark.parametrize("part", SITES)
def test_openhands_steps_that_can_take_a_fault(part: str) -> None:
    runs = [run for is_gym, run in resolved() if is_gym == part.startswith("swe-gym")]
    for fault, expected in SITES[part].items():
        pools = [len(fault_named(fault).sites(run)) for run in runs]
        held = [size for size in pools if size]
        assert (len(held), sum(held), held.count(1)) == expected


def resolved() -> list[tuple[bool, FileRun]]:
    corpus = corpus_named("openhands")
    graphs = [(r, graph_of(r, corpus)) for r in real_records("openhands") if r.failed is False]
    return [
        (record.path.startswith("datasets"), file_run(graph, corpus))
        for record, graph in graphs
        if isinstance(graph, TraceGraph)
    ]
