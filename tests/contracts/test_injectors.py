"""What every fault promises, tried over many seeds on the runs of every corpus."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from catchkit.builders.corpus import corpora
from catchkit.builders.values import normal_form
from catchkit.gold_configs import FILE_CORPORA, VALUE_CORPORA, fault_names
from catchkit.injection.donors import Donors
from catchkit.injection.draws import AddressedDraws
from catchkit.injection.files import FileRun
from catchkit.injection.injector import Injector, Site, injectors
from catchkit.injection.pairs import Pair, single
from catchkit.injection.randomness import Addressed
from catchkit.injection.values import ValueRun, consumptions
from gold_runs import file_runs, fixture_file_runs, value_runs

SEEDS = range(200)


@pytest.fixture(params=sorted(injectors()))
def fault(request: pytest.FixtureRequest) -> Injector:
    return injectors()[request.param]


@cache
def clean_runs(substrate: str) -> tuple[list[Any], Donors]:
    """Return runs of every corpus that can take the faults of a substrate."""
    if substrate == "file":
        fixtures = [run for name in sorted(FILE_CORPORA) for run in fixture_file_runs(name)]
        return file_runs() + fixtures, Donors()
    runs = [run for name in sorted(VALUE_CORPORA) for run in value_runs(name, "repaired", "#")]
    return runs, Donors.of(runs)


def planted(fault: Injector, seed: int) -> list[Pair[Any]]:
    return _planted(fault.name, seed)


@cache
def _planted(name: str, seed: int) -> list[Pair[Any]]:
    fault = injectors()[name]
    runs, donors = clean_runs(fault.substrate)
    return single(runs, fault, Addressed(seed), donors)


def test_it_says_in_sentences_what_it_does(fault: Injector) -> None:
    for text in (fault.summary, fault.failure_mode, fault.eligible, fault.leaves_alone):
        assert text.endswith(".")


def test_its_name_tells_its_substrate(fault: Injector) -> None:
    assert fault.name in fault_names(fault.substrate)


def test_the_corpora_with_gold_are_those_that_can_take_its_faults() -> None:
    declared = corpora()
    files = {name for name, c in declared.items() if c.published_rule == "last_on_file"}
    values = {name for name, c in declared.items() if c.results != "text" and c.is_synthetic}
    assert files == set(FILE_CORPORA)
    assert values == set(VALUE_CORPORA)


def test_the_clean_runs_are_left_as_they_were(fault: Injector) -> None:
    for seed in SEEDS:
        planted(fault, seed)
    runs, _ = clean_runs(fault.substrate)
    read_again, _ = clean_runs.__wrapped__(fault.substrate)
    assert runs == read_again


def test_exactly_the_declared_change_is_made_at_the_label(fault: Injector) -> None:
    for seed in SEEDS:
        pairs = planted(fault, seed)
        assert pairs
        for pair in pairs:
            assert pair.change.site in pair.eligible
            assert pair.eligible == fault.sites(pair.clean)
            CHECKS[fault.name](pair)


def check_stale_read(pair: Pair[FileRun]) -> None:
    at, before, after = changed_dependencies(pair)
    assert after is not None
    assert after < before
    assert sorted(pair.faulty.deps[at]) == sorted({*pair.clean.deps[at]} - {before} | {after})
    assert len(pair.faulty.deps[at]) == len(pair.clean.deps[at])
    assert pair.clean.files[after] & pair.clean.files[at] & pair.clean.files[before]


def check_dropped_grounding(pair: Pair[FileRun]) -> None:
    at, before, after = changed_dependencies(pair)
    assert after is None
    assert [*pair.faulty.deps[at]] == [dep for dep in pair.clean.deps[at] if dep != before]


def changed_dependencies(pair: Pair[FileRun]) -> tuple[int, int, int | None]:
    """Return the change of a pair after checking that nothing else differs."""
    clean, faulty, at = pair.clean, pair.faulty, pair.change.site.at
    assert (clean.run_id, clean.files, clean.is_tool) == (
        faulty.run_id,
        faulty.files,
        faulty.is_tool,
    )
    assert [step for step in range(clean.n_steps) if clean.deps[step] != faulty.deps[step]] == [at]
    before, after = pair.change.before, pair.change.after
    assert isinstance(before, int)
    assert not isinstance(after, str)
    assert before in clean.deps[at]
    return at, before, after


def check_stale_value(pair: Pair[ValueRun]) -> None:
    _, after = changed_values(pair)
    assert after in pair.change.site.superseded


def check_dropped_value(pair: Pair[ValueRun]) -> None:
    before, after = changed_values(pair)
    assert pair.clean.extraction.is_identifier(before)
    site = (pair.change.site.at, pair.change.site.path)
    use = next(use for use in consumptions(pair.faulty) if (use.at, use.path) == site)
    assert (use.value, use.grounding) == (after, "ungrounded")


def changed_values(pair: Pair[ValueRun]) -> tuple[str, str]:
    """Return the change of a pair after checking that nothing else differs."""
    assert (pair.clean.run_id, pair.clean.given) == (pair.faulty.run_id, pair.faulty.given)
    differing = [
        (at, old.path, old.token, new.token)
        for at, (one, other) in enumerate(zip(pair.clean.events, pair.faulty.events, strict=True))
        for old, new in zip(one.leaves, other.leaves, strict=True)
        if old != new
    ]
    change = pair.change
    assert differing == [(change.site.at, change.site.path, change.before, change.after)]
    assert isinstance(change.before, str)
    assert isinstance(change.after, str)
    assert change.after == normal_form(change.after)
    return change.before, change.after


CHECKS: dict[str, Callable[[Pair[Any]], None]] = {
    "stale_read": check_stale_read,
    "dropped_grounding": check_dropped_grounding,
    "stale_value": check_stale_value,
    "dropped_value": check_dropped_value,
}


def test_the_same_seed_gives_the_same_faults_and_another_seed_others(fault: Injector) -> None:
    runs, donors = clean_runs.__wrapped__(fault.substrate)
    again = [pair.change for pair in single(runs, fault, Addressed(3), donors)]
    assert again == [pair.change for pair in planted(fault, 3)]
    assert again != [pair.change for pair in planted(fault, 4)]


def test_other_runs_and_their_order_move_no_injection(fault: Injector) -> None:
    runs, donors = clean_runs(fault.substrate)
    for seed in SEEDS[:40]:
        every = {pair.clean.run_id: pair.change for pair in planted(fault, seed)}
        for some in (runs[1::2], runs[::-1]):
            found = single(some, fault, Addressed(seed), donors)
            assert {p.clean.run_id: p.change for p in found}.items() <= every.items()


def test_every_eligible_place_is_reached_and_all_equally_often(fault: Injector) -> None:
    runs, donors = clean_runs(fault.substrate)
    run = max(runs, key=lambda run: len(fault.sites(run)))
    places, draws = {(site.at, site.path) for site in fault.sites(run)}, 3000
    counts = Counter(
        (pair.change.site.at, pair.change.site.path)
        for seed in range(draws)
        for pair in single([run], fault, Addressed(seed), donors)
    )
    assert set(counts) == places
    assert len(places) > 1
    assert is_uniform(counts, draws)


def is_uniform(counts: Counter[tuple[int, str]], draws: int) -> bool:
    """Return whether counts stay within five standard deviations of a uniform choice.

    A uniform choice is taken for another one once in a million.
    """
    share = 1 / len(counts)
    margin = 5 * (draws * share * (1 - share)) ** 0.5
    return all(abs(count - draws * share) <= margin for count in counts.values())


def test_an_argument_that_two_fields_make_eligible_is_not_drawn_more_often() -> None:
    sites = [Site(at=1, path="a", field=field) for field in "xyz"] + [Site(at=2, path="b")]
    chosen = Counter(
        (first.at, first.path) for seed in range(2000) for first in islice(first_of(sites, seed), 1)
    )
    assert len(chosen) == 2
    assert is_uniform(chosen, 2000)


def first_of(sites: list[Site], seed: int) -> Iterator[Site]:
    draws = AddressedDraws.at(seed, "test", "run")
    return Addressed(seed).sites(injectors()["stale_value"], sites, draws, length=3)
