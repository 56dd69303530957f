from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from catchkit.admissibility.adversary import Found, attack, features_of, power_from
from catchkit.admissibility.control import pair_controls
from catchkit.admissibility.leakage import PanelPower, decide, judged
from catchkit.admissibility.leaks import Leak
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.power import Strength, plants_of
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, judge

PAIRS, SUBSTRATES = 200, 6
ENOUGH = 1100
"""Pairs with which a clean injector can pass."""

LIMITS = shipped()
FEW_TRIALS = replace(LIMITS, adversary=replace(LIMITS.adversary, replicates=1))
SOME_TRIALS = replace(LIMITS, adversary=replace(LIMITS.adversary, replicates=6))


def panel(seed: int, leak: Leak | None = None, *, pairs: int = PAIRS) -> Panel:
    return panel_of(simulated(pairs=pairs, seed=seed, leak=leak), pair_controls("values"))


@cache
def reference_panel(pairs: int = PAIRS) -> Panel:
    return panel(10**6, pairs=pairs)


@cache
def power() -> PanelPower:
    return PanelPower.of(reference_panel(), FEW_TRIALS, 0)


@cache
def enough_power() -> PanelPower:
    return PanelPower.of(reference_panel(ENOUGH), SOME_TRIALS, 0)


def leak_of(name: str, *, strength: float = 1.0, pairs: int = PAIRS) -> Leak:
    control, reference = pair_controls("values")[name], reference_panel(pairs)
    wanted = strength * LIMITS.leakage.artefact
    share = plants_of(reference, name).strength(reference, control.outputs, wanted).share
    return Leak(control=control, share=share)


def test_a_clean_injector_rarely_fails_and_a_leak_rarely_passes() -> None:
    names = sorted(pair_controls("values"))
    clean, leaky = Counter[str](), Counter[str]()
    for seed in range(SUBSTRATES):
        one = panel(seed, pairs=ENOUGH)
        clean[judged(one, enough_power(), LIMITS, seed=seed).verdict] += 1
        leak = leak_of(names[seed * 2 % len(names)], pairs=ENOUGH)
        one = panel(seed, leak, pairs=ENOUGH)
        leaky[judged(one, enough_power(), LIMITS, seed=seed).verdict] += 1
    assert exact_rate(clean["fail"], SUBSTRATES).low <= 0.05
    assert exact_rate(leaky["pass"], SUBSTRATES).low <= 0.05
    # A bar that always abstains would keep both promises.
    assert clean["pass"] > SUBSTRATES / 2
    assert leaky["fail"] > SUBSTRATES / 2


@pytest.mark.parametrize("name", sorted(pair_controls("values")))
def test_a_strong_leak_is_found_by_the_control_it_was_made_for(name: str) -> None:
    found = panel(77, leak_of(name, strength=3.0))
    for output in found.controls[name].outputs:
        mean = ClusteredMean.of(found.values(name, output), found.clusters_of(output))
        assert judge(mean, margin=0.05, alpha=0.05, readings=30).place == "outside"


def test_the_learned_adversary_finds_every_artefact_when_there_are_pairs_enough() -> None:
    found = enough_power()
    assert {one.control for one in found.trials} == set(reference_panel().controls)
    for one in found.trials:
        assert one.registered.high >= LIMITS.leakage.power, (one.control, one.output)
    for power in found.adversary.values():
        assert power.suffices(LIMITS.leakage)


@pytest.mark.parametrize(("hits", "found"), [(17, 217), (16, 16)])
def test_an_artefact_that_escapes_the_adversary_too_often_takes_its_power(
    hits: int, found: int
) -> None:
    """Of 20 plants 17 are compatible with 95 % (exact interval up to 0.968), 16 are not (0.943)."""
    strength = Strength(share=0.2, effect=0.1)
    trials = [
        Found(
            control=name,
            output="top1",
            strength=strength,
            registered=exact_rate(registered, tried),
            mean_gap=0.1,
        )
        for name, registered, tried in (("one", 200, 200), ("other", hits, 20))
    ]
    assert power_from(trials, LIMITS.leakage).registered.hits == found
    assert power_from(trials, LIMITS.leakage).suffices(LIMITS.leakage) == (hits == 17)


def test_an_artefact_that_cannot_be_planted_strongly_shows_no_power() -> None:
    weak = Found(
        control="one",
        output="top1",
        strength=Strength(share=1.0, effect=0.04),
        registered=exact_rate(20, 20),
        mean_gap=0.04,
    )
    assert not power_from([weak], LIMITS.leakage).suffices(LIMITS.leakage)


def test_the_adversary_does_not_guess_by_an_order_that_says_nothing() -> None:
    """Were it to follow the order of rows, its gap would vary as that of a fair coin does."""
    gaps = [
        attack(features_of(panel(seed), seed), "paired", LIMITS).gaps.mean() for seed in range(12)
    ]
    assert np.std(gaps) < 0.5 * 0.5 / np.sqrt(PAIRS / 2)


def test_a_reading_without_power_never_contributes_to_a_pass() -> None:
    weak = replace(LIMITS.leakage, power=1.01)
    item = judged(panel(1), power(), replace(LIMITS, leakage=weak))
    assert {r["reading"] for r in item.evidence["readings"]} <= {"not informative", "outside"}
    assert item.verdict != "pass"


def test_a_blind_panel_is_no_pass() -> None:
    assert decide([], {"oracle": 0.0}, LIMITS.leakage)[0] == "undetermined"


def test_pools_of_one_are_left_out_of_the_ranking_and_counted() -> None:
    made = simulated(pairs=40, seed=3)
    lonely = tuple(
        replace(pair, eligible=(pair.target,), site=0) if at < 10 else pair
        for at, pair in enumerate(made.pairs)
    )
    few = panel_of(replace(made, pairs=lonely), pair_controls("values"))
    alone = int((~few.ranked).sum())
    assert alone >= 10
    assert len(few.values("length", "top1")) == 40 - alone
    assert len(few.values("length", "paired")) == 40


def test_an_auc_compares_a_site_with_its_own_pool_only() -> None:
    few = panel(6)
    sites, others = few.injected["length"], few.pools.offsets
    beaten = []
    for at, pair in enumerate(few.substrate.pairs):
        pool = sites[others[at] : others[at + 1]]
        rest = np.delete(pool, pair.site)
        beaten += [np.mean((pool[pair.site] > rest) + 0.5 * (pool[pair.site] == rest))][: len(rest)]
    assert few.auc("length", "top1") == pytest.approx(np.mean(beaten))
    assert few.auc("length", "paired") == 0.5 + few.values("length", "paired").mean()


def test_what_an_edit_cannot_change_has_no_gap_over_all_sites() -> None:
    item = judged(panel(2), power(), LIMITS)
    assert set(item.evidence["all_sites"]) == {"position_prior", "field_prior", "tool_prior"}
    assert np.allclose([*item.evidence["all_sites"].values()], 0.0)


def test_the_required_sample_depends_on_the_pools_and_not_on_the_scores() -> None:
    one, other = (judged(panel(4, leak), power(), LIMITS) for leak in (None, leak_of("length")))
    for found in (one, other):
        readings = found.evidence["readings"]
        assert {r["required_pairs"] for r in readings if r["output"] == "paired"} == {1083}
    assert _required(one.evidence) == _required(other.evidence)


def _required(evidence: object) -> set[int]:
    assert isinstance(evidence, dict)
    return {r["required_pairs"] for r in evidence["readings"]}
