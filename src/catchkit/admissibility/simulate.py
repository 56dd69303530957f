"""Simulated substrates: injectors known to be clean, and injectors with a leak of known strength.

They are made to measure the bar itself. A clean injector renames an identifier from its first
mention by the agent to the end of the run, to another one drawn in the same way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import PairControl
from catchkit.admissibility.plants import value_run
from catchkit.admissibility.substrate import Candidate, Pair, Run, Substrate, ValueRun
from catchkit.builders.record import Leaf, RecordEvent
from catchkit.seeds import generator

_TOOLS = (
    ("get_order", "order_id", "#W", 7),
    ("get_user", "user_id", "user_", 4),
    ("get_item", "item_id", "", 10),
    ("cancel_order", "order_id", "#W", 7),
    ("get_flight", "flight_number", "HAT", 3),
    ("book_flight", "flight_number", "HAT", 3),
)
"""Tool, argument key, prefix of its values, number of digits that follow."""

_POPULAR = np.cumsum([8, 6, 5, 3, 3, 1]) / 26
"""How often each is called, cumulated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A trace that the injector leaves in some of its pairs."""

    control: PairControl
    """Whose artefact it is."""

    share: float
    """Share of the pairs that carry it."""


def simulated(
    *, pairs: int, seed: int, leak: Leak | None = None, runs_per_task: int = 4
) -> Substrate:
    """Return a substrate of that many pairs, one per run.

    Args:
        pairs: How many.
        seed: Any; the same seed and leak give the same substrate.
        leak: What the injector does wrong; ``None`` for a clean one.
        runs_per_task: Runs that share a task.

    Example:
        >>> len(simulated(pairs=12, seed=1).pairs)
        12
    """
    runs, faults = generator(seed, "simulated runs", ""), generator(seed, "simulated faults", "")
    clean = [_clean_pair(at, runs, runs_per_task) for at in range(pairs)]
    bare = Substrate(name="simulated", level="values", pairs=tuple(clean))
    context = Context.of(bare)
    rows = generator(seed, "rows", "").permutation(2 * pairs).tolist()
    made = [
        _placed(_injected(pair, context, faults, leak), rows[2 * at], rows[2 * at + 1])
        for at, pair in enumerate(clean)
    ]
    return replace(bare, pairs=tuple(_leak_rows(made, seed, leak)))


def _clean_pair(at: int, rng: np.random.Generator, runs_per_task: int) -> Pair:
    calls = int(rng.integers(2, 9))
    ids = [_identifier(int(np.searchsorted(_POPULAR, rng.random())), rng) for _ in range(calls)]
    listing = RecordEvent(
        kind="result",
        role="tool",
        actor="env",
        tool="find",
        leaves=tuple(
            Leaf(path=f"ids.{n}", key="ids.[]", token=token) for n, (_, token) in enumerate(ids)
        ),
    )
    events = [_message("user"), listing]
    for tool, token in ids:
        again = int(rng.random() < 0.4) + int(rng.random() < 0.3)
        for _ in range(1 + again):
            events += _call(len(events), tool, token, rng)
    run = ValueRun(events=tuple(events))
    eligible = _first_mentions(run)
    return Pair(
        pair_id=f"pair-{at}",
        run_id=f"run-{at}",
        group=f"task-{at // runs_per_task}",
        fault="simulated",
        clean=run,
        injected=run,
        eligible=eligible,
        site=int(rng.integers(len(eligible))),
    )


def _call(at: int, tool: int, token: str, rng: np.random.Generator) -> list[RecordEvent]:
    name, key, _, _ = _TOOLS[tool]
    echo = (Leaf(path=key, key=key, token=token),) if rng.random() < 0.6 else ()
    amount = Leaf(path="amount", key="amount", token=str(rng.integers(100)))
    call = RecordEvent(
        kind="call",
        role="assistant",
        actor="agent",
        tool=name,
        leaves=(Leaf(path=key, key=key, token=token),),
    )
    result = RecordEvent(
        kind="result", role="tool", actor="env", tool=name, pair=at, leaves=(*echo, amount)
    )
    mentions = (token,) if rng.random() < 0.3 else ()
    return [call, result, _message("assistant", mentions)]


def _message(role: Literal["user", "assistant"], mentions: tuple[str, ...] = ()) -> RecordEvent:
    return RecordEvent(kind="message", role=role, actor=role, mentions=mentions)


def _identifier(tool: int, rng: np.random.Generator) -> tuple[int, str]:
    _, _, prefix, digits = _TOOLS[tool]
    return tool, f"{prefix}{rng.integers(10**digits):0{digits}d}"


def _first_mentions(run: ValueRun) -> tuple[Candidate, ...]:
    seen: set[str] = set()
    found = []
    for candidate, argument in run.arguments.items():
        if argument.token not in seen:
            found.append(candidate)
        seen.add(argument.token)
    return tuple(found)


def renamed(run: ValueRun, site: Candidate, token: str) -> ValueRun:
    """Return the run in which a value has another name from a place to the end."""
    old = run.arguments[site].token

    def rename(event: RecordEvent) -> RecordEvent:
        leaves = tuple(
            replace(leaf, token=token) if leaf.token == old else leaf for leaf in event.leaves
        )
        mentions = tuple(token if word == old else word for word in event.mentions)
        return replace(event, leaves=leaves, mentions=mentions)

    events = list(run.events)
    for at in run.occurrences[old]:
        if at >= site.event:
            events[at] = rename(events[at])
    return ValueRun(events=tuple(events), row=run.row)


def _injected(pair: Pair, context: Context, rng: np.random.Generator, leak: Leak | None) -> Pair:
    leaks = leak is not None and rng.random() < leak.share
    site, run = pair.site, value_run(pair.clean)
    if leak is not None and leaks:
        site = leak.control.plant(context, pair, site, rng).site
    place = pair.eligible[site]
    tool = next(n for n, named in enumerate(_TOOLS) if named[1] == run.arguments[place].key)
    injected: Run = renamed(run, place, _identifier(tool, rng)[1])
    if leak is not None and leaks:
        there = replace(pair, clean=injected, eligible=(place,), site=0)
        injected = leak.control.plant(context, there, 0, rng).run
    return replace(pair, injected=injected, site=site)


def _placed(pair: Pair, clean: int, injected: int) -> Pair:
    return replace(
        pair,
        clean=replace(pair.clean, row=clean),
        injected=replace(pair.injected, row=injected),
    )


def _leak_rows(pairs: Sequence[Pair], seed: int, leak: Leak | None) -> list[Pair]:
    """Sort the rows of some pairs, for a leak of the row order."""
    if leak is None or leak.control.name != "row_order":
        return list(pairs)
    rng = generator(seed, "simulated row leak", "")
    return [
        _placed(pair, *sorted((pair.clean.row or 0, pair.injected.row or 0)))
        if rng.random() < leak.share
        else pair
        for pair in pairs
    ]
