"""Scores flags against a PRE config: counts, floors, references and intervals."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from catchkit.configs import config
from catchkit.eval.board import FLOOR, Board, Reference, Score
from catchkit.eval.columns import match
from catchkit.eval.evaluation import Evaluation, described
from catchkit.eval.flags import Flags
from catchkit.eval.intervals import Interval
from catchkit.eval.prediction_files import read_predictions
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import Release

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResult:
    """The same for one source."""

    label_process: str
    score: Score
    floors: Mapping[str, Score]
    references: Mapping[str, Reference]
    f1_minus_floor: Interval | None


@dataclass(frozen=True, kw_only=True)
class FlagEvaluation(Evaluation):
    """What flags reach on a PRE config, unrounded."""

    score: Score
    floors: Mapping[str, Score]
    references: Mapping[str, Reference]
    sources: Mapping[str, SourceResult]
    f1_minus_floor: Interval | None
    """F1 minus the F1 of flagging everything, resampling whole configurations per source."""

    threshold: float | None


def evaluate_flags(
    name: str,
    predictions: "str | Path | pa.Table | Dataset",
    *,
    column: str,
    threshold: float | None,
    release: Release,
) -> FlagEvaluation:
    """Score flags against a PRE config; arguments and errors as ``evaluate``."""
    family = config(name).family
    found = read_predictions(predictions, id_column=family.id_column, column=column)
    table = release.table(name)
    rosters = rosters_of(table)
    flags = match(found, rosters, threshold=threshold)
    processes = dict(zip(rosters.sources, table.column("label_process").to_pylist(), strict=True))
    return FlagEvaluation(
        **_results(name, rosters, flags, processes),
        config=name,
        column=column,
        threshold=threshold,
        predictions=described(found.origin, predictions),
        data={"origin": release.described, "digest": release.entry(name).digest},
    )


def _results(
    name: str, rosters: Rosters, flags: Flags, processes: Mapping[str, str]
) -> dict[str, Any]:
    board = Board.of(rosters, flags)
    everything = np.arange(len(rosters.ids))
    strata = rosters.by_source()
    answered = [board.answered(rows) for rows in strata.values()]
    *differences, pooled = board.differences(f"{name}: F1 minus {FLOOR}", answered)
    return {
        "score": board.score(everything),
        "f1_minus_floor": pooled,
        "floors": board.floors(everything),
        "references": board.references(everything),
        "sources": {
            source: SourceResult(
                label_process=processes[source],
                score=board.score(rows),
                f1_minus_floor=difference,
                floors=board.floors(rows),
                references=board.references(rows),
            )
            for (source, rows), difference in zip(strata.items(), differences, strict=True)
        },
    }
