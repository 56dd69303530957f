"""How often the bar passes, fails and abstains on item 2, for injectors whose leak is known.

Power is measured once, on a clean substrate of the same design; every other one is drawn anew:
simulated runs, or with ``--real`` the packaged runs of two corpora, in which only aliases, sites
and leaks differ. Results go to a file line by line, so that a run can be resumed.

    python benchmarks/bar_error_rates.py --pairs 1100 --substrates 400 --out rates.jsonl
    python benchmarks/bar_error_rates.py --real --substrates 40 --out real.jsonl

The tables of ``docs/bar.md`` are what it printed last, in ``benchmarks/bar_error_rates.txt``.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from catchkit.admissibility.control import pair_controls
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.leakage import PanelPower, judged
from catchkit.admissibility.leaks import Leak
from catchkit.admissibility.panel import panel_of
from catchkit.admissibility.power import plants_of
from catchkit.admissibility.renaming import renamed
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.agreement import exact_rate
from catchkit.loaders.release import packaged

REFERENCE_SEED = 10**6
ARMS = ("clean", "leak +0.10")
REAL = ("gold_v2_tau_bench_dropped_value", "gold_v2_tau2_bench_dropped_value")
"""Configs whose clean runs are taken; these hold most of them."""


@dataclass(frozen=True, slots=True)
class Design:
    """What all substrates share."""

    pairs: int | None
    """``None`` for real runs, of which there are as many as there are."""

    power: PanelPower
    shares: dict[str, float]
    """For each control the share of pairs that is worth +0.10 of its reading."""


def substrate(pairs: int | None, seed: int, leak: Leak | None = None) -> Substrate:
    """Return simulated or real runs with a fault in each."""
    if pairs is not None:
        return simulated(pairs=pairs, seed=seed, leak=leak)
    return renamed(real_runs(), seed=seed, leak=leak)


@cache
def real_runs() -> Substrate:
    """Return the packaged runs, read once per process."""
    read = [substrate_of(packaged(), name) for name in REAL]
    return replace(read[0], name="real", pairs=tuple(p for one in read for p in one.pairs))


def design_of(pairs: int | None) -> Design:
    """Measure power and leak strengths on a clean substrate."""
    limits, controls = shipped(), pair_controls("values")
    panel = panel_of(substrate(pairs, REFERENCE_SEED), controls)
    shares = {
        name: plants_of(panel, name).strength(panel, control.outputs, limits.leakage.artefact).share
        for name, control in controls.items()
    }
    return Design(pairs, PanelPower.of(panel, limits, REFERENCE_SEED), shares)


def verdict_of(task: tuple[str, int], design: Design) -> dict[str, object]:
    """Judge one substrate: clean, or with the artefact of one control after the other."""
    arm, seed = task
    controls = pair_controls("values")
    names = sorted(controls)
    leak = None
    if arm != ARMS[0]:
        name = names[seed % len(names)]
        leak = Leak(control=controls[name], share=design.shares[name])
    panel = panel_of(substrate(design.pairs, seed, leak), controls)
    item = judged(panel, design.power, shipped(), seed=seed)
    planted = None if leak is None else leak.control.name
    return {"arm": arm, "seed": seed, "leak": planted, "verdict": item.verdict, "why": item.because}


def main() -> None:
    """Run what is missing and print the rates."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=1100)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--substrates", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    done = [*_read(options.out)]
    held = {(row["arm"], row["seed"]) for row in done}
    tasks = [(arm, s) for s in range(options.substrates) for arm in ARMS if (arm, s) not in held]
    if tasks:
        work = partial(verdict_of, design=design_of(None if options.real else options.pairs))
        with ProcessPoolExecutor(options.workers) as pool, options.out.open("a") as out:
            for row in pool.map(work, tasks):
                out.write(json.dumps(row) + "\n")
                out.flush()
    show("real" if options.real else str(options.pairs), [*_read(options.out)])


def _read(path: Path) -> Iterator[dict[str, object]]:
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def show(runs: str, rows: list[dict[str, object]]) -> None:
    """Print one Markdown row per arm: the rate of each verdict with its exact 95 % interval."""
    for arm in ARMS:
        found = Counter(str(row["verdict"]) for row in rows if row["arm"] == arm)
        rates = (exact_rate(found[v], found.total()) for v in ("pass", "fail", "undetermined"))
        cells = (f"{r.hits}/{r.trials} [{r.low:.3f}, {r.high:.3f}]" for r in rates)
        print(f"| {runs} | {arm} | {' | '.join(cells)} |")
    missed = Counter(str(row["leak"]) for row in rows if row["leak"] and row["verdict"] != "fail")
    print(f"leaks that did not fail: {dict(missed) or 'none'}")


if __name__ == "__main__":
    main()
