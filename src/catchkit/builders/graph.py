"""The typed dependency graph of a run, and how other libraries see it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from catchkit.builders.edges import KINDS, Rule, kinds_of
from catchkit.errors import MissingExtraError, UsageError
from catchkit.schema import require

if TYPE_CHECKING:
    import networkx as nx
    from torch_geometric.data import Data

_LABELS = ("failed", "mistake_step", "mistake_actor")
_PLAIN = (
    *("run_id", "task_id", "domain", "model", "corpus", "group", "fold"),
    *("label_process", "license", "repo", "commit", "path"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A dependency: ``reader`` relied on what ``writer`` produced."""

    reader: int
    """Position of the step that relied on another, 0-based; always greater than ``writer``."""

    writer: int
    kind: str
    """One of ``catchkit.builders.edges.KINDS``."""

    def __post_init__(self) -> None:
        forward = 0 <= self.writer < self.reader
        require(forward, "edge_writer", f"{self.writer} is not before reader {self.reader}")
        require(self.kind in KINDS, "edge_kind", f"{self.kind!r} is none of {', '.join(KINDS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTouch:
    """One access of a step to a file."""

    step: int
    resource: str
    access: Literal["read", "write"]
    origin: Literal["tool", "shell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceGraph:
    """The steps of a run and the dependencies among them."""

    run_id: str
    task_id: str
    domain: str | None = None
    model: str | None = None
    corpus: str
    group: str
    kind: tuple[str, ...]
    """Per step: ``decision`` or ``tool_call``."""

    actor: tuple[str | None, ...]
    tool: tuple[str | None, ...]
    touches: tuple[StepTouch, ...] = ()
    edges: tuple[Edge, ...] = ()
    """Sorted by reader, writer and kind, without repeats."""

    fold: int = 0
    failed: bool | None = None
    mistake_step: int | None = None
    """Position of the decisive step, 0-based; ``None`` where nobody named one."""

    mistake_actor: str | None = None
    label_process: str
    license: str
    repo: str
    commit: str
    path: str

    def __post_init__(self) -> None:
        size = len(self.kind)
        require(len(self.actor) == size, "actor", f"has {len(self.actor)} values for {size}")
        require(len(self.tool) == size, "tool", f"has {len(self.tool)} values for {size}")
        odd = set(self.kind) - {"decision", "tool_call"}
        require(not odd, "kind", f"holds {sorted(odd)}")
        beyond = [edge.reader for edge in self.edges if edge.reader >= size]
        require(not beyond, "edge_reader", f"names step {beyond[:1]} of {size}")
        for touch in self.touches:
            require(0 <= touch.step < size, "touches", f"names step {touch.step} of {size}")
        step = self.mistake_step
        require(step is None or 0 <= step < size, "mistake_step", f"is {step} of {size} steps")

    @property
    def n_steps(self) -> int:
        """Number of steps."""
        return len(self.kind)

    @property
    def edge_index(self) -> NDArray[np.int64]:
        """All edges as a read-only array of shape (2, edges): readers above, writers below."""
        pairs = [(edge.reader, edge.writer) for edge in self.edges]
        index = np.array(pairs, dtype=np.int64).reshape(-1, 2).T.copy()
        index.flags.writeable = False
        return index

    def with_rule(self, rule: Rule) -> "TraceGraph":
        """Return the graph with the edges of one rule only; see ``Rule``."""
        kept = kinds_of(rule)
        return replace(self, edges=tuple(edge for edge in self.edges if edge.kind in kept))

    def to_networkx(self) -> "nx.MultiDiGraph[Any]":
        """Return the typed multigraph: steps, agents, and who emits, hands over and depends.

        Nodes are step positions and ``("agent", name)``. Edges have a ``type``: ``emits`` from an
        agent to its steps, ``handoff_to`` from a step to the next, ``depends_on`` from a step to
        the one it relied on, with its ``kind``.

        Raises:
            MissingExtraError: networkx is not installed.
        """
        try:
            import networkx as nx
        except ImportError:
            raise MissingExtraError("networkx", "graph") from None
        graph = nx.MultiDiGraph(run_id=self.run_id)
        for at, (kind, actor, tool) in enumerate(
            zip(self.kind, self.actor, self.tool, strict=True)
        ):
            graph.add_node(("agent", actor), type="agent", name=actor)
            graph.add_node(at, type=kind, actor=actor, tool=tool)
            graph.add_edge(("agent", actor), at, type="emits")
            if at:
                graph.add_edge(at - 1, at, type="handoff_to")
        for edge in self.edges:
            graph.add_edge(edge.reader, edge.writer, type="depends_on", kind=edge.kind)
        return graph

    def to_pyg(self) -> "Data":
        """Return a ``torch_geometric`` graph of the steps.

        Node columns ``x``: is a decision, is a tool call. ``edge_index`` as above, ``edge_kind``
        as positions in ``catchkit.builders.edges.KINDS``.

        Raises:
            MissingExtraError: torch or torch_geometric is not installed.
        """
        try:
            import torch
            from torch_geometric.data import Data
        except ImportError:
            raise MissingExtraError("torch_geometric", "pyg") from None
        is_tool = torch.tensor([kind == "tool_call" for kind in self.kind])
        return Data(
            x=torch.stack([~is_tool, is_tool], dim=1).float(),
            edge_index=torch.from_numpy(self.edge_index.copy()),
            edge_kind=torch.tensor([KINDS.index(edge.kind) for edge in self.edges]),
            num_nodes=self.n_steps,
        )

    def prefix(self, steps: int) -> "TraceGraph":
        """Return the graph of the first steps, as it stood when the last of them was taken.

        Raises:
            UsageError: The run has fewer steps.
        """
        if not 0 <= steps <= self.n_steps:
            raise UsageError(f"{self.run_id} has {self.n_steps} steps, asked for the first {steps}")
        return replace(
            self,
            kind=self.kind[:steps],
            actor=self.actor[:steps],
            tool=self.tool[:steps],
            touches=tuple(touch for touch in self.touches if touch.step < steps),
            edges=tuple(edge for edge in self.edges if edge.reader < steps),
            mistake_step=None,
            mistake_actor=None,
        )

    def to_row(self) -> dict[str, Any]:
        """Return the graph as one row of the ``post`` schema."""
        return {
            **{name: getattr(self, name) for name in (*_PLAIN, *_LABELS)},
            "n_steps": self.n_steps,
            "kind": list(self.kind),
            "actor": list(self.actor),
            "tool": list(self.tool),
            "touches": [
                {"step": t.step, "resource": t.resource, "access": t.access, "origin": t.origin}
                for t in self.touches
            ],
            "edge_reader": [edge.reader for edge in self.edges],
            "edge_writer": [edge.writer for edge in self.edges],
            "edge_kind": [edge.kind for edge in self.edges],
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "TraceGraph":
        """Build the graph of a row of a ``post`` or ``live`` config; hidden columns may be absent.

        Raises:
            RecordError: The row breaks a promise of the schema.
        """
        lists = zip(row["edge_reader"], row["edge_writer"], row["edge_kind"], strict=True)
        # A version of a Gold run does not say which run it is of, unless labels are asked for.
        named = {"run_id": row.get("row_id"), **row}
        plain: dict[str, Any] = {name: named[name] for name in _PLAIN}
        labels: dict[str, Any] = {name: row.get(name) for name in _LABELS}
        return cls(
            **plain,
            **labels,
            kind=tuple(row["kind"]),
            actor=tuple(row["actor"]),
            tool=tuple(row["tool"]),
            touches=tuple(StepTouch(**entry) for entry in row["touches"]),
            edges=tuple(Edge(reader=r, writer=w, kind=k) for r, w, k in lists),
        )
