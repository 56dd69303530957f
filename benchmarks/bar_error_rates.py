"""How often the bar passes, fails and abstains on item 2, for injectors whose leak is known.

Power is measured once, on a clean substrate of the same design; every other substrate is drawn
anew. Prints one table; results go to a file line by line, so that a run can be resumed.

    python benchmarks/bar_error_rates.py --pairs 400 --substrates 400 --out rates.jsonl
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from catchkit.admissibility.control import pair_controls
from catchkit.admissibility.leakage import PanelPower, judged
from catchkit.admissibility.panel import panel_of
from catchkit.admissibility.power import plants_of
from catchkit.admissibility.simulate import Leak, simulated
from catchkit.admissibility.thresholds import shipped
from catchkit.eval.agreement import exact_rate

REFERENCE_SEED = 10**6
ARMS = ("clean", "leak +0.10")


@dataclass(frozen=True, slots=True)
class Design:
    """What all substrates share."""

    pairs: int
    power: PanelPower
    shares: dict[str, float]
    """For each control the share of pairs that is worth +0.10 of its reading."""


def design_of(pairs: int) -> Design:
    """Measure power and leak strengths on a clean substrate."""
    limits, controls = shipped(), pair_controls("values")
    panel = panel_of(simulated(pairs=pairs, seed=REFERENCE_SEED), controls)
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
    panel = panel_of(simulated(pairs=design.pairs, seed=seed, leak=leak), controls)
    item = judged(panel, design.power, shipped(), seed=seed)
    planted = None if leak is None else leak.control.name
    return {"arm": arm, "seed": seed, "leak": planted, "verdict": item.verdict, "why": item.because}


def main() -> None:
    """Run what is missing and print the rates."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--substrates", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    done = [*_read(options.out)]
    held = {(row["arm"], row["seed"]) for row in done}
    tasks = [(arm, s) for s in range(options.substrates) for arm in ARMS if (arm, s) not in held]
    if tasks:
        work = partial(verdict_of, design=design_of(options.pairs))
        with ProcessPoolExecutor(options.workers) as pool, options.out.open("a") as out:
            for row in pool.map(work, tasks):
                out.write(json.dumps(row) + "\n")
                out.flush()
    show([*_read(options.out)])


def _read(path: Path) -> Iterator[dict[str, object]]:
    if path.exists():
        yield from map(json.loads, path.read_text().splitlines())


def show(rows: list[dict[str, object]]) -> None:
    """Print the rate of each verdict in each arm, with its exact 95 % interval."""
    for arm in ARMS:
        found = Counter(str(row["verdict"]) for row in rows if row["arm"] == arm)
        total = found.total()
        for verdict in ("pass", "fail", "undetermined"):
            rate = exact_rate(found[verdict], total)
            print(f"{arm:10} {verdict:12} {rate.hits:4}/{total} [{rate.low:.4f}, {rate.high:.4f}]")


if __name__ == "__main__":
    main()
