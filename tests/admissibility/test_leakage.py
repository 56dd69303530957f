from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from catchkit.admissibility.control import pair_controls
from catchkit.admissibility.leakage import PanelPower, decide, judged
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.power import plants_of
from catchkit.admissibility.simulate import Leak, simulated
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean, judge

PAIRS, SUBSTRATES = 200, 8
LIMITS = shipped()


def panel(seed: int, leak: Leak | None = None) -> Panel:
    return panel_of(simulated(pairs=PAIRS, seed=seed, leak=leak), pair_controls("values"))


@cache
def reference_panel() -> Panel:
    return panel(10**6)


@cache
def power() -> PanelPower:
    return PanelPower.of(reference_panel(), LIMITS, 0)


def leak_of(name: str, *, strength: float = 1.0) -> Leak:
    control, reference = pair_controls("values")[name], reference_panel()
    wanted = strength * LIMITS.leakage.artefact
    share = plants_of(reference, name).strength(reference, control.outputs, wanted).share
    return Leak(control=control, share=share)


def test_a_clean_injector_rarely_fails_and_a_leak_rarely_passes() -> None:
    names = sorted(pair_controls("values"))
    clean, leaky = Counter[str](), Counter[str]()
    for seed in range(SUBSTRATES):
        clean[judged(panel(seed), power(), LIMITS, seed=seed).verdict] += 1
        leak = leak_of(names[seed % len(names)])
        leaky[judged(panel(seed, leak), power(), LIMITS, seed=seed).verdict] += 1
    assert exact_rate(clean["fail"], SUBSTRATES).low <= 0.05
    assert exact_rate(leaky["pass"], SUBSTRATES).low <= 0.05


@pytest.mark.parametrize("name", sorted(pair_controls("values")))
def test_a_strong_leak_is_found_by_the_control_it_was_made_for(name: str) -> None:
    found = panel(77, leak_of(name, strength=3.0))
    for output in found.controls[name].outputs:
        mean = ClusteredMean.of(found.values(name, output), found.clusters_of(output))
        assert judge(mean, margin=0.05, alpha=0.05, readings=30).place == "outside"


def test_the_learned_adversary_finds_every_artefact_when_there_are_pairs_enough() -> None:
    large = panel_of(simulated(pairs=1100, seed=10**6), pair_controls("values"))
    found = PanelPower.of(large, LIMITS, 0)
    assert {one.control for one in found.trials} == set(large.controls)
    for one in found.trials:
        assert one.registered.high >= LIMITS.leakage.power, (one.control, one.output)
    for power in found.adversary.values():
        assert power.suffices(LIMITS.leakage)


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
