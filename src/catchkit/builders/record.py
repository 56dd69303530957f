"""A run as it is published: values as leaves, texts as keyed digests, persons as stand-ins."""

from dataclasses import dataclass, field
from typing import Any, Literal

from catchkit.schema import require

ROLES = ("system", "user", "assistant", "tool")
MOMENTS = ("message", "call", "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One scalar of the arguments of a call, or of its result."""

    path: str
    key: str
    token: str
    """The value, or what stands for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One access of a call to a file."""

    resource: str
    """What stands for the path: equal for equal paths of one run."""

    access: Literal["read", "write"]
    origin: Literal["tool", "shell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordEvent:
    """One moment of a run: a message, a call in it, or a result."""

    kind: Literal["message", "call", "result"]
    role: Literal["system", "user", "assistant", "tool"]
    actor: str
    tool: str | None = None
    """The tool that is called or answers; ``None`` for a message."""

    pair: int | None = None
    """Call: position of its message. Result: position of the call it answers, if any."""

    is_error: bool = False
    is_unparsed: bool = False
    """Whether a call holds a shell command that could not be parsed."""

    text: str = ""
    """Keyed digest of the text; empty where there is none."""

    length: int = 0
    """Characters of the text."""

    mentions: tuple[str, ...] = ()
    """Identifier-, date- and number-shaped tokens of the text, in order, where they are kept."""

    leaves: tuple[Leaf, ...] = ()
    touches: tuple[Access, ...] = ()
    displayed_at: int | None = None
    """Call that edits: position of the event that displayed or wrote the text it replaces."""

    uses: tuple[int, ...] = ()
    """Positions of earlier events that the source itself names as inputs of this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """One run, de-identified. From it alone every graph, feature and injected run is made."""

    run_id: str
    key: str
    """What identifies the run within its corpus upstream."""

    corpus: str
    task_id: str
    domain: str | None
    model: str | None
    events: tuple[RecordEvent, ...] = field(repr=False)
    failed: bool | None
    mistake_event: int | None
    """Position of the decisive mistake in ``events``."""

    mistake_actor: str | None
    label_process: str
    license: str
    repo: str
    commit: str
    path: str

    def __post_init__(self) -> None:
        for at, event in enumerate(self.events):
            earlier = [event.pair, event.displayed_at, *event.uses]
            backward = all(other is None or 0 <= other < at for other in earlier)
            require(backward, "events", f"event {at} relies on one that is not earlier")
        at_fault = self.mistake_event
        inside = at_fault is None or 0 <= at_fault < len(self.events)
        require(inside, "mistake_event", f"{at_fault} is no event of {len(self.events)}")

    @property
    def group(self) -> str:
        """Runs of one task never cross a fold."""
        return f"{self.corpus}/{self.task_id}"

    def to_row(self) -> dict[str, Any]:
        """Return the record as one row of the ``trace`` schema."""
        row = {name: getattr(self, name) for name in COLUMNS if name != "events"}
        return {**row, "events": [_event_row(event) for event in self.events]}

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "TraceRecord":
        """Build the record of a row.

        Raises:
            RecordError: The row breaks a promise of the schema.
        """
        events = tuple(_event(entry) for entry in row["events"])
        return cls(**{**{name: row[name] for name in COLUMNS}, "events": events})


COLUMNS = tuple(TraceRecord.__dataclass_fields__)


def _event_row(event: RecordEvent) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "role": event.role,
        "actor": event.actor,
        "tool": event.tool,
        "pair": event.pair,
        "is_error": event.is_error,
        "is_unparsed": event.is_unparsed,
        "text": event.text,
        "length": event.length,
        "mentions": list(event.mentions),
        "leaves": [{"path": e.path, "key": e.key, "token": e.token} for e in event.leaves],
        "touches": [
            {"resource": e.resource, "access": e.access, "origin": e.origin} for e in event.touches
        ],
        "displayed_at": event.displayed_at,
        "uses": list(event.uses),
    }


def _event(row: dict[str, Any]) -> RecordEvent:
    require(row["kind"] in MOMENTS, "events", f"kind {row['kind']!r}")
    require(row["role"] in ROLES, "events", f"role {row['role']!r}")
    nested = {
        "mentions": tuple(row["mentions"]),
        "leaves": tuple(Leaf(**entry) for entry in row["leaves"]),
        "touches": tuple(Access(**entry) for entry in row["touches"]),
        "uses": tuple(row["uses"]),
    }
    return RecordEvent(**{**row, **nested})
