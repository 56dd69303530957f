"""Every exception raised on purpose."""

from collections.abc import Collection
from difflib import get_close_matches


class CatchkitError(Exception):
    """Something the caller can mend; the message says what, which and what to do."""


class UsageError(CatchkitError):
    """A name, option or path that cannot be used."""

    @classmethod
    def unknown(cls, what: str, name: str, known: Collection[str]) -> "UsageError":
        """Build the error for a name that is not among the known ones."""
        return cls(
            f"there is no {what} {name!r}{did_you_mean(name, known)}. "
            f"Known: {', '.join(sorted(known))}."
        )


class RecordError(CatchkitError):
    """A record that breaks a promise of its schema."""


class ReleaseError(CatchkitError):
    """A release folder or snapshot that is not what it says it is."""


class PredictionError(CatchkitError):
    """A prediction column that cannot be scored."""


class AbsentError(CatchkitError):
    """What a comparison needs is not there; such a contrast is reported, not skipped."""


class SourceError(CatchkitError):
    """Upstream material that is missing, changed or malformed."""


class MissingExtraError(CatchkitError):
    """An optional library that the called function needs."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(
            f"this needs {library}, which is not installed: pip install 'catchkit[{extra}]'"
        )


def did_you_mean(name: str, known: Collection[str]) -> str:
    """Return a hint with the closest known name, or nothing when none is close.

    >>> did_you_mean("pre_mpc", ["pre_mcp", "pre_n8n"])
    " (did you mean 'pre_mcp'?)"
    >>> did_you_mean("zzz", ["pre_mcp"])
    ''
    """
    folded = {candidate.casefold(): candidate for candidate in sorted(known)}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""
