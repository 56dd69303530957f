"""A substrate under test: pairs of a clean run and its injected twin, whatever the fault."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from catchkit.builders.record import Leaf, RecordEvent
from catchkit.injection.extraction import Mode

Level: TypeAlias = Literal["values", "steps"]


@dataclass(frozen=True, slots=True, order=True)
class Candidate:
    """A place where a fault could have been planted."""

    event: int
    """Position of the event or step, 0-based."""

    path: str = ""
    """Which argument of the call, such as ``items.0``; empty where the step is the place."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument value of a call."""

    event: int
    path: str
    key: str
    token: str
    tool: str


@dataclass(frozen=True, kw_only=True)
class ValueRun:
    """One version of a run, as the values that its calls, results and texts hold."""

    events: tuple[RecordEvent, ...]
    row: int | None = None
    """Which row of the published table it stands in; ``None`` where it is not published."""

    @property
    def size(self) -> int:
        """Number of events."""
        return len(self.events)

    @cached_property
    def arguments(self) -> Mapping[Candidate, Argument]:
        """Every argument value, by its place."""
        return {
            Candidate(at, leaf.path): Argument(at, leaf.path, leaf.key, leaf.token, _tool(event))
            for at, event in enumerate(self.events)
            if event.kind == "call"
            for leaf in event.leaves
        }

    @cached_property
    def occurrences(self) -> Mapping[str, tuple[int, ...]]:
        """For each value the events that hold or mention it, in order."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, event in enumerate(self.events):
            for token in {*(leaf.token for leaf in event.leaves), *event.mentions}:
                found[token].append(at)
        return {token: tuple(places) for token, places in found.items()}

    @cached_property
    def argument_counts(self) -> Counter[str]:
        """How many arguments hold each value."""
        return Counter(argument.token for argument in self.arguments.values())

    @cached_property
    def by_key(self) -> Mapping[str, tuple[Argument, ...]]:
        """The argument values of each key."""
        found: dict[str, list[Argument]] = defaultdict(list)
        for argument in self.arguments.values():
            found[argument.key].append(argument)
        return {key: tuple(arguments) for key, arguments in found.items()}

    @cached_property
    def result_of(self) -> Mapping[int, int]:
        """For each call that has one the event of its result."""
        return {
            event.pair: at
            for at, event in enumerate(self.events)
            if event.kind == "result" and event.pair is not None
        }

    def holds(self, at: int, token: str) -> bool:
        """Return whether an event holds or mentions a value."""
        event = self.events[at]
        return token in event.mentions or any(leaf.token == token for leaf in event.leaves)

    def tool_at(self, candidate: Candidate) -> str:
        """Return the tool that is called there."""
        return _tool(self.events[candidate.event])

    def at(self, candidate: Candidate) -> object:
        """Return what stands at a place, for comparing versions."""
        return self.arguments[candidate].token

    def has(self, candidate: Candidate) -> bool:
        """Return whether there is such a place."""
        return candidate in self.arguments

    def with_token(self, candidate: Candidate, token: str) -> "ValueRun":
        """Return the run with one argument value replaced, and nothing else."""
        event = self.events[candidate.event]
        leaves = tuple(
            replace(leaf, token=token) if leaf.path == candidate.path else leaf
            for leaf in event.leaves
        )
        return self._with_event(candidate.event, replace(event, leaves=leaves))

    def renamed(self, names: Mapping[str, str], start: int = 0) -> "ValueRun":
        """Return the run in which values have other names from an event on."""

        def rename(event: RecordEvent) -> RecordEvent:
            leaves = tuple(
                replace(leaf, token=names[leaf.token]) if leaf.token in names else leaf
                for leaf in event.leaves
            )
            mentions = tuple(names.get(word, word) for word in event.mentions)
            return replace(event, leaves=leaves, mentions=mentions)

        return replace(self, events=(*self.events[:start], *map(rename, self.events[start:])))

    def with_argument(self, candidate: Candidate, name: str, token: str) -> "ValueRun":
        """Return the run with one more argument in the call at a place."""
        event = self.events[candidate.event]
        leaves = (*event.leaves, Leaf(path=name, key=name, token=token))
        return self._with_event(candidate.event, replace(event, leaves=leaves))

    def longer(self) -> "ValueRun":
        """Return the run with its last event twice."""
        return replace(self, events=(*self.events, self.events[-1]))

    def _with_event(self, at: int, event: RecordEvent) -> "ValueRun":
        return replace(self, events=(*self.events[:at], event, *self.events[at + 1 :]))


@dataclass(frozen=True, kw_only=True)
class StepRun:
    """One version of a run, as steps on files and the dependency edges among them."""

    tools: tuple[str | None, ...]
    """Per step the tool that is called; ``None`` for a decision."""

    resources: tuple[frozenset[str], ...]
    """Per step the files it is about."""

    writers: tuple[frozenset[int], ...]
    """Per step the earlier steps that it relies on."""

    row: int | None = None

    @property
    def size(self) -> int:
        """Number of steps."""
        return len(self.tools)

    @cached_property
    def predecessors(self) -> tuple[frozenset[int], ...]:
        """For each step the last earlier step on each of its files."""
        last: dict[str, int] = {}
        found = []
        for at, resources in enumerate(self.resources):
            found.append(frozenset(last[name] for name in resources if name in last))
            last.update(dict.fromkeys(resources, at))
        return tuple(found)

    def tool_at(self, candidate: Candidate) -> str:
        """Return the tool that is called there."""
        return self.tools[candidate.event] or ""

    def at(self, candidate: Candidate) -> object:
        """Return what stands at a place, for comparing versions."""
        return self.writers[candidate.event]

    def has(self, candidate: Candidate) -> bool:
        """Return whether there is such a place."""
        return 0 <= candidate.event < self.size

    def without_writer(self, step: int, writer: int) -> "StepRun":
        """Return the run where a step no longer relies on an earlier one."""
        kept = tuple(w - {writer} if at == step else w for at, w in enumerate(self.writers))
        return replace(self, writers=kept)

    def longer(self) -> "StepRun":
        """Return the run with one more step that relies on nothing."""
        return replace(
            self,
            tools=(*self.tools, self.tools[-1]),
            resources=(*self.resources, frozenset()),
            writers=(*self.writers, frozenset()),
        )


Run: TypeAlias = ValueRun | StepRun


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A clean run and the same run with one fault in it."""

    pair_id: str
    run_id: str
    group: str
    """The task: pairs of one task are drawn again together."""

    domain: str = ""
    model: str = ""
    corpus: str | None = None
    """Where the run comes from; ``None`` for a made one."""

    extraction: Mode = "repaired"
    """How the values of the run were read when the fault was planted."""

    fault: str
    clean: Run
    injected: Run
    eligible: tuple[Candidate, ...]
    """Where the injector could have planted it, as fixed on the clean run."""

    site: int
    """Which of them it took: a position in ``eligible``."""

    def __post_init__(self) -> None:
        if not 0 <= self.site < len(self.eligible):
            raise ValueError(f"{self.pair_id}: its site is not among its eligible places")

    @property
    def target(self) -> Candidate:
        """The place of the fault."""
        return self.eligible[self.site]


@dataclass(frozen=True, kw_only=True)
class Substrate:
    """The pairs of one Gold folder that share a level."""

    name: str
    level: Level
    pairs: tuple[Pair, ...]
    modes: Mapping[str, str] = field(default_factory=dict)
    """Fault -> the documented failure mode that it maps to."""

    origin: str = ""
    digest: str = ""
    """Content digest of the data; a verdict carries it."""

    def by_run(self) -> Iterator[tuple[Pair, Run]]:
        """Yield each clean run once, with a pair it belongs to."""
        seen: set[str] = set()
        for pair in self.pairs:
            if pair.run_id not in seen:
                seen.add(pair.run_id)
                yield pair, pair.clean


def _tool(event: RecordEvent) -> str:
    return event.tool or ""
