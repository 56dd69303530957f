"""Where an injection's choices come from: one address per draw, or the original's one stream."""

import random
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from catchkit.seeds import generator


class Draws(Protocol):
    """A source of uniform choices."""

    def below(self, count: int) -> int:
        """Return one of 0 to ``count`` - 1."""

    def some(self, count: int, most: int) -> list[int]:
        """Return ``most`` different ones of 0 to ``count`` - 1, in random order."""

    def order(self, count: int) -> list[int]:
        """Return 0 to ``count`` - 1 in random order."""


@dataclass(frozen=True, slots=True)
class AddressedDraws:
    """Draws from a generator of their own."""

    generator: np.random.Generator

    @classmethod
    def at(cls, seed: int, purpose: str, key: str) -> "AddressedDraws":
        """Return the draws of one address; see ``catchkit.seeds.generator``.

        Example:
            >>> one, other = (AddressedDraws.at(0, "stale_read", "run-1") for _ in range(2))
            >>> one.order(5) == other.order(5)
            True
        """
        return cls(generator(seed, purpose, key))

    def below(self, count: int) -> int:
        """Return one of 0 to ``count`` - 1."""
        return int(self.generator.integers(count))

    def some(self, count: int, most: int) -> list[int]:
        """Return ``most`` different ones of 0 to ``count`` - 1, in random order."""
        return [int(at) for at in self.generator.choice(count, most, replace=False)]

    def order(self, count: int) -> list[int]:
        """Return 0 to ``count`` - 1 in random order."""
        return [int(at) for at in self.generator.permutation(count)]


class NumpyStream:
    """The stream of the original's file-level injector: every draw follows the one before it."""

    def __init__(self, seed: int) -> None:
        # The published runs can be had from this generator only.
        self._state = np.random.RandomState(seed)

    def below(self, count: int) -> int:
        """Return one of 0 to ``count`` - 1."""
        return int(self._state.randint(0, count))

    def some(self, count: int, most: int) -> list[int]:
        """Return ``most`` different ones of 0 to ``count`` - 1, in random order."""
        return [int(at) for at in self._state.choice(count, most, replace=False)]

    def order(self, count: int) -> list[int]:
        """Return 0 to ``count`` - 1 in random order."""
        positions = list(range(count))
        self._state.shuffle(positions)
        return positions


class PythonStream:
    """The stream of the original's named-value injector, likewise."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, count: int) -> int:
        """Return one of 0 to ``count`` - 1."""
        return self._random.randrange(count)

    def some(self, count: int, most: int) -> list[int]:
        """Return ``most`` different ones of 0 to ``count`` - 1, in random order."""
        return self._random.sample(range(count), most)

    def order(self, count: int) -> list[int]:
        """Return 0 to ``count`` - 1 in random order."""
        positions = list(range(count))
        self._random.shuffle(positions)
        return positions
