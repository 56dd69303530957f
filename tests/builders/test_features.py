from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchkit.builders.edges import KINDS, PUBLISHED
from catchkit.builders.features import BLOCKS, run_features, runs_of, step_features
from catchkit.builders.publish import published
from catchkit.builders.running import prefix_features
from catchkit.builders.tables import fraction_rows, live_rows
from catchkit.errors import UsageError
from catchkit.loaders.release import packaged
from catchkit.trace_configs import LIVE, LIVE_FRACTION, POST, trace_configs
from runs import FORMS, make_corpus, random_trace, reference_features, row_of

EVERY = tuple(BLOCKS)
COLUMNS = ["kind", "actor", "edge_reader", "edge_writer", "edge_kind"]


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=POST.arrow_schema)


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(0, 12))
    steps = st.integers(0, max(size - 1, 0))
    drawn = draw(st.lists(st.tuples(steps, steps, st.sampled_from(KINDS))))
    edges = sorted({(max(a, b), min(a, b), kind) for a, b, kind in drawn if a != b})
    actors, kinds = (
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from(["decision", "tool_call"]),
    )
    return {
        "kind": draw(st.lists(kinds, min_size=size, max_size=size)),
        "actor": draw(st.lists(actors, min_size=size, max_size=size)),
        "edge_reader": [edge[0] for edge in edges],
        "edge_writer": [edge[1] for edge in edges],
        "edge_kind": [edge[2] for edge in edges],
    }


def assert_equal_to_the_reference(rows: list[dict[str, Any]], features: Any, kinds: Any) -> None:
    for at, row in enumerate(rows):
        expected = reference_features(row, kinds)
        assert {name: float(values[at]) for name, values in features.items()} == expected


@settings(deadline=None, max_examples=150)
@given(st.lists(runs(), max_size=5))
def test_every_block_agrees_with_the_definitions_on_random_graphs(
    rows: list[dict[str, Any]],
) -> None:
    features = run_features(runs_of(table(rows), "all"), EVERY)
    assert_equal_to_the_reference(rows, features, KINDS)


def snapshot_configs() -> list[str]:
    held = packaged().manifest.configs
    return [
        config.name for config in trace_configs() if config.family is POST and config.name in held
    ]


@pytest.mark.parametrize("name", snapshot_configs())
def test_every_block_agrees_with_the_definitions_on_every_packaged_run(name: str) -> None:
    whole = packaged().table(name)
    features = run_features(runs_of(whole), EVERY)
    assert_equal_to_the_reference(whole.select(COLUMNS).to_pylist(), features, PUBLISHED)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seed", range(10))
def test_features_of_prefixes_are_those_of_the_cut_runs(name: str, seed: int) -> None:
    corpus = make_corpus(name)
    rows = [row_of(published(random_trace(seed + at), corpus), corpus) for at in (0, 100)]
    rows = [{**row, "run_id": f"run {at}"} for at, row in enumerate(rows)]
    for make, family in ((live_rows, LIVE), (fraction_rows, LIVE_FRACTION)):
        cut = [prefix for row in rows for prefix in make(row)]
        features = prefix_features(pa.Table.from_pylist(cut, family.arrow_schema), EVERY, "all")
        assert_equal_to_the_reference(cut, features, KINDS)


@settings(deadline=None, max_examples=100)
@given(runs(), runs())
def test_blast_span_and_degree_of_steps(one: dict[str, Any], other: dict[str, Any]) -> None:
    import networkx as nx

    found = step_features(runs_of(table([one, other]), "all"))
    expected = []
    for row in (one, other):
        graph = nx.DiGraph(zip(row["edge_reader"], row["edge_writer"], strict=True))
        graph.add_nodes_from(range(len(row["kind"])))
        for at in range(len(row["kind"])):
            span = max((at - writer for writer in graph.successors(at)), default=0)
            expected.append((len(nx.ancestors(graph, at)), span, graph.degree(at)))
    assert (
        list(zip(*(found[name].tolist() for name in ("blast", "span", "degree")), strict=True))
        == expected
    )


def test_full_context_blast_is_the_number_of_later_steps() -> None:
    whole = packaged().table("post_who_and_when")
    blast = step_features(runs_of(whole))["blast"].tolist()
    sizes = whole.column("n_steps").to_pylist()
    assert blast == [size - 1 - at for size in sizes for at in range(size)]


def test_an_unknown_block_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean 'dep_dens'"):
        run_features(runs_of(table([])), ("flat", "dep_den"))
