"""A call uses a value that a later observation has superseded."""

from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws
from catchkit.injection.injector import Change, Injector, Site
from catchkit.injection.supersession import stale_sites
from catchkit.injection.values import ValueRun


def _change(run: ValueRun, site: Site, draws: Draws, _: Donors) -> Change | None:
    before = next(leaf.token for leaf in run.events[site.at].leaves if leaf.path == site.path)
    older = [value for value in site.superseded if value != before]
    if not older:
        return None
    return Change(site=site, before=before, after=older[draws.below(len(older))])


def _apply(run: ValueRun, change: Change) -> ValueRun:
    return run.with_value(change.site.at, change.site.path, str(change.after))


INJECTOR = Injector(
    name="stale_value",
    summary="One argument value is replaced by one that its field held before it changed.",
    substrate="value",
    failure_mode="Stale state: an agent acts on a value after having observed its successor.",
    eligible=(
        "The first argument after two observations of one object that equals what a field held at "
        "the second, where the field had lost a value since the first."
    ),
    leaves_alone="Every other argument, every result and every text; argument names and counts.",
    sites=stale_sites,
    change=_change,
    apply=_apply,
)
