"""From a source's material to de-identified records, with a count of everything left out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.published import roster_order
from catchkit.builders.source import Origin, Source
from catchkit.deidentify.spec import derive
from catchkit.errors import RecordError
from catchkit.schema import PreRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What a harvest yields."""

    records: tuple[PreRecord, ...]
    skipped: tuple[Skipped, ...]

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


def harvest_configs(source: Source, configs: Iterable[Parsed]) -> Harvest:
    """De-identify configurations that need no selection: a live listing, an authored case."""
    skipped: list[Skipped] = []
    return _deidentified(source, _kept(configs, skipped), skipped)


def _parsed(source: Source, materials: Iterable[Material | Skipped]) -> Iterator[Parsed]:
    for material in materials:
        if isinstance(material, Skipped):
            yield material
        else:
            yield from source.parse(material)


def _kept(parsed: Iterable[Parsed], skipped: list[Skipped]) -> Iterator[RawConfig]:
    for entry in parsed:
        if isinstance(entry, Skipped):
            skipped.append(entry)
        else:
            yield entry


def _deidentified(source: Source, configs: Iterable[RawConfig], skipped: list[Skipped]) -> Harvest:
    records = []
    for config in configs:
        try:
            records.append(record_of(source, config))
        except RecordError as problem:
            skipped.append(Skipped(config.instance_id, "breaks the schema", str(problem)))
    return Harvest(records=tuple(records), skipped=tuple(skipped))


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
