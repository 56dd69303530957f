"""Frozen records that cross subpackage borders. A record that exists is a valid one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from catchkit.errors import RecordError

JUDGED = "llm_judge"
LABEL_PROCESSES = (JUDGED, "roster_relabel", "declared_minus_used", "synthetic_inject")
PERMISSION_LEVELS = ("read", "write", "execute", "network", "admin", "unknown")


def require(truth: bool, column: str, problem: str) -> None:
    """Raise a ``RecordError`` that names the column unless ``truth`` holds."""
    if not truth:
        raise RecordError(f"column {column!r}: {problem}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One tool of a declared agent configuration."""

    name: str
    """As declared upstream, white space included; unique within its roster."""

    type: str
    """What kind of tool it is, in the words of its source."""

    permission_level: str
    """One of ``PERMISSION_LEVELS``."""

    def __post_init__(self) -> None:
        require(bool(self.name.strip()), "capabilities", "a capability has no name")
        require(bool(self.type), "capabilities", f"{self.name!r} has no type")
        require(
            self.permission_level in PERMISSION_LEVELS,
            "capabilities",
            f"{self.name!r} has permission level {self.permission_level!r}, "
            f"expected one of {', '.join(PERMISSION_LEVELS)}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """Which capabilities one judge holds to be needed."""

    judge: str
    needed: tuple[bool, ...]
    """Aligned with the roster of the record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What removing the task text would have taken from the scanner rules, given back as names.

    Each list is sorted and free of duplicates; all are empty for most records.
    """

    permission_levels: tuple[str, ...] = ()
    """Levels the raw text asks for and the kept tokens do not."""

    functionality_capabilities: tuple[str, ...] = ()
    """Declared names related to the raw text and not to the kept tokens."""

    privilege_bases: tuple[str, ...] = ()
    """Requested words of the privilege-management list."""

    high_impact_bases: tuple[str, ...] = ()
    """Requested words of the high-impact list."""

    sensitive_bases: tuple[str, ...] = ()
    """Requested words of the sensitive-resource list."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            check_token_set("spec_overrides", getattr(self, entry.name), entry.name)


def check_token_set(column: str, tokens: tuple[str, ...], what: str) -> None:
    """Raise unless the tokens are non-empty, sorted and free of duplicates."""
    require(all(tokens), column, f"{what} holds an empty string")
    require(tokens == tuple(sorted(set(tokens))), column, f"{what} must be sorted and unique")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreRecord:
    """A declared agent configuration, de-identified, with its over-privilege label.

    The columns of the ``pre`` configs, whose meaning stands in ``catchkit.configs``.
    """

    instance_id: str
    source: str
    framework: str | None = None
    capabilities: tuple[Capability, ...]
    declared_position: tuple[int, ...]
    excess: tuple[bool, ...] | None
    """``None`` until judges have voted; no published record is without a label."""

    label_process: str
    votes: tuple[Vote, ...] = ()
    spec_tokens: tuple[str, ...] = ()
    spec_overrides: Overrides = field(default_factory=Overrides)
    attack_type: str | None = None
    group: str
    repo: str
    commit: str
    path: str
    license: str

    def __post_init__(self) -> None:
        for column in ("instance_id", "source", "group", "repo", "commit", "path", "license"):
            require(bool(getattr(self, column)), column, "is empty")
        self._check_roster()
        check_token_set("spec_tokens", self.spec_tokens, "the token list")
        require(
            self.label_process in LABEL_PROCESSES,
            "label_process",
            f"is {self.label_process!r}, expected one of {', '.join(LABEL_PROCESSES)}",
        )
        self._check_label()

    def _check_roster(self) -> None:
        size = len(self.capabilities)
        names = {capability.name for capability in self.capabilities}
        require(size > 0, "capabilities", "is empty")
        require(len(names) == size, "capabilities", "a name is declared twice")
        require(
            sorted(self.declared_position) == list(range(size)),
            "declared_position",
            f"is not an order of 0 to {size - 1}",
        )
        undeclared = sorted(set(self.spec_overrides.functionality_capabilities) - names)
        require(not undeclared, "spec_overrides", f"names undeclared {undeclared}")

    def _check_label(self) -> None:
        size = len(self.capabilities)
        judges = {vote.judge for vote in self.votes}
        require(len(judges) == len(self.votes), "votes", "a judge votes twice")
        for vote in self.votes:
            got = len(vote.needed)
            require(got == size, "votes", f"{vote.judge!r} has {got} values for {size}")
        if self.excess is not None:
            got = len(self.excess)
            require(got == size, "excess", f"has {got} values for {size}")
        if self.label_process != JUDGED:
            require(not self.votes, "votes", f"stand beside {self.label_process!r}")
            require(self.excess is not None, "excess", "is null where no judge is to come")
        else:
            votes = zip(*(vote.needed for vote in self.votes), strict=True)
            agreed = tuple(not any(needed) for needed in votes) if self.votes else None
            require(agreed == self.excess, "excess", "is not what every judge calls unneeded")

    def to_row(self) -> dict[str, Any]:
        """Return the record as one row of the ``pre`` schema: lists and mappings only."""
        return {entry.name: _plain(getattr(self, entry.name)) for entry in fields(self)}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "PreRecord":
        """Build the record of a row, checking every promise of the schema.

        Raises:
            RecordError: A value breaks the schema; the message names the column.
        """
        for entry in fields(cls):
            nullable = entry.name in NULLABLE
            require(nullable or row[entry.name] is not None, entry.name, "is null")
        values = {column: _read(column, row[column]) for column in row}
        return cls(**values)


NULLABLE = ("framework", "attack_type", "excess")


def _plain(value: Any) -> Any:  # noqa: ANN401 - a record field of any depth
    if isinstance(value, Capability | Vote | Overrides):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def _read(column: str, value: Any) -> Any:  # noqa: ANN401 - the opposite of _plain
    """Turn one column value of a row into the field of a record."""
    match column:
        case "capabilities":
            return tuple(Capability(**_complete(column, entry)) for entry in value)
        case "votes":
            read = [_complete(column, entry) for entry in value]
            return tuple(Vote(judge=e["judge"], needed=tuple(e["needed"])) for e in read)
        case "spec_overrides":
            return Overrides(**{k: tuple(v) for k, v in _complete(column, value).items()})
        case _ if isinstance(value, list):
            require(None not in value, column, "holds a null")
            return tuple(value)
        case _:
            return value


def _complete(column: str, entry: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return a nested entry after checking that nothing in it is null."""
    require(entry is not None, column, "holds a null")
    for name, value in (entry or {}).items():
        nested_null = isinstance(value, list) and None in value
        require(value is not None and not nested_null, column, f"{name!r} holds a null")
    return entry or {}
