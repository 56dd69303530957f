"""Scores predictions against a Gold config."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from catchkit.configs import config
from catchkit.eval.evaluate_traces import notes
from catchkit.eval.evaluation import described
from catchkit.eval.gold import gold_of
from catchkit.eval.gold_board import GoldBoard, GoldEvaluation
from catchkit.eval.prediction_files import PredictionColumn, read_replicates
from catchkit.eval.trace_columns import match_traces
from catchkit.loaders.release import Release

if TYPE_CHECKING:
    from datasets import Dataset


def evaluate_gold(
    name: str,
    predictions: "str | Path | pa.Table | Dataset",
    *,
    column: str,
    release: Release,
) -> GoldEvaluation:
    """Score predictions against a Gold config; arguments and errors as ``evaluate``."""
    id_column = config(name).family.id_column
    found = read_replicates(predictions, id_column=id_column, column=column)
    gold = gold_of(release.table(name))
    is_whole = scores_whole_versions(found)
    traces = replace(gold.traces, question="runs") if is_whole else gold.traces
    scores = match_traces(found, traces)
    board = GoldBoard(gold, scores, is_whole=is_whole)
    everything = np.arange(len(gold.injected))
    interval, p = board.versions(f"{name}: versions")
    return GoldEvaluation(
        score=board.score(everything),
        floors=board.floors(everything),
        references=board.references(everything),
        sources={fault: board.source(rows) for fault, rows in gold.by_fault().items()},
        minus_floor=board.minus_floor(f"{name}: minus floor"),
        roc_auc=interval,
        roc_auc_p=p,
        config=name,
        column=column,
        predictions=described(found[0].origin, predictions),
        data={"origin": release.described, "digest": release.entry(name).digest},
        notes=notes(scores, traces),
    )


def scores_whole_versions(found: Sequence[PredictionColumn]) -> bool:
    """Whether a column holds one score per version; whole numbers name one part instead."""
    values = [value for value in found[0].values if value is not None]
    return not any(isinstance(value, list) for value in values) and any(
        isinstance(value, float) for value in values
    )
