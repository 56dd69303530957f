"""Runs pre-declared families of contrasts and corrects them within each family."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from catchkit.errors import AbsentError, UsageError
from catchkit.eval.baseline import Question
from catchkit.eval.comparisons import Finding
from catchkit.eval.contrast_tests import TESTS
from catchkit.eval.entrants import NO_CONFIG, Entrants
from catchkit.eval.equivalence import Equivalence, smallest_detectable, two_one_sided
from catchkit.eval.families import Contrast, Family, TestKind, read_families
from catchkit.eval.multiplicity import benjamini_hochberg, holm
from catchkit.eval.traces import Recipe
from catchkit.loaders.release import Release, locate, packaged

ALPHA = 0.05
MARGIN = 0.05
"""Difference below which two entrants count as equivalent."""

Verdict = Literal["separates", "opposite", "unresolved", "absent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastResult:
    """One contrast, corrected for the others of its family."""

    id: str
    config: str
    metric: str
    a: str
    b: str
    verdict: Verdict
    absent_because: str | None = None
    finding: Finding | None = None
    p_family: float | None = None
    """After Holm's correction within the family, absent contrasts counted."""

    p_audit: float | None = None
    """After Benjamini and Hochberg's over all contrasts of the file that are there."""

    equivalence: Equivalence | None = None
    smallest_detectable: float | None = None
    """True difference that this comparison would find in four of five samples."""

    reproduced: bool | None = None
    """Whether every printed digit is met; ``None`` where nothing is printed or absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyResult:
    """One family."""

    name: str
    title: str
    contrasts: tuple[ContrastResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrasts:
    """Everything ``catchkit contrasts`` reports, unrounded."""

    version: str
    recipe: Recipe
    margin: float
    families: tuple[FamilyResult, ...]
    data: Mapping[str, str]

    @property
    def results(self) -> tuple[ContrastResult, ...]:
        """All contrasts of all families."""
        return tuple(one for family in self.families for one in family.contrasts)

    def counts(self) -> dict[str, int]:
        """Return how many contrasts there are, ran, are absent and meet what is printed."""
        results = self.results
        return {
            "contrasts": len(results),
            "present": sum(one.finding is not None for one in results),
            "absent": sum(one.finding is None for one in results),
            "awaiting_data": sum(NO_CONFIG in (one.absent_because or "") for one in results),
            "separate": sum(one.verdict == "separates" for one in results),
            "reproduced": sum(one.reproduced is True for one in results),
            "not_reproduced": sum(one.reproduced is False for one in results),
        }

    def to_json(self) -> str:
        """Return one JSON object."""
        content: dict[str, Any] = {"counts": self.counts(), **asdict(self)}
        return json.dumps(content, indent=1, allow_nan=False)


def run_contrasts(
    place: str | Path,
    *,
    predictions: Path | None = None,
    data: Path | None = None,
    recipe: Recipe | None = None,
    margin: float = MARGIN,
) -> Contrasts:
    """Run every contrast of a file of families.

    Args:
        place: The file, or ``published`` for the families of the original benchmark.
        predictions: Folder with ``<config>/<entrant>.parquet`` (or ``.csv``, ``.jsonl``); what is
            not there is taken from the bundled judges and baselines.
        data: A release folder; by default ``./catchbench``, else the packaged snapshots.
        recipe: Overrides what the file declares.
        margin: Difference below which two entrants count as equivalent.

    Raises:
        UsageError: The file cannot be used.
        PredictionError: A prediction file cannot be scored.
        ReleaseError: The data is damaged.
    """
    if not margin > 0:
        raise UsageError(f"the margin must be positive, got {margin}")
    if predictions is not None and not predictions.is_dir():
        raise UsageError(f"{predictions}: no such folder")
    declared = read_families(place)
    runner = _Runner(locate(data), predictions, recipe or declared.recipe)
    found = [[runner.run(one, family) for one in family.contrasts] for family in declared.families]
    ran = [outcome.p for row in found for outcome in row if isinstance(outcome, Finding)]
    audit = iter(benjamini_hochberg(ran))
    families = []
    for family, row in zip(declared.families, found, strict=True):
        corrected = _adjusted(family, row, runner.recipe)
        results = [
            _result(one, outcome, p, None if isinstance(outcome, str) else next(audit), margin)
            for one, outcome, p in zip(family.contrasts, row, corrected, strict=True)
        ]
        families.append(
            FamilyResult(name=family.name, title=family.title, contrasts=tuple(results))
        )
    return Contrasts(
        version=declared.version,
        recipe=runner.recipe,
        margin=margin,
        families=tuple(families),
        data={"origin": runner.release.described},
    )


QUESTIONS: Mapping[TestKind, Question] = {
    "paired_ranks": "steps",
    "paired_auc": "runs",
    "auc_bar": "runs",
}


class _Runner:
    """Keeps what several contrasts of one config need."""

    def __init__(self, release: Release, folder: Path | None, recipe: Recipe) -> None:
        self.release, self.folder, self.recipe = release, folder, recipe
        self._entrants: dict[tuple[str, Question | None, str | None], Entrants] = {}

    def run(self, contrast: Contrast, family: Family) -> Finding | str:
        """Return what a contrast shows, or why it is absent."""
        try:
            if family.test not in TESTS:
                raise AbsentError(f"no data for the test {family.test} yet")
            entrants = self._of(contrast, QUESTIONS.get(family.test))
            return TESTS[family.test](contrast, family, entrants)
        except AbsentError as reason:
            return str(reason)

    def _of(self, contrast: Contrast, question: Question | None) -> Entrants:
        key = contrast.config, question, contrast.prefix
        if key not in self._entrants:
            holds = contrast.config in self.release.manifest.configs
            self._entrants[key] = Entrants(
                name=contrast.config,
                release=self.release if holds else packaged(),
                folder=self.folder,
                recipe=self.recipe,
                question=question,
                prefix=contrast.prefix,
            )
        return self._entrants[key]


def _adjusted(family: Family, row: list[Finding | str], recipe: Recipe) -> list[float]:
    """Correct a family as a whole: what is absent counts as if it showed nothing.

    Under ``published`` its published raw p-value stands in, so that the others come out as they
    were printed.
    """
    raw = []
    for contrast, outcome in zip(family.contrasts, row, strict=True):
        stand_in = contrast.p if recipe == "published" else None
        known = 1.0 if stand_in is None else stand_in
        raw.append(outcome.p if isinstance(outcome, Finding) else known)
    return holm(raw)


def _result(
    contrast: Contrast,
    outcome: Finding | str,
    p_family: float,
    p_audit: float | None,
    margin: float,
) -> ContrastResult:
    absent = ContrastResult(
        id=contrast.id,
        config=contrast.config,
        metric=contrast.metric,
        a=contrast.a or "best candidate",
        b=contrast.b or ("floor" if contrast.null is None else str(contrast.null)),
        verdict="absent",
    )
    if isinstance(outcome, str):
        return replace(absent, absent_because=outcome)
    verdict = _verdict(outcome.difference.value, p_family, contrast.direction)
    shown = printed(outcome, p_family, verdict)
    return replace(
        absent,
        verdict=verdict,
        finding=outcome,
        p_family=p_family,
        p_audit=p_audit,
        equivalence=two_one_sided(outcome.difference.value, outcome.se, margin=margin),
        smallest_detectable=smallest_detectable(outcome.se),
        reproduced=shown == contrast.printed if contrast.printed else None,
    )


def _verdict(difference: float, p: float, direction: int) -> Verdict:
    if p >= ALPHA:
        return "unresolved"
    as_stated = direction == 0 or np.sign(difference) == direction
    return "separates" if as_stated else "opposite"


def printed(finding: Finding, p: float, verdict: str) -> tuple[str, ...]:
    """Return what a paper would print of a contrast.

    Example:
        >>> printed_p(0.0123), printed_p(0.00069993), printed_p(9.99995e-06)
        ('0.012', '7.0e-4', '10.0e-6')
    """
    interval = finding.difference
    return (
        f"{finding.a:.3f}",
        f"{finding.b:.3f}",
        f"{interval.value:+.3f}",
        f"{interval.low:.3f}",
        f"{interval.high:.3f}",
        printed_p(p),
        verdict,
    )


def printed_p(p: float) -> str:
    """Return a p-value with three decimals, or below 0.001 with one digit behind a mantissa."""
    if p >= 0.001 or p == 0:
        return f"{p:.3f}"
    exponent = int(np.floor(np.log10(p)))
    return f"{p / 10.0**exponent:.1f}e{exponent}"
