"""Writes an annotation sheet and its key, and reads the key and the filled-in copies."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from catchkit.admissibility.annotation.answers import given_answers
from catchkit.admissibility.annotation.page import page
from catchkit.admissibility.annotation.sheet import ANSWERS, Question, SheetItem, Subject, digest_of
from catchkit.admissibility.thresholds import Thresholds
from catchkit.errors import UsageError
from catchkit.loaders.files import written_whole

PAGE, TABLE, KEY = "sheet.html", "sheet.csv", "key.json"
HAND_OUT = f"give annotators {PAGE} and {TABLE}; keep {KEY}"
ROLE = (
    f"For whoever reads the answers: {HAND_OUT}. With the data, its seed tells which rows are "
    "which; its digest of the sheet tells whether a copy is of this sheet."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A sheet and what people say about it."""

    items: tuple[SheetItem, ...]
    answers: Mapping[str, Sequence[bool | None]]
    """Annotator -> an answer per row; ``None`` for unsure, and where none is given yet."""

    empty: Mapping[str, int]
    """Annotator -> how many rows have no answer yet."""


def write_sheet(subject: Subject, folder: Path, thresholds: Thresholds, seed: int) -> int:
    """Write the sheet as HTML and CSV, and its key, and return how many rows it has.

    Raises:
        UsageError: The folder holds answers already, or there is nothing to ask.
    """
    if folder.exists() and any(folder.glob("answers-*.csv")):
        raise UsageError(f"{folder} holds answers; choose another folder")
    items = subject.items(thresholds.validation.items, seed)
    key = {
        "role": ROLE,
        "subject": subject.name,
        "data": subject.digest,
        "seed": seed,
        "items": len(items),
        "sheet": digest_of(items),
        "thresholds": thresholds.digest,
    }
    texts = {
        TABLE: _table(subject.question, items),
        PAGE: page(subject.name, subject.question, items),
        KEY: json.dumps(key, indent=1) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        with written_whole(folder / name) as place:
            place.write_text(text, "utf-8")
    return len(items)


def _table(question: Question, items: Sequence[SheetItem]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(question.header)
    writer.writerows((item.item, item.text, "") for item in items)
    return text.getvalue()


def read_answers(folder: Path, subject: Subject) -> Answered:
    """Read the key of a sheet and every filled-in copy beside it, ``answers-NAME.csv``.

    Raises:
        UsageError: The key is of other data or was changed, or a copy is not one of this sheet.
    """
    items = _items_of(folder / KEY, subject)
    if (folder / TABLE).exists():
        given_answers(folder / TABLE, subject.question, items)
    answers, empty = {}, {}
    for path in sorted(folder.glob("answers-*.csv")):
        name = path.stem.removeprefix("answers-")
        given = given_answers(path, subject.question, items)
        empty[name] = given.count("")
        answers[name] = [ANSWERS.get(answer) for answer in given]
    return Answered(items=items, answers=answers, empty=empty)


def _items_of(path: Path, subject: Subject) -> tuple[SheetItem, ...]:
    """Draw the rows of a key again, and compare them with its digest."""
    if not path.is_file():
        raise UsageError(
            f"{path} is missing; --annotate writes it beside the sheet: put the filled-in copies "
            "where it is"
        )
    try:
        key = json.loads(path.read_text("utf-8"))
        made_of, sheet, seed, count = key["data"], key["sheet"], int(key["seed"]), int(key["items"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise UsageError(f"{path}: not the key of a sheet ({problem!r})") from None
    if made_of != subject.digest:
        raise UsageError(f"{path}: the sheet was made from other data than {subject.name}")
    items = subject.items(count, seed)
    if digest_of(items) != sheet:
        raise UsageError(
            f"{path}: the rows that its seed draws are not those of its digest; it was changed, "
            "or written by a catchkit that draws otherwise"
        )
    return items
