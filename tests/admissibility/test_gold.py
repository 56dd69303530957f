"""The bar on the packaged Gold: real runs, so the published findings must come out again."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from catchkit.admissibility.adversary import attack, features_of
from catchkit.admissibility.control import oracles, pair_controls
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.leakage import OUTPUTS, PanelPower, named_first, read_panel
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.power import plants_of, power_of
from catchkit.admissibility.published import SIX, published
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.agreement import exact_rate
from catchkit.eval.bands import ClusteredMean
from catchkit.loaders.release import packaged

DROPPED = "gold_v2_tau_bench_dropped_value"
FILE_LEVEL = [
    f"gold_v1_{corpus}{fault}"
    for corpus in ("mini_swe_agent", "moatless", "openhands")
    for fault in ("", "_stale_read", "_dropped_grounding")
]

# Gap over the matched floor in the census of the repaired dropped arm: five seeds of the
# injection, all with 95 % intervals of half-width 0.03 or less. One seed may differ by more.
CENSUS = {
    "task_membership": 0.799,
    "later_mention": 0.702,
    "own_result_echo": 0.415,
    "donor_rarity": 0.297,
    "singleton": 0.113,
    "edit_distance": 0.049,
}
NOT_MOVED = ("schema_shape", "position_prior", "field_prior", "tool_prior")


@cache
def dropped() -> Panel:
    return panel_of(substrate_of(packaged(), DROPPED), pair_controls("values"))


@cache
def readings() -> dict[tuple[str, str], Any]:
    panel, limits = dropped(), shipped()
    plants = {name: plants_of(panel, name) for name in panel.controls}
    seen = features_of(panel)
    power = PanelPower(
        controls={
            (name, output): power_of(panel, name, output, plants[name], limits.leakage)
            for name, control in panel.controls.items()
            for output in control.outputs
        },
        adversary={output: _unknown(plants["length"], panel) for output in OUTPUTS},
        trials=(),
    )
    attacks = {output: attack(seen, output, limits) for output in OUTPUTS}
    found = read_panel(panel, power, attacks, limits.leakage)
    return {(reading.control, reading.output): reading for reading in found}


def _unknown(plants: Any, panel: Panel) -> Any:
    power = power_of(panel, "length", "top1", plants, shipped().leakage)
    return type(power)(strength=power.strength, registered=exact_rate(0, 0))


@pytest.mark.parametrize("name", sorted(CENSUS))
def test_a_leak_of_the_census_is_a_fail_reading_of_the_same_size(name: str) -> None:
    reading = readings()[name, "top1"]
    assert reading.reading == "outside"
    assert reading.gap == pytest.approx(CENSUS[name], abs=0.03)
    assert reading.power.suffices(shipped().leakage)


@pytest.mark.parametrize("name", NOT_MOVED)
def test_what_the_edit_does_not_touch_is_inside(name: str) -> None:
    assert readings()[name, "top1"].reading == "inside"


def test_the_learned_adversary_finds_the_dropped_arm_outright() -> None:
    ranked, paired = (
        readings()["learned_adversary", "top1"],
        readings()["learned_adversary", "paired"],
    )
    assert ranked.reading == paired.reading == "outside"
    assert ranked.gap == pytest.approx(0.827, abs=0.03)
    assert paired.gap > 0.48


def test_the_oracle_is_at_the_ceiling() -> None:
    panel = panel_of(dropped().substrate, oracles("values"))
    assert ClusteredMean.of(
        panel.values("provenance", "top1"), panel.clusters_of("top1")
    ).value == pytest.approx(0.835, abs=0.01)


def superseded_gap(substrate: Substrate) -> float:
    name = "superseded_value"
    found = panel_of(substrate, {name: oracles("values")[name]})
    return float(found.values(name, "top1").mean())


@pytest.mark.parametrize(("corpus", "gap"), [("tau_bench", 0.5), ("tau2_bench", 0.3)])
def test_the_oracle_of_stale_values_registers_them(corpus: str, gap: float) -> None:
    assert superseded_gap(substrate_of(packaged(), f"gold_v2_{corpus}_stale_value")) > gap


def test_the_oracle_of_stale_values_is_blind_to_dropped_ones() -> None:
    assert abs(superseded_gap(dropped().substrate)) < 0.01


@pytest.mark.parametrize("config", FILE_LEVEL)
def test_broken_predecessor_names_every_file_level_target_and_flags_no_clean_run(
    config: str,
) -> None:
    panel = panel_of(substrate_of(packaged(), config), pair_controls("steps"))
    counted = named_first(panel)["broken_predecessor"]
    assert counted == {"alone": counted["runs"], "clean": 0, "runs": len(panel.pools.target)}
    assert np.allclose(
        panel.values("broken_predecessor", "top1"), 1 - panel.pools.floor[panel.ranked]
    )


@pytest.mark.parametrize("config", ["gold_v1_openhands", "gold_v1_mini_swe_agent"])
def test_the_published_rule_fails_file_level_gold(config: str) -> None:
    verdict = published(substrate_of(packaged(), config))
    assert [item.verdict for item in verdict.items] == [
        *("pass", "fail", "undetermined", "pass", "not met"),
    ]
    assert verdict.verdict == "inadmissible"


def test_the_published_panel_leaves_named_values_undetermined_for_want_of_power() -> None:
    verdict = published(dropped().substrate)
    assert [item.verdict for item in verdict.items] == [
        *("undetermined", "undetermined", "undetermined", "pass", "not met"),
    ]
    found = verdict.items[1].evidence["readings"]
    assert [r["control"] for r in found] == list(SIX)
    assert all(r["is_inside"] for r in found)
    assert [r["has_power"] for r in found] == [True, True, True, False, False, False]
    # A replaced value moves neither the shape of a call nor its place, key or tool.
    assert [r["auc"] for r in found if r["control"] in NOT_MOVED] == [0.5] * 4
