"""What a trace corpus is, and the raw run its reader yields.

A ``Trace`` still holds text and values; it never leaves the converter. What is published is made
from it in ``catchkit.builders.record``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from catchkit import catalog
from catchkit.errors import SourceError, UsageError
from catchkit.schema import require

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

SHIPPABLE = frozenset({"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CC-BY-4.0"})
"""Licences under which what is derived from a run may be published."""

IDENTIFIER_SHAPE = r"#?(?:(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._@#-]{3,}|[0-9]{6,})"
"""Values that name a thing unless a corpus says otherwise: letters with digits, or many digits;
``#`` may stand before either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """One access of a call to a file."""

    resource: str
    """The path as the call spells it."""

    access: Literal["read", "write"]
    origin: Literal["tool", "shell"] = "tool"
    """Whether the tool's own arguments name the file or a shell command was read for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What an editing call replaces."""

    path: str
    old: str | None = None
    """The text it replaces; ``None`` where lines are named instead, or a whole file is written."""

    new: str | None = None
    lines: tuple[int, int] | None = None
    """First and last line it replaces, 1-based and inclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call."""

    tool: str
    arguments: dict[str, Json] = field(default_factory=dict)
    """Empty where the source's arguments are no JSON object."""

    id: str | None = None
    """As in the source, which may repeat it or leave it empty."""

    touches: tuple[Touch, ...] = ()
    """Files it accesses, in order; none for a tool that accesses none."""

    edit: Edit | None = None
    is_unparsed: bool = False
    """Whether it holds a shell command that could not be parsed, so that files may be missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One message of a run."""

    role: Literal["system", "user", "assistant", "tool"]
    """``tool`` for what an environment answers, whatever the source calls it."""

    actor: str
    """Who speaks; for a tool result ``env``, unless the source has another word."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    """What an assistant, or a user with tools of their own, calls in this message."""

    call_id: str | None = None
    """In a tool result: the id of the call it answers, as in the source."""

    tool: str | None = None
    """In a tool result: the tool that answers, where the source says so."""

    is_error: bool = False
    """In a tool result: whether the source says that the call failed."""

    uses: tuple[int, ...] = ()
    """Positions of earlier events that the source itself names as inputs of this one."""

    def __post_init__(self) -> None:
        require(bool(self.actor), "actor", "is empty")
        require(not (self.calls and self.role in ("system", "tool")), "calls", "of no agent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One run, raw."""

    key: str
    """What identifies the run within its corpus, and nothing that changes with the file order."""

    task_id: str
    model: str | None
    """The agent's model; ``None`` where the source does not say."""

    domain: str | None = None
    """A part of the corpus with tasks and tools of its own, such as ``airline``."""

    events: tuple[Event, ...]
    """Every message in order, system messages included."""

    failed: bool | None = None
    """The outcome; ``None`` where the corpus has none."""

    mistake_step: int | None = None
    """Position in ``events`` of the decisive mistake, 0-based."""

    mistake_actor: str | None = None
    repo: str
    commit: str
    path: str
    license: str

    def __post_init__(self) -> None:
        for column in ("key", "task_id", "repo", "commit", "path", "license"):
            require(bool(getattr(self, column)), column, "is empty")
        for at, event in enumerate(self.events):
            require(all(0 <= used < at for used in event.uses), "uses", "names a later event")
        at_fault = self.mistake_step
        inside = at_fault is None or 0 <= at_fault < len(self.events)
        require(inside, "mistake_step", f"{at_fault} is no position of {len(self.events)} events")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A run that does not come out, and why."""

    where: str
    """File and record, such as ``runs.jsonl.gz:17``."""

    reason: str
    """The same words for every run skipped for this reason: they are counted."""

    is_damage: bool = False
    """Whether the input is broken, which makes a conversion incomplete."""

    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hub:
    """A data set on the Hugging Face Hub at a fixed revision."""

    repo_id: str
    revision: str
    """All 40 digits."""

    files: tuple[str, ...]
    """Glob patterns of the files to fetch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a selection may look at."""

    run_id: str
    key: str
    group: str
    failed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One corpus of agent traces."""

    name: str
    title: str
    repo: str
    """``owner/name`` of the repository or data set it comes from."""

    pin: str
    """Its full revision. A file's own entry in a ``MANIFEST.json`` beside it goes first."""

    license: str
    """SPDX id of the corpus, or ``NOASSERTION``; likewise."""

    is_synthetic: bool
    """Whether persons and records in it are made up, by its own documentation."""

    synthetic_because: str = ""
    """Where the documentation says so."""

    label_process: Literal["human_attribution", "outcome", "injection"]
    has_both_outcomes: bool
    label_rule: str
    """Where the outcome or the gold step is found, for the documentation."""

    identity_rule: str
    """How runs, tasks and models are identified, likewise."""

    folder: str = ""
    """Name of its folder beside those of other corpora; its own name where empty."""

    shards: tuple[str, ...]
    """Glob patterns of the files that hold runs, below the corpus folder."""

    companions: tuple[str, ...] = ("MANIFEST.json",)
    """Glob patterns of the files that ``read`` consults besides the shard."""

    read: Callable[[Path], Iterator[Trace | Skipped]]
    """Reads one shard as a stream: one run in memory at a time."""

    step_form: Literal["message", "call", "result"]
    """What makes a step. ``message``: every event. ``call``: an assistant message is a decision,
    then each of its calls a tool call. ``result``: a user or assistant message is a decision, a
    tool result a tool call."""

    published_rule: Literal["full_context", "last_on_file", "write_to_reads"]
    is_write: Callable[[str], bool] = lambda _: False
    """Under ``write_to_reads``: whether a tool of that name changes the database."""

    is_read: Callable[[str], bool] = lambda _: False
    """Likewise, whether it reads the database."""

    counts_shell: bool = False
    """Whether ``last_on_file`` sees the files of shell commands too, for agents with nothing
    but a shell."""

    min_events: int = 1
    min_steps: int = 1
    """Shorter runs are left out, and counted."""

    results: Literal["json", "yaml", "text"] = "text"
    """How tool results are written, where they hold values."""

    identifier_shape: str = IDENTIFIER_SHAPE
    """Pattern of a whole argument value that names a thing, such as an order or a user."""

    identifier_keys: frozenset[str] = frozenset()
    """Names of arguments whose values do so whatever their shape."""

    may_be_clean: Callable[[str], bool] = lambda _: True
    """Whether the run of a key may stand for an undisturbed one, before a fault is planted."""

    fold_salt: int = 0
    """Another draw of the folds, for a corpus of few tasks that the first one splits too
    unevenly; chosen by the number of runs in each fold alone."""

    hub: Hub | None = None
    select: Callable[[Sequence[Run]], Sequence[str]] | None = None
    """Chooses run ids of a corpus that is a selection of another one; ``None`` keeps all."""

    @property
    def is_shippable(self) -> bool:
        """Whether its licence lets derived records be published."""
        return self.license in SHIPPABLE


