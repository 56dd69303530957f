"""Shows a verdict of the bar: what is needed before the readings, then readings, then items."""

from collections.abc import Mapping, Sequence
from typing import Any

from catchkit.admissibility.thresholds import Thresholds
from catchkit.admissibility.verdict import TITLES, Verdict
from catchkit.cli.tables import show_table


def show_verdict(verdict: Verdict) -> None:
    """Print a verdict."""
    print(f"{verdict.subject}: {verdict.data['origin']}, {verdict.data['data'][:19]}")
    limits = verdict.thresholds
    ours = "" if limits.is_shipped else ", NOT those of this toolkit"
    print(f"panel {verdict.panel}; thresholds version {limits.version}{ours}, {limits.digest[:19]}")
    for earlier in verdict.earlier:
        if earlier["digests"].get("thresholds") != limits.digest:
            print(f"thresholds changed: an earlier reading under others said {earlier['verdict']}")
    leakage = verdict.items[1].evidence
    if "pools_of_one_excluded" in leakage:
        _show_needed(leakage)
    if "required_configurations" in leakage:
        print(
            f"configurations that the margin needs: {leakage['required_configurations']}; "
            f"here {leakage['configurations']}"
        )
    if "readings" in leakage:
        print()
        _show_readings(leakage["readings"])
        _show_limits(leakage, limits)
    if "best_published_entrant" in leakage:
        _show_pooled(leakage)
    print()
    rows = [
        [str(item.item), TITLES[item.item], item.verdict, item.because] for item in verdict.items
    ]
    show_table(["item", "question", "verdict", "because"], rows)
    print(f"\n{verdict.subject} is {verdict.verdict}")


def _show_needed(leakage: Mapping[str, Any]) -> None:
    needed = {r["output"]: r["required_pairs"] for r in leakage["readings"]}
    held = leakage["pairs"] - leakage["pools_of_one_excluded"]
    words = ", ".join(f"{count} for {output}" for output, count in needed.items())
    print(
        f"independent pairs that the margins need: {words}; here {leakage['pairs']} pairs, "
        f"{held} with a pool of two or more, floor {leakage['matched_floor']:.3f}"
    )


def _show_readings(readings: Sequence[Mapping[str, Any]]) -> None:
    if "f1" in readings[0]:
        header = ["shortcut", "reading", "f1", "floor", "gap", "low", "high", "planted", "power"]
        rows = [
            [
                r["control"],
                r["reading"],
                f"{r['f1']:.3f}",
                f"{r['floor']:.3f}",
                *_signed(r["gap"], r["low"], r["high"]),
                f"{r['power']['strength']['effect']:+.3f}",
                _share(r["power"]["registered"]),
            ]
            for r in readings
        ]
    elif "is_inside" in readings[0]:
        header = ["control", "gap", "run auc", "inside", "planted gap"]
        rows = [
            [
                r["control"],
                *_signed(r["gap"]),
                f"{r['auc']:.3f}",
                "yes" if r["is_inside"] else "no",
                "-" if r["planted_gap"] is None else f"{r['planted_gap']:+.3f}",
            ]
            for r in readings
        ]
    else:
        header = ["control", "output", "reading", "gap", "low", "high", "planted", "power"]
        rows = [
            [
                r["control"],
                r["output"],
                r["reading"],
                *_signed(r["gap"], r["low"], r["high"]),
                f"{r['power']['strength']['effect']:+.3f}",
                _share(r["power"]["registered"]),
            ]
            for r in readings
        ]
    show_table(header, rows)


def _show_limits(leakage: Mapping[str, Any], limits: Thresholds) -> None:
    """Print what no row of the table says: sites that were not drawn, and what may be missed."""
    if all_sites := leakage.get("all_sites"):
        which = "over all eligible sites, each with weight 1/pool, which no edit changes"
        print(f"{which}: {_gaps(all_sites)}")
    if known := leakage.get("oracles"):
        print(f"oracles, which know the fault: {_gaps(known)}")
    readings = leakage["readings"]
    if blind := [_named(r) for r in readings if not r.get("is_informative", True)]:
        print(f"without power, so that they cannot help to pass: {', '.join(blind)}")
    if plants := leakage.get("adversary", {}).get("plants"):
        missed = [_named(p) for p in plants if p["registered"]["high"] < limits.leakage.power]
        print(f"planted artefacts that escape the learned adversary: {', '.join(missed) or 'none'}")


def _gaps(of: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {_signed(gap)[0]}" for name, gap in of.items())


def _named(reading: Mapping[str, Any]) -> str:
    output = reading.get("output", "f1")
    return reading["control"] if output == "f1" else f"{reading['control']} ({output})"


def _show_pooled(leakage: Mapping[str, Any]) -> None:
    print()
    by_source = leakage["by_source"]
    names = [*next(iter(by_source.values()))]
    rows = [[name, *(f"{scores[name]:.3f}" for scores in by_source.values())] for name in names]
    show_table(["F1 of shortcut", *by_source], rows)
    best = leakage["best_published_entrant"]
    print(f"best published entrant on these configurations: {best['name']} {best['f1']:.3f}")


def _signed(*values: float) -> list[str]:
    # A gap of -0.0 is no gap below the floor.
    return [f"{round(value, 3) + 0.0:+.3f}" for value in values]


def _share(rate: Mapping[str, Any]) -> str:
    return f"{rate['hits']}/{rate['trials']}" if rate["trials"] else "-"
