"""A blinded, balanced annotation sheet: a question, and rows with one place marked in each."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catchkit.errors import UsageError
from catchkit.seeds import opaque

ANSWERS = {"yes": True, "no": False, "unsure": None}
MARK, NO_MARK = ">> ", "   "
"""How the lines of a text begin, so that no spreadsheet takes a text for a formula."""

MAX_TEXT = 32_767
"""Characters that a spreadsheet keeps of one cell; nothing longer is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of every row of a sheet."""

    asks: str
    shows: str
    """What a row shows, one word: the heading of its column."""

    answer: str
    """What a yes calls the marked place, one word: the heading of its column."""

    positive: str
    negative: str
    """What the two halves are, which annotators are not told."""

    legend: tuple[tuple[str, str], ...]
    """What stands in a row, and what it means."""

    @property
    def header(self) -> tuple[str, str, str]:
        """The columns of the CSV."""
        return ("item", self.shows, self.answer)


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One row: something with one place marked."""

    item: str
    text: str
    is_positive: bool
    """Known to the reader of the answers only; nothing in the sheet tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Data that people can be asked about."""

    name: str
    digest: str
    """Content digest of the data."""

    question: Question
    draw: Callable[[int, int], Sequence[SheetItem]]
    """Rows for (how many at most, seed): half of them positive, nothing shown twice."""

    def items(self, count: int, seed: int) -> tuple[SheetItem, ...]:
        """Draw the rows of a sheet, in an order that says nothing.

        The same data and seed give the same rows, so that no key has to hold the truth.

        Raises:
            UsageError: There is nothing to ask.
        """
        items = tuple(sorted(self.draw(count, seed), key=lambda item: item.item))
        if not items:
            raise UsageError(
                f"{self.name}: no sheet can be made of it; a balanced one needs a row that is "
                f"{self.question.positive} and one that is {self.question.negative}, of two "
                f"{self.question.shows}s"
            )
        return items


def item_name(seed: int, record: str) -> str:
    """Return the name of a row, which neither spells out its record nor looks like a number.

    Example:
        >>> item_name(3, "mcp-0001") == item_name(4, "mcp-0001")
        False
    """
    # A bare digest may consist of digits, or of digits with an e between them, and a spreadsheet
    # would write those back as another number.
    return f"item-{opaque(f'sheet {seed}', record)}"


def one_line(text: str) -> str:
    r"""Return a text with everything that is not printable written out.

    Example:
        >>> one_line("Web\nSearch")
        'Web\\nSearch'
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def digest_of(items: Sequence[SheetItem]) -> str:
    """Return what changes exactly when the name or the text of a row does."""
    text = json.dumps([[item.item, item.text] for item in items])
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
