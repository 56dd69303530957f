"""The verdict of the bar on every Gold config that ships, as a table.

python benchmarks/bar_verdicts.py [CONFIG ...] > benchmarks/bar_verdicts.txt
"""

import sys

from catchkit.admissibility.audit import audit
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.loaders.release import known_entries, packaged

SHOWN = 4
"""Readings that are named, the largest first."""


def main() -> None:
    """Print one Markdown row per config."""
    release = packaged()
    held = [name for name in known_entries(release) if name.startswith("gold_")]
    # In the attribution view both versions are injected, and the online view is the stale one.
    ours = [name for name in held if not name.endswith(("_attribution", "_online"))]
    print("| config | pairs | 1 | 2 | 3 | 4 | 5 | largest Top-1 gaps outside |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sys.argv[1:] or ours:
        verdict = audit(substrate_of(release, name))
        readings = verdict.items[1].evidence["readings"]
        outside = [r for r in readings if r["reading"] == "outside" and r["output"] == "top1"]
        outside.sort(key=lambda reading: -abs(reading["gap"]))
        found = ", ".join(f"{r['control']} {r['gap']:+.3f}" for r in outside[:SHOWN]) or "none"
        items = " | ".join(item.verdict for item in verdict.items)
        pairs = verdict.items[1].evidence["pairs"]
        print(f"| {name} | {pairs} | {items} | {found} |", flush=True)


if __name__ == "__main__":
    main()
