"""A step relies on an out-of-date version of a file."""

from catchkit.injection.donors import Donors
from catchkit.injection.draws import Draws
from catchkit.injection.files import FileRun, redirectable, redirections
from catchkit.injection.injector import Change, Injector, Site


def _sites(run: FileRun) -> tuple[Site, ...]:
    return tuple(Site(at=at) for at in redirectable(run))


def _change(run: FileRun, site: Site, draws: Draws, _: Donors) -> Change:
    pairs = redirections(run, site.at)
    dep, older = pairs[draws.below(len(pairs))]
    return Change(site=site, before=dep, after=older[draws.below(len(older))])


def _apply(run: FileRun, change: Change) -> FileRun:
    at = change.site.at
    moved = (change.after if dep == change.before else dep for dep in run.deps[at])
    return run.with_deps(at, [int(dep) for dep in moved if dep is not None])


INJECTOR = Injector(
    name="stale_read",
    summary="One dependency is redirected from the latest event on a file to an older one.",
    substrate="file",
    failure_mode="Stale state: an agent acts on a version of a file that has been superseded.",
    eligible=(
        "A step that relies on an event on a file it touches itself, where that file had an even "
        "earlier event which the step does not rely on."
    ),
    leaves_alone="Steps, files, every other dependency, and the number of dependencies.",
    sites=_sites,
    change=_change,
    apply=_apply,
)
