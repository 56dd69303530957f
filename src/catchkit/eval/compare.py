"""Compares two prediction files on the same config: difference, interval, test, resolution."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from catchkit.configs import config
from catchkit.errors import PredictionError, UsageError
from catchkit.eval.baseline import Question
from catchkit.eval.columns import match
from catchkit.eval.comparisons import (
    Finding,
    compare_areas,
    compare_flags,
    compare_prefixes,
    compare_ranks,
    compare_values,
    compare_versions,
    renumbered,
)
from catchkit.eval.equivalence import Equivalence, smallest_detectable, two_one_sided
from catchkit.eval.evaluate import GOLD, TRACES
from catchkit.eval.evaluate_gold import scores_whole_versions
from catchkit.eval.evaluate_traces import question_of
from catchkit.eval.evaluation import described
from catchkit.eval.gold import gold_of
from catchkit.eval.gold_board import GoldBoard
from catchkit.eval.multiplicity import holm
from catchkit.eval.prediction_files import read_predictions, read_replicates
from catchkit.eval.rosters import rosters_of
from catchkit.eval.scores import Scores
from catchkit.eval.trace_columns import match_traces
from catchkit.eval.traces import Traces, traces_of
from catchkit.loaders.release import Release, locate

MARGIN = 0.05
METRICS: Mapping[Question, tuple[str, ...]] = {
    "flags": ("f1",),
    "steps": ("top1", "top3", "mrr"),
    "runs": ("roc_auc",),
    "prefixes": ("prefix_auc",),
}

COMPARISONS: Mapping[Question, Callable[[Scores, Scores, Traces, str, str], Finding]] = {
    "steps": compare_ranks,
    "runs": compare_areas,
    "prefixes": compare_prefixes,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of both files."""

    metric: str
    finding: Finding
    p_adjusted: float
    """After Holm's correction over the metrics compared."""

    verdict: str
    """``a is higher``, ``b is higher``, ``equivalent`` or ``unresolved``."""

    equivalence: Equivalence
    smallest_detectable: float
    """True difference that this comparison would find in four of five samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything ``catchkit compare`` reports, unrounded."""

    rows: tuple[Row, ...]
    config: str
    margin: float
    answered: int
    """Rows that both files answer; only these are compared."""

    total: int
    a: Mapping[str, str]
    b: Mapping[str, str]
    data: Mapping[str, str]

    def to_json(self) -> str:
        """Return one JSON object."""
        content: dict[str, Any] = asdict(self)
        return json.dumps(content, indent=1, allow_nan=False)


def compare(
    name: str,
    first: Path,
    second: Path,
    *,
    column: str = "prediction",
    threshold: float | None = None,
    margin: float = MARGIN,
    data: Path | None = None,
) -> Comparison:
    """Compare two prediction files on the rows that both answer.

    Args:
        name: The config.
        first: A prediction file.
        second: Another one.
        column: The value column of both.
        threshold: For PRE scores.
        margin: Difference below which they count as equivalent.
        data: A release folder; by default ``./catchbench``, else the packaged snapshot.

    Raises:
        UsageError: There is no such config, or the margin is not positive.
        PredictionError: A file cannot be scored, or they answer no row in common.
        ReleaseError: The data is damaged.
    """
    if not margin > 0:
        raise UsageError(f"the margin must be positive, got {margin}")
    family = config(name).family
    if column in family.hidden:
        raise PredictionError(f"{column!r} gives the answer away; it is no prediction")
    release = locate(data)
    if family.name == "pre":
        found, answered, total = _flags(name, release, (first, second), column, threshold)
    elif family.name in TRACES:
        found, answered, total = _traces(name, release, (first, second), column)
    elif family.name in GOLD:
        found, answered, total = _gold(name, release, (first, second), column)
    else:
        raise UsageError(f"{name} holds predictions of others; it asks nothing to be scored")
    adjusted = holm([one.p for one in found.values()])
    return Comparison(
        rows=tuple(
            _row(metric, one, p, margin)
            for (metric, one), p in zip(found.items(), adjusted, strict=True)
        ),
        config=name,
        margin=margin,
        answered=answered,
        total=total,
        a=described(str(first), first),
        b=described(str(second), second),
        data={"origin": release.described, "digest": release.entry(name).digest},
    )


