"""Matches prediction columns to the rows of a trace config, by id and never by position."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from catchkit.errors import PredictionError
from catchkit.eval.columns import described, row_of_each_id
from catchkit.eval.prediction_files import PredictionColumn
from catchkit.eval.ranks import scores_of_ranking
from catchkit.eval.scores import Scores
from catchkit.eval.traces import Traces

Shape = Literal["scores", "ranking", "step", "score"]
Where = Callable[[int], str]

ROWS = {"steps": "runs", "arguments": "versions", "runs": "runs", "prefixes": "prefixes"}


def match_traces(found: Sequence[PredictionColumn], traces: Traces) -> Scores:
    """Return the prediction of every row, over as many seeds as there are columns.

    Args:
        found: Every row's id once, each with a value, or null to abstain. Where the question is
            which step, a value is a list of scores (numbers, one per step), a ranking (whole
            numbers: steps from the most suspicious down, any number of them) or one step (a whole
            number). Else it is a number.
        traces: The config.

    Raises:
        PredictionError: Anything else; the message names the file, the row and what was expected.
    """
    columns = [_column(predictions, traces) for predictions in found]
    silent = [abstained for _, abstained, _ in columns]
    for predictions, abstained in zip(found, silent, strict=True):
        if (abstained != silent[0]).any():
            run = traces.ids[int((abstained != silent[0]).argmax())]
            raise PredictionError(
                f"{predictions.origin}: {run!r} abstains in column {predictions.column!r} or in "
                f"{found[0].column!r}, but not in both; an abstention must hold for every seed"
            )
    return Scores(
        values=np.stack([values for values, _, _ in columns]),
        abstained=silent[0],
        names_one=all(shape == "step" for _, _, shape in columns),
    )


def _column(
    predictions: PredictionColumn, traces: Traces
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], np.ndarray[Any, np.dtype[np.bool_]], Shape]:
    at = row_of_each_id(predictions, traces.ids, ROWS[traces.question], traces.unasked)
    values = [predictions.values[at[row_id]] for row_id in traces.ids]

    def where(row: int) -> str:
        place = predictions.where(at[traces.ids[row]])
        return f"{predictions.origin}: {place} ({traces.ids[row]}), column {predictions.column!r}"

    shape = _shape_of(values, traces, where)
    parts = [
        _scores(value, shape, size, traces.question, where(row))
        for row, (value, size) in enumerate(zip(values, _sizes(traces), strict=True))
    ]
    flat = np.array([score for part in parts for score in part], dtype=np.float64)
    return flat, np.array([value is None for value in values]), shape


def _sizes(traces: Traces) -> list[int]:
    return traces.sizes.tolist() if traces.asks_parts else [1] * len(traces.ids)


def _shape_of(values: Sequence[Any], traces: Traces, where: Where) -> Shape:
    """Return what the column holds, the same throughout."""
    first, found = 0, None
    for row, value in enumerate(values):
        if value is None:
            continue
        kind = "list" if isinstance(value, list) else _number_kind(value)
        if kind == "list" and not traces.asks_parts:
            raise PredictionError(
                f"{where(row)}: holds a list, while one score per row is asked for; null abstains"
            )
        if kind is None or (kind == "float" and traces.asks_parts):
            raise PredictionError(
                f"{where(row)}: holds {described(value)}; expected {_expected(traces)}"
            )
        if not traces.asks_parts:
            kind = "number"
        if found is not None and kind != found:
            raise PredictionError(
                f"{where(row)}: holds a {kind}, while {where(first)} holds a {found}; "
                "use one form throughout"
            )
        if found is None:
            first, found = row, kind
    if not traces.asks_parts:
        return "score"
    if found == "int":
        return "step"
    lists = [value for value in values if value is not None]
    return "ranking" if all(type(one) is int for value in lists for one in value) else "scores"


def _number_kind(value: object) -> str | None:
    return {int: "int", float: "float"}.get(type(value))


def _expected(traces: Traces) -> str:
    if not traces.asks_parts:
        return "a number, higher for what is more suspicious; null abstains"
    return (
        "a list of scores, a list of steps or one step, which is a whole number "
        "(a column of whole numbers with gaps becomes one of fractions in some libraries); "
        "null abstains"
    )


def _scores(
    value: Any,  # noqa: ANN401 - whatever the file holds
    shape: Shape,
    size: int,
    what: str,
    at: str,
) -> list[float]:
    if value is None:
        return [0.0] * size
    if shape == "score":
        if not _is_finite(value):
            raise PredictionError(f"{at}: the score is {described(value)}; null abstains")
        return [float(value)]
    if shape == "scores":
        return _part_scores(value, size, what, at)
    steps = value if shape == "ranking" else [value]
    for place, step in enumerate(steps):
        if not 0 <= step < size:
            raise PredictionError(f"{at}: names {step}, the {what} are 0 to {size - 1}")
        if step in steps[:place]:
            raise PredictionError(
                f"{at}: ranks {step} twice; for scores write numbers with a decimal point"
            )
    return scores_of_ranking(steps, size)


def _part_scores(value: list[Any], size: int, what: str, at: str) -> list[float]:
    for place, score in enumerate(value):
        if _number_kind(score) is None:
            raise PredictionError(
                f"{at}: value {place} of the list is {described(score)}; expected a number"
            )
        if not _is_finite(score):
            raise PredictionError(f"{at}: value {place} of the list is {described(score)}")
    if len(value) != size:
        raise PredictionError(
            f"{at}: the list has {len(value)} values, there are {size} {what} to score"
        )
    return [float(score) for score in value]


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number beyond the largest fraction
        return False
