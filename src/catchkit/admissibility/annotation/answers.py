"""Reads one filled-in copy of an annotation sheet, and refuses what is no copy of it."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from catchkit.admissibility.annotation.sheet import ANSWERS, Question, SheetItem
from catchkit.errors import UsageError

MAX_BYTES = 16 * 1024 * 1024
SEPARATORS = ",;\t"
"""Between the cells of a line: as written, and as spreadsheets write it back."""


def given_answers(path: Path, question: Question, items: Sequence[SheetItem]) -> list[str]:
    """Return the answer of each row, in the order of ``items``; empty where there is none yet.

    The copy may have a byte-order mark, any line ends, other white space, semicolons or tabs
    between its cells, and its rows in any order.

    Raises:
        UsageError: It cannot be read, does not hold every row once with the text that was drawn,
            or an answer is none of ``ANSWERS``.
    """
    given = _rows(path, question)
    answers = []
    for item in items:
        if item.item not in given:
            raise UsageError(f"{path}: {item.item} is missing; leave every row in its place")
        text, answer = given.pop(item.item)
        if text.split() != item.text.split():
            raise UsageError(
                f"{path}: the {question.shows} of {item.item} is not the one that was drawn; "
                f"take a fresh copy of the sheet and change its column {question.answer!r} only"
            )
        word = answer.strip().casefold()
        if word and word not in ANSWERS:
            raise UsageError(f"{path}: {item.item} is {word!r}, expected {', '.join(ANSWERS)}")
        answers.append(word)
    if given:
        raise UsageError(f"{path}: there is no item {next(iter(given))!r} in the sheet")
    return answers


def _rows(path: Path, question: Question) -> dict[str, tuple[str, str]]:
    """Return the text and the answer of each item that a file names."""
    lines = _cells(path, [*question.header])
    for number, line in enumerate(lines, start=2):
        if len(line) < len(question.header) or any(line[len(question.header) :]):
            raise UsageError(
                f"{path}: row {number} has {len(line)} cells, expected {len(question.header)}"
            )
    for item, count in Counter(line[0] for line in lines).items():
        if count > 1:
            raise UsageError(f"{path}: {item} stands in it {count} times")
    return {line[0]: (line[1], line[2]) for line in lines}


def _cells(path: Path, header: list[str]) -> list[list[str]]:
    """Return the lines below the heading that are not blank."""
    text = _text(path)
    first = text.partition("\n")[0]
    for separator in SEPARATORS:
        if [cell for cell in next(csv.reader([first], delimiter=separator), []) if cell] == header:
            break
    else:
        raise UsageError(
            f"{path}: not a filled-in sheet; its first line is {first[:80]!r}, expected "
            f"{','.join(header)}, or the same with semicolons or tabs"
        )
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=separator, strict=True))
    except csv.Error as problem:
        raise UsageError(f"{path}: not a filled-in sheet ({problem})") from None
    return [cells for line in lines[1:] if any(cells := [cell.strip() for cell in line])]


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: larger than {MAX_BYTES} bytes")
        return path.read_text("utf-8-sig")
    except OSError as problem:
        raise UsageError(f"{path} cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError:
        raise UsageError(
            f"{path}: not UTF-8; a spreadsheet writes it when told to save as 'CSV UTF-8'"
        ) from None
