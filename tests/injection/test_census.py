"""Sites counted before anything is injected, on generated runs and on the real ones."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from catchkit.builders.corpus import IDENTIFIER_SHAPE, corpus_named
from catchkit.builders.record import TraceRecord
from catchkit.injection.census import Census, Sites, census
from catchkit.injection.extraction import Extraction, Mode
from catchkit.injection.values import value_run
from gold_runs import real_records, shop_records
from reading import REAL

needs_runs = pytest.mark.skipif(not REAL.is_dir(), reason=f"the real runs are not in {REAL}")


def counted(name: str, mode: Mode, records: list[TraceRecord], **rule: Any) -> Census:
    corpus = corpus_named(name)
    extraction = replace(Extraction.of(corpus, mode), **rule)
    runs = [value_run(record, corpus, extraction) for record in records]
    return census(runs, [record.domain for record in records], name)


def sites(held: Census, fault: str, part: str) -> Sites:
    return next(s for s in held.sites if (s.fault, s.part) == (fault, part))


def test_sites_are_counted_by_tool_and_consuming_field() -> None:
    held = counted("tau_bench", "repaired", shop_records("tau_bench", "#"))
    assert held.by_argument["stale_value", "cancel", "items.[]"] == (4, 4)
    assert held.by_argument["stale_value", "ship", "addr"] == (4, 4)
    assert held.by_argument["dropped_value", "cancel", "order_id"] == (8, 8)


def test_pools_are_counted_per_run() -> None:
    held = sites(
        counted("tau_bench", "repaired", shop_records("tau_bench", "#")), "dropped_value", "all"
    )
    assert held.pools == (3, 3, 3, 3, 7, 7, 7, 7)
    assert [held.quantile(share) for share in (0.5, 0.51, 0.9, 1.0)] == [3, 7, 7, 7]
    assert (held.sites, held.runs_with_sites, held.pools_of_one) == (40, 8, 0)


def test_the_coverage_shows_what_the_original_pattern_drops() -> None:
    held = counted("tau_bench", "repaired", shop_records("tau_bench", "#"))
    orders = next(entry for entry in held.coverage if entry.key == "order_id")
    assert (orders.uses, orders.published, orders.declared) == (28, 0, 28)
    amounts = next(entry for entry in held.coverage if entry.key == "amount")
    assert (amounts.declared, amounts.example_shape) == (0, "00")


def test_an_own_write_is_told_from_a_third_party() -> None:
    corpus = replace(corpus_named("tau_bench"), is_write=lambda tool: tool == "set_addr")
    extraction = Extraction.of(corpus, "repaired")
    record = shop_records("tau_bench", "#")[0]
    own = census([value_run(record, corpus, extraction)], ["d"], "tau_bench")
    assert own.causes == {("d", "own_write", "one object"): 2}
    others = counted("tau_bench", "repaired", [record])
    assert set(others.causes) == {("retail", "third_party", "one object")}


REAL_SITES = [
    # corpus, domain, reading, fault: sites, runs with sites, pools of one
    *(
        ("tau_bench", "retail", "published", "stale_value", 6, 3, 2),
        ("tau_bench", "airline", "published", "stale_value", 11, 6, 3),
        ("tau_bench", "retail", "published", "dropped_value", 686, 319, 65),
        ("tau_bench", "airline", "published", "dropped_value", 2699, 375, 59),
        ("tau2_bench", "retail", "published", "stale_value", 1, 1, 1),
        ("tau2_bench", "retail", "published", "dropped_value", 405, 188, 37),
        ("agentdojo", "all", "published", "stale_value", 0, 0, 0),
        ("agentdojo", "all", "published", "dropped_value", 6, 5, 4),
    ),
    # With '#' and long digit ids admitted, results paired, and any tool's observation counted.
    *(
        ("tau_bench", "retail", "repaired", "stale_value", 62, 13, 3),
        ("tau_bench", "retail", "repaired", "dropped_value", 3162, 325, 5),
        ("tau_bench", "airline", "repaired", "dropped_value", 2699, 375, 59),
        ("tau2_bench", "retail", "repaired", "stale_value", 31, 7, 1),
        ("tau2_bench", "retail", "repaired", "dropped_value", 1826, 193, 5),
        ("agentdojo", "all", "repaired", "stale_value", 0, 0, 0),
        ("agentdojo", "all", "repaired", "dropped_value", 342, 220, 157),
    ),
]


@needs_runs
@pytest.mark.parametrize("expected", REAL_SITES, ids=lambda entry: "-".join(map(str, entry[:4])))
def test_the_real_corpora_hold_as_many_sites_as_were_counted_independently(
    expected: tuple[str, str, Mode, str, int, int, int],
) -> None:
    name, part, mode, fault, *figures = expected
    held = sites(real(name, mode), fault, part)
    assert [held.sites, held.runs_with_sites, held.pools_of_one] == figures


@needs_runs
def test_the_original_joins_two_orders_at_every_retail_stale_site() -> None:
    held = real("tau_bench", "published").causes
    assert {key: count for key, count in held.items() if key[0] == "retail"} == {
        ("retail", "own_write", "two objects"): 6
    }


@needs_runs
@pytest.mark.parametrize("name", ["tau_bench", "tau2_bench"])
def test_no_third_party_supersedes_a_value(name: str) -> None:
    assert "third_party" not in {cause for _, cause, _ in real(name, "repaired").causes}


@cache
def real(name: str, mode: Mode) -> Census:
    """Count under the rules of the independent census: a shape alone names identifiers."""
    rule = {} if mode == "published" else {"shape": IDENTIFIER_SHAPE, "keys": frozenset()}
    return counted(name, mode, real_records(name), **rule)
