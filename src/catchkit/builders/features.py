"""Structural features of many runs at once, from arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from catchkit.builders.edges import Rule, kinds_of
from catchkit.errors import UsageError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BLOCKS: dict[str, tuple[str, ...]] = {
    "flat": ("n_steps", "n_tool_calls", "n_decisions", "n_agents"),
    "exec": ("max_agent_steps", "agent_gini", "n_handoffs", "recurrence"),
    "dep": ("n_edges", "chain", "blast", "audit"),
    "dep_dens": ("edges_per_step",),
    "dep_shape": ("chain_per_step", "blast_per_step", "audit_per_step"),
}
"""Feature names by block. ``chain`` is the longest dependency chain in edges, ``blast`` the most
steps that rely on one step, ``audit`` the most steps that one step relies on."""

LAYERS: dict[str, tuple[str, ...]] = {
    "flat": ("flat",),
    "exec": ("flat", "exec"),
    "full": ("flat", "exec", "dep"),
    "flatdens": ("flat", "dep_dens"),
    "flatdep": ("flat", "dep_dens", "dep_shape"),
    "depnorm": ("dep_dens", "dep_shape"),
}
"""The combinations that the original benchmark scores."""

STEP_FEATURES = ("blast", "span", "degree")


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The steps and edges of many runs in flat arrays; step numbers count over all runs."""

    starts: Ints
    """First step of each run, and the total at the end."""

    is_tool: NDArray[np.bool_]
    actor: Ints
    """Per step a number that is equal for equal actors."""

    edge_starts: Ints
    """First edge of each run, and the total at the end."""

    reader: Ints
    writer: Ints
    """Edges, sorted by reader, without repeats."""

    @property
    def sizes(self) -> Ints:
        """Steps per run."""
        return np.diff(self.starts)

    @property
    def count(self) -> int:
        """Number of runs."""
        return len(self.starts) - 1

    @property
    def run_of_step(self) -> Ints:
        """Per step the run it is of."""
        return np.repeat(np.arange(self.count), self.sizes)


def runs_of(table: pa.Table, rule: Rule = "published") -> Runs:
    """Return the arrays of a ``post`` or ``live`` table.

    Args:
        table: Rows of the config.
        rule: Which edges count.
    """
    kind, actor, edges = (_column(table, name) for name in ("kind", "actor", "edge_kind"))
    starts = _offsets(kind)
    codes = actor.flatten().dictionary_encode().indices
    per_run = np.diff(_offsets(edges))
    base = np.repeat(starts[:-1], per_run)
    kept = pc.is_in(edges.flatten(), pa.array(sorted(kinds_of(rule)), pa.string()))
    mask = _bools(kept)
    run = np.repeat(np.arange(table.num_rows), per_run)[mask]
    reader = (_ints(_column(table, "edge_reader").flatten()) + base)[mask]
    writer = (_ints(_column(table, "edge_writer").flatten()) + base)[mask]
    order = np.lexsort((writer, reader))
    reader, writer, run = reader[order], writer[order], run[order]
    new = np.ones(len(reader), bool)
    new[1:] = (reader[1:] != reader[:-1]) | (writer[1:] != writer[:-1])
    edge_counts = np.bincount(run[new], minlength=table.num_rows)
    return Runs(
        starts=starts,
        is_tool=_bools(pc.equal(kind.flatten(), pa.scalar("tool_call"))),
        actor=_ints(codes.fill_null(-1)),
        edge_starts=np.concatenate([[0], np.cumsum(edge_counts)]),
        reader=reader[new],
        writer=writer[new],
    )


def run_features(runs: Runs, blocks: Collection[str]) -> dict[str, Floats]:
    """Return each feature of the blocks as one array over the runs, in the order of ``BLOCKS``.

    Raises:
        UsageError: There is no such block.
    """
    check_blocks(blocks)
    found: dict[str, NDArray[np.generic]] = {}
    if "flat" in blocks:
        found |= _flat(runs)
    if "exec" in blocks:
        found |= _exec(runs)
    if dep := {"dep", "dep_dens", "dep_shape"} & set(blocks):
        whole = _dep(runs)
        found |= whole if "dep" in dep else {}
        size = np.maximum(runs.sizes, 1)
        shares = {"n_edges": "edges_per_step"} | {
            name: f"{name}_per_step" for name in ("chain", "blast", "audit")
        }
        found |= {share: whole[name] / size for name, share in shares.items()}
    names = [name for block in BLOCKS if block in blocks for name in BLOCKS[block]]
    return {name: found[name].astype(np.float64) for name in names}


def step_features(runs: Runs) -> dict[str, Ints]:
    """Return ``blast``, ``span`` and ``degree`` of every step.

    ``blast`` is how many later steps rely on a step, directly or not; ``span`` how many steps
    back the earliest step stands that it relies on; ``degree`` how many edges it has.
    """
    total = int(runs.starts[-1])
    span = np.zeros(total, np.int64)
    np.maximum.at(span, runs.reader, runs.reader - runs.writer)
    degree = np.bincount(runs.reader, minlength=total) + np.bincount(runs.writer, minlength=total)
    return {"blast": _dependents(runs), "span": span, "degree": degree}


