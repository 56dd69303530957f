"""What a baseline is: a writer of reference predictions that says which answers it reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from catchkit import catalog
from catchkit.errors import UsageError
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters

Rows = TypeVar("Rows")
Answer = TypeVar("Answer")
Question = Literal["flags", "steps", "arguments", "runs", "prefixes"]
"""What a config asks: which capabilities to flag, which step went wrong, which argument of a call,
which runs failed, which prefixes are of runs that will fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline(Generic[Rows, Answer]):
    """One reference prediction for every row of a config."""

    name: str
    summary: str
    predict: Callable[[Rows], Answer]
    serves: tuple[Question, ...] = ("flags",)
    """The questions it answers."""

    reads: tuple[str, ...] = ()
    """The hidden columns it is shown; the others are taken away before it runs."""

    published_name: str | None = None
    """Its row in the original benchmark, where that is spelled in another way."""


@cache
def baselines(question: Question = "flags") -> Mapping[str, Baseline[Any, Any]]:
    """Return every baseline that answers a question, by name.

    Example:
        >>> baselines()["oracle_privilege_diff"].reads
        ('excess',)
        >>> "blast" in baselines("steps")
        True
    """
    return {name: one for name, one in all_baselines().items() if question in one.serves}


@cache
def all_baselines() -> Mapping[str, Baseline[Any, Any]]:
    """Return every baseline by name."""
    return catalog.declarations("eval.baselines", "BASELINE", Baseline)


def baseline(name: str, question: Question = "flags") -> Baseline[Any, Any]:
    """Return the baseline of that name, or of that row of the original benchmark.

    Raises:
        UsageError: There is none; the message offers the closest name.
    """
    known = baselines(question)
    for candidate in known.values():
        if name in (candidate.name, candidate.published_name):
            return candidate
    if name in all_baselines():
        asked = ", ".join(all_baselines()[name].serves)
        raise UsageError(f"baseline {name!r} answers another question ({asked}), not {question}")
    raise UsageError.unknown("baseline", name, known)


def predict(chosen: Baseline[Rosters, Flags], rosters: Rosters) -> Flags:
    """Run a baseline on rosters that show it only what it declares to read."""
    return chosen.predict(rosters.showing(chosen.reads))
