"""Natural cases of a fault: what agents got wrong by themselves, as pairs to compare with."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from catchkit.admissibility.plants import value_run
from catchkit.admissibility.substrate import Candidate, Pair, Run, StepRun, Substrate, ValueRun
from catchkit.builders.corpus import Corpus, corpus_named
from catchkit.builders.record import TraceRecord
from catchkit.injection.extraction import Extraction
from catchkit.injection.material import packaged_records
from catchkit.injection.natural import natural_edits, ungrounded_identifiers
from catchkit.injection.values import value_run_of

UNKNOWN = frozenset({"stale_value"})
"""Faults whose natural cases no rule finds: agents use superseded values again, and most of the
calls that do succeed."""


def natural_cases(substrate: Substrate) -> Mapping[str, tuple[Pair, ...] | None]:
    """Return the natural cases of each fault; ``None`` for one of which nothing is known.

    For values they are identifiers that nothing earlier holds or mentions, in the packaged runs of
    the corpus, or in the clean runs at hand where it is not packaged. For steps they are failed
    edits, in the packaged runs only: what Gold holds of a run does not say what failed. Each comes
    as a pair whose only eligible place is the case.
    """
    faults = sorted({pair.fault for pair in substrate.pairs})
    first = substrate.pairs[0]
    if first.corpus is None:
        return dict.fromkeys(faults)
    corpus = corpus_named(first.corpus)
    records = packaged_records(corpus)
    if substrate.level == "values":
        pairs = (
            (pair for pair, _ in substrate.by_run())
            if records is None
            else (
                _untouched(record, ValueRun(events=record.events))
                for record in records
                if corpus.may_be_clean(record.key)
            )
        )
        reading = Extraction.of(corpus, first.extraction)
        found = tuple(case for pair in pairs for case in _values(pair, corpus, reading))
        return {fault: None if fault in UNKNOWN else found for fault in faults}
    if records is None:
        return dict.fromkeys(faults)
    edits = tuple(_edits(records, corpus))
    return {fault: tuple(case for case in edits if case.fault == fault) for fault in faults}


def _values(pair: Pair, corpus: Corpus, reading: Extraction) -> Iterator[Pair]:
    read = value_run_of(pair.run_id, value_run(pair.clean).events, corpus, reading)
    for use in ungrounded_identifiers(read):
        place = Candidate(read.events[use.at].at, use.path)
        yield replace(pair, injected=pair.clean, eligible=(place,), site=0)


def _edits(records: Iterator[TraceRecord], corpus: Corpus) -> Iterator[Pair]:
    for edit in natural_edits(records, corpus):
        run = StepRun(
            tools=edit.tools,
            resources=edit.run.files,
            writers=tuple(map(frozenset, edit.run.deps)),
        )
        pair = _untouched(edit.record, run)
        yield replace(pair, fault=edit.fault, eligible=(Candidate(edit.step),))


def _untouched(record: TraceRecord, run: Run) -> Pair:
    return Pair(
        pair_id=record.run_id,
        run_id=record.run_id,
        group=record.group,
        domain=record.domain or "",
        model=record.model or "",
        corpus=record.corpus,
        fault="natural",
        clean=run,
        injected=run,
        eligible=(Candidate(0),),
        site=0,
    )
