import csv
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from catchkit.admissibility.sheet import sheet_items, write_sheet
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import shipped
from catchkit.admissibility.validation import validation
from catchkit.errors import UsageError

LIMITS = shipped()
SUBSTRATE = replace(simulated(pairs=150, seed=1), digest="sha256:one")


def filled(folder: Path, name: str, answer: Callable[[int, bool], str]) -> None:
    """Fill a copy of the sheet in, knowing what nobody with the sheet alone can know."""
    truth = {item.item: item.is_injected for item in sheet_items(SUBSTRATE, 120, 3)}
    with (folder / "sheet.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    with (folder / f"answers-{name}.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, ["item", "run", "faulty"])
        writer.writeheader()
        for at, row in enumerate(rows):
            writer.writerow({**row, "faulty": answer(at, truth[row["item"]])})


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    write_sheet(SUBSTRATE, tmp_path / "sheet", LIMITS, 3)
    return tmp_path / "sheet"


def right(_: int, truth: bool) -> str:
    return "yes" if truth else "no"


def test_a_sheet_is_balanced_and_shows_no_run_twice() -> None:
    items = sheet_items(SUBSTRATE, 120, 3)
    assert sum(item.is_injected for item in items) == len(items) // 2 == 60
    assert len({item.item for item in items}) == len(items)


def test_nothing_in_a_sheet_tells_which_is_which(sheet: Path) -> None:
    text = "".join(path.read_text() for path in sorted(sheet.iterdir()))
    for word in ("injected", "clean", "pair-", "run-"):
        assert word not in text.replace("sheet", "")
    order = [item.is_injected for item in sheet_items(SUBSTRATE, 120, 3)]
    changes = sum(a != b for a, b in pairwise(order))
    assert 30 < changes < 90


def test_the_marked_place_is_the_site_of_an_injected_run_and_eligible_in_a_clean_one() -> None:
    for item in sheet_items(SUBSTRATE, 120, 3):
        marked = [line for line in item.text.splitlines() if line.startswith(">>")]
        assert len(marked) == 1
        assert marked[0].count("<<") == 1


def test_html_and_csv_hold_the_same_rows(sheet: Path) -> None:
    with (sheet / "sheet.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    page = (sheet / "sheet.html").read_text()
    assert len(rows) == 120
    assert all(row["item"] in page for row in rows)
    assert all(row["run"][:1] in (" ", ">") for row in rows)


def test_item_five_is_not_met_until_people_have_filled_it_in(sheet: Path) -> None:
    assert validation(SUBSTRATE, None, LIMITS.validation).verdict == "not met"
    assert validation(SUBSTRATE, sheet, LIMITS.validation).verdict == "not met"
    filled(sheet, "ada", right)
    assert validation(SUBSTRATE, sheet, LIMITS.validation).verdict == "not met"
    filled(sheet, "bob", lambda at, truth: "" if at == 0 else right(at, truth))
    item = validation(SUBSTRATE, sheet, LIMITS.validation)
    assert item.verdict == "not met"
    assert item.evidence["empty_answers"] == {"ada": 0, "bob": 1}


def test_people_who_see_the_fault_pass_it(sheet: Path) -> None:
    filled(sheet, "ada", right)
    filled(sheet, "bob", right)
    item = validation(SUBSTRATE, sheet, LIMITS.validation)
    assert item.verdict == "pass"
    assert item.evidence["krippendorff_alpha"] == 1.0
    assert item.evidence["cohen_kappa"] == {"ada and bob": 1.0}


@pytest.mark.parametrize(
    "second",
    [
        lambda _, truth: "no" if truth else "yes",
        lambda at, _: "yes" if at % 2 else "no",
        lambda _, __: "no",
        lambda _, __: "unsure",
    ],
    ids=["contrary", "guessing", "always no", "always unsure"],
)
def test_people_who_do_not_agree_fail_it(sheet: Path, second: Callable[[int, bool], str]) -> None:
    filled(sheet, "ada", right)
    filled(sheet, "bob", second)
    assert validation(SUBSTRATE, sheet, LIMITS.validation).verdict == "fail"


def test_agreeing_that_clean_places_are_faulty_too_fails_it(sheet: Path) -> None:
    for name in ("ada", "bob"):
        filled(sheet, name, lambda at, truth: "yes" if truth or at % 2 == 0 else "no")
    assert validation(SUBSTRATE, sheet, LIMITS.validation).verdict == "fail"


def broken_sheet(kind: str, sheet: Path) -> Substrate:
    filled(sheet, "ada", right)
    path = sheet / "answers-ada.csv"
    match kind:
        case "other data":
            return replace(SUBSTRATE, digest="sha256:two")
        case "a word":
            path.write_text(path.read_text().replace(",yes", ",maybe"))
        case "unknown item":
            path.write_text(path.read_text() + "zzz, 0 call,yes\n")
        case "twice":
            lines = path.read_text().splitlines()
            path.write_text("\n".join([*lines, *lines[1:]]) + "\n")
        case "latin-1":
            path.write_bytes(b"item,run,faulty\n\xe9,x,yes\n")
        case "no description":
            (sheet / "sheet.json").write_text(json.dumps({"seed": 1}))
    return SUBSTRATE


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("other data", "made from other data"),
        ("a word", "'maybe', expected yes, no, unsure"),
        ("unknown item", "no item 'zzz'"),
        ("twice", "stands in it twice"),
        ("latin-1", "not a filled-in sheet"),
        ("no description", "not the description of a sheet"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_refused_by_name(kind: str, words: str, sheet: Path) -> None:
    substrate = broken_sheet(kind, sheet)
    with pytest.raises(UsageError, match=words):
        validation(substrate, sheet, LIMITS.validation)


def test_answers_are_never_written_over(sheet: Path) -> None:
    filled(sheet, "ada", right)
    with pytest.raises(UsageError, match="holds answers"):
        write_sheet(SUBSTRATE, sheet, LIMITS, 3)
