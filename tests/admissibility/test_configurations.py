"""The bar on the six PRE configs, against the published figures."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from catchkit.admissibility.configurations import audit_configurations, best_entrant
from catchkit.admissibility.roster_adversary import shares_elsewhere
from catchkit.admissibility.roster_gaps import f1_parts, gap_of
from catchkit.admissibility.rosters import shortcut_scores
from catchkit.admissibility.thresholds import shipped
from catchkit.admissibility.verdict import Item, Verdict
from catchkit.eval.bands import ClusteredMean, judge
from catchkit.eval.baseline import baseline, predict
from catchkit.eval.board import Tally
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import packaged

NAMES = [
    f"pre_{source}" for source in ("crewai", "injecagent", "mcp", "n8n", "sweagent", "synthetic")
]
TYPE_PRIOR = {
    "crewai": 0.182,
    "n8n": 0.513,
    "mcp": 0.652,
    "injecagent": 0.928,
    "sweagent": 0.734,
    "synthetic": 0.800,
    "pooled": 0.704,
}


FEW_TRIALS = replace(shipped(), adversary=replace(shipped().adversary, replicates=2))


@cache
def verdict(name: str) -> Verdict:
    return audit_configurations(packaged(), name, thresholds=FEW_TRIALS)


def leakage(name: str) -> Item:
    return verdict(name).items[1]


def reading(name: str, control: str) -> dict[str, Any]:
    found = leakage(name).evidence["readings"]
    one: dict[str, Any] = next(one for one in found if one["control"] == control)
    return one


def test_injecagent_is_read_from_its_names() -> None:
    assert verdict("pre_injecagent").verdict == "inadmissible"
    assert leakage("pre_injecagent").verdict == "fail"
    for control in ("name_prior", "declaration_order"):
        assert reading("pre_injecagent", control)["f1"] == 1.0
        assert reading("pre_injecagent", control)["reading"] == "outside"


@pytest.mark.parametrize(("control", "f1"), [("name_prior", 0.725), ("type_prior", 0.734)])
def test_sweagent_has_priors_above_the_floor_that_no_method_beats(control: str, f1: float) -> None:
    found = reading("pre_sweagent", control)
    assert round(found["f1"], 3) == f1
    assert round(found["floor"], 3) == 0.574
    assert found["reading"] == "outside"


@pytest.mark.parametrize("name", NAMES)
def test_every_source_has_five_items_and_the_scores_of_all_shortcuts(name: str) -> None:
    found = verdict(name)
    assert [item.item for item in found.items] == [1, 2, 3, 4, 5]
    assert found.items[4].verdict == "not met"
    assert found.verdict != "admissible"
    controls = [one["control"] for one in leakage(name).evidence["readings"]]
    assert set(controls) == {
        *("position", "declaration_order", "name_prior", "type_prior", "level_prior"),
        *("roster_size", "vocabulary_overlap", "learned_adversary"),
    }
    for one in leakage(name).evidence["readings"]:
        power = one["power"]
        has_power = (
            power["strength"]["effect"] >= 0.1
            and power["registered"]["hits"] >= 0.95 * power["registered"]["trials"] > 0
        )
        assert one["is_informative"] == has_power
        assert has_power or one["reading"] in ("not informative", "outside")


def test_the_fifth_item_of_a_config_says_how_to_make_a_sheet() -> None:
    item = verdict("pre_sweagent").items[4]
    assert "--annotate" in item.because
    assert "--annotations" in item.because
    assert item.evidence["rule"]


def test_the_required_number_of_configurations_makes_an_absent_gap_inside() -> None:
    """Gaps that vary as the floor's F1 does are inside the margin nine times in ten."""
    rosters = rosters_of(packaged().table("pre_n8n"))
    _, parts = f1_parts(rosters, predict(baseline("flag_all"), rosters))
    needed = leakage("pre_n8n").evidence["required_configurations"]
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(400):
        drawn = rng.choice(parts - parts.mean(), size=needed)
        mean = ClusteredMean.of(drawn, np.arange(needed))
        inside += judge(mean, margin=0.05, alpha=0.05, readings=1).place == "inside"
    assert inside / 400 == pytest.approx(0.9, abs=0.05)


def test_the_adversary_is_no_worse_than_a_shortcut_that_decides_every_label() -> None:
    found = {one["control"]: one["f1"] for one in leakage("pre_injecagent").evidence["readings"]}
    assert found["declaration_order"] == found["learned_adversary"] == 1.0


@pytest.mark.parametrize("name", ["pre_crewai", "pre_synthetic"])
def test_an_artefact_is_planted_as_strongly_as_it_must_be_found_and_no_more(name: str) -> None:
    readings = leakage(name).evidence["readings"]
    effects = {
        one["control"]: one["power"]["strength"]["effect"]
        for one in readings
        if one["power"]["registered"]["trials"]
    }
    assert len(effects) > 4
    assert all(0.1 <= effect < 0.12 for effect in effects.values()), effects


@pytest.mark.parametrize("held", [0, 3])
def test_no_share_depends_on_labels_of_its_own_fold_or_the_held_one(held: int) -> None:
    rng = np.random.default_rng(5)
    codes, fold = rng.integers(0, 6, size=300), rng.integers(0, 5, size=300)
    label = (rng.random(300) < 0.4).astype(float)
    found = shares_elsewhere(codes, label, fold, held)
    for own in range(5):
        moved = np.where(np.isin(fold, [own, held]), 1 - label, label)
        changed = shares_elsewhere(codes, moved, fold, held)
        assert np.array_equal(found[fold == own], changed[fold == own])
    assert not np.array_equal(found, shares_elsewhere(codes, 1 - label, fold, held))


def test_the_type_prior_stands_above_the_best_published_entrant(rosters: Rosters) -> None:
    everything = np.arange(len(rosters.ids))
    parts = {**rosters.by_source(), "pooled": everything}
    found = {name: shortcut_scores(rosters, rows)["type_prior"] for name, rows in parts.items()}
    assert {name: round(f1, 3) for name, f1 in found.items()} == TYPE_PRIOR
    best = best_entrant(rosters)
    assert (best["name"], round(float(best["f1"]), 3)) == ("llm_judge_needed", 0.695)


def test_the_error_of_a_difference_is_that_of_drawing_configurations_again(
    rosters: Rosters,
) -> None:
    flags = predict(baseline("type_prior"), rosters)
    _, _, gap = gap_of(rosters, flags)
    _, ours = f1_parts(rosters, flags)
    rng = np.random.default_rng(0)
    assert ours.mean() == pytest.approx(f1_parts(rosters, flags)[0])
    assert gap.error == pytest.approx(_bootstrap_error(rosters, rng), rel=0.1)


def _bootstrap_error(rosters: Rosters, rng: np.random.Generator) -> float:
    counts = [
        Tally.of(rosters, predict(baseline(name), rosters)).counts
        for name in ("type_prior", "flag_all")
    ]
    drawn = []
    for _ in range(1000):
        rows = rng.integers(0, len(rosters.ids), size=len(rosters.ids))
        f1 = [2 * c[0] / (2 * c[0] + c[1] + c[2]) for c in (one[rows].sum(0) for one in counts)]
        drawn.append(f1[0] - f1[1])
    return float(np.std(drawn))
