"""What a baseline is: a writer of reference predictions that says which answers it reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from catchkit import catalog
from catchkit.errors import UsageError
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """One reference prediction for every configuration."""

    name: str
    summary: str
    predict: Callable[[Rosters], Flags]
    reads: tuple[str, ...] = ()
    """The hidden columns it is shown; the others are taken away before it runs."""

    published_name: str | None = None
    """Its row in the original benchmark, where that is spelled in another way."""


@cache
def baselines() -> Mapping[str, Baseline]:
    """Return every baseline by name.

    Example:
        >>> baselines()["oracle_privilege_diff"].reads
        ('excess',)
    """
    return catalog.declarations("eval.baselines", "BASELINE", Baseline)


def baseline(name: str) -> Baseline:
    """Return the baseline of that name, or of that row of the original benchmark.

    Raises:
        UsageError: There is none; the message offers the closest name.
    """
    known = baselines()
    for candidate in known.values():
        if name in (candidate.name, candidate.published_name):
            return candidate
    raise UsageError.unknown("baseline", name, known)


def predict(chosen: Baseline, rosters: Rosters) -> Flags:
    """Run a baseline on rosters that show it only what it declares to read."""
    return chosen.predict(rosters.showing(chosen.reads))
