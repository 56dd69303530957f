"""A call uses an identifier that nothing in the run supports."""

from collections.abc import Sequence

from catchkit.injection.distance import nearest
from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws
from catchkit.injection.injector import Change, Injector, Site
from catchkit.injection.redraw import redrawn
from catchkit.injection.values import Consumption, ValueRun, consumptions, values_of

MAX_DONORS = 64
"""Donors whose distances are compared; of more, so many are drawn."""


def _sites(run: ValueRun) -> tuple[Site, ...]:
    return tuple(
        Site(at=use.at, path=use.path, key=use.key)
        for use in consumptions(run)
        if use.grounding == "derived" and run.extraction.is_identifier(use.value, use.key)
    )


def _change(run: ValueRun, site: Site, draws: Draws, donors: Donors) -> Change | None:
    uses = [use for use in consumptions(run) if use.key == site.key]
    before = next(use.value for use in uses if _is_at(use, site))
    neighbours = sorted({use.value for use in uses if not _is_at(use, site)})
    own = values_of(run)
    found = donors.at(site.key, own)
    if len(found) > MAX_DONORS:
        found = [found[at] for at in draws.some(len(found), MAX_DONORS)]
    if found:
        similar = _most_alike(before, found, neighbours)
        return Change(site=site, before=before, after=similar[draws.below(len(similar))])
    if run.extraction.is_published:
        return None
    return Change(site=site, before=before, after=redrawn(before, draws, own))


def _most_alike(before: str, found: Sequence[str], neighbours: Sequence[str]) -> list[str]:
    """Return the donors that stand as near to the other values of the run as the original."""
    wanted = nearest(before, neighbours)
    gaps = [abs(nearest(value, neighbours) - wanted) for value in found]
    smallest = min(gaps)
    return [value for value, gap in zip(found, gaps, strict=True) if gap == smallest]


def _is_at(use: Consumption, site: Site) -> bool:
    return use.at == site.at and use.path == site.path


def _apply(run: ValueRun, change: Change) -> ValueRun:
    return run.with_value(change.site.at, change.site.path, str(change.after))


INJECTOR = Injector(
    name="dropped_value",
    summary="One identifier is replaced by one of the same argument in other runs.",
    substrate="value",
    failure_mode="Dropped grounding: an agent makes up the identifier that it acts on.",
    eligible="An identifier among the arguments that an earlier result holds.",
    leaves_alone="Every other argument, every result and every text; argument names and counts.",
    sites=_sites,
    change=_change,
    apply=_apply,
)
