"""The records that faults are planted in: packaged, converted, or straight from raw runs."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from catchkit.builders.corpus import Corpus, Run, Skipped, Trace, corpora, shards_of
from catchkit.builders.dataset import record_files, records
from catchkit.builders.fetch import fetched
from catchkit.builders.publish import DEFAULT_KEY, published
from catchkit.builders.record import TraceRecord
from catchkit.errors import SourceError, UsageError
from catchkit.gold_configs import FILE_CORPORA, VALUE_CORPORA
from catchkit.injection.injector import Substrate
from catchkit.loaders.release import MANIFEST, UNFINISHED, packaged


def gold_corpus(name: str, substrate: Substrate) -> Corpus:
    """Return a corpus that has Gold of a substrate.

    Raises:
        UsageError: There is no such corpus, or its runs cannot take these faults.
    """
    known = corpora()
    able = FILE_CORPORA if substrate == "file" else VALUE_CORPORA
    if name not in known:
        raise UsageError.unknown("corpus", name, able)
    if name not in able:
        needs = "file events" if substrate == "file" else "results with values"
        raise UsageError(f"{name} has no {needs}; such corpora are {', '.join(sorted(able))}")
    return known[name]


def material(corpus: Corpus, place: Path | None) -> Iterator[TraceRecord]:
    """Yield the records of a corpus.

    Args:
        corpus: The corpus.
        place: A folder that ``catchkit convert`` wrote, or a folder or file of raw runs, which
            come in their own order; by default the packaged records.

    Raises:
        SourceError: There are no runs, or one cannot be read.
        ReleaseError: Converted or packaged records are damaged or not whole.
    """
    if place is None:
        return _at_hand(corpus)
    if (place / MANIFEST).is_file() or (place / UNFINISHED).is_file():
        return records(corpus.name, place)
    if not place.exists():
        raise SourceError(f"{place} is missing: name a folder or file with {corpus.name} runs")
    shards = _in_hub_order(corpus, shards_of(corpus, place))
    return _selected(corpus, shards) if corpus.select else _read(corpus, shards)


def packaged_records(corpus: Corpus) -> Iterator[TraceRecord] | None:
    """Return the packaged records of a corpus; ``None`` where the package has none."""
    return records(corpus.name) if record_files(packaged(), corpus.name) else None


def _at_hand(corpus: Corpus) -> Iterator[TraceRecord]:
    found = packaged_records(corpus)
    if found is not None:
        return found
    if corpus.hub is None:
        raise UsageError(f"{corpus.name} is no part of the package: name its runs with --from")
    return material(corpus, fetched(corpus.name))


def _in_hub_order(corpus: Corpus, shards: Sequence[Path]) -> list[Path]:
    """Return files in the order in which the corpus lists them: the published streams need it."""
    patterns = corpus.hub.files if corpus.hub else ()

    def rank(path: Path) -> int:
        hits = (at for at, name in enumerate(patterns) if fnmatch(path.name, Path(name).name))
        return next(hits, len(patterns))

    return sorted(shards, key=rank)


def _read(corpus: Corpus, shards: Sequence[Path]) -> Iterator[TraceRecord]:
    seen: set[str] = set()
    for shard in shards:
        for entry in corpus.read(shard):
            if isinstance(entry, Trace):
                record = published(entry, corpus, key=DEFAULT_KEY)
                if record.run_id not in seen:
                    seen.add(record.run_id)
                    yield record
            elif isinstance(entry, Skipped) and entry.is_damage:
                raise SourceError(f"{entry.where}: {entry.reason} ({entry.detail})")


def _selected(corpus: Corpus, shards: Sequence[Path]) -> Iterator[TraceRecord]:
    """Yield the records that the corpus selects, which takes a first reading to know."""
    runs = [
        Run(run_id=record.run_id, key=record.key, group=record.group, failed=record.failed)
        for record in _read(corpus, shards)
    ]
    chosen = frozenset(corpus.select(runs)) if corpus.select else frozenset()
    return (record for record in _read(corpus, shards) if record.run_id in chosen)
