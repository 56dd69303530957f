import pickle
from dataclasses import FrozenInstanceError

import networkx as nx
import pytest

from catchkit.builders.dataset import features, graphs, step_features
from catchkit.builders.graph import Edge, TraceGraph
from catchkit.builders.publish import published
from catchkit.errors import RecordError, UsageError
from runs import FORMS, make_corpus, random_trace, row_of


def graph(seed: int = 0, name: str = "files") -> TraceGraph:
    corpus = make_corpus(name)
    return TraceGraph.from_row(row_of(published(random_trace(seed, 24), corpus), corpus))


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seed", range(5))
def test_a_graph_comes_back_from_its_row(name: str, seed: int) -> None:
    corpus = make_corpus(name)
    row = row_of(published(random_trace(seed), corpus), corpus)
    assert TraceGraph.from_row(row).to_row() == row


def test_a_graph_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        graph().fold = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        graph().edge_index[0, 0] = 1
    assert pickle.loads(pickle.dumps(graph())) == graph()


def test_the_multigraph_holds_every_typed_edge() -> None:
    run = graph()
    found = run.to_networkx()
    types = nx.get_edge_attributes(found, "type").values()
    assert list(types).count("depends_on") == len(run.edges)
    assert list(types).count("handoff_to") == run.n_steps - 1
    assert list(types).count("emits") == run.n_steps
    agents = {node for node, kind in found.nodes(data="type") if kind == "agent"}
    assert agents == {("agent", actor) for actor in run.actor}
    depends = {(r, w, d["kind"]) for r, w, d in found.edges(data=True) if d["type"] == "depends_on"}
    assert depends == {(edge.reader, edge.writer, edge.kind) for edge in run.edges}
    assert all(found.has_edge(("agent", actor), at) for at, actor in enumerate(run.actor))


def test_the_index_lists_readers_above_writers() -> None:
    run = graph()
    assert run.edge_index.shape == (2, len(run.edges))
    assert run.edge_index.T.tolist() == [[edge.reader, edge.writer] for edge in run.edges]


def test_torch_geometric_sees_the_same_edges() -> None:
    pytest.importorskip("torch_geometric", reason="the extra `pyg` is not installed")
    run = graph()
    data = run.to_pyg()
    assert data.num_nodes == run.n_steps
    assert data.edge_index.tolist() == run.edge_index.tolist()
    assert data.x.sum(dim=1).tolist() == [1.0] * run.n_steps


def test_a_rule_keeps_its_edges_only() -> None:
    run = graph()
    assert {edge.kind for edge in run.with_rule("published").edges} == {"file"}
    assert {edge.kind for edge in run.with_rule(["version"]).edges} == {"version"}
    assert run.with_rule("all") == run


def test_a_prefix_holds_what_had_happened() -> None:
    run = graph()
    cut = run.prefix(5)
    assert cut.n_steps == 5
    assert cut.edges == tuple(edge for edge in run.edges if edge.reader < 5)
    with pytest.raises(UsageError, match="asked for the first 999"):
        run.prefix(999)


@pytest.mark.parametrize(("reader", "writer"), [(1, 1), (0, 1), (2, -1)])
def test_an_edge_points_back_in_time(reader: int, writer: int) -> None:
    with pytest.raises(RecordError, match="is not before reader"):
        Edge(reader=reader, writer=writer, kind="file")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"actor": ["a"]}, "column 'actor': has 1 values for"),
        ({"mistake_step": 99}, "column 'mistake_step': is 99 of"),
        ({"edge_reader": [99], "edge_writer": [0], "edge_kind": ["file"]}, "names step \\[99\\]"),
        ({"edge_reader": [1], "edge_writer": [0], "edge_kind": ["fil"]}, "column 'edge_kind'"),
    ],
)
def test_a_row_that_breaks_a_promise_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        TraceGraph.from_row({**graph().to_row(), **change})


def test_labels_are_hidden_unless_asked_for() -> None:
    assert {g.mistake_step for g in graphs("post_who_and_when")} == {None}
    assert None not in {g.mistake_step for g in graphs("post_who_and_when", labels=True)}


def test_graphs_can_be_indexed_from_both_ends_and_sliced() -> None:
    every = graphs("post_who_and_when")
    whole = list(every)
    assert len(every) == len(whole)
    assert (every[0], every[-1]) == (whole[0], whole[-1])
    assert list(every[3:9:2]) == whole[3:9:2]
    with pytest.raises(IndexError):
        every[len(whole)]


def test_features_are_keyed_by_the_id_of_the_config() -> None:
    assert features("live_tau_bench", blocks=("flat",)).column_names[0] == "row_id"
    steps = step_features("post_who_and_when")
    assert steps.num_rows == sum(g.n_steps for g in graphs("post_who_and_when"))


def test_a_config_without_traces_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no config of traces 'pre_mcp'"):
        graphs("pre_mcp")
