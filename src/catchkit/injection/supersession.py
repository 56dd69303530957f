"""Finds values that a later observation of the same object superseded."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catchkit.injection.injector import Site
from catchkit.injection.values import Consumption, ValueRun, answers, consumptions


@dataclass(frozen=True, slots=True)
class Sighting:
    """A call that names an object, and its result."""

    call: int
    result: int


@dataclass(frozen=True, slots=True)
class Observation:
    """What a call learned about an object."""

    call: int
    result: int
    name: str
    """The identifier that the call named it by."""

    fields: Mapping[str, frozenset[str]]
    primary_key: str | None
    """The first top-level value whose name ends in ``id``; ``None`` where there is none."""


def sightings(run: ValueRun) -> dict[tuple[str, str], list[Sighting]]:
    """Return object -> the calls that observed it, in order.

    An object is what the first identifier among the top-level arguments names; under the published
    extraction it is another one for every tool. An error is no observation, except there.
    """
    found: dict[tuple[str, str], list[Sighting]] = defaultdict(list)
    published = run.extraction.is_published
    for call, result in sorted(answers(run).items()):
        named = _named(run, call)
        if named is None or (run.events[result].is_error and not published):
            continue
        tool = run.events[call].tool or ""
        found[tool if published else "", named].append(Sighting(call, result))
    return found


def _observed(run: ValueRun, seen: Sighting, named: str) -> Observation:
    fields: dict[str, set[str]] = defaultdict(set)
    leaves = run.events[seen.result].leaves
    for leaf in leaves:
        fields[leaf.key].add(leaf.token)
    keys = (e.token for e in leaves if "." not in e.path and e.key.lower().endswith("id"))
    held = {key: frozenset(values) for key, values in fields.items()}
    return Observation(seen.call, seen.result, named, held, next(keys, None))


def stale_sites(run: ValueRun) -> tuple[Site, ...]:
    """Return the uses of a value whose field held another one when last observed before.

    One per pair of successive observations of a field: the first later use of any of its values.
    """
    uses: list[Consumption] | None = None
    sites: list[Site] = []
    for earlier, later, field in successions(run):
        now = later.fields[field]
        superseded = earlier.fields[field] - now
        if not superseded:
            continue
        uses = list(consumptions(run)) if uses is None else uses
        if use := next((u for u in uses if u.at > later.call and u.value in now), None):
            sites.append(
                Site(
                    at=use.at,
                    path=use.path,
                    key=use.key,
                    field=field,
                    superseded=tuple(sorted(superseded)),
                    superseded_by=_cause(run, earlier, later),
                    same_object=_is_same(earlier, later),
                )
            )
    return tuple(sites)


def superseded_uses(run: ValueRun) -> Iterator[Consumption]:
    """Yield the uses of a value that a field of an object had lost when last observed before.

    What counts is the results before the call, whatever the call itself holds. A value that the
    field has gained back is none.
    """
    changes: dict[int, list[tuple[Observation, Observation, str]]] = defaultdict(list)
    for earlier, later, field in successions(run):
        changes[later.result].append((earlier, later, field))
    lost: dict[tuple[str, str], frozenset[str]] = {}
    known = 0
    for use in consumptions(run):
        for at in range(known, use.at):
            for earlier, later, field in changes[at]:
                held = lost.get((later.name, field), frozenset()) | earlier.fields[field]
                lost[later.name, field] = held - later.fields[field]
        known = use.at
        if any(use.value in values for values in lost.values()):
            yield use


def successions(run: ValueRun) -> Iterator[tuple[Observation, Observation, str]]:
    """Yield two successive observations of an object and a field that both hold.

    Under the published extraction they are successive observations of the object, so that one
    without the field between them hides a change.
    """
    for (_, named), seen in sightings(run).items():
        if len(seen) < 2:
            continue
        last: dict[str, Observation] = {}
        for sighting in seen:
            observation = _observed(run, sighting, named)
            for field in observation.fields:
                if field in last:
                    yield last[field], observation, field
            fresh = dict.fromkeys(observation.fields, observation)
            last = fresh if run.extraction.is_published else last | fresh


def _named(run: ValueRun, call: int) -> str | None:
    top = (leaf for leaf in run.events[call].leaves if "." not in leaf.path)
    shaped = (leaf for leaf in top if run.extraction.is_identifier(leaf.token, leaf.key))
    return next((leaf.token for leaf in shaped), None)


def _cause(run: ValueRun, earlier: Observation, later: Observation) -> str:
    writes = list(_writes(run, earlier.call + 1, later.call))
    if any(later.name in values for values in writes):
        return "own_write"
    return "own_write_elsewhere" if writes else "third_party"


def _is_same(earlier: Observation, later: Observation) -> bool | None:
    if earlier.primary_key is None or later.primary_key is None:
        return None
    return earlier.primary_key == later.primary_key


def _writes(run: ValueRun, first: int, last: int) -> Iterator[frozenset[str]]:
    """Yield the argument values of each successful write from one call to another."""
    failed = {event.call for event in run.events if event.is_error}
    for at in range(first, last + 1):
        if run.events[at].is_write and at not in failed:
            yield frozenset(leaf.token for leaf in run.events[at].leaves)
