"""A step loses one of the inputs it was given."""

from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws
from catchkit.injection.files import FileRun
from catchkit.injection.injector import Change, Injector, Site


def _sites(run: FileRun) -> tuple[Site, ...]:
    return tuple(Site(at=at) for at, deps in enumerate(run.deps) if deps)


def _change(run: FileRun, site: Site, draws: Draws, _: Donors) -> Change:
    deps = run.deps[site.at]
    return Change(site=site, before=deps[draws.below(len(deps))], after=None)


def _apply(run: FileRun, change: Change) -> FileRun:
    at = change.site.at
    return run.with_deps(at, [dep for dep in run.deps[at] if dep != change.before])


INJECTOR = Injector(
    name="dropped_grounding",
    summary="One dependency of a step is removed.",
    substrate="file",
    failure_mode="Dropped grounding: an agent acts without the observation it should act on.",
    eligible="A step that relies on at least one earlier step.",
    leaves_alone="Steps, files, and every other dependency.",
    sites=_sites,
    change=_change,
    apply=_apply,
)
