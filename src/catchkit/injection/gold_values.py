"""Gold v2: named-value faults in runs with calls and results."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from catchkit.builders.corpus import Corpus, Skipped
from catchkit.builders.edges import dependencies
from catchkit.builders.record import RecordEvent, TraceRecord
from catchkit.builders.steps import steps_of
from catchkit.builders.tables import graph_row
from catchkit.gold_configs import GOLD_V2
from catchkit.injection.donors import Donors
from catchkit.injection.extraction import Extraction, Mode
from catchkit.injection.injector import Site, faults_of
from catchkit.injection.pairs import Pair, mixed, single
from catchkit.injection.planted import Planted
from catchkit.injection.randomness import Stream, randomness
from catchkit.injection.values import ValueRun, value_run
from catchkit.injection.versions import (
    ValueEdit,
    Version,
    clean_table,
    row_id_of,
    version_table,
)

Pairs = Sequence[Pair[ValueRun]]


@dataclass(frozen=True, slots=True)
class ValueGold:
    """The runs of a corpus as one extraction reads them, from which Gold v2 is made."""

    corpus: Corpus
    extraction: Extraction
    records: Mapping[str, TraceRecord]
    runs: tuple[ValueRun, ...]
    donors: Donors
    clean: pa.Table
    """What no fault changes, one row per run."""

    @classmethod
    def of(
        cls,
        records: Iterable[TraceRecord],
        corpus: Corpus,
        mode: Mode = "repaired",
        donors: Donors | None = None,
    ) -> "ValueGold":
        """Keep the runs that can be clean controls.

        Args:
            records: The runs.
            corpus: The corpus they belong to.
            mode: How values are read.
            donors: Where replacement values come from; by default from these runs.
        """
        extraction = Extraction.of(corpus, mode)
        kept: dict[str, TraceRecord] = {}

        def rows() -> Iterator[dict[str, Any]]:
            for record in records:
                row = graph_row(record, corpus)
                if not isinstance(row, Skipped) and corpus.may_be_clean(record.key):
                    kept[record.run_id] = record
                    events = record.to_row()["events"]
                    yield {**row, "events": events, "label_process": "injection"}

        clean = clean_table(rows(), GOLD_V2)
        runs = tuple(value_run(record, corpus, extraction) for record in kept.values())
        found = Donors.of(runs) if donors is None else donors
        return cls(corpus, extraction, kept, runs, found, clean)

    def pairs(self, seed: int, stream: Stream = "addressed") -> Mapping[str, Pairs]:
        """Return the pairs of every config by name."""
        name, faults = f"gold_v2_{self.corpus.name}", faults_of("value")
        found = {name: mixed(self.runs, faults, randomness(stream, seed, "value"), self.donors)}
        for fault in faults:
            chance = randomness(stream, seed, "value")
            found[f"{name}_{fault.name}"] = single(self.runs, fault, chance, self.donors)
        return found

    def plant(self, seed: int, stream: Stream = "addressed") -> Planted:
        """Plant faults under a seed: every config with its rows."""
        return Planted(
            version="v2",
            corpus=self.corpus.name,
            seed=seed,
            clean_runs=len(self.runs),
            tables={
                name: self.table(name, pairs, seed, stream)
                for name, pairs in self.pairs(seed, stream).items()
            },
        )

    def table(self, config: str, pairs: Pairs, seed: int, stream: Stream) -> pa.Table:
        """Return the rows of a config."""
        shared = {"seed": seed, "stream": stream, "extraction": self.extraction.mode}
        versions = (
            self._version(config, pair, shared, is_injected=is_injected)
            for pair in pairs
            for is_injected in (False, True)
        )
        return version_table(self.clean, versions, GOLD_V2)

    def _version(
        self, config: str, pair: Pair[ValueRun], shared: Mapping[str, Any], *, is_injected: bool
    ) -> Version:
        change, run_id = pair.change, pair.clean.run_id
        address = (config, *shared.values(), run_id)
        columns = {
            **shared,
            "pair_id": row_id_of("pair", *address),
            "is_injected": is_injected,
            "fault": pair.fault,
            "eligible": [_argument(pair.clean, site) for site in _distinct(pair.eligible)],
            **dict.fromkeys(_LABELS),
        }
        row_id = row_id_of(*address, pair.fault, is_injected)
        if not is_injected:
            return Version(row_id=row_id, run_id=run_id, columns=columns)
        site = _argument(pair.clean, change.site)
        edit = ValueEdit(event=site["event"], path=site["path"], value=str(change.after))
        record = _edited(self.records[run_id], edit)
        steps = steps_of(record, self.corpus.step_form)
        labels = {
            "site": site["event"],
            "site_path": site["path"],
            "site_key": site["key"],
            "site_step": steps.step_of[site["event"]],
            "changed_from": change.before,
            "changed_to": change.after,
            "stale_field": change.site.field or None,
            "superseded_by": change.site.superseded_by or None,
        }
        return Version(
            row_id=row_id,
            run_id=run_id,
            edges=dependencies(record, steps, self.corpus),
            edit=edit,
            columns={**columns, **labels},
        )


def donors_of(records: Iterable[TraceRecord], corpus: Corpus, mode: Mode) -> Donors:
    """Return the values that the clean runs among some records can lend."""
    extraction = Extraction.of(corpus, mode)
    clean = (record for record in records if corpus.may_be_clean(record.key))
    return Donors.of(value_run(record, corpus, extraction) for record in clean)


_LABELS = (
    *("site", "site_path", "site_key", "site_step"),
    *("changed_from", "changed_to", "stale_field", "superseded_by"),
)


def _argument(run: ValueRun, site: Site) -> dict[str, Any]:
    return {"event": run.events[site.at].at, "path": site.path, "key": site.key}


def _distinct(sites: Iterable[Site]) -> list[Site]:
    """Return one site per argument, in order: two fields may make one argument eligible."""
    return list({(site.at, site.path): site for site in sites}.values())


def _edited(record: TraceRecord, edit: ValueEdit) -> TraceRecord:
    """Return a record with one other argument value."""
    event: RecordEvent = record.events[edit.event]
    leaves = tuple(
        replace(leaf, token=edit.value) if leaf.path == edit.path else leaf for leaf in event.leaves
    )
    changed = replace(event, leaves=leaves)
    events = (*record.events[: edit.event], changed, *record.events[edit.event + 1 :])
    return replace(record, events=events)
