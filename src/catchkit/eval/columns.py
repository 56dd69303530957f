"""Matches a prediction column to the rosters of a config, by id and never by position."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from catchkit.errors import PredictionError, did_you_mean
from catchkit.eval.flags import Flags
from catchkit.eval.prediction_files import PredictionColumn
from catchkit.eval.rosters import Flagged, Rosters

SHOWN = 5
"""How many offending ids a message lists."""

KINDS: dict[type, str] = {bool: "booleans", str: "names", int: "scores", float: "scores"}


def match(predictions: PredictionColumn, rosters: Rosters, *, threshold: float | None) -> Flags:
    """Return the prediction of every roster, in roster order.

    Args:
        predictions: Every roster's id once, each with a list of booleans or scores aligned with
            its capabilities, a list of flagged names, or null to abstain.
        rosters: The config.
        threshold: A capability is flagged when its score is at least this; for scores only.

    Raises:
        PredictionError: Anything else; the message names the file, the row and what was expected.
    """
    at = row_of_each_id(predictions, rosters.ids, "configurations")
    values = [predictions.values[at[instance_id]] for instance_id in rosters.ids]

    def where(roster: int) -> str:
        row = predictions.where(at[rosters.ids[roster]])
        return f"{predictions.origin}: {row} ({rosters.ids[roster]}), column {predictions.column!r}"

    kind = _kind_of(values, where)
    _check_threshold(predictions, kind, threshold)
    flagged = np.zeros(len(rosters.names), dtype=bool)
    for roster, value in enumerate(values):
        if value is not None:
            place = slice(rosters.offsets[roster], rosters.offsets[roster + 1])
            flagged[place] = _flags(value, kind, rosters.names_of(roster), threshold, where, roster)
    return Flags(flagged=flagged, abstained=np.array([value is None for value in values]))


def row_of_each_id(
    predictions: PredictionColumn,
    expected: Sequence[str],
    what: str,
    unasked: Collection[str] = (),
) -> dict[str, int]:
    """Return id -> its row in the predictions.

    Args:
        predictions: With every expected id exactly once, and no other.
        expected: The ids of the config.
        what: What they identify, in the plural.
        unasked: Ids of rows without a label, which may be there too.

    Raises:
        PredictionError: An id is missing, unknown, repeated or no text.
    """
    origin, ids = predictions.origin, predictions.ids
    for row, instance_id in enumerate(ids):
        if not isinstance(instance_id, str):
            found = "null" if instance_id is None else f"{instance_id!r}, not text"
            raise PredictionError(f"{origin}: the id of {predictions.where(row)} is {found}")
    repeated = [instance_id for instance_id, count in Counter(ids).items() if count > 1]
    if repeated:
        rows = [row for row, instance_id in enumerate(ids) if instance_id == repeated[0]]
        raise PredictionError(
            f"{origin}: {len(repeated)} ids stand there more than once (first: {repeated[0]!r}, "
            f"{predictions.where(rows[0])} and {predictions.where(rows[1])})"
        )
    known = {*expected, *unasked}
    if unknown := [instance_id for instance_id in ids if instance_id not in known]:
        shown = ", ".join(f"{name!r}{did_you_mean(name, known)}" for name in unknown[:SHOWN])
        raise PredictionError(
            f"{origin}: {len(unknown)} of {len(ids)} ids are not in this config: {shown}"
        )
    given = set(ids)
    if missing := [instance_id for instance_id in expected if instance_id not in given]:
        raise PredictionError(
            f"{origin}: {len(missing)} of {len(expected)} {what} have no row: "
            f"{', '.join(map(repr, missing[:SHOWN]))}. Give each one a row; null abstains."
        )
    return {instance_id: row for row, instance_id in enumerate(ids)}


Where = Callable[[int], str]


def _kind_of(values: Sequence[Any], where: Where) -> str:
    """Return what the lists of the column hold, the same throughout."""
    found, first = "", 0
    for roster, value in enumerate(values):
        if value is None:
            continue
        if not isinstance(value, list):
            raise PredictionError(
                f"{where(roster)}: holds {described(value)} where a list belongs, one value for "
                "each capability or the flagged names; null abstains"
            )
        for entry in value:
            kind = KINDS.get(type(entry))
            if kind is None:
                raise PredictionError(
                    f"{where(roster)}: the list holds {described(entry)}; "
                    "expected booleans, scores or names"
                )
            if found and kind != found:
                raise PredictionError(
                    f"{where(roster)}: holds {kind}, while {where(first)} holds {found}; "
                    "use one kind throughout"
                )
            if not found:
                found, first = kind, roster
    # A column of nothing but empty lists flags no name anywhere.
    return found or "names"


def described(value: object) -> str:
    """Return a value's type and beginning, for a message."""
    if value is None:
        return "null"
    shown = repr(value)
    return f"{type(value).__name__} {shown if len(shown) <= 40 else shown[:40] + '…'}"


def _check_threshold(predictions: PredictionColumn, kind: str, threshold: float | None) -> None:
    origin, column = predictions.origin, predictions.column
    if kind == "scores" and threshold is None:
        raise PredictionError(
            f"{origin}: column {column!r} holds scores, which need a threshold: "
            "pass --threshold T (flagged when the score is at least T)"
        )
    if threshold is None:
        return
    if not math.isfinite(threshold):
        raise PredictionError(f"the threshold {threshold} is not a finite number")
    if kind != "scores":
        raise PredictionError(
            f"{origin}: column {column!r} holds {kind}, to which no threshold applies"
        )


def _flags(
    value: list[Any],
    kind: str,
    names: tuple[str, ...],
    threshold: float | None,
    where: Where,
    roster: int,
) -> Flagged:
    if kind == "names":
        return _flags_of_names(value, names, where, roster)
    if len(value) != len(names):
        raise PredictionError(
            f"{where(roster)}: the list has {len(value)} values, "
            f"the roster has {len(names)} capabilities"
        )
    if kind == "booleans":
        return np.array(value, dtype=bool)
    for place, score in enumerate(value):
        if not _is_finite(score):
            shown = described(score).split(" ", 1)[1]
            raise PredictionError(f"{where(roster)}: value {place} of the list is {shown}")
    return np.array([score >= threshold for score in value], dtype=bool)


def _is_finite(score: float) -> bool:
    try:
        return math.isfinite(score)
    except OverflowError:  # a whole number that no float holds
        return False


def _flags_of_names(value: list[str], names: tuple[str, ...], where: Where, roster: int) -> Flagged:
    declared = set(names)
    for name in value:
        if name not in declared:
            raise PredictionError(
                f"{where(roster)}: {name!r} is not declared there{did_you_mean(name, declared)}"
            )
    if repeated := [name for name, count in Counter(value).items() if count > 1]:
        raise PredictionError(f"{where(roster)}: {repeated[0]!r} is named twice")
    flagged = set(value)
    return np.array([name in flagged for name in names], dtype=bool)
