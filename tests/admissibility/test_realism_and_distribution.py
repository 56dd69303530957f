from dataclasses import replace

import pytest

from catchkit.admissibility.distribution import distribution
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.natural import natural_cases
from catchkit.admissibility.plants import value_run
from catchkit.admissibility.realism import realism
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.substrate import Pair, Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.loaders.release import packaged

LIMITS = shipped()
MODES = {"simulated": "a documented failure"}
UNPACKAGED = "tau_bench_hub"


def of_corpus(substrate: Substrate, corpus: str) -> Substrate:
    pairs = tuple(replace(pair, corpus=corpus) for pair in substrate.pairs)
    return replace(substrate, pairs=pairs, modes=MODES)


MADE = of_corpus(simulated(pairs=300, seed=9), UNPACKAGED)


def test_a_fault_without_a_documented_mode_fails() -> None:
    item = realism(replace(MADE, modes={}), LIMITS)
    assert (item.verdict, item.because) == ("fail", "no documented failure mode for simulated")


def test_without_natural_cases_it_passes_as_a_mapping_and_says_so() -> None:
    item = realism(MADE, LIMITS)
    assert item.verdict == "pass"
    assert "a taxonomy mapping only, natural cases 0 of" in item.because


@pytest.mark.parametrize(
    ("config", "corpus"), [("gold_v1_openhands", "swe_gym"), ("gold_v2_tau_bench_stale_value", "")]
)
def test_where_nothing_is_known_of_natural_cases_it_says_so(config: str, corpus: str) -> None:
    held = substrate_of(packaged(), config)
    modes = held.modes
    item = realism(replace(of_corpus(held, corpus), modes=modes) if corpus else held, LIMITS)
    assert item.verdict == "pass"
    assert "of natural cases nothing is known" in item.because
    assert {one["cases"] for one in item.evidence["natural_cases"].values()} == {None}


def with_natural_cases(*, alike: bool) -> Substrate:
    """Let some clean runs hold an unheard-of value that the injected ones resemble, or not."""

    def changed(at: int, pair: Pair) -> Pair:
        if at % 3 or len(pair.eligible) < 3:
            return pair
        place = pair.eligible[0]
        token = f"#W{at:07d}" if alike else f"made-up-{at}-value-of-another-shape"
        names = {value_run(pair.clean).arguments[place].token: token}
        run = value_run(pair.clean).renamed(names, place.event)
        kept = tuple(one for one in pair.eligible if one != place)
        if pair.target == place:
            return replace(pair, eligible=(place,), site=0)
        injected = value_run(pair.injected).renamed(names, place.event)
        site = kept.index(pair.target)
        return replace(pair, clean=run, injected=injected, eligible=kept, site=site)

    return replace(MADE, pairs=tuple(changed(at, p) for at, p in enumerate(MADE.pairs)))


def test_faults_unlike_the_natural_ones_fail() -> None:
    item = realism(with_natural_cases(alike=False), LIMITS)
    found = item.evidence["natural_cases"]["simulated"]
    assert item.verdict == "fail"
    assert found["cases"] >= LIMITS.realism.min_natural
    assert found["comparison"]["classifier"]["auc"] > 0.9


@pytest.mark.parametrize(("every", "enough"), [(4, True), (20, False)])
def test_a_model_with_most_natural_cases_is_left_out_once_where_enough_remain(
    every: int, enough: bool
) -> None:
    made = with_natural_cases(alike=False)
    cases = natural_cases(made)["simulated"] or ()
    other = {pair.run_id for pair in cases[::every]}
    by_others = sum(pair.run_id in other for pair in cases)
    pairs = tuple(
        replace(pair, model="other" if pair.run_id in other else "small") for pair in made.pairs
    )
    item = realism(replace(made, pairs=pairs), LIMITS)
    found = item.evidence["natural_cases"]["simulated"]
    assert f"{len(cases) - by_others} of {len(cases)} are of one model (small)" in item.because
    assert (found["largest_model"], found["remaining"]) == ("small", by_others)
    assert (found["remaining"] >= LIMITS.realism.min_natural) is enough
    assert (found["without_largest_model"] is not None) is enough


def test_an_injector_that_changes_no_distribution_does_not_fail_item_three() -> None:
    item = distribution(simulated(pairs=900, seed=10), LIMITS)
    assert item.verdict in ("pass", "undetermined")
    assert item.evidence["classifier"]["power"]["share"] >= 0.95


def test_longer_runs_fail_item_three() -> None:
    longer = tuple(
        replace(pair, injected=replace(run, events=run.events * 2))
        for pair in MADE.pairs
        for run in [value_run(pair.injected)]
    )
    item = distribution(replace(MADE, pairs=longer), LIMITS)
    assert item.verdict == "fail"
    assert item.evidence["summaries"]["size"]["reading"] == "outside"


@pytest.mark.parametrize("config", ["gold_v1_moatless_dropped_grounding"])
def test_dropping_an_edge_everywhere_shows_in_the_number_of_edges(config: str) -> None:
    item = distribution(substrate_of(packaged(), config), LIMITS)
    edges = item.evidence["summaries"]["edges"]
    assert edges["clean"] - edges["injected"] == pytest.approx(1.0)
    assert item.verdict == "fail"


SMALL = "Llama-3.1-8B-Instruct (user gpt-4o)"


def test_most_made_up_identifiers_of_tau_bench_are_of_one_small_model() -> None:
    substrate = substrate_of(packaged(), "gold_v2_tau_bench_dropped_value")
    cases = natural_cases(substrate)["dropped_value"] or ()
    # The census counts 8 in 6 retail runs and 108 in 58 airline runs, 104 of them of this model.
    # It calls a value heard of when it is a part of a longer word, so that airline has a few more.
    retail = [pair for pair in cases if pair.domain == "retail"]
    airline = [pair for pair in cases if pair.domain == "airline"]
    assert (len(retail), len({pair.run_id for pair in retail})) == (8, 6)
    assert 108 <= len(airline) <= 120
    assert sum(pair.model == SMALL for pair in cases) == 104
    found = realism(substrate, LIMITS).evidence["natural_cases"]["dropped_value"]
    assert found["largest_model"] == SMALL
    assert found["without_largest_model"] is None
    assert found["remaining"] == len(cases) - 104 < LIMITS.realism.min_natural


def test_planted_file_faults_are_unlike_the_failed_edits_of_moatless() -> None:
    item = realism(substrate_of(packaged(), "gold_v1_moatless"), LIMITS)
    stale, dropped = (
        item.evidence["natural_cases"][fault] for fault in ("stale_read", "dropped_grounding")
    )
    assert 13 <= stale["cases"] < LIMITS.realism.min_natural <= dropped["cases"]
    assert f"natural cases {stale['cases']} of" in item.because
    assert item.verdict == "fail"
    assert dropped["comparison"]["shares"]["broken_predecessor"] == {
        "injected": 1.0,
        "natural": 0.0,
    }
