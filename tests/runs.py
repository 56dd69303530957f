"""Small and random raw runs, and a slow, plain reading of the feature blocks."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from catchkit.builders.corpus import Call, Corpus, Edit, Event, Json, Touch, Trace, corpus_named
from catchkit.builders.record import TraceRecord
from catchkit.builders.tables import graph_row

FORMS = ("tau_bench", "files", "who_and_when")
"""One corpus of each step form."""


def make_corpus(name: str = "tau_bench", **fields: Any) -> Corpus:
    """Return a corpus; ``files`` is one of the call form, whose agents edit files."""
    known = corpus_named("tau_bench")
    if name == "files":
        known = replace(known, step_form="call", published_rule="last_on_file", min_events=1)
        return replace(known, **fields)
    return replace(corpus_named(name), **fields)


def make_trace(*events: Event, **fields: Any) -> Trace:
    defaults: dict[str, Any] = {
        "key": "k",
        "task_id": "t",
        "model": None,
        "repo": "r",
        "commit": "c",
        "path": "p",
        "license": "MIT",
    }
    return Trace(**{**defaults, "events": events, **fields})


def said(text: str, role: str = "user", **fields: Any) -> Event:
    return Event(**{"role": role, "actor": role, "text": text, **fields})


def called(tool: str, id: str | None = None, **arguments: Json) -> Call:  # noqa: A002
    return Call(tool=tool, arguments=arguments, id=id)


def asked(*calls: Call, **fields: Any) -> Event:
    return Event(**{"role": "assistant", "actor": "agent", "calls": calls, **fields})


def answered(value: Json, **fields: Any) -> Event:
    text = value if isinstance(value, str) else json.dumps(value)
    return Event(**{"role": "tool", "actor": "env", "text": text, **fields})


def edited(path: str, old: str | None, new: str, **fields: Any) -> Call:
    touch = Touch(resource=path, access="write")
    edit = Edit(path=path, old=old, new=new)
    return Call(**{"tool": "edit", "touches": (touch,), "edit": edit, **fields})


def viewed(path: str) -> Call:
    return Call(tool="view", touches=(Touch(resource=path, access="read"),))


def row_of(record: TraceRecord, corpus: Corpus) -> dict[str, Any]:
    row = graph_row(record, corpus)
    assert isinstance(row, dict), row
    return row


def random_trace(seed: int, size: int = 12) -> Trace:
    """Return a run with parallel and unanswered calls, repeated ids, edits, errors and values."""
    rng = np.random.default_rng(seed)
    events = [said("You are a helper.", "system"), said(f"I am user_{rng.integers(4)}.")]
    while len(events) < size:
        calls = [_random_call(rng) for _ in range(rng.integers(0, 4))]
        events.append(asked(*calls, text=f"Looking at #W{rng.integers(5)}00."))
        for call in calls:
            if rng.random() < 0.9:
                events.append(_random_answer(rng, call))
        if rng.random() < 0.3:
            events.append(said(f"It is #W{rng.integers(5)}00, from 2024-05-0{rng.integers(1, 9)}."))
    return make_trace(*events, failed=bool(rng.random() < 0.5))


def _random_call(rng: np.random.Generator) -> Call:
    id_ = [None, "", "a", "b", "c"][rng.integers(5)]
    path = f"src/f{rng.integers(3)}.py"
    match rng.integers(4):
        case 0:
            return replace(viewed(path), id=id_)
        case 1:
            old = f"line {rng.integers(3)}" if rng.random() < 0.8 else None
            return edited(path, old, f"line {rng.integers(3)}", id=id_)
        case 2:
            return called("get_order", id_, order_id=f"#W{rng.integers(5)}00")
        case _:
            return called("cancel_order", id_, order_id=f"#W{rng.integers(5)}00")


def _random_answer(rng: np.random.Generator, call: Call) -> Event:
    if rng.random() < 0.2:
        return answered("Error: no", call_id=call.id, is_error=True)
    if call.touches:
        return answered(f"1\tline {rng.integers(3)}\n2\tline {rng.integers(3)}", call_id=call.id)
    return answered({"id": f"#W{rng.integers(5)}00", "paid": float(rng.integers(200))})


def reference_features(row: Mapping[str, Any], kinds: Collection[str]) -> dict[str, float]:
    """Return every feature of a run, read off a graph one definition at a time."""
    graph = nx.MultiDiGraph()
    actors: Sequence[str | None] = row["actor"]
    for at, actor in enumerate(actors):
        graph.add_edge(("agent", actor), at, type="emits")
        if at:
            graph.add_edge(at - 1, at, type="handoff_to")
    edges = zip(row["edge_reader"], row["edge_writer"], row["edge_kind"], strict=True)
    dependencies = nx.DiGraph((reader, writer) for reader, writer, kind in edges if kind in kinds)
    size = len(actors)
    shape = {
        "chain": nx.dag_longest_path_length(dependencies) if dependencies.size() else 0,
        "blast": max((degree for _, degree in dependencies.in_degree()), default=0),
        "audit": max((degree for _, degree in dependencies.out_degree()), default=0),
    }
    return {
        "n_steps": size,
        "n_tool_calls": sum(kind == "tool_call" for kind in row["kind"]),
        "n_decisions": sum(kind == "decision" for kind in row["kind"]),
        **_reference_agents(graph, actors),
        "n_edges": dependencies.size(),
        **shape,
        "edges_per_step": dependencies.size() / size if size else 0.0,
        **{f"{name}_per_step": value / size if size else 0.0 for name, value in shape.items()},
    }


def _reference_agents(graph: Any, actors: Sequence[str | None]) -> dict[str, float]:
    emitted = [graph.out_degree(node) for node in graph if isinstance(node, tuple)]
    total, agents = sum(emitted), len(emitted)
    spread = sum(abs(a - b) for a in emitted for b in emitted)
    changes = [(a, b) for a, b in pairwise(actors) if a != b]
    seen, returns = set(actors[:1]), 0
    for _, now in changes:
        returns += now in seen
        seen.add(now)
    return {
        "n_agents": agents,
        "max_agent_steps": max(emitted, default=0),
        "agent_gini": spread / (2 * agents * total) if agents > 1 else 0.0,
        "n_handoffs": len(set(changes)),
        "recurrence": returns / len(changes) if changes else 0.0,
    }
