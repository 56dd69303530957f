"""From a source's material to de-identified records, with a count of everything left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.places import Get, Place, materials
from catchkit.builders.published import roster_order
from catchkit.builders.snapshot import pre_table
from catchkit.builders.source import Origin, Source
from catchkit.builders.structured import structured_table
from catchkit.builders.web import GoneError
from catchkit.deidentify.spec import derive
from catchkit.errors import RecordError, SourceError
from catchkit.loaders.tables import write_table
from catchkit.schema import PreRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What a harvest yields."""

    records: tuple[PreRecord, ...]
    skipped: tuple[Skipped, ...]
    texts: tuple[str, ...] = field(default=(), repr=False)
    """The task text of each record, for judges and for a form that keeps more of it."""

    @property
    def incomplete(self) -> bool:
        """Whether something failed that another attempt may give."""
        return any(skip.failed for skip in self.skipped)

    def reasons(self) -> dict[str, int]:
        """Return reason -> how often, the most frequent first."""
        counts = Counter(skip.reason for skip in self.skipped)
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def harvest(source: Source, materials: Iterable[Material | Skipped]) -> Harvest:
    """Parse, select and de-identify what was fetched for a source.

    Args:
        source: Whose rules to use.
        materials: What ``places.materials`` yields, skips included.

    Example:
        >>> from catchkit.builders.source import sources
        >>> nothing = Material(repo="owner/name", files={"1.json": b"[]"})
        >>> harvest(sources()["n8n"], [nothing]).reasons()
        {'not a workflow': 1}
    """
    skipped: list[Skipped] = []
    configs = _kept(_parsed(source, materials), skipped)
    chosen = _kept(source.select(configs), skipped)
    return _deidentified(source, chosen, skipped)


def harvest_places(source: Source, places: Sequence[Place], get: Get) -> Harvest:
    """Read places and harvest what they hold.

    Args:
        source: Whose rules to use.
        places: Where to read, in order. One that cannot be read is counted as failed, unless it
            is the only one.
        get: Fetches an address.

    Raises:
        SourceError: The only place cannot be read.
        UsageError: There is no such file or folder.
    """
    return harvest(source, chain.from_iterable(_read(source, p, get, len(places)) for p in places))


def _read(source: Source, place: Place, get: Get, places: int) -> Iterator[Material | Skipped]:
    try:
        yield from materials(place, source.wants, get)
    except GoneError as problem:
        yield Skipped(place.shown, "gone upstream", str(problem))
    except SourceError as problem:
        if places == 1:
            raise
        yield Skipped(place.shown, "place cannot be read", str(problem), failed=True)


def harvest_configs(source: Source, configs: Iterable[Parsed]) -> Harvest:
    """De-identify configurations that need no selection: a live listing, an authored case."""
    skipped: list[Skipped] = []
    return _deidentified(source, _kept(configs, skipped), skipped)


def _parsed(source: Source, materials: Iterable[Material | Skipped]) -> Iterator[Parsed]:
    for material in materials:
        if isinstance(material, Skipped):
            yield material
            continue
        parsed = source.parse(material)
        first = next(parsed, None) or Skipped("any file", "no file of this source")
        for entry in chain([first], parsed):
            if isinstance(entry, Skipped):
                entry = replace(entry, what=f"{material.repo}: {entry.what}")
            yield entry


def _kept(parsed: Iterable[Parsed], skipped: list[Skipped]) -> Iterator[RawConfig]:
    for entry in parsed:
        if isinstance(entry, Skipped):
            skipped.append(entry)
        else:
            yield entry


def _deidentified(source: Source, configs: Iterable[RawConfig], skipped: list[Skipped]) -> Harvest:
    records, texts = [], []
    for config in configs:
        try:
            records.append(record_of(source, config))
            texts.append(config.text)
        except RecordError as problem:
            skipped.append(Skipped(config.instance_id, "breaks the schema", str(problem)))
    return Harvest(records=tuple(records), skipped=tuple(skipped), texts=tuple(texts))


def record_of(source: Source, config: RawConfig) -> PreRecord:
    """Return the record of a configuration; its prose goes no further.

    The roster comes out in its seeded presentation order. A source that judges label gets no
    label here.

    Raises:
        RecordError: The configuration breaks a promise of the schema.
    """
    declared = config.capabilities
    order = roster_order(config.instance_id, len(declared))
    listed = tuple(declared[position] for position in order)
    tokens, overrides = derive(config.text, declared)
    needed = config.needed
    origin = Origin(
        instance_id=config.instance_id,
        repo=config.repo,
        framework=config.framework,
        needed=needed or (),
    )
    return PreRecord(
        instance_id=config.instance_id,
        source=source.name,
        framework=config.framework,
        capabilities=listed,
        declared_position=order,
        excess=None if needed is None else tuple(c.name not in needed for c in listed),
        label_process=source.label_process,
        spec_tokens=tokens,
        spec_overrides=overrides,
        attack_type=config.attack_type,
        group=source.group(origin),
        repo=config.repo,
        commit=config.commit,
        path=config.path,
        license=config.license,
    )


def write_harvest(path: Path, harvested: Harvest, *, key: bytes | None = None) -> None:
    """Write the records as a table of the ``pre`` schema, or with what ``structured`` adds.

    Args:
        path: The file to write.
        harvested: What to write.
        key: The secret of the stand-ins in capability names: given, the form is ``structured``.

    Raises:
        SourceError: There are none; the message says what became of the material.
    """
    if not harvested.records:
        skip = harvested.skipped[0] if harvested.skipped else Skipped("the place", "holds nothing")
        about = f" ({skip.detail})" if skip.detail else ""
        raise SourceError(f"no record to write. {skip.what}: {skip.reason}{about}")
    if key is None:
        write_table(path, pre_table(harvested.records))
    else:
        pairs = zip(harvested.records, harvested.texts, strict=True)
        write_table(path, structured_table(pairs, key=key))
