"""Simulated substrates: injectors known to be clean, and injectors with a leak of known strength.

They are made to measure the bar itself. A clean injector renames an identifier from its first
mention by the agent to the end of the run, to another one drawn in the same way.
"""

from dataclasses import replace
from typing import Literal

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.leaks import Inject, Leak, in_rows, injected
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
    made = [injected(pair, _renaming(pair, faults), context, faults, leak) for pair in clean]
    return replace(bare, pairs=in_rows(made, seed, leak))


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


def _renaming(pair: Pair, rng: np.random.Generator) -> Inject:
    run = value_run(pair.clean)

    def inject(place: Candidate) -> Run:
        old = run.arguments[place]
        tool = next(n for n, named in enumerate(_TOOLS) if named[1] == old.key)
        return run.renamed({old.token: _identifier(tool, rng)[1]}, place.event)

    return inject
