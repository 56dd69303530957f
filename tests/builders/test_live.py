"""Nothing in a live row depends on what comes after its prefix."""

import math
from dataclasses import replace
from typing import Any

import pytest

from catchkit.builders.corpus import Corpus, Event, Trace
from catchkit.builders.publish import published
from catchkit.builders.steps import steps_of
from catchkit.builders.tables import fraction_rows, graph_row, live_rows
from catchkit.trace_configs import LIVE, LIVE_FRACTION, POST, PREFIX_STEPS
from runs import FORMS, make_corpus, random_trace, row_of


def rows(trace: Trace, corpus: Corpus) -> dict[int, dict[str, Any]]:
    """Return the live rows of a run by their number of steps, without the outcome."""
    record = published(trace, corpus)
    return {
        row["prefix_steps"]: {
            column.name: row[column.name] for column in LIVE.columns if not column.hidden
        }
        for row in live_rows(row_of(record, corpus))
    }


def events_of_prefix(trace: Trace, corpus: Corpus, steps: int) -> int:
    """Return how many messages it takes for so many steps and everything that is a part of them."""
    record = published(trace, corpus)
    moments = [
        at
        for at, step in enumerate(steps_of(record, corpus.step_form).step_of)
        if step is not None and step < steps
    ]
    whole = 0
    for at in range(max(moments) + 1):
        whole += record.events[at].kind != "call"
    return whole


def with_another_end(trace: Trace, keep: int, seed: int) -> Trace:
    other: tuple[Event, ...] = random_trace(seed + 10_000, size=keep + 8).events
    return replace(trace, events=(*trace.events[:keep], *other[2:]), failed=not trace.failed)


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("seed", range(25))
def test_changing_anything_after_a_step_changes_nothing_in_its_row(name: str, seed: int) -> None:
    corpus = make_corpus(name)
    trace = random_trace(seed, size=30)
    before = rows(trace, corpus)
    for steps in before:
        keep = events_of_prefix(trace, corpus, steps)
        after = rows(with_another_end(trace, keep, seed), corpus)
        assert after[steps] == before[steps]


@pytest.mark.parametrize("name", FORMS)
def test_rows_come_at_absolute_step_counts_while_the_run_lasts(name: str) -> None:
    corpus = make_corpus(name)
    row = row_of(published(random_trace(1, size=40), corpus), corpus)
    expected = [steps for steps in PREFIX_STEPS if steps <= row["n_steps"]]
    assert [live["prefix_steps"] for live in live_rows(row)] == expected


def test_no_live_column_holds_the_final_length_or_the_gold_step() -> None:
    names = {column.name for column in LIVE.columns}
    assert not names & {"n_steps", "mistake_step", "mistake_actor", "prefix_fraction"}


def test_the_view_by_share_of_the_final_length_says_that_it_is_not_causal() -> None:
    column = next(c for c in LIVE_FRACTION.columns if c.name == "prefix_fraction")
    assert "NOT CAUSAL" in column.meaning


def test_shares_are_rounded_up_and_start_at_two_steps() -> None:
    corpus = make_corpus("tau_bench")
    row = row_of(published(random_trace(3, size=25), corpus), corpus)
    size = row["n_steps"]
    shares = {view["prefix_fraction"]: view["prefix_steps"] for view in fraction_rows(row)}
    assert shares == {str(f): max(2, math.ceil(f * size)) for f in (0.25, 0.5, 0.75, 1.0)}


def test_the_whole_prefix_is_the_run() -> None:
    corpus = make_corpus("files")
    row = row_of(published(random_trace(3, size=25), corpus), corpus)
    *_, last = fraction_rows(row)
    shared = {column.name for column in POST.columns} & {c.name for c in LIVE_FRACTION.columns}
    assert {name: last[name] for name in shared} == {name: row[name] for name in shared}


def test_a_short_run_is_left_out_with_its_reason() -> None:
    corpus = make_corpus("tau_bench")
    short = replace(random_trace(0), events=random_trace(0).events[:2])
    skipped = graph_row(published(short, corpus), corpus)
    assert getattr(skipped, "reason", None) == "fewer than 3 messages"
