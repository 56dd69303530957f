"""Item 4: the label is fixed when the fault is planted, and no detector had a say in it."""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

from catchkit.admissibility.substrate import Pair, StepRun, Substrate
from catchkit.admissibility.verdict import PACKAGE, Item

SEALED = ("injection", "builders")
"""Subpackages that make the faults and the runs they are planted in."""

DETECTORS = ("catchkit.admissibility", "catchkit.eval", "catchkit.cards", "catchkit.cli")


def circularity(substrate: Substrate) -> Item:
    """Judge whether the labels of a substrate are independent of every detector."""
    crossing = sorted(crossings(PACKAGE))
    wrong = [pair.pair_id for pair in substrate.pairs if not label_is_the_edit(pair)]
    evidence = {
        "import_contract": {"sealed": list(SEALED), "crossings": crossing},
        "labels_that_are_the_edit": len(substrate.pairs) - len(wrong),
        "labels": len(substrate.pairs),
        "labels_digest": labels_digest(substrate),
        "first_wrong": wrong[:3],
    }
    if crossing:
        because = f"what plants the faults imports detectors: {crossing[0]}"
        return Item(item=4, verdict="fail", because=because, evidence=evidence)
    if wrong:
        because = f"{len(wrong)} labels are not where clean and injected run first differ"
        return Item(item=4, verdict="fail", because=because, evidence=evidence)
    because = "every label is the edit, and what plants it knows no control and no metric"
    return Item(item=4, verdict="pass", because=because, evidence=evidence)


def crossings(package: Path) -> Iterator[str]:
    """Yield every import by which a sealed subpackage reaches a detector."""
    for folder in SEALED:
        for path in sorted((package / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                for name in _imported(node):
                    if any(name == d or name.startswith(f"{d}.") for d in DETECTORS):
                        yield f"{path.relative_to(package).as_posix()} imports {name}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def label_is_the_edit(pair: Pair) -> bool:
    """Return whether the site is the first place in which the versions differ."""
    if isinstance(pair.clean, StepRun) or isinstance(pair.injected, StepRun):
        if not isinstance(pair.clean, StepRun) or not isinstance(pair.injected, StepRun):
            return False
        steps = zip(pair.clean.writers, pair.injected.writers, strict=False)
        differing = [at for at, (one, other) in enumerate(steps) if one != other]
        return differing[:1] == [pair.target.event]
    changed = [
        place
        for place, argument in pair.clean.arguments.items()
        if place not in pair.injected.arguments
        or pair.injected.arguments[place].token != argument.token
    ]
    return pair.target in changed and all(pair.target.event <= place.event for place in changed)


def labels_digest(substrate: Substrate) -> str:
    """Return a digest of every label, for comparing before and after detectors change."""
    digest = hashlib.sha256()
    for pair in substrate.pairs:
        digest.update(f"{pair.pair_id}\x1f{pair.target.event}\x1f{pair.target.path}\n".encode())
    return f"sha256:{digest.hexdigest()}"
