"""A clean injector on real runs: the panel that fails dropped values must not fail this one."""

from dataclasses import replace
from functools import cache

import pytest

from catchkit.admissibility.adversary import attack, features_of
from catchkit.admissibility.circularity import circularity, label_is_the_edit
from catchkit.admissibility.control import oracles, pair_controls
from catchkit.admissibility.distribution import distribution
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.leakage import OUTPUTS, oracle_gaps
from catchkit.admissibility.leaks import Leak
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.realism import realism
from catchkit.admissibility.renaming import renamed
from catchkit.admissibility.substrate import Pair, Substrate, ValueRun
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.bands import ClusteredMean, judge
from catchkit.loaders.release import packaged

CORPORA = ("tau_bench", "tau2_bench")
LIMITS = shipped()

# The census did the same on the five tau corpora: alias and suffix rename, one seed per row.
CENSUS_POOLS, CENSUS_FLOOR = 1133, 0.294


@cache
def real() -> Substrate:
    read = [substrate_of(packaged(), f"gold_v2_{corpus}_dropped_value") for corpus in CORPORA]
    return replace(read[0], pairs=tuple(pair for one in read for pair in one.pairs))


@cache
def clean_panel() -> Panel:
    return panel_of(renamed(real(), seed=11), pair_controls("values"))


def values_of(pair: Pair) -> tuple[ValueRun, ValueRun]:
    assert isinstance(pair.clean, ValueRun)
    assert isinstance(pair.injected, ValueRun)
    return pair.clean, pair.injected


def test_it_finds_the_pools_that_the_census_counted() -> None:
    panel = clean_panel()
    assert int(panel.ranked.sum()) == pytest.approx(CENSUS_POOLS, rel=0.02)
    assert panel.pools.floor[panel.ranked].mean() == pytest.approx(CENSUS_FLOOR, abs=0.01)


@pytest.mark.parametrize("name", sorted(pair_controls("values")))
def test_no_control_finds_it(name: str) -> None:
    panel = clean_panel()
    for output in panel.controls[name].outputs:
        gap = ClusteredMean.of(panel.values(name, output), panel.clusters_of(output))
        found = judge(gap, margin=LIMITS.leakage.margin(output), alpha=0.05, readings=29)
        assert found.place != "outside", output
        # One draw of a site per run wanders by less than this; the leaks of the census do not.
        assert abs(gap.value) < 0.045, output


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_learned_adversary_does_not_find_it(output: str) -> None:
    seen = features_of(clean_panel())
    found = attack(seen, "top1" if output == "top1" else "paired", LIMITS)
    gap = ClusteredMean.of(found.gaps, found.clusters)
    assert judge(gap, margin=0.05, alpha=0.05, readings=29, one_sided=True).place != "outside"
    assert found.auc == pytest.approx(0.5, abs=0.06)


def test_an_oracle_does() -> None:
    assert oracle_gaps(clean_panel())["provenance"] == pytest.approx(1 - CENSUS_FLOOR, abs=0.01)
    assert set(oracle_gaps(clean_panel())) == set(oracles("values"))


def test_twins_are_the_same_up_to_the_site_and_the_first_difference_is_the_label() -> None:
    for pair in clean_panel().substrate.pairs:
        clean, injected = values_of(pair)
        assert clean.events[: pair.target.event] == injected.events[: pair.target.event]
        assert label_is_the_edit(pair)
        assert clean.at(pair.target) not in {
            leaf.token for event in injected.events[pair.target.event :] for leaf in event.leaves
        }


def test_runs_are_distributed_as_before_and_what_plants_the_fault_knows_no_detector() -> None:
    substrate = clean_panel().substrate
    assert distribution(substrate, LIMITS).verdict == "pass"
    assert circularity(substrate).verdict == "pass"


def test_it_is_not_what_agents_make_up() -> None:
    item = realism(clean_panel().substrate, LIMITS)
    assert item.verdict == "fail"
    never_again = item.evidence["natural_cases"]["renaming"]["comparison"]["shares"][
        "later_mention"
    ]
    assert never_again["injected"] < 0.2 < 0.5 < never_again["natural"]


@pytest.mark.parametrize("name", ["later_mention", "edit_distance", "position_prior"])
def test_a_leak_in_the_same_runs_is_found(name: str) -> None:
    controls = {name: pair_controls("values")[name]}
    leaking = renamed(real(), seed=11, leak=Leak(control=controls[name], share=0.5))
    panel = panel_of(leaking, controls)
    gap = ClusteredMean.of(panel.values(name, "top1"), panel.clusters_of("top1"))
    assert judge(gap, margin=0.05, alpha=0.05, readings=29).place == "outside"


def test_the_same_seed_gives_the_same_pairs_and_another_one_other_sites() -> None:
    few = replace(real(), pairs=real().pairs[:60])
    assert renamed(few, seed=1) == renamed(few, seed=1)
    one, other = ([pair.site for pair in renamed(few, seed=seed).pairs] for seed in (1, 2))
    assert one != other


def test_runs_of_no_known_corpus_are_refused() -> None:
    made = replace(real().pairs[0], corpus=None)
    with pytest.raises(ValueError, match="nothing says how its values are read"):
        renamed(replace(real(), pairs=(made,)))
