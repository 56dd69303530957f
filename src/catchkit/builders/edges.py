"""The rules that say which earlier steps a step relied on."""

from collections.abc import Collection, Iterator
from typing import Literal, TypeAlias

from catchkit.builders.corpus import Corpus
from catchkit.builders.record import TraceRecord
from catchkit.builders.steps import Steps
from catchkit.builders.values import is_identifying
from catchkit.errors import UsageError

PUBLISHED = ("full_context", "file", "database")
"""Kinds of the rules of the original benchmark."""

KINDS = (*PUBLISHED, "value_first", "value_last", "version", "content", "explicit")

Dependency: TypeAlias = tuple[int, int, str]
"""Reading step, writing step, kind."""

Rule: TypeAlias = Literal["published", "all"] | Collection[str]
"""Which edges count: those of the original benchmark, all, or the kinds named."""


def kinds_of(rule: Rule) -> frozenset[str]:
    """Return the edge kinds that a rule keeps.

    Raises:
        UsageError: It names a kind that there is not.

    Example:
        >>> sorted(kinds_of("published"))
        ['database', 'file', 'full_context']
    """
    named = {"published": PUBLISHED, "all": KINDS}
    kinds = named.get(rule, (rule,)) if isinstance(rule, str) else rule
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError.unknown("edge kind", kind, (*named, *KINDS))
    return frozenset(kinds)


def dependencies(record: TraceRecord, steps: Steps, corpus: Corpus) -> tuple[Dependency, ...]:
    """Return every dependency edge of a run, sorted and without repeats.

    The kinds, each of a rule of its own:

    - ``full_context``: every step relies on every earlier one (published).
    - ``file``: a file event relies on the last earlier event on the same file (published).
    - ``database``: a call that writes relies on every earlier one that reads (published).
    - ``value_first``, ``value_last``: a call relies on the step whose output first, or last before
      the call, held a value that it uses.
    - ``version``: a call on a file relies on the write that made the version it saw.
    - ``content``: an edit relies on the step that displayed the text it replaces.
    - ``explicit``: the source itself names the earlier step.
    """
    found = {
        *_published(record, steps, corpus),
        *_value_flow(record, steps),
        *_versions(record, steps),
        *_content(record, steps),
        *_explicit(record, steps),
    }
    forward = [edge for edge in found if edge[1] < edge[0]]
    return tuple(sorted(forward))


def _published(record: TraceRecord, steps: Steps, corpus: Corpus) -> Iterator[Dependency]:
    match corpus.published_rule:
        case "full_context":
            total = len(steps.steps)
            yield from ((r, w, "full_context") for r in range(total) for w in range(r))
        case "last_on_file":
            yield from _last_on_file(record, steps, counts_shell=corpus.counts_shell)
        case "write_to_reads":
            yield from _write_to_reads(steps, corpus)


def _last_on_file(record: TraceRecord, steps: Steps, *, counts_shell: bool) -> Iterator[Dependency]:
    last: dict[str, int] = {}
    for at, step in enumerate(steps.steps):
        touches = () if step.call is None else record.events[step.call].touches
        files = {t.resource for t in touches if counts_shell or t.origin == "tool"}
        yield from ((at, last[file], "file") for file in files if file in last)
        last.update(dict.fromkeys(files, at))


def _write_to_reads(steps: Steps, corpus: Corpus) -> Iterator[Dependency]:
    reads: list[int] = []
    for at, step in enumerate(steps.steps):
        if step.kind != "tool_call" or step.tool is None:
            continue
        if corpus.is_write(step.tool):
            yield from ((at, read, "database") for read in reads)
        elif corpus.is_read(step.tool):
            reads.append(at)


def _value_flow(record: TraceRecord, steps: Steps) -> Iterator[Dependency]:
    """A value counts as produced by results and by what a user says, never by the agent."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for at, event in enumerate(record.events):
        step = steps.step_of[at]
        tokens = {leaf.token for leaf in event.leaves if is_identifying(leaf.token)}
        if event.kind == "call" and step is not None:
            for token in tokens & first.keys():
                yield step, first[token], "value_first"
                yield step, last[token], "value_last"
        elif step is not None and (event.kind == "result" or event.role == "user"):
            said = (mention.rstrip("._@-") for mention in event.mentions)
            tokens |= {token for token in said if is_identifying(token)}
            for token in tokens:
                first.setdefault(token, step)
                last[token] = step


def _versions(record: TraceRecord, steps: Steps) -> Iterator[Dependency]:
    failed = {e.pair for e in record.events if e.kind == "result" and e.is_error}
    written: dict[str, int] = {}
    for at, event in enumerate(record.events):
        if event.kind != "call" or (step := steps.step_of[at]) is None:
            continue
        for file in {touch.resource for touch in event.touches} & written.keys():
            yield step, written[file], "version"
        if at not in failed:
            writes = (t.resource for t in event.touches if t.access == "write")
            written.update(dict.fromkeys(writes, step))


def _content(record: TraceRecord, steps: Steps) -> Iterator[Dependency]:
    for at, event in enumerate(record.events):
        if event.displayed_at is not None:
            yield from _between(steps, at, event.displayed_at, "content")


def _explicit(record: TraceRecord, steps: Steps) -> Iterator[Dependency]:
    for at, event in enumerate(record.events):
        for used in event.uses:
            yield from _between(steps, at, used, "explicit")


def _between(steps: Steps, reader: int, writer: int, kind: str) -> Iterator[Dependency]:
    reading, writing = steps.step_of[reader], steps.step_of[writer]
    if reading is not None and writing is not None:
        yield reading, writing, kind
