"""Scores predictions against a POST or LIVE config."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from catchkit.configs import config
from catchkit.errors import PredictionError
from catchkit.eval.auc import check_classes
from catchkit.eval.baseline import Question
from catchkit.eval.evaluation import Evaluation, described
from catchkit.eval.prediction_files import PredictionColumn, read_replicates
from catchkit.eval.prefixes_board import PrefixesBoard, PrefixEvaluation
from catchkit.eval.runs_board import RunEvaluation, RunsBoard
from catchkit.eval.scores import Scores
from catchkit.eval.steps_board import StepEvaluation, StepsBoard
from catchkit.eval.trace_columns import match_traces
from catchkit.eval.traces import Traces, traces_of
from catchkit.loaders.release import Release

if TYPE_CHECKING:
    from datasets import Dataset


def evaluate_traces(
    name: str,
    predictions: "str | Path | pa.Table | Dataset",
    *,
    column: str,
    failure_rate: float,
    release: Release,
) -> Evaluation:
    """Score predictions against a POST or LIVE config; arguments and errors as ``evaluate``."""
    table = release.table(name)
    id_column = config(name).family.id_column
    found = read_replicates(predictions, id_column=id_column, column=column)
    question = question_of(name, table, found)
    traces = traces_of(table, question)
    scores = match_traces(found, traces)
    shared: dict[str, Any] = {
        "config": name,
        "column": column,
        "predictions": described(found[0].origin, predictions),
        "data": {"origin": release.described, "digest": release.entry(name).digest},
        "notes": notes(scores, traces),
    }
    if question == "steps":
        return _steps(traces, scores, name, shared)
    if traces.failed is not None:
        check_classes(traces.failed, name)
    if question == "prefixes":
        return _prefixes(traces, scores, name, shared)
    return _runs(traces, scores, failure_rate, shared)


def question_of(name: str, table: pa.Table, found: Sequence[PredictionColumn] = ()) -> Question:
    """Return what a trace config asks; where it asks two things, what the predictions answer.

    Raises:
        PredictionError: The config has no label of either kind.
    """
    if "prefix_steps" in table.column_names:
        return "prefixes"
    has_steps = table.column("mistake_step").null_count < table.num_rows
    has_outcomes = len(set(table.column("failed").drop_null().to_pylist())) == 2
    if has_steps and has_outcomes:
        values = (value for one in found for value in one.values if value is not None)
        return "steps" if isinstance(next(values, None), list | int) else "runs"
    if not has_steps and not has_outcomes:
        raise PredictionError(
            f"{name} labels no step, and its runs have one outcome only: there is nothing to score"
        )
    return "steps" if has_steps else "runs"


def notes(scores: Scores, traces: Traces) -> tuple[str, ...]:
    """Return what a reader should know about the prediction column."""
    given = scores.values[:, ~scores.abstained] if not traces.asks_parts else scores.values
    if not given.size or scores.names_one:
        return ()
    levels = [len(np.unique(one)) for one in given]
    if max(levels) == 1:
        return ("the column is constant: it says nothing and lands on the floor",)
    if max(levels) == 2 and not traces.asks_parts:
        return ("the column has two values only: scores tell more than yes and no",)
    return ()


def _steps(traces: Traces, scores: Scores, name: str, shared: dict[str, Any]) -> StepEvaluation:
    board = StepsBoard(traces, scores)
    everything = np.arange(len(traces.ids))
    return StepEvaluation(
        score=board.score(everything),
        floors=board.floors(everything),
        references=board.references(everything),
        sources={domain: board.source(rows) for domain, rows in traces.by_domain().items()},
        minus_floor=board.minus_floor(f"{name}: minus floor"),
        position_rules=board.position_rules(f"{name}: position rules"),
        lift=board.lift(f"{name}: lift"),
        as_published=board.as_published(),
        **shared,
    )


def _runs(
    traces: Traces, scores: Scores, failure_rate: float, shared: dict[str, Any]
) -> RunEvaluation:
    board = RunsBoard(traces, scores, failure_rate)
    everything = np.arange(len(traces.ids))
    return RunEvaluation(
        score=board.score(everything),
        floors=board.floors(everything),
        references=board.references(everything),
        sources={domain: board.source(rows) for domain, rows in traces.by_domain().items()},
        roc_auc=board.interval(),
        over_size=board.over_size(),
        failure_rate=failure_rate,
        **_with_unfitted(shared, board.fitted.unfitted),
    )


def _prefixes(
    traces: Traces, scores: Scores, name: str, shared: dict[str, Any]
) -> PrefixEvaluation:
    board = PrefixesBoard(traces, scores)
    everything = np.arange(len(traces.ids))
    mean, single = board.intervals(f"{name}: prefix_auc")
    return PrefixEvaluation(
        score=board.score(everything),
        floors=board.floors(everything),
        references=board.references(everything),
        sources={domain: board.source(rows) for domain, rows in traces.by_domain().items()},
        prefix_auc=mean,
        by_prefix=single,
        time_to_detection=board.time_to_detection(single),
        **_with_unfitted(shared, board.fitted.unfitted),
    )


def _with_unfitted(shared: dict[str, Any], unfitted: Mapping[str, str]) -> dict[str, Any]:
    """Add which references could not learn anything, and why."""
    added = tuple(f"no reference {name}: {reason}" for name, reason in unfitted.items())
    return {**shared, "notes": (*shared["notes"], *added)}