def check_blocks(blocks: Collection[str]) -> None:
    """Raise a ``UsageError`` for a block that there is not."""
    for block in [blocks] if isinstance(blocks, str) else blocks:
        if block not in BLOCKS or isinstance(blocks, str):
            raise UsageError.unknown("feature block", block, BLOCKS)


def _flat(runs: Runs) -> dict[str, NDArray[np.generic]]:
    tools = np.bincount(runs.run_of_step[runs.is_tool], minlength=runs.count)
    agents = np.bincount(_agents(runs)[0], minlength=runs.count)
    return {
        "n_steps": runs.sizes,
        "n_tool_calls": tools,
        "n_decisions": runs.sizes - tools,
        "n_agents": agents,
    }


def _agents(runs: Runs) -> tuple[Ints, Ints]:
    """Return the run and the number of steps of every agent of every run."""
    span = int(runs.actor.max(initial=-1)) + 2
    pairs, steps = np.unique(runs.run_of_step * span + runs.actor + 1, return_counts=True)
    return pairs // span, steps


def _exec(runs: Runs) -> dict[str, NDArray[np.generic]]:
    run, steps = _agents(runs)
    order = np.lexsort((steps, run))
    run, steps = run[order], steps[order]
    agents = np.bincount(run, minlength=runs.count)
    first = np.concatenate([[0], np.cumsum(agents)])[:-1]
    rank = np.arange(len(run)) - first[run]
    # Sum of |a - b| over ordered pairs, which for sorted values is a weighted sum of each.
    weights = 2 * (2 * rank - agents[run] + 1) * steps
    spread = np.bincount(run, weights=weights, minlength=runs.count)
    gini = np.where(agents > 1, spread / np.maximum(2 * agents * runs.sizes, 1), 0.0)
    most = np.zeros(runs.count, np.int64)
    np.maximum.at(most, run, steps)
    changes, distinct = _changes(runs)
    returns = changes - np.maximum(agents - 1, 0)
    return {
        "max_agent_steps": most,
        "agent_gini": gini,
        "n_handoffs": distinct,
        "recurrence": np.where(changes > 0, returns / np.maximum(changes, 1), 0.0),
    }


def _changes(runs: Runs) -> tuple[Ints, Ints]:
    """Return per run the changes of agent, and how many of them are distinct ordered pairs."""
    run = runs.run_of_step
    is_change = (run[1:] == run[:-1]) & (runs.actor[1:] != runs.actor[:-1])
    at = np.flatnonzero(is_change)
    span = int(runs.actor.max(initial=-1)) + 2
    pairs = (run[at] * span + runs.actor[at] + 1) * span + runs.actor[at + 1] + 1
    distinct = np.unique(pairs) // (span * span)
    size = runs.count
    return np.bincount(run[at], minlength=size), np.bincount(distinct, minlength=size)


def _dep(runs: Runs) -> dict[str, Ints]:
    total, run = int(runs.starts[-1]), runs.run_of_step
    depth = np.array(_depths(runs.reader.tolist(), runs.writer.tolist(), total), np.int64)
    degrees = {
        "chain": depth,
        "blast": np.bincount(runs.writer, minlength=total),
        "audit": np.bincount(runs.reader, minlength=total),
    }
    found = {"n_edges": np.diff(runs.edge_starts)}
    for name, per_step in degrees.items():
        found[name] = np.zeros(runs.count, np.int64)
        np.maximum.at(found[name], run, per_step)
    return found


def _depths(reader: Sequence[int], writer: Sequence[int], total: int) -> list[int]:
    """Return per step the longest chain that ends in it; edges come sorted by reader."""
    depth = [0] * total
    for reads, writes in zip(reader, writer, strict=True):
        if depth[writes] >= depth[reads]:
            depth[reads] = depth[writes] + 1
    return depth


def _dependents(runs: Runs) -> Ints:
    """Return per step how many others rely on it, directly or not."""
    found = np.zeros(int(runs.starts[-1]), np.int64)
    for at in range(runs.count):
        start, edges = int(runs.starts[at]), slice(*runs.edge_starts[at : at + 2].tolist())
        reached = [0] * int(runs.sizes[at])
        reader = (runs.reader[edges] - start).tolist()
        writer = (runs.writer[edges] - start).tolist()
        # Last reader first: everything that relies on it is known by then.
        for reads, writes in zip(reversed(reader), reversed(writer), strict=True):
            reached[writes] |= reached[reads] | 1 << reads
        found[start : start + len(reached)] = [bits.bit_count() for bits in reached]
    return found


def _column(table: pa.Table, name: str) -> "pa.ListArray[Any]":
    return cast("pa.ListArray[Any]", table.column(name).combine_chunks())


def _offsets(lists: "pa.ListArray[Any]") -> Ints:
    return np.concatenate([[0], np.cumsum(_ints(lists.value_lengths().fill_null(0)))])


def _ints(array: "pa.Array[Any]") -> Ints:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.int64)


def _bools(array: "pa.Array[Any]") -> NDArray[np.bool_]:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.bool_)
