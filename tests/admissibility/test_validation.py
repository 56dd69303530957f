import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from catchkit.admissibility.annotation.capabilities import capabilities_asked
from catchkit.admissibility.annotation.files import write_sheet
from catchkit.admissibility.annotation.runs import runs_asked
from catchkit.admissibility.annotation.sheet import Subject
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.thresholds import shipped
from catchkit.admissibility.validation import validation
from catchkit.errors import UsageError
from catchkit.eval.rosters import rosters_of
from catchkit.loaders.release import packaged

LIMITS = shipped()


@cache
def subject_of(name: str) -> Subject:
    if name == "simulated runs":
        return runs_asked(simulated(pairs=150, seed=1))
    release = packaged()
    return capabilities_asked(name, release.entry(name).digest, rosters_of(release.table(name)))


@pytest.fixture(params=["simulated runs", "pre_sweagent"])
def subject(request: pytest.FixtureRequest) -> Subject:
    return subject_of(request.param)


@pytest.fixture
def sheet(subject: Subject, tmp_path: Path) -> Path:
    write_sheet(subject, tmp_path / "sheet", LIMITS, 3)
    return tmp_path / "sheet"


def filled(folder: Path, subject: Subject, name: str, answer: Callable[[int, bool], str]) -> None:
    """Fill a copy of the sheet in, knowing what nobody with the sheet alone can know."""
    truth = {item.item: item.is_positive for item in subject.items(120, 3)}
    with (folder / "sheet.csv").open(newline="", encoding="utf-8") as stream:
        heading, *rows = csv.reader(stream)
    with (folder / f"answers-{name}.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(heading)
        writer.writerows(
            [item, text, answer(at, truth[item])] for at, (item, text, _) in enumerate(rows)
        )


def right(_: int, truth: bool) -> str:
    return "yes" if truth else "no"


def test_item_five_is_not_met_until_people_have_filled_it_in(subject: Subject, sheet: Path) -> None:
    assert validation(subject, None, LIMITS.validation).verdict == "not met"
    assert validation(subject, sheet, LIMITS.validation).verdict == "not met"
    filled(sheet, subject, "ada", right)
    assert validation(subject, sheet, LIMITS.validation).verdict == "not met"
    filled(sheet, subject, "bob", lambda at, truth: "" if at == 0 else right(at, truth))
    item = validation(subject, sheet, LIMITS.validation)
    assert item.verdict == "not met"
    assert item.evidence["empty_answers"] == {"ada": 0, "bob": 1}


def test_people_who_see_the_fault_pass_it(subject: Subject, sheet: Path) -> None:
    filled(sheet, subject, "ada", right)
    filled(sheet, subject, "bob", right)
    item = validation(subject, sheet, LIMITS.validation)
    assert item.verdict == "pass"
    assert item.evidence["krippendorff_alpha"] == 1.0
    assert item.evidence["cohen_kappa"] == {"ada and bob": 1.0}


@pytest.mark.parametrize(
    ("name", "words", "keys"),
    [
        (
            "simulated runs",
            "injected called faulty 60 of 60, clean 0 of 60",
            {"injected_called_faulty", "clean_called_faulty"},
        ),
        (
            "pre_sweagent",
            "excess called unneeded 60 of 60, needed 0 of 60",
            {"excess_called_unneeded", "needed_called_unneeded"},
        ),
    ],
)
def test_a_verdict_is_in_the_words_of_its_question(
    name: str, words: str, keys: set[str], tmp_path: Path
) -> None:
    write_sheet(subject_of(name), tmp_path, LIMITS, 3)
    for annotator in ("ada", "bob"):
        filled(tmp_path, subject_of(name), annotator, right)
    item = validation(subject_of(name), tmp_path, LIMITS.validation)
    assert words in item.because
    assert keys <= set(item.evidence)


def test_people_who_miss_some_leave_it_undetermined(subject: Subject, sheet: Path) -> None:
    for name in ("ada", "bob"):
        filled(sheet, subject, name, lambda at, truth: "yes" if truth and at % 6 else "no")
    item = validation(subject, sheet, LIMITS.validation)
    assert item.verdict == "undetermined"


def test_a_sheet_with_too_few_rows_is_not_met_however_well_it_is_answered(tmp_path: Path) -> None:
    subject = subject_of("pre_n8n")
    rows = write_sheet(subject, tmp_path, LIMITS, 3)
    assert rows < 120
    for name in ("ada", "bob"):
        filled(tmp_path, subject, name, right)
    item = validation(subject, tmp_path, LIMITS.validation)
    assert item.verdict == "not met"
    assert item.because == f"2 complete sheets of 2, {rows} items of 120"


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
def test_people_who_do_not_agree_fail_it(
    subject: Subject, sheet: Path, second: Callable[[int, bool], str]
) -> None:
    filled(sheet, subject, "ada", right)
    filled(sheet, subject, "bob", second)
    assert validation(subject, sheet, LIMITS.validation).verdict == "fail"


def test_agreeing_that_clean_places_are_faulty_too_fails_it(subject: Subject, sheet: Path) -> None:
    for name in ("ada", "bob"):
        filled(sheet, subject, name, lambda at, truth: "yes" if truth or at % 2 == 0 else "no")
    assert validation(subject, sheet, LIMITS.validation).verdict == "fail"


def test_answers_are_never_written_over(subject: Subject, sheet: Path) -> None:
    filled(sheet, subject, "ada", right)
    with pytest.raises(UsageError, match="holds answers"):
        write_sheet(subject, sheet, LIMITS, 3)
