"""Features of a run while it grows: one pass over its steps, whatever the number of prefixes."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from catchkit.builders.edges import Rule, kinds_of
from catchkit.builders.features import BLOCKS, Floats, check_blocks


@dataclass(slots=True)
class Running:
    """What is known of a run so far; grows by one step at a time.

    Example:
        >>> run = Running()
        >>> for actor, writers in [("user", ()), ("agent", (0,)), ("user", (0, 1))]:
        ...     run.add(is_tool=False, actor=actor, writers=writers)
        >>> [run.features()[name] for name in ("n_steps", "chain", "blast", "audit", "n_handoffs")]
        [3, 2, 2, 2, 2]
    """

    tools: int = 0
    edges: int = 0
    changes: int = 0
    chain: int = 0
    blast: int = 0
    audit: int = 0
    last: object = None
    agents: dict[object, int] = field(default_factory=dict)
    pairs: set[tuple[object, object]] = field(default_factory=set)
    depth: list[int] = field(default_factory=list)
    readers: list[int] = field(default_factory=list)

    def add(self, *, is_tool: bool, actor: object, writers: Collection[int]) -> None:
        """Take one more step into account; ``writers`` are the distinct steps it relied on."""
        if self.depth and actor != self.last:
            self.changes += 1
            self.pairs.add((self.last, actor))
        self.last = actor
        self.tools += is_tool
        self.agents[actor] = self.agents.get(actor, 0) + 1
        self.edges += len(writers)
        self.audit = max(self.audit, len(writers))
        self.depth.append(1 + max((self.depth[writer] for writer in writers), default=-1))
        self.chain = max(self.chain, self.depth[-1])
        self.readers.append(0)
        for writer in writers:
            self.readers[writer] += 1
            self.blast = max(self.blast, self.readers[writer])

    def features(self) -> Mapping[str, float]:
        """Return every feature of every block for the steps so far."""
        size, agents = len(self.depth), len(self.agents)
        counts = sorted(self.agents.values())
        spread = sum(2 * (2 * rank - agents + 1) * steps for rank, steps in enumerate(counts))
        dep = {
            "n_edges": self.edges,
            "chain": self.chain,
            "blast": self.blast,
            "audit": self.audit,
        }
        returns = self.changes - agents + 1
        return {
            "n_steps": size,
            "n_tool_calls": self.tools,
            "n_decisions": size - self.tools,
            "n_agents": agents,
            "max_agent_steps": counts[-1] if counts else 0,
            "agent_gini": spread / (2 * agents * size) if agents > 1 else 0.0,
            "n_handoffs": len(self.pairs),
            "recurrence": returns / self.changes if self.changes else 0.0,
            **dep,
            "edges_per_step": self.edges / max(size, 1),
            **{f"{n}_per_step": dep[n] / max(size, 1) for n in ("chain", "blast", "audit")},
        }


def prefix_features(
    table: pa.Table, blocks: Collection[str], rule: Rule = "published"
) -> dict[str, Floats]:
    """Return features of every row of a ``live`` table, one pass per run.

    The longest prefix of each run is walked once; the shorter ones are stops on the way.

    Raises:
        UsageError: There is no such block or edge kind.
    """
    check_blocks(blocks)
    names = [name for block in BLOCKS if block in blocks for name in BLOCKS[block]]
    lengths = table.column("prefix_steps").to_pylist()
    rows: dict[str, list[int]] = defaultdict(list)
    for at, run in enumerate(table.column("run_id").to_pylist()):
        rows[run].append(at)
    longest = [max(own, key=lengths.__getitem__) for own in rows.values()]
    runs = table.select(["kind", "actor", "edge_reader", "edge_writer", "edge_kind"]).take(longest)
    kept = kinds_of(rule)
    found = {name: np.full(table.num_rows, np.nan) for name in names}
    for own, run in zip(rows.values(), _plain(runs), strict=True):
        stops = defaultdict(list)
        for at in own:
            stops[lengths[at]].append(at)
        for size, state in _walk(run, kept, sorted(stops)):
            for at in stops[size]:
                for name in names:
                    found[name][at] = state[name]
    return found


def _plain(runs: pa.Table) -> Iterator[Mapping[str, Sequence[object]]]:
    for batch in runs.to_batches(max_chunksize=256):
        yield from batch.to_pylist()


def _walk(
    run: Mapping[str, Sequence[object]], kept: frozenset[str], stops: Sequence[int]
) -> Iterator[tuple[int, Mapping[str, float]]]:
    writers: dict[object, set[int]] = defaultdict(set)
    for reader, writer, kind in zip(
        run["edge_reader"], run["edge_writer"], run["edge_kind"], strict=True
    ):
        if kind in kept:
            writers[reader].add(writer)  # type: ignore[arg-type]
    state, waiting = Running(), list(reversed(stops))
    for at, (kind, actor) in enumerate(zip(run["kind"], run["actor"], strict=True)):
        state.add(is_tool=kind == "tool_call", actor=actor, writers=writers.get(at, ()))
        while waiting and waiting[-1] == at + 1:
            yield waiting.pop(), state.features()
