"""Counts the sites of value faults before anything is injected, and what the rules cover."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from catchkit.injection.extraction import PUBLISHED_SHAPE, Extraction, Mode
from catchkit.injection.injector import Injector, Site, fault_named, faults_of
from catchkit.injection.material import gold_corpus, material
from catchkit.injection.supersession import Sighting, sightings, successions
from catchkit.injection.values import ValueRun, consumptions, value_run

ALL = "all"
Seen: TypeAlias = Mapping[tuple[str, str], Sequence[Sighting]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """Sites of one fault in one part of a corpus."""

    fault: str
    part: str
    """A domain, or ``all``."""

    runs: int
    runs_with_calls: int
    sites: int
    """Arguments, each once per pair of observations that makes it eligible."""

    pools: tuple[int, ...]
    """Per run with any, how many different arguments are eligible; sorted."""

    @property
    def runs_with_sites(self) -> int:
        """Runs that can take the fault."""
        return len(self.pools)

    @property
    def pools_of_one(self) -> int:
        """Runs in which any score finds the site."""
        return sum(size == 1 for size in self.pools)

    def quantile(self, share: float) -> int | None:
        """Return the smallest pool size that at least this share of the runs does not exceed."""
        if not self.pools:
            return None
        return self.pools[max(0, -int(-share * len(self.pools) // 1) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rereads:
    """How far runs get towards a stale value."""

    part: str
    runs: int
    observing: int
    """Runs that observe an object."""

    observing_again: int
    """Runs that observe one again, be it in the answer to a write of their own."""

    reading_again: int
    """Likewise, without the answers to writes."""

    with_change: int
    """Runs in which a field of one lost a value in between."""

    with_use: int
    """Runs in which a later argument equals what the field holds now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the identifier rules make of one argument."""

    key: str
    uses: int
    published: int
    """Uses whose value is an identifier by the original's pattern."""

    declared: int
    """Likewise by the rule that the corpus declares."""

    example_shape: str
    """The most frequent form of a value that is none by the declared rule, digits as 0 and
    letters as a; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Everything counted in the runs of a corpus under one extraction."""

    corpus: str
    mode: str
    sites: tuple[Sites, ...]
    by_argument: dict[tuple[str, str, str], tuple[int, int]]
    """(fault, tool, consuming field) -> sites, runs."""

    causes: dict[tuple[str, str, str], int]
    """(part, who superseded, whether it is one object) -> sites of ``stale_value``."""

    rereads: tuple[Rereads, ...]
    coverage: tuple[Coverage, ...]


def censuses(corpus: str, modes: Sequence[Mode], *, place: Path | None = None) -> list[Census]:
    """Count the sites of the clean runs of a corpus under each way of reading values.

    Raises:
        UsageError: There is no such corpus, or its runs hold no values.
        SourceError: There are no runs, or one cannot be read.
    """
    declared = gold_corpus(corpus, "value")
    clean = [r for r in material(declared, place) if declared.may_be_clean(r.key)]
    parts = [record.domain for record in clean]
    readings = [Extraction.of(declared, mode) for mode in modes]
    return [
        census([value_run(record, declared, reading) for record in clean], parts, corpus)
        for reading in readings
    ]


def census(runs: Sequence[ValueRun], parts: Sequence[str | None], corpus: str) -> Census:
    """Count the sites of runs, whose parts stand beside them."""
    faults = faults_of("value")
    found = [{fault.name: fault.sites(run) for fault in faults} for run in runs]
    by_argument: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    causes: Counter[tuple[str, str, str]] = Counter()
    for at, (run, sites) in enumerate(zip(runs, found, strict=True)):
        for fault, own in sites.items():
            for site in own:
                tool = run.events[site.at].tool or ""
                by_argument[fault, tool, site.key].append(at)
        causes.update((parts[at] or ALL, *_cause(site)) for site in sites["stale_value"])
    groups = _groups(parts)
    return Census(
        corpus=corpus,
        mode=runs[0].extraction.mode if runs else "",
        sites=tuple(
            _sites(fault, part, [runs[at] for at in members], [found[at] for at in members])
            for fault in faults
            for part, members in groups.items()
        ),
        by_argument={key: (len(held), len(set(held))) for key, held in sorted(by_argument.items())},
        causes=dict(sorted(causes.items())),
        rereads=tuple(
            _rereads(part, [runs[at] for at in members]) for part, members in groups.items()
        ),
        coverage=coverage(runs),
    )


def coverage(runs: Iterable[ValueRun]) -> tuple[Coverage, ...]:
    """Return what both identifier rules make of every argument, the most used first."""
    original = Extraction(mode="published", shape=PUBLISHED_SHAPE)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    missed: dict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        for use in consumptions(run):
            declared = run.extraction.is_identifier(use.value, use.key)
            held = counts[use.key]
            held[0] += 1
            held[1] += original.is_identifier(use.value)
            held[2] += declared
            if not declared:
                missed[use.key][_shape(use.value)] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1][0], item[0]))
    return tuple(
        Coverage(
            key=key,
            uses=uses,
            published=published,
            declared=declared,
            example_shape=max(sorted(missed[key]), key=missed[key].__getitem__, default=""),
        )
        for key, (uses, published, declared) in ordered
    )


def _groups(parts: Sequence[str | None]) -> dict[str, list[int]]:
    named: dict[str, list[int]] = defaultdict(list)
    for at, part in enumerate(parts):
        named[part or ALL].append(at)
    every = {ALL: list(range(len(parts)))}
    return every if len(named) < 2 else {**dict(sorted(named.items())), **every}


def _sites(
    fault: Injector,
    part: str,
    runs: Sequence[ValueRun],
    found: Sequence[dict[str, tuple[Site, ...]]],
) -> Sites:
    own = [sites[fault.name] for sites in found]
    pools = sorted(len({(site.at, site.path) for site in sites}) for sites in own if sites)
    return Sites(
        fault=fault.name,
        part=part,
        runs=len(runs),
        runs_with_calls=sum(any(e.kind == "call" for e in run.events) for run in runs),
        sites=sum(map(len, own)),
        pools=tuple(pools),
    )


def _cause(site: Site) -> tuple[str, str]:
    same = {True: "one object", False: "two objects", None: "no primary key"}
    return site.superseded_by, same[site.same_object]


def _rereads(part: str, runs: Sequence[ValueRun]) -> Rereads:
    seen = [sightings(run) for run in runs]
    changed = [any(_lost(a.fields, b.fields, f) for a, b, f in successions(run)) for run in runs]
    stale = fault_named("stale_value")
    return Rereads(
        part=part,
        runs=len(runs),
        observing=sum(map(bool, seen)),
        observing_again=sum(any(len(held) > 1 for held in own.values()) for own in seen),
        reading_again=sum(map(_reads_again, runs, seen)),
        with_change=sum(changed),
        with_use=sum(bool(stale.sites(run)) for run in runs),
    )


def _reads_again(run: ValueRun, seen: Seen) -> bool:
    reads = ([o for o in held if not run.events[o.call].is_write] for held in seen.values())
    return any(len(held) > 1 for held in reads)


def _lost(
    before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]], field: str
) -> bool:
    return bool(before[field] - after[field])


def _shape(value: str) -> str:
    kinds = ("0" if c.isdigit() else "a" if c.isalpha() else c for c in value[:24])
    return "".join(kinds)