def corpora() -> dict[str, Corpus]:
    """Return every trace corpus by name.

    Example:
        >>> corpora()["tau_bench"].published_rule
        'write_to_reads'
    """
    return dict(catalog.declarations("builders.traces", "CORPUS", Corpus))


def corpus_named(name: str) -> Corpus:
    """Return one corpus, without reading the files of the others.

    Raises:
        UsageError: There is none of that name.
    """
    known = catalog.names("builders.traces")
    if name not in known:
        raise UsageError.unknown("corpus", name, known)
    return catalog.declaration("builders.traces", "CORPUS", Corpus, name)


def shards_of(corpus: Corpus, place: Path) -> tuple[Path, ...]:
    """Return the files of a corpus that hold runs: of a folder, or the one file given, sorted.

    Raises:
        SourceError: There is none.
    """
    if place.is_file():
        return (place,)
    found = {path for pattern in corpus.shards for path in place.glob(pattern) if path.is_file()}
    if not found:
        wanted = ", ".join(corpus.shards)
        raise SourceError(f"{place} holds no {corpus.name} runs; looked for {wanted}")
    return tuple(sorted(found))


def companions_of(corpus: Corpus, shard: Path) -> tuple[Path, ...]:
    """Return the files that reading a shard consults, found in its folder and the two above."""
    folders = (shard.parent, *shard.parent.parents[:2])
    found = {
        path
        for folder in folders
        for pattern in corpus.companions
        for path in folder.glob(pattern)
        if path.is_file() and path != shard
    }
    return tuple(sorted(found))
