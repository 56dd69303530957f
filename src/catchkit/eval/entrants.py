"""Finds what named entrants predict for a config: in a folder first, then what is bundled."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from catchkit.configs import PRE, config
from catchkit.errors import AbsentError, ReleaseError, UsageError
from catchkit.eval.baseline import Baseline, Question, baseline, predict
from catchkit.eval.columns import match
from catchkit.eval.evaluate_gold import scores_whole_versions
from catchkit.eval.flags import Flags
from catchkit.eval.gold import Gold, gold_of
from catchkit.eval.judges import judges
from catchkit.eval.prediction_files import DEFAULT_COLUMN, read_predictions, read_replicates
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.eval.scores import Scores
from catchkit.eval.trace_columns import match_traces
from catchkit.eval.traces import Recipe, Traces, traces_of
from catchkit.loaders.files import inside
from catchkit.loaders.release import Release

NO_CONFIG = "the data has no config"
ENDINGS = (".parquet", ".csv", ".jsonl")


@dataclass
class Entrants:
    """The entrants of one config."""

    name: str
    release: Release
    folder: Path | None
    """Where predictions lie: ``<folder>/<config>/<entrant>.parquet``, ``.csv`` or ``.jsonl``."""

    recipe: Recipe = "default"
    question: Question | None = None
    """Which question of a ``post`` config is meant."""

    prefix: str | None = None
    """Which rows of a ``live`` config."""

    _known: dict[str, Scores] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.name not in self.release.manifest.configs:
            raise AbsentError(f"{NO_CONFIG} {self.name}")

    @cached_property
    def table(self) -> pa.Table:
        """The rows of the config that are meant, labels included."""
        table = self.release.table(self.name)
        if self.prefix is None:
            return table
        column = "prefix_fraction" if "prefix_fraction" in table.column_names else "prefix_steps"
        wanted = pa.array([str(value) == self.prefix for value in table.column(column).to_pylist()])
        if not wanted.true_count:
            raise AbsentError(f"{self.name} has no prefix {self.prefix}")
        return table.filter(wanted)

    @cached_property
    def rosters(self) -> Rosters:
        """The rosters of a PRE config."""
        return rosters_of(self.table)

    @cached_property
    def traces(self) -> Traces:
        """The runs or prefixes of a trace config."""
        traces = traces_of(self.table, self.question or "runs", self.recipe)
        if self.prefix is None:
            return traces
        # A file answers for every prefix; those of other lengths are not asked here.
        every = self.release.table(self.name).column("row_id").to_pylist()
        return replace(traces, unasked=tuple(set(every) - set(traces.ids)))

    @cached_property
    def gold(self) -> Gold:
        """The run versions of a Gold config."""
        return gold_of(self.table, self.recipe)

    def gold_scores(self, entrant: str) -> tuple[Scores, bool]:
        """Return the scores of an entrant in a Gold config, and whether they are of versions.

        Raises:
            AbsentError: There is no such entrant.
        """
        traces = self.gold.traces
        if path := self._file(entrant):
            id_column = config(self.name).family.id_column
            found = read_replicates(path, id_column=id_column, column=DEFAULT_COLUMN)
            is_whole = scores_whole_versions(found)
            asked = replace(traces, question="runs") if is_whole else traces
            return match_traces(found, asked), is_whole
        try:
            chosen = self._baseline(entrant, traces.question)
        except AbsentError:
            # Steps have a run around them that can be scored as a whole; arguments do not.
            if traces.question != "steps":
                raise
            whole = replace(traces, question="runs").showing(())
            chosen = self._baseline(entrant, "runs")
            return chosen.predict(whole), True
        return chosen.predict(traces.showing(())), False

    @cached_property
    def _judges(self) -> Mapping[str, Scores]:
        return judges(self.name, self.traces, self.release)

    def flags(self, entrant: str) -> Flags:
        """Return what an entrant flags in a PRE config.

        Raises:
            AbsentError: There is no such entrant.
        """
        if path := self._file(entrant):
            found = read_predictions(path, id_column=PRE.id_column, column=DEFAULT_COLUMN)
            return match(found, self.rosters, threshold=None)
        try:
            return predict(baseline(entrant), self.rosters)
        except UsageError:
            raise AbsentError(f"no predictions of {entrant!r} for {self.name}") from None

    def scores(self, entrant: str) -> Scores:
        """Return the scores of an entrant in a trace config.

        Raises:
            AbsentError: There is no such entrant.
        """
        if entrant not in self._known:
            self._known[entrant] = self._scores(entrant)
        return self._known[entrant]

    def _scores(self, entrant: str) -> Scores:
        if path := self._file(entrant):
            id_column = config(self.name).family.id_column
            found = read_replicates(path, id_column=id_column, column=DEFAULT_COLUMN)
            return match_traces(found, self.traces)
        if self.question == "steps" and entrant in self._judges:
            return self._judges[entrant]
        chosen = self._baseline(entrant, self.traces.question)
        scores: Scores = chosen.predict(self.traces.showing(chosen.reads))
        return scores

    def _baseline(self, entrant: str, question: Question) -> Baseline[Any, Any]:
        try:
            return baseline(entrant, question)
        except UsageError:
            raise AbsentError(f"no predictions of {entrant!r} for {self.name}") from None

    def _file(self, entrant: str) -> Path | None:
        if self.folder is None:
            return None
        # An entrant's name comes from a file; it must not lead out of the folder.
        try:
            stem = inside(self.folder, f"{self.name}/{entrant}")
        except ReleaseError:
            raise UsageError(f"entrant {entrant!r} leads out of the folder") from None
        paths = [stem.with_name(stem.name + ending) for ending in ENDINGS]
        return next((path for path in paths if path.is_file()), None)
