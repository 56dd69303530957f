"""Finds what agents got wrong by themselves in the way that a fault has them get it wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catchkit.builders.coding import OLD_TEXT
from catchkit.builders.corpus import Corpus, Skipped
from catchkit.builders.record import RecordEvent, TraceRecord
from catchkit.builders.steps import steps_of
from catchkit.builders.tables import graph_of
from catchkit.injection.files import FileRun, file_run
from catchkit.injection.gold_files import DROPPED, STALE
from catchkit.injection.values import Consumption, ValueRun, consumptions


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalEdit:
    """A failed edit in a run that nobody touched."""

    fault: str
    """The fault that it is a natural case of."""

    record: TraceRecord
    run: FileRun
    tools: tuple[str | None, ...]
    """Per step the tool that is called; ``None`` for a decision."""

    step: int
    """The step that edits."""


def ungrounded_identifiers(run: ValueRun) -> Iterator[Consumption]:
    """Yield the uses of an identifier with a digit that nothing earlier holds or mentions.

    One without a digit may be a word that the agent was told to use.
    """
    for use in consumptions(run):
        has_digit = any(char.isdigit() for char in use.value)
        is_named = has_digit and run.extraction.is_identifier(use.value, use.key)
        if is_named and use.grounding == "ungrounded":
            yield use


def natural_edits(records: Iterable[TraceRecord], corpus: Corpus) -> Iterator[NaturalEdit]:
    """Yield the natural cases of file faults in the runs of a corpus, resolved or not."""
    for record in records:
        found = list(failed_edits(record))
        graph = graph_of(record, corpus) if found else None
        if graph is None or isinstance(graph, Skipped):
            continue
        run, step_of = file_run(graph, corpus), steps_of(record, corpus.step_form).step_of
        for fault, at in found:
            if (step := step_of[at]) is not None:
                yield NaturalEdit(fault=fault, record=record, run=run, tools=graph.tool, step=step)


def failed_edits(record: TraceRecord) -> Iterator[tuple[str, int]]:
    """Yield the fault and the position of each failed edit that is a natural case of one.

    ``stale_read``: the old text was displayed, and a write to the file succeeded since.
    ``dropped_grounding``: the call states an old text that nothing had displayed. A record says
    that a call failed and not why, so that some edits failed for another reason, such as an old
    text that occurs twice: the counts are upper bounds.
    """
    failed = {event.pair for event in record.events if event.kind == "result" and event.is_error}
    for at, event in enumerate(record.events):
        written = _written(event)
        if at not in failed or not written:
            continue
        if event.displayed_at is not None:
            since = range(event.displayed_at + 1, at)
            if any(i not in failed and written & _written(record.events[i]) for i in since):
                yield STALE, at
        elif any(leaf.key == OLD_TEXT and leaf.token for leaf in event.leaves):
            yield DROPPED, at


def _written(event: RecordEvent) -> frozenset[str]:
    return frozenset(touch.resource for touch in event.touches if touch.access == "write")
