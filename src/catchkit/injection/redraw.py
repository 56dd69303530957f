"""Makes up a value of the same form, where no other run has one to lend."""

from collections.abc import Set
from string import ascii_lowercase, digits

from catchkit.injection.draws import Draws

PATIENCE = 16
"""Attempts before a value grows by a digit: short ones may all be taken."""


def redrawn(value: str, draws: Draws, taken: Set[str]) -> str:
    """Return a value with other digits that is none of those taken.

    Letters, punctuation and length stay, unless no value of that form is free; a value without
    digits gets other letters.

    Example:
        >>> from catchkit.injection.draws import AddressedDraws
        >>> other = redrawn("#W100", AddressedDraws.at(0, "example", "run"), {"#W100"})
        >>> other != "#W100", other[:2], other[2:].isdigit(), len(other)
        (True, '#W', True, 5)
    """
    attempts = 0
    while True:
        alphabet = digits if any(char in digits for char in value) else ascii_lowercase
        found = "".join(
            alphabet[draws.below(len(alphabet))] if char.lower() in alphabet else char
            for char in value
        )
        if found not in taken:
            return found
        attempts += 1
        if attempts % PATIENCE == 0:
            value += "0"
