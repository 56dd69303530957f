from dataclasses import replace

import pytest

from catchkit.builders.corpus import Call, Corpus, Edit, Event, Touch
from catchkit.builders.edges import kinds_of
from catchkit.builders.publish import published
from catchkit.errors import UsageError
from runs import (
    FORMS,
    answered,
    asked,
    called,
    edited,
    make_corpus,
    make_trace,
    random_trace,
    row_of,
    said,
    viewed,
)

FILES = make_corpus("files")
TAU = make_corpus("tau_bench")


def edges(corpus: Corpus, kind: str, *events: Event) -> list[tuple[int, int]]:
    row = row_of(published(make_trace(*events), corpus), corpus)
    every = zip(row["edge_reader"], row["edge_writer"], row["edge_kind"], strict=True)
    return [(reader, writer) for reader, writer, found in every if found == kind]


def test_full_context_relies_on_every_earlier_step() -> None:
    corpus = make_corpus("who_and_when")
    events = [said("a", "assistant"), said("b", "assistant"), said("c", "assistant")]
    assert edges(corpus, "full_context", *events) == [(1, 0), (2, 0), (2, 1)]


def test_a_file_event_relies_on_the_last_one_on_that_file_only() -> None:
    events = [asked(viewed("a")), asked(viewed("b")), asked(viewed("a")), asked(viewed("a"))]
    assert edges(FILES, "file", *events) == [(5, 1), (7, 5)]


def test_files_of_shell_commands_count_only_where_there_is_nothing_but_a_shell() -> None:
    shell = Call(tool="bash", touches=(Touch(resource="a", access="read", origin="shell"),))
    events = [asked(shell), asked(shell)]
    assert edges(FILES, "file", *events) == []
    assert edges(replace(FILES, counts_shell=True), "file", *events) == [(3, 1)]


def test_a_write_relies_on_every_earlier_read_of_the_database_and_on_nothing_else() -> None:
    events = [said("hello")]
    for tool in ("get_user_details", "think", "cancel_order", "get_order_details", "book_flight"):
        events += [asked(called(tool)), answered("{}")]
    assert edges(TAU, "database", *events) == [(6, 2), (10, 2), (10, 8)]


def test_a_value_is_followed_to_its_first_and_its_last_source() -> None:
    events = [
        said("My order is #W2378156."),
        asked(called("get_order_details", order_id="#W2378156")),
        answered({"order_id": "#W2378156", "card": "card_77"}),
        asked(called("cancel_order", order_id="#W2378156", card="card_77")),
        answered({"status": "cancelled"}),
    ]
    assert edges(TAU, "value_first", *events) == [(2, 0), (4, 0), (4, 2)]
    assert edges(TAU, "value_last", *events) == [(2, 0), (4, 2)]


def test_a_call_never_relies_on_a_result_that_came_after_it() -> None:
    both = asked(called("a", "1", x="id_1"), called("b", "2", x="id_2"))
    events = [
        said("hello there"),
        both,
        answered({"y": "id_2"}, call_id="1"),
        answered({"y": "id_1"}, call_id="2"),
    ]
    assert edges(TAU, "value_first", *events) == []


def test_a_read_relies_on_the_write_that_made_the_version_it_saw() -> None:
    failed = edited("a", "x", "y")
    events = [
        *(asked(viewed("a")), answered("x")),
        *(asked(edited("a", "x", "y")), answered("done")),
        *(asked(failed), answered("no match", is_error=True)),
        *(asked(viewed("a")), answered("y")),
    ]
    assert edges(FILES, "version", *events) == [(5, 3), (7, 3)]


def test_an_edit_relies_on_what_displayed_the_text_it_replaces() -> None:
    events = [
        *(asked(viewed("a")), answered("     1\tone\n     2\ttwo")),
        *(asked(viewed("a")), answered("     7\tseven")),
        *(asked(edited("a", "one\ntwo", "three")), answered("done")),
        *(asked(edited("a", "three", "four")), answered("done")),
        *(asked(edited("a", "never shown", "five")), answered("no", is_error=True)),
    ]
    assert edges(FILES, "content", *events) == [(5, 1), (7, 5)]


def test_an_edit_of_lines_relies_on_the_last_event_that_showed_them_all() -> None:
    touch = (Touch(resource="a", access="write"),)
    call = Call(tool="edit", touches=touch, edit=Edit(path="a", new="z", lines=(2, 3)))
    shown = [answered("1:one\n2:two\n3:three"), answered("3:three\n4:four")]
    events = [asked(viewed("a")), shown[0], asked(viewed("a")), shown[1], asked(call)]
    assert edges(FILES, "content", *events) == [(5, 1)]


def test_a_failed_edit_displays_nothing() -> None:
    events = [
        *(asked(edited("a", None, "new")), answered("no", is_error=True)),
        asked(edited("a", "new", "newer")),
    ]
    assert edges(FILES, "content", *events) == []


def test_what_the_source_names_is_an_edge_of_its_own() -> None:
    events = [asked(called("search")), answered("x"), asked(called("pick"), uses=(0,))]
    assert edges(FILES, "explicit", *events) == [(2, 0)]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seed", range(30))
def test_edges_point_back_in_time_sorted_and_without_repeats(name: str, seed: int) -> None:
    corpus = make_corpus(name)
    row = row_of(published(random_trace(seed), corpus), corpus)
    found = list(zip(row["edge_reader"], row["edge_writer"], row["edge_kind"], strict=True))
    assert found == sorted(set(found))
    assert all(0 <= writer < reader < row["n_steps"] for reader, writer, _ in found)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UsageError, match="there is no edge kind 'contents'"):
        kinds_of(["contents"])
