"""What a control may know of the whole corpus: counts over the clean runs."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from catchkit.admissibility.substrate import Pair, Run, StepRun, Substrate
from catchkit.builders.record import RecordEvent

CharacterClass = tuple[bool, bool, bool]


def character_class(token: str) -> CharacterClass:
    """Return whether a value has digits, letters, and anything else.

    Example:
        >>> character_class("W-12")
        (True, True, True)
    """
    return (
        any(char.isdigit() for char in token),
        any(char.isalpha() for char in token),
        not token.isalnum(),
    )


@dataclass(frozen=True, slots=True)
class KeyStatistics:
    """What the values of one argument key look like."""

    count: int
    mean_length: float
    length_sd: float
    """Population standard deviation; 1 where all are equally long."""

    classes: Mapping[CharacterClass, int]

    def class_share(self, token: str) -> float:
        """Return which share of the values has the character class of a value."""
        return self.classes.get(character_class(token), 0) / self.count


UNSEEN = KeyStatistics(count=1, mean_length=0.0, length_sd=1.0, classes={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Counts over the clean runs of a substrate, one run per ``run_id``."""

    keys: Mapping[str, KeyStatistics]
    tools: Mapping[str, int]
    shapes: Mapping[str, Counter[tuple[str, ...]]]
    """For each tool how often it is called with which argument keys."""

    holders: Mapping[str, Mapping[str, str]]
    """For each value the runs that hold it, with the task of each."""

    singles: float
    """Share of the arguments whose value no other argument of their run holds."""

    donors: Mapping[str, tuple[str, ...]]
    """The argument values seen at each key, sorted."""

    task_values: Mapping[tuple[str, str], Mapping[str, frozenset[str]]]
    """For each task and key the argument values, with the runs that hold each."""

    @classmethod
    def of(cls, substrate: Substrate) -> "Context":
        """Count over a substrate."""
        tokens: dict[str, list[str]] = defaultdict(list)
        tools: Counter[str] = Counter()
        shapes: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        holders: dict[str, dict[str, str]] = defaultdict(dict)
        shared: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        single = total = 0
        for pair, run in substrate.by_run():
            tools.update(_tools(run))
            if isinstance(run, StepRun):
                continue
            for token in run.occurrences:
                holders[token][pair.run_id] = pair.group
            single += sum(count == 1 for count in run.argument_counts.values())
            total += len(run.arguments)
            for argument in run.arguments.values():
                tokens[argument.key].append(argument.token)
                shared[pair.group, argument.key][argument.token].add(pair.run_id)
            for event in run.events:
                if event.kind == "call":
                    shapes[event.tool or ""][shape_of(event)] += 1
        return cls(
            keys={key: _statistics(values) for key, values in tokens.items()},
            tools=tools,
            shapes=shapes,
            holders=holders,
            task_values={
                place: {token: frozenset(runs) for token, runs in values.items()}
                for place, values in shared.items()
            },
            singles=single / max(total, 1),
            donors={key: tuple(sorted(set(values))) for key, values in tokens.items()},
        )

    def other_runs(self, pair: Pair, token: str) -> int:
        """Count the other runs that hold a value."""
        holders = self.holders.get(token, {})
        return len(holders) - (pair.run_id in holders)

    def is_in_task(self, pair: Pair, token: str) -> bool:
        """Return whether another run of the same task holds a value."""
        return any(
            group == pair.group and run_id != pair.run_id
            for run_id, group in self.holders.get(token, {}).items()
        )

    def values_of_task(self, pair: Pair, key: str) -> list[str]:
        """Return the values that other runs of the same task hold at a key, sorted."""
        held = self.task_values.get((pair.group, key), {})
        return sorted(token for token, runs in held.items() if runs != {pair.run_id})

    def key(self, name: str) -> KeyStatistics:
        """Return the statistics of a key, which a fault may have made up."""
        return self.keys.get(name, UNSEEN)


def shape_of(event: RecordEvent) -> tuple[str, ...]:
    """Return the sorted top-level argument names of a call."""
    return tuple(sorted({leaf.key.split(".")[0] for leaf in event.leaves}))


def _tools(run: Run) -> list[str]:
    if isinstance(run, StepRun):
        return [tool for tool in run.tools if tool is not None]
    return [event.tool or "" for event in run.events if event.kind == "call"]


def _statistics(values: list[str]) -> KeyStatistics:
    lengths = np.array([len(value) for value in values], dtype=float)
    return KeyStatistics(
        count=len(values),
        mean_length=float(lengths.mean()),
        length_sd=float(lengths.std()) or 1.0,
        classes=Counter(map(character_class, values)),
    )
