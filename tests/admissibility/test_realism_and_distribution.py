from dataclasses import replace

import pytest

from catchkit.admissibility.distribution import distribution
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.plants import value_run
from catchkit.admissibility.realism import natural_cases, realism
from catchkit.admissibility.simulate import renamed, simulated
from catchkit.admissibility.substrate import Pair, Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.loaders.release import packaged

LIMITS = shipped()
MODES = {"simulated": "a documented failure"}
MADE = replace(simulated(pairs=300, seed=9), modes=MODES)


def test_a_fault_without_a_documented_mode_fails() -> None:
    item = realism(replace(MADE, modes={}), LIMITS)
    assert (item.verdict, item.because) == ("fail", "no documented failure mode for simulated")


def test_without_natural_cases_it_passes_as_a_mapping_and_says_so() -> None:
    item = realism(MADE, LIMITS)
    assert item.verdict == "pass"
    assert item.because.startswith("a taxonomy mapping only: 0 natural cases")


def with_natural_cases(*, alike: bool) -> Substrate:
    """Let some clean runs hold an unheard-of value that the injected ones resemble, or not."""

    def changed(at: int, pair: Pair) -> Pair:
        if at % 3 or len(pair.eligible) < 3:
            return pair
        place = pair.eligible[0]
        token = f"#W{at:07d}" if alike else f"made-up-{at}-value-of-another-shape"
        run = renamed(value_run(pair.clean), place, token)
        kept = tuple(one for one in pair.eligible if one != place)
        if pair.target == place:
            return replace(pair, eligible=(place,), site=0)
        injected = renamed(value_run(pair.injected), place, token)
        site = kept.index(pair.target)
        return replace(pair, clean=run, injected=injected, eligible=kept, site=site)

    return replace(MADE, pairs=tuple(changed(at, p) for at, p in enumerate(MADE.pairs)))


def test_faults_unlike_the_natural_ones_fail() -> None:
    substrate = with_natural_cases(alike=False)
    assert len([*natural_cases(substrate)]) >= LIMITS.realism.min_natural
    item = realism(substrate, LIMITS)
    assert item.verdict == "fail"
    assert item.evidence["classifier"]["auc"] > 0.9


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


def test_dropped_values_are_unlike_natural_ones_on_tau_bench() -> None:
    substrate = substrate_of(packaged(), "gold_v2_tau_bench_dropped_value")
    cases = [*natural_cases(substrate)]
    models = {pair.model for pair in cases}
    assert len(cases) >= 30
    assert len(models) > 1
