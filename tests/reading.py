"""Reads the fixtures of a corpus, and the real files where they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from catchkit.builders.corpus import Call, Event, Skipped, Touch, Trace, corpus_named, shards_of

TESTS = Path(__file__).parent
REAL = TESTS.parent.parent / "shared" / "traces"


def entries(name: str, file: str = "") -> list[Trace | Skipped]:
    """Return what the reader of a corpus yields for its fixture, or for one file of it."""
    corpus = corpus_named(name)
    place = TESTS / "fixtures" / name / file
    return [entry for shard in shards_of(corpus, place) for entry in corpus.read(shard)]


def runs(name: str, file: str = "") -> list[Trace]:
    """Return the runs among them."""
    return [entry for entry in entries(name, file) if isinstance(entry, Trace)]


def calls(trace: Trace) -> list[Call]:
    return [call for event in trace.events for call in event.calls]


def results(trace: Trace) -> list[Event]:
    return [event for event in trace.events if event.role == "tool"]


def accesses(call: Call) -> list[str]:
    """Return the files of a call, each as ``r`` or ``w`` and the path."""
    return [_access(touch) for touch in call.touches]


def _access(touch: Touch) -> str:
    return f"{touch.access[0]} {touch.resource}"


def real(name: str) -> Path:
    """Return the folder of a real corpus, or skip the test where it is absent."""
    folder = corpus_named(name).folder or name
    if not (REAL / folder).is_dir():
        pytest.skip(f"no real corpus at ../shared/traces/{folder}")
    return REAL / folder


def real_entries(name: str) -> Iterator[tuple[Path, Trace | Skipped]]:
    """Yield what the reader of a corpus yields for its real files, with the file."""
    corpus = corpus_named(name)
    for shard in shards_of(corpus, real(name)):
        for entry in corpus.read(shard):
            yield shard, entry
