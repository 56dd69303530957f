"""Clean runs, faults and a seed make pairs: the clean run, the faulty one, and the site."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws
from catchkit.injection.files import FileRun, redirections
from catchkit.injection.injector import Change, Injector, Site
from catchkit.injection.randomness import Published, Randomness
from catchkit.injection.values import ValueRun

Run = TypeVar("Run", FileRun, ValueRun)
NO_DONORS = Donors()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Generic[Run]):
    """A run before and after a fault."""

    clean: Run
    faulty: Run
    fault: str
    change: Change
    eligible: tuple[Site, ...]
    """Every site of the clean run that could have taken this fault."""


def single(
    runs: Sequence[Run],
    fault: Injector,
    chance: Randomness,
    donors: Donors = NO_DONORS,
) -> list[Pair[Run]]:
    """Plant one fault in every run that can take it; the others are left out."""
    pairs = (_injected(run, fault, chance, donors) for run in runs)
    return [pair for pair in pairs if pair is not None]


def mixed(
    runs: Sequence[Run],
    faults: Sequence[Injector],
    chance: Randomness,
    donors: Donors = NO_DONORS,
) -> list[Pair[Run]]:
    """Plant in every run the first fault that it can take, in an order that varies over runs."""
    pairs = []
    for number, run in enumerate(runs):
        for fault in chance.faults(number, run.run_id, faults):
            if (pair := _injected(run, fault, chance, donors)) is not None:
                pairs.append(pair)
                break
    return pairs


def attribution(
    runs: Sequence[FileRun], stale: Injector, dropped: Injector, chance: Randomness
) -> list[Pair[FileRun]]:
    """Plant both file faults, each alone, in every run that can take either: stale runs first.

    The two classes are the same runs, so that nothing but the kind of fault tells them apart.
    """
    both = [run for run in runs if stale.sites(run) and dropped.sites(run)]
    if isinstance(chance, Published):
        twice = [_published_twice(run, stale, dropped, chance.stream) for run in both]
    else:
        twice = [(_surely(run, stale, chance), _surely(run, dropped, chance)) for run in both]
    return [*(one for one, _ in twice), *(other for _, other in twice)]


def _injected(run: Run, fault: Injector, chance: Randomness, donors: Donors) -> Pair[Run] | None:
    draws = chance.draws(fault, run.run_id)
    sites = fault.sites(run)
    length = run.n_steps if isinstance(run, FileRun) else len(run.events)
    for site in chance.sites(fault, sites, draws, length=length):
        if (change := fault.change(run, site, draws, donors)) is not None:
            return _pair(run, fault, change, sites)
    return None


def _pair(run: Run, fault: Injector, change: Change, sites: tuple[Site, ...]) -> Pair[Run]:
    faulty = fault.apply(run, change)
    return Pair(clean=run, faulty=faulty, fault=fault.name, change=change, eligible=sites)


def _surely(run: FileRun, fault: Injector, chance: Randomness) -> Pair[FileRun]:
    pair = _injected(run, fault, chance, NO_DONORS)
    if pair is None:
        raise AssertionError(f"{fault.name}: a site without a change in {run.run_id}")
    return pair


def _published_twice(
    run: FileRun, stale: Injector, dropped: Injector, stream: Draws
) -> tuple[Pair[FileRun], Pair[FileRun]]:
    """Draw as the original's attribution board does, which is not how its injector draws."""
    sites = stale.sites(run)
    site = sites[stream.below(len(sites))]
    dep, older = redirections(run, site.at)[0]
    change = Change(site=site, before=dep, after=older[stream.below(len(older))])
    one = _pair(run, stale, change, sites)
    sites = dropped.sites(run)
    site = sites[stream.below(len(sites))]
    deps = run.deps[site.at]
    # The original draws anew for every element it may keep.
    kept = [dep for dep in deps if dep != deps[stream.below(len(deps))]]
    removed = next((dep for dep in deps if dep not in kept), deps[0])
    change = Change(site=site, before=removed, after=None)
    other = Pair(
        clean=run,
        faulty=run.with_deps(site.at, kept),
        fault=dropped.name,
        change=change,
        eligible=sites,
    )
    return one, other
