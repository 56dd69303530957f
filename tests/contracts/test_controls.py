from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from catchkit import catalog
from catchkit.admissibility.control import (
    PairControl,
    RosterControl,
    controls,
    oracles,
    pair_controls,
    roster_controls,
)
from catchkit.admissibility.panel import Panel, panel_of
from catchkit.admissibility.power import plants_of, power_of
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.substrate import (
    Candidate,
    Level,
    Pair,
    StepRun,
    Substrate,
    ValueRun,
)
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.rosters import Rosters
from catchkit.seeds import generator

PAIRS = 400


def step_substrate() -> Substrate:
    """Return runs that read three files in turn, each step relying on the last on its file."""
    pairs = []
    for at in range(PAIRS):
        rng = generator(0, "generated step run", str(at))
        names = [f"f{name}" for name in rng.integers(0, 3, size=rng.integers(8, 16))]
        tools = tuple(rng.choice(["view", "view", "view", "edit"], size=len(names)).tolist())
        bare = StepRun(
            tools=tools,
            resources=tuple(frozenset({name}) for name in names),
            writers=tuple(frozenset[int]() for _ in names),
            row=2 * at + int(rng.integers(2)),
        )
        run = replace(bare, writers=bare.predecessors)
        eligible = tuple(Candidate(step) for step, w in enumerate(run.writers) if w)
        pairs.append(
            Pair(
                pair_id=f"p{at}",
                run_id=f"r{at}",
                group=f"t{at // 3}",
                fault="none",
                clean=run,
                injected=replace(run, row=(run.row or 0) ^ 1),
                eligible=eligible,
                site=int(rng.integers(len(eligible))),
            )
        )
    return Substrate(name="steps", level="steps", pairs=tuple(pairs))


@cache
def panels() -> Mapping[Level, Panel]:
    made: dict[Level, Substrate] = {
        "values": simulated(pairs=PAIRS, seed=5),
        "steps": step_substrate(),
    }
    return {level: panel_of(one, pair_controls(level)) for level, one in made.items()}


CASES = [
    pytest.param(name, level, id=f"{name}-{level}")
    for level in ("values", "steps")
    for name in sorted(pair_controls(level))
]


def test_the_folder_holds_controls_of_pairs_and_of_rosters_only() -> None:
    for name in catalog.names("admissibility.controls"):
        assert isinstance(controls()[name], PairControl | RosterControl)
        assert controls()[name].artefact


@pytest.mark.parametrize(("name", "level"), CASES)
def test_every_reading_registers_what_its_control_must_catch(name: str, level: Level) -> None:
    panel, limits = panels()[level], shipped().leakage
    plants = plants_of(panel, name)
    for output in panel.controls[name].outputs:
        power = power_of(panel, name, output, plants, limits)
        assert power.strength.effect == pytest.approx(limits.artefact)
        assert (power.registered.value or 0) >= limits.power, output


@pytest.mark.parametrize(("name", "level"), CASES)
def test_scoring_and_planting_leave_the_runs_alone(name: str, level: Level) -> None:
    panel = panels()[level]
    pair = panel.substrate.pairs[0]
    before = (repr(pair.clean), repr(pair.injected))
    control = panel.controls[name]
    control.score(panel.context, pair, pair.injected)
    control.plant(panel.context, pair, 0, np.random.default_rng(0))
    assert (repr(pair.clean), repr(pair.injected)) == before


@pytest.mark.parametrize(("name", "level"), CASES)
def test_an_untouched_run_is_no_different_from_itself(name: str, level: Level) -> None:
    panel = panels()[level]
    control = panel.controls[name]
    for pair in panel.substrate.pairs[:50]:
        scores = control.score(panel.context, pair, pair.clean)
        assert scores.shape == (len(pair.eligible),)
        assert np.isfinite(scores).all()
        assert np.array_equal(scores, control.score(panel.context, pair, pair.clean))


@pytest.mark.parametrize("level", ["values", "steps"])
def test_a_control_that_an_edit_cannot_change_reads_the_same_in_both_twins(level: Level) -> None:
    panel = panels()[level]
    blind = [n for n, control in panel.controls.items() if control.outputs == ("top1",)]
    assert blind
    for name in blind:
        assert np.array_equal(panel.clean[name], panel.injected[name])


@pytest.mark.parametrize("level", ["values", "steps"])
def test_oracles_are_no_controls_and_plant_nothing(level: Level) -> None:
    known = oracles(level)
    assert known
    assert not set(known) & set(controls())
    panel = panels()[level]
    for oracle in known.values():
        with pytest.raises(TypeError, match="an oracle has no artefact to plant"):
            oracle.plant(panel.context, panel.substrate.pairs[0], 0, np.random.default_rng(0))


def test_an_oracle_registers_the_fault_that_it_knows_and_no_other() -> None:
    scored, pools = panel_of(panels()["values"].substrate, oracles("values")), panels()["values"]
    found = {name: pools.pools.top1(of).mean() for name, of in scored.injected.items()}
    assert found["provenance"] == found["twin_difference"] == 1.0
    assert found["superseded_value"] == pytest.approx(pools.pools.floor.mean())


def test_a_run_of_the_other_level_is_refused() -> None:
    pair = panels()["values"].substrate.pairs[0]
    assert isinstance(pair.clean, ValueRun)
    with pytest.raises(TypeError, match="was given a run of values"):
        pair_controls("steps")["broken_predecessor"].score(
            panels()["steps"].context, pair, pair.clean
        )


@pytest.mark.parametrize("name", sorted(roster_controls()))
def test_a_shortcut_planted_everywhere_is_followed(name: str, rosters: Rosters) -> None:
    control = roster_controls()[name]
    rng = np.random.default_rng(1)
    labels = control.plant(rosters, 1.0, rng)
    planted = replace(rosters, excess=labels)
    flags = control.predict(planted.showing(control.reads))
    # A prior cannot know a key that no other roster has; everything else it must get right.
    known = ~np.zeros_like(labels) if flags.undecided is None else ~flags.undecided
    assert known.mean() > 0.4
    assert np.array_equal(flags.flagged[known], labels[known])


@pytest.mark.parametrize("name", sorted(roster_controls()))
def test_planting_nowhere_keeps_the_number_of_excess_in_every_roster(
    name: str, rosters: Rosters
) -> None:
    labels = roster_controls()[name].plant(rosters, 0.0, np.random.default_rng(2))
    assert rosters.excess is not None
    assert np.array_equal(rosters.per_roster(labels), rosters.per_roster(rosters.excess))
