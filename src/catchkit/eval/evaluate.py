"""Scores a prediction column against a config: counts, floors, references and intervals."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from catchkit.configs import config
from catchkit.errors import PredictionError
from catchkit.eval.board import FLOOR, Board, Reference, Score
from catchkit.eval.columns import match
from catchkit.eval.flags import Flags
from catchkit.eval.intervals import Interval
from catchkit.eval.prediction_files import read_predictions
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.files import sha256_of
from catchkit.loaders.release import locate

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything ``catchkit evaluate`` reports, unrounded."""

    score: Score
    floors: Mapping[str, Score]
    references: Mapping[str, Reference]
    sources: Mapping[str, SourceResult]
    f1_minus_floor: Interval | None
    """F1 minus the F1 of flagging everything, resampling whole configurations per source."""

    config: str
    column: str
    threshold: float | None
    predictions: Mapping[str, str]
    data: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return plain mappings and numbers."""
        return asdict(self)

    def to_json(self) -> str:
        """Return one JSON object; the file's own score comes first."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False)


def evaluate(
    name: str,
    predictions: "str | Path | pa.Table | Dataset",
    *,
    column: str = "prediction",
    threshold: float | None = None,
    data: str | Path | None = None,
) -> Evaluation:
    """Score a prediction column against a PRE config.

    Args:
        name: A config, such as ``"pre"`` or ``"pre_mcp"``.
        predictions: A Parquet, CSV or JSONL file, an Arrow table or a ``datasets.Dataset`` with
            the id column ``instance_id`` and the value column. Rows are matched by id. A value
            is a list of booleans or scores aligned with ``capabilities``, or a list of flagged
            names; null abstains.
        column: The value column.
        threshold: Needed for scores: flagged when a score is at least this.
        data: A release folder; by default ``./catchbench``, else the packaged snapshot.

    Raises:
        UsageError: There is no such config.
        PredictionError: The predictions cannot be scored; nothing was.
        ReleaseError: The data is damaged.

    Example:
        >>> import pyarrow as pa
        >>> from catchkit import load
        >>> rows = load("pre_n8n")
        >>> flags = [[True] * len(row) for row in rows["capabilities"]]
        >>> table = pa.table({"instance_id": list(rows["instance_id"]), "prediction": flags})
        >>> round(evaluate("pre_n8n", table).score.f1, 3)
        0.154
    """
    family = config(name).family
    if column in family.hidden:
        raise PredictionError(
            f"{column!r} is a column of the config that gives the answer away, not a prediction"
        )
    found = read_predictions(predictions, id_column=family.id_column, column=column)
    release = locate(None if data is None else Path(data))
    table = release.table(name)
    rosters = rosters_of(table)
    flags = match(found, rosters, threshold=threshold)
    processes = dict(zip(rosters.sources, table.column("label_process").to_pylist(), strict=True))
    is_file = isinstance(predictions, str | Path)
    return Evaluation(
        **_results(name, rosters, flags, processes),
        config=name,
        column=column,
        threshold=threshold,
        predictions={"origin": found.origin}
        | ({"sha256": sha256_of(Path(predictions))} if is_file else {}),
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
