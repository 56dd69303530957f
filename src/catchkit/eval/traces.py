"""The rows of a trace config as arrays: runs or prefixes with their steps, edges and labels."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from catchkit.builders.features import LAYERS, Runs, run_features, runs_of
from catchkit.eval.auc import Counts, Mask, Values
from catchkit.eval.baseline import Question

Kind = TypeVar("Kind", bound=np.generic)
Recipe = Literal["default", "published"]
"""``published`` fits, draws and settles ties as the original benchmark does; ``default`` is the
sounder way where the two differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """``n`` runs or prefixes with ``m`` steps in all."""

    ids: tuple[str, ...]
    question: Question
    runs: Runs
    groups: Counts
    """Number of each row's group, equal for runs of one task."""

    folds: Counts
    """Predefined cross-validation fold of each row; no group is split."""

    domains: tuple[str, ...]
    paths: tuple[str, ...]
    """File each row was read from; sorted, they give the original's order."""

    prefix: Counts | None
    """For prefixes: the steps each row shows of its run, or per cent of the final length."""

    failed: Mask | None
    """The outcome; ``None`` when it is hidden or unknown."""

    mistakes: Counts | None
    """The labelled step of each row; ``None`` when it is hidden or there is none."""

    recipe: Recipe = "default"
    unasked: tuple[str, ...] = ()
    """Ids of the config's rows without a label, which are not scored."""

    @property
    def asks_parts(self) -> bool:
        """Whether an answer says something about every part of a row, not about the row."""
        return self.question in ("steps", "arguments")

    @property
    def starts(self) -> Counts:
        """First step of each row, and the total at the end; length n + 1."""
        return self.runs.starts

    @property
    def sizes(self) -> Counts:
        """Steps of each row."""
        return self.runs.sizes

    @property
    def run_of_step(self) -> Counts:
        """Per step the row it is of, length m."""
        return self.runs.run_of_step

    @property
    def positions(self) -> Counts:
        """Per step its position in its row, 0-based; length m."""
        return np.arange(int(self.starts[-1])) - self.starts[self.run_of_step]

    @property
    def published_order(self) -> Counts:
        """Row indices in the order in which the original reads the runs."""
        return np.array(sorted(range(len(self.ids)), key=self.paths.__getitem__), dtype=np.int64)

    def layer(self, name: str) -> Values:
        """Return the features of a layer, one row each, shape (n, features)."""
        found = run_features(self.runs, LAYERS[name])
        return np.stack(list(found.values()), axis=1)

    def showing(self, reads: Collection[str]) -> "Traces":
        """Return the same rows with every answer hidden that is not named in ``reads``."""
        return replace(
            self,
            failed=self.failed if "failed" in reads else None,
            mistakes=self.mistakes if "mistake_step" in reads else None,
        )

    def by_domain(self) -> dict[str, Counts]:
        """Return domain -> its rows, sorted by name."""
        names = np.array(self.domains)
        return {str(name): np.flatnonzero(names == name) for name in sorted(set(self.domains))}


def traces_of(table: pa.Table, question: Question, recipe: Recipe = "default") -> Traces:
    """Read the rows of a ``post`` or ``live`` table; hidden columns may be left out of it.

    For the question which step went wrong, only the rows with a labelled step are kept; for the
    others only those with a known outcome. Rows come sorted by id, so that no draw or fit depends
    on the order of a file.
    """
    table = by_id(table)
    label = "mistake_step" if question == "steps" else "failed"
    unasked: list[str] = []
    if label in table.column_names and "is_injected" not in table.column_names:
        labelled = table.column(label).is_valid()
        unasked = _ids(table.filter(pc.invert(labelled)))
        table = table.filter(labelled)
    columns = set(table.column_names)
    given = {name: table.column(name).to_pylist() for name in columns & _READ}
    numbers: dict[str, int] = {}
    return Traces(
        ids=tuple(_ids(table)),
        question=question,
        runs=runs_of(table),
        groups=np.array([numbers.setdefault(g, len(numbers)) for g in given["group"]], np.int64),
        folds=np.array(given["fold"], np.int64),
        domains=tuple(
            domain or corpus
            for domain, corpus in zip(given["domain"], given["corpus"], strict=True)
        ),
        paths=tuple(given["path"]),
        prefix=_prefix(given),
        failed=_outcomes(given.get("failed")) if question != "steps" else None,
        mistakes=_optional(given.get("mistake_step"), np.int64) if question == "steps" else None,
        recipe=recipe,
        unasked=tuple(unasked),
    )


def by_id(table: pa.Table) -> pa.Table:
    """Return the rows of a trace or Gold table, sorted by their id."""
    ids = _ids(table)
    return table.take(pa.array(sorted(range(len(ids)), key=ids.__getitem__), pa.int64()))


def _ids(table: pa.Table) -> list[str]:
    found: list[str] = table.column(
        "row_id" if "row_id" in table.column_names else "run_id"
    ).to_pylist()
    return found


def _prefix(given: Mapping[str, list[Any]]) -> Counts | None:
    if "prefix_fraction" in given:
        return np.array([round(100 * float(share)) for share in given["prefix_fraction"]], np.int64)
    return _optional(given.get("prefix_steps"), np.int64)


def _outcomes(values: list[bool | None] | None) -> Mask | None:
    """Return the outcomes, ``None`` where one is hidden or unknown."""
    if values is None or None in values:
        return None
    return np.array(values, dtype=bool)


def _optional(values: list[Any] | None, kind: type[Kind]) -> npt.NDArray[Kind] | None:
    return None if values is None else np.array(values, dtype=kind)


_READ = {
    *("row_id", "run_id", "group", "fold", "domain", "corpus", "path"),
    *("prefix_steps", "prefix_fraction", "failed", "mistake_step"),
}
