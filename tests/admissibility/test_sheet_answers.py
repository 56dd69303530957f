"""What is read as a filled-in copy of a sheet, and what is refused, naming file and item."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from catchkit.admissibility.annotation.capabilities import capabilities_asked
from catchkit.admissibility.annotation.files import read_answers, write_sheet
from catchkit.admissibility.annotation.sheet import ANSWERS, Subject
from catchkit.admissibility.thresholds import shipped
from catchkit.errors import UsageError
from catchkit.eval.rosters import rosters_of
from factories import make_record, make_table

NAMES = ("mail; “sent”, read", "búsqueda", "a\tb", "🔎 find")
RECORDS = [
    make_record(f"r{at}", (*NAMES, f"tool {at}"), excess=(True, *[False] * 4)) for at in range(12)
]
SUBJECT = capabilities_asked("pre_synthetic", "sha256:one", rosters_of(make_table(*RECORDS)))
Rows = list[list[str]]


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    write_sheet(SUBJECT, tmp_path / "sheet", shipped(), 3)
    return tmp_path / "sheet"


def rows_of(sheet: Path) -> Rows:
    with (sheet / "sheet.csv").open(newline="", encoding="utf-8") as stream:
        heading, *rows = csv.reader(stream)
    answers = [*ANSWERS, " YES", ""]
    return [heading, *([*row[:2], answers[at % 5]] for at, row in enumerate(rows))]


def written(rows: Sequence[Sequence[str]], separator: str = ",", quoting: int = 0) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n", quoting=quoting)  # type: ignore[arg-type]
    writer.writerows(rows)
    return text.getvalue()


SPELLINGS: dict[str, Callable[[Rows], bytes]] = {
    "as written": lambda rows: written(rows).encode(),
    "byte-order mark": lambda rows: written(rows).encode("utf-8-sig"),
    "semicolons": lambda rows: written(rows, ";").encode(),
    "semicolons, a mark, Windows line ends and quotes everywhere": lambda rows: (
        written(rows, ";", csv.QUOTE_ALL).replace("\n", "\r\n").encode("utf-8-sig")
    ),
    "tabs": lambda rows: written(rows, "\t").encode(),
    "Windows line ends": lambda rows: written(rows).replace("\n", "\r\n").encode(),
    "old line ends": lambda rows: written(rows).replace("\n", "\r").encode(),
    "another order": lambda rows: written([rows[0], *reversed(rows[1:])]).encode(),
    "blank rows and columns": lambda rows: written(
        [*([*row, "", ""] for row in rows), [""] * 5, []]
    ).encode(),
    "leading blanks trimmed": lambda rows: written(
        [[cell.strip() for cell in row] for row in rows]
    ).encode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_what_spreadsheets_write_is_read_alike(spelling: str, sheet: Path) -> None:
    (sheet / "answers-ada.csv").write_bytes(SPELLINGS[spelling](rows_of(sheet)))
    answered = read_answers(sheet, SUBJECT)
    expected = [True, False, None, True, None]
    assert answered.answers == {"ada": [expected[at % 5] for at in range(12)]}
    assert answered.empty == {"ada": 2}


def edited(row: int, column: int, cell: Callable[[str], str]) -> Callable[[Rows], bytes]:
    def spelled(rows: Rows) -> bytes:
        rows[row][column] = cell(rows[row][column])
        return written(rows).encode()

    return spelled


BROKEN: dict[str, tuple[Callable[[Rows], bytes], str]] = {
    "a word": (edited(3, 2, lambda _: "maybe"), "{3} is 'maybe', expected yes, no, unsure"),
    "an edited text": (
        edited(3, 1, lambda text: text.replace("tool", "fool")),
        "the configuration of {3} is not the one that was drawn",
    ),
    "a moved mark": (
        edited(3, 1, lambda text: "\n".join([">> ", *text.replace(">> ", "").split("\n")])),
        "the configuration of {3} is not the one that was drawn",
    ),
    "a cut text": (edited(3, 1, lambda text: text[:40]), "the configuration of {3} is not"),
    "two texts swapped": (
        lambda rows: written(
            [*rows[:3], [rows[3][0], *rows[4][1:]], [rows[4][0], *rows[3][1:]], *rows[5:]]
        ).encode(),
        "the configuration of {3} is not",
    ),
    "an item missing": (lambda rows: written([*rows[:3], *rows[4:]]).encode(), "{3} is missing"),
    "an unknown item": (
        lambda rows: written([*rows, ["item-0", "   x", "yes"]]).encode(),
        "there is no item 'item-0' in the sheet",
    ),
    "an item twice": (lambda rows: written([*rows, rows[3]]).encode(), "{3} stands in it 2 times"),
    "a cell too few": (
        lambda rows: written([*rows[:3], rows[3][:2], *rows[4:]]).encode(),
        "row 4 has 2 cells, expected 3",
    ),
    "a remark beside an answer": (
        lambda rows: written([*rows[:3], [*rows[3], "hm"], *rows[4:]]).encode(),
        "row 4 has 4 cells, expected 3",
    ),
    "another heading": (
        edited(0, 2, lambda _: "faulty"),
        "its first line is 'item,configuration,faulty', expected item,configuration,unneeded",
    ),
    "nothing": (lambda _: b"", "its first line is ''"),
    "an open quote": (lambda rows: written(rows).encode() + b'"', "not a filled-in sheet"),
    "latin-1": (
        lambda rows: written(rows).encode("latin-1", errors="replace"),
        "not UTF-8; a spreadsheet writes it when told to save as 'CSV UTF-8'",
    ),
    "utf-16": (lambda rows: written(rows, "\t").encode("utf-16"), "not UTF-8"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_no_copy_of_the_sheet_is_refused_by_file_and_item(kind: str, sheet: Path) -> None:
    spelled, words = BROKEN[kind]
    item = rows_of(sheet)[3][0]
    (sheet / "answers-bob.csv").write_bytes(spelled(rows_of(sheet)))
    message = f"answers-bob.csv: .*{re.escape(words.replace('{3}', item))}"
    with pytest.raises(UsageError, match=message):
        read_answers(sheet, SUBJECT)


def test_a_sheet_that_was_edited_before_it_was_handed_out_is_refused(sheet: Path) -> None:
    path = sheet / "sheet.csv"
    path.write_text(path.read_text("utf-8").replace("tool 5", "tool 55"), "utf-8")
    with pytest.raises(UsageError, match=r"sheet\.csv: the configuration of item-\w+ is not the"):
        read_answers(sheet, SUBJECT)


def change_key(folder: Path, /, **fields: object) -> Subject:
    path = folder / "key.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    return SUBJECT


def key_lost(sheet: Path) -> Subject:
    (sheet / "key.json").unlink()
    return SUBJECT


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda _: replace(SUBJECT, digest="sha256:two"), "made from other data"),
        (key_lost, "is missing; --annotate writes it"),
        (lambda sheet: change_key(sheet, seed="x"), "not the key of a sheet"),
        (lambda sheet: change_key(sheet, seed=None), "not the key of a sheet"),
        (lambda sheet: change_key(sheet, seed=4), "not those of its digest"),
        (lambda sheet: change_key(sheet, items=4), "not those of its digest"),
        (lambda sheet: change_key(sheet, sheet="sha256:0"), "not those of its digest"),
    ],
    ids=["other data", "no key", "a word", "no seed", "another seed", "fewer", "another digest"],
)
def test_a_key_that_does_not_fit_is_refused_by_name(
    change: Callable[[Path], Subject], words: str, sheet: Path
) -> None:
    with pytest.raises(UsageError, match=rf"key\.json\b.*{words}"):
        read_answers(sheet, change(sheet))


def test_the_key_says_what_it_is_for_and_does_not_spell_out_the_truth(sheet: Path) -> None:
    key = json.loads((sheet / "key.json").read_text())
    assert "give annotators sheet.html and sheet.csv; keep key.json" in key["role"]
    assert key["seed"] == 3
    assert not any(item.item in json.dumps(key) for item in SUBJECT.items(120, 3))
