"""What scores and plants of controls are built from."""

import string
from collections.abc import Callable

import numpy as np

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import Plant, Planted, Score
from catchkit.admissibility.substrate import (
    Argument,
    Candidate,
    Pair,
    Run,
    StepRun,
    ValueRun,
)
from catchkit.eval.matched import Values

_POOLS = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
ATTEMPTS = 50


def scored(pair: Pair, score: Callable[[Candidate], float]) -> Values:
    """Score each eligible place of a pair."""
    return np.array([score(candidate) for candidate in pair.eligible], dtype=np.float64)


def scored_arguments(pair: Pair, run: Run, score: Callable[[Argument], float]) -> Values:
    """Score the argument at each eligible place of a pair."""
    arguments = value_run(run).arguments
    return scored(pair, lambda candidate: score(arguments[candidate]))


def value_run(run: Run) -> ValueRun:
    """Return a run as one of values, the only kind that a control of values is given."""
    if isinstance(run, StepRun):
        raise TypeError("a control of values was given a run of steps")
    return run


def step_run(run: Run) -> StepRun:
    """Return a run as one of steps, the only kind that a control of steps is given."""
    if isinstance(run, ValueRun):
        raise TypeError("a control of steps was given a run of values")
    return run


def preferring(score: Score) -> Plant:
    """Return the plant of a biased choice: the injector takes a place that a score ranks first."""

    def plant(context: Context, pair: Pair, _: int, rng: np.random.Generator) -> Planted:
        scores = score(context, pair, pair.clean)
        return Planted(pair.clean, int(rng.choice(np.flatnonzero(scores == scores.max()))))

    return plant


def replacing(make: Callable[[Context, Pair, Argument, np.random.Generator], str]) -> Plant:
    """Return the plant of a bad value: the one at the place is replaced, and nothing else."""

    def plant(context: Context, pair: Pair, site: int, rng: np.random.Generator) -> Planted:
        run, place = value_run(pair.clean), pair.eligible[site]
        token = make(context, pair, run.arguments[place], rng)
        return Planted(run.with_token(place, token), site)

    return plant


def fresh(token: str, context: Context, rng: np.random.Generator) -> str:
    """Return a value of the same shape that no clean run holds; a longer one if need be."""
    for _ in range(ATTEMPTS):
        value = redrawn(token, rng)
        if value != token and value not in context.holders:
            return value
    return fresh(token + "0", context, rng)


def redrawn(token: str, rng: np.random.Generator) -> str:
    """Return a value of the same shape: digits for digits, letters for letters.

    Example:
        >>> redrawn("#--", np.random.default_rng(0)), len(redrawn("W123", np.random.default_rng(0)))
        ('#--', 4)
    """
    return "".join(_redraw(char, rng) for char in token)


def _redraw(char: str, rng: np.random.Generator) -> str:
    for pool in _POOLS:
        if char in pool:
            return pool[rng.integers(len(pool))]
    return char


UNHEARD_OF = replacing(lambda context, _, argument, rng: fresh(argument.token, context, rng))
"""The plant of a value of the same shape that is nowhere else, in its own run or another."""
