"""The two ways of reading values from a run: as the original does, and repaired."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from catchkit.builders.corpus import Corpus

Mode = Literal["published", "repaired"]

PUBLISHED_SHAPE = r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._@#-]{3,}"
"""The original's identifiers: no ``#`` in front, no number without a letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What counts as an identifier, an answer and a given value.

    ===========================  ==============================  ================================
    question                     published                       repaired
    ===========================  ==============================  ================================
    which result answers a call  the next event, if a result     the one paired by id or order
    whose calls count            the assistant's                 the assistant's
    whose results count          everybody's                     answers to the assistant's calls
    when is a value given        anywhere in the run             before the call
    what is an identifier        one pattern, without ``#``      as the corpus declares
    what is one object           tool and first identifier       first identifier, whatever tool
    ===========================  ==============================  ================================
    """

    mode: Mode
    shape: str = PUBLISHED_SHAPE
    keys: frozenset[str] = frozenset()
    """Names of arguments whose values are identifiers whatever their shape."""

    @classmethod
    def of(cls, corpus: Corpus, mode: Mode) -> "Extraction":
        """Return how the runs of a corpus are read in a mode."""
        if mode == "published":
            return cls(mode=mode)
        return cls(mode=mode, shape=corpus.identifier_shape, keys=corpus.identifier_keys)

    @property
    def is_published(self) -> bool:
        """Whether it reads as the original does."""
        return self.mode == "published"

    def is_identifier(self, value: str, key: str = "") -> bool:
        """Return whether the value of an argument names a thing.

        Example:
            >>> values = ("W123", "a_b1", "#W12", "ab 12", "12345")
            >>> [Extraction(mode="published").is_identifier(value) for value in values]
            [True, True, False, False, False]
        """
        return _matches(self.shape, value) or (bool(value) and last_name(key) in self.keys)


@lru_cache(maxsize=1 << 18)
def _matches(shape: str, value: str) -> bool:
    return re.fullmatch(shape, value) is not None


def last_name(key: str) -> str:
    """Return the name of an argument, without its place in lists.

    Example:
        >>> last_name("items.[].item_id"), last_name("item_ids.[]")
        ('item_id', 'item_ids')
    """
    return key.removesuffix(".[]").rpartition(".")[2]