def _row(metric: str, finding: Finding, p: float, margin: float) -> Row:
    difference = finding.difference.value
    same = two_one_sided(difference, finding.se, margin=margin)
    verdict = "unresolved"
    if p < 0.05 and difference:
        verdict = "a is higher" if difference > 0 else "b is higher"
    elif same.is_equivalent:
        verdict = "equivalent"
    return Row(
        metric=metric,
        finding=finding,
        p_adjusted=p,
        verdict=verdict,
        equivalence=same,
        smallest_detectable=smallest_detectable(finding.se),
    )


def _flags(
    name: str, release: Release, files: tuple[Path, Path], column: str, threshold: float | None
) -> tuple[dict[str, Finding], int, int]:
    table = release.table(name)
    rosters = rosters_of(table)
    a, b = (
        match(
            read_predictions(file, id_column=config(name).family.id_column, column=column),
            rosters,
            threshold=threshold,
        )
        for file in files
    )
    both = ~(a.abstained | b.abstained)
    _check_common(bool(both.any()), files)
    groups = np.unique(np.array(table.column("group").to_pylist()), return_inverse=True)[1]
    found = {
        metric: compare_flags(a, b, rosters, groups, metric, f"{name}: compare {metric}")
        for metric in METRICS["flags"]
    }
    return found, int(both.sum()), len(both)


def _traces(
    name: str, release: Release, files: tuple[Path, Path], column: str
) -> tuple[dict[str, Finding], int, int]:
    table, id_column = release.table(name), config(name).family.id_column
    columns = [read_replicates(file, id_column=id_column, column=column) for file in files]
    question = _common_question(name, [question_of(name, table, one) for one in columns])
    traces = traces_of(table, question)
    a, b = (match_traces(one, traces) for one in columns)
    both = ~(a.abstained | b.abstained)
    _check_common(bool(both.any()), files)
    found = {
        metric: COMPARISONS[question](a, b, traces, metric, f"{name}: compare {metric}")
        for metric in METRICS[question]
    }
    return found, int(both.sum()), len(both)


def _gold(
    name: str, release: Release, files: tuple[Path, Path], column: str
) -> tuple[dict[str, Finding], int, int]:
    gold, id_column = gold_of(release.table(name)), config(name).family.id_column
    boards = []
    for file in files:
        found = read_replicates(file, id_column=id_column, column=column)
        is_whole = scores_whole_versions(found)
        traces = replace(gold.traces, question="runs") if is_whole else gold.traces
        boards.append(GoldBoard(gold, match_traces(found, traces), is_whole=is_whole))
    both = boards[0].answered & boards[1].answered
    _check_common(bool(both.any()), files)
    faulty = np.flatnonzero(both & gold.injected)
    findings = {}
    if len(faulty) and not any(board.is_whole for board in boards):
        a, b = (board.per_fault(faulty, is_matched=True) for board in boards)
        groups = renumbered(gold.traces.groups[faulty])
        for metric in METRICS["steps"]:
            claim = f"{name}: compare {metric}"
            findings[metric] = compare_values(a[metric], b[metric], groups, claim, guessing=None)
    rows = np.flatnonzero(both)
    if len(set(gold.positive[rows].tolist())) == 2:
        a_whole, b_whole = (board.whole()[rows] for board in boards)
        groups = renumbered(gold.traces.groups[rows])
        findings["roc_auc"] = compare_versions(
            a_whole, b_whole, gold.positive[rows], groups, f"{name}: compare roc_auc"
        )
    if not findings:
        raise PredictionError(f"{name}: the rows that both files answer hold nothing to compare")
    return findings, len(rows), len(both)


def _common_question(name: str, asked: list[Question]) -> Question:
    if asked[0] != asked[1]:
        raise PredictionError(
            f"{name} asks two things: one file names steps, the other scores runs"
        )
    return asked[0]


def _check_common(is_any: bool, files: tuple[Path, Path]) -> None:
    if not is_any:
        raise PredictionError(f"{files[0]} and {files[1]} answer no row in common")
