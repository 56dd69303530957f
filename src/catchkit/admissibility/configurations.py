"""The five items asked of a config of declared configurations."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from catchkit.admissibility.annotation.capabilities import capabilities_asked
from catchkit.admissibility.circularity import crossings
from catchkit.admissibility.leakage import Label
from catchkit.admissibility.roster_gaps import required_configurations
from catchkit.admissibility.rosters import Shortcut, Shortcuts, shortcut_scores, shortcuts
from catchkit.admissibility.thresholds import Thresholds, shipped
from catchkit.admissibility.validation import validation
from catchkit.admissibility.verdict import PACKAGE, Item, ItemVerdict, Verdict
from catchkit.eval.baseline import baseline, baselines, predict
from catchkit.eval.board import Tally, label_of
from catchkit.eval.metric import metrics
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import Release

PROCESSES = {
    "llm_judge": "what every judge calls unneeded",
    "roster_relabel": "the tools of an attacker's request, relabelled as excess",
    "declared_minus_used": "what the run did not use",
    "synthetic_inject": "capabilities added to an authored configuration",
}
"""How the excess of each label process came to be."""

MADE = ("roster_relabel", "synthetic_inject")
"""Processes that put the excess into a roster."""

BEST_ENTRANT = "llm_judge_needed"
"""The entrant of the original benchmark with the highest pooled F1."""


def audit_configurations(
    release: Release,
    name: str,
    *,
    thresholds: Thresholds | None = None,
    answers: Path | None = None,
    seed: int = 0,
) -> Verdict:
    """Return the verdict on a PRE config.

    Args:
        release: Holds the config.
        name: Such as ``"pre_mcp"``.
        thresholds: What decides; by default the file of this toolkit.
        answers: Folder of a filled-in annotation sheet.
        seed: For planted shortcuts and folds.
    """
    limits = shipped() if thresholds is None else thresholds
    table = release.table(name)
    rosters = rosters_of(table)
    digest = release.entry(name).digest
    subject = capabilities_asked(name, digest, rosters)
    judged = validation(subject, answers, limits.validation)
    processes = Counter(table.column("label_process").to_pylist())
    found = shortcuts(rosters, table.column("group").to_pylist(), limits, seed)
    return Verdict(
        subject=name,
        panel="repaired",
        items=(
            _realism(processes),
            _leakage(rosters, found, limits),
            _distribution(processes),
            _circularity(rosters, table.column("votes").to_pylist()),
            judged,
        ),
        data={"data": digest, "origin": release.described},
        thresholds=limits,
    )


def _realism(processes: Counter[str]) -> Item:
    known = {name: PROCESSES[name] for name in processes if name in PROCESSES}
    is_known = len(known) == len(processes)
    because = "excess is " + "; ".join(known.values()) if is_known else "a label process is unknown"
    evidence = {"label_processes": dict(processes), "meaning": known}
    return Item(item=1, verdict="pass" if is_known else "fail", because=because, evidence=evidence)


def _leakage(rosters: Rosters, found: Shortcuts, thresholds: Thresholds) -> Item:
    verdict, because = decide(found.readings)
    evidence = {
        "configurations": len(rosters.ids),
        "required_configurations": required_configurations(rosters, thresholds),
        "readings": [asdict(one) for one in found.readings],
        "adversary": {"plants": [asdict(one) for one in found.trials]},
        "by_source": by_source(rosters),
        "best_published_entrant": best_entrant(rosters),
    }
    return Item(item=2, verdict=verdict, because=because, evidence=evidence)


def best_entrant(rosters: Rosters) -> dict[str, str | float]:
    """Return what the best entrant of the original reaches on what it answers."""
    tally = Tally.of(rosters, predict(baseline(BEST_ENTRANT), rosters))
    answered = np.flatnonzero(~tally.abstained)
    f1 = metrics()["f1"].compute(*tally.counts[answered].sum(axis=0).astype(float))
    return {"name": BEST_ENTRANT, "f1": float(f1), "coverage": len(answered) / len(rosters.ids)}


def decide(found: Sequence[Shortcut]) -> tuple[ItemVerdict, str]:
    """Judge the readings of all shortcuts together."""
    order: tuple[tuple[Label, ItemVerdict], ...] = (
        ("outside", "fail"),
        ("not informative", "undetermined"),
        ("too wide", "undetermined"),
    )
    for label, verdict in order:
        names = [
            f"{one.control} {one.f1:.3f}, floor {one.floor:.3f}"
            for one in found
            if one.reading == label
        ]
        if names:
            return verdict, f"{label}: {'; '.join(names)}"
    return "pass", "no shortcut beats flagging everything by more than the margin"


def by_source(rosters: Rosters) -> dict[str, dict[str, float]]:
    """Return the F1 of every shortcut on each source, and pooled."""
    everything = np.arange(len(rosters.ids))
    parts = rosters.by_source()
    if len(parts) > 1:
        parts["pooled"] = everything
    return {source: shortcut_scores(rosters, rows) for source, rows in parts.items()}


def _distribution(processes: Counter[str]) -> Item:
    made = [name for name in processes if name in MADE]
    if made:
        because = f"excess was put in ({', '.join(made)}) and no roster without it is kept"
        return Item(item=3, verdict="undetermined", because=because, evidence={"made": made})
    because = "nothing was put into these configurations"
    return Item(item=3, verdict="pass", because=because, evidence={"made": []})


def _circularity(rosters: Rosters, votes: list[list[dict[str, object]]]) -> Item:
    """Check that no entrant made the labels, and that none reproduces them."""
    label = label_of(rosters)
    judges = sorted({str(vote["judge"]) for row in votes for vote in row})
    equal = [
        name
        for name, one in baselines().items()
        if not one.reads and np.array_equal(predict(one, rosters).flagged, label)
    ]
    crossing = sorted(crossings(PACKAGE))
    evidence = {"judges": judges, "entrants_equal_to_the_label": equal, "crossings": crossing}
    if equal or crossing:
        because = f"the labels are what {(equal or crossing)[0]} says"
        return Item(item=4, verdict="fail", because=because, evidence=evidence)
    because = "no entrant that reads no label reproduces it, and what builds it knows no metric"
    return Item(item=4, verdict="pass", because=because, evidence=evidence)
