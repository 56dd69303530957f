"""What a fault is: where it may go, what it changes, and what it leaves alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from catchkit import catalog
from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws

Substrate = Literal["file", "value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place of a clean run that can take a fault."""

    at: int
    """File faults: a step. Value faults: an event of the ``ValueRun``. 0-based."""

    path: str = ""
    """Value faults: the argument, such as ``items.0``."""

    key: str = ""
    """The same with list positions as ``[]``: the consuming field."""

    field: str = ""
    """``stale_value``: the field that was observed twice, which need not be the consuming one."""

    superseded: tuple[str, ...] = ()
    """``stale_value``: what the field held at the first observation and not at the second."""

    superseded_by: str = ""
    """``stale_value``: ``own_write`` where the agent itself changed the observed object in
    between, ``own_write_elsewhere`` where it wrote to another one, else ``third_party``."""

    same_object: bool | None = None
    """Likewise, whether both observations state the same primary key; ``None`` without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What was changed from what to what, at one site."""

    site: Site
    before: int | str
    """File faults: the step that was relied on. Value faults: the value."""

    after: int | str | None
    """``None`` where a dependency was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injector:
    """One fault. A run is a ``FileRun`` or a ``ValueRun``; no function changes the one it gets."""

    name: str
    summary: str
    """One sentence: what it changes."""

    substrate: Substrate
    failure_mode: str
    """The documented failure of agents that it stands for."""

    eligible: str
    """In words, which sites of a clean run can take it."""

    leaves_alone: str
    """In words, what is the same afterwards."""

    sites: Callable[[Any], tuple[Site, ...]]
    """The sites of a clean run, in order."""

    change: Callable[[Any, Site, Draws, Donors], Change | None]
    """Draws what to change at a site; ``None`` where there is nothing to change it to."""

    apply: Callable[[Any, Change], Any]
    """Returns the faulty run."""


def injectors() -> dict[str, Injector]:
    """Return every fault by name.

    Example:
        >>> injectors()["stale_read"].substrate
        'file'
    """
    return dict(catalog.declarations("injection.faults", "INJECTOR", Injector))


def fault_named(name: str) -> Injector:
    """Return the fault of that name."""
    return catalog.declaration("injection.faults", "INJECTOR", Injector, name)


def faults_of(substrate: Substrate) -> tuple[Injector, ...]:
    """Return the faults of a substrate, stale before dropped as in the original."""
    found = [fault for fault in injectors().values() if fault.substrate == substrate]
    return tuple(sorted(found, key=lambda fault: fault.name, reverse=True))
