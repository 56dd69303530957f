"""What a sheet shows, on Gold and on PRE, and what it must not tell."""

import csv
from collections.abc import Callable, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from catchkit.admissibility.annotation.capabilities import capabilities_asked, shown
from catchkit.admissibility.annotation.files import write_sheet
from catchkit.admissibility.annotation.runs import runs_asked
from catchkit.admissibility.annotation.sheet import MARK, MAX_TEXT, NO_MARK, SheetItem, Subject
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.thresholds import shipped
from catchkit.errors import UsageError
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import packaged
from factories import make_record, make_table

PRE = [f"pre_{name}" for name in ("crewai", "injecagent", "mcp", "n8n", "sweagent", "synthetic")]
SEEDS = range(20)


@cache
def configurations(name: str) -> Rosters:
    return rosters_of(packaged().table(name))


@cache
def subject_of(name: str) -> Subject:
    match name:
        case "simulated runs":
            return runs_asked(simulated(pairs=150, seed=1))
        case "gold_v1_openhands":
            return runs_asked(substrate_of(packaged(), name))
        case _:
            return capabilities_asked(name, packaged().entry(name).digest, configurations(name))


SUBJECTS = ["simulated runs", "gold_v1_openhands", "pre", *PRE]


@cache
def drawn(name: str, seed: int) -> tuple[SheetItem, ...]:
    return subject_of(name).items(120, seed)


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest) -> Subject:
    return subject_of(request.param)


def unmarked(item: SheetItem) -> str:
    return item.text.replace(MARK, NO_MARK).replace(" <<", "")


def truth(items: Sequence[SheetItem]) -> np.ndarray:
    return np.array([item.is_positive for item in items])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_sheet_is_balanced_and_shows_nothing_twice(subject: Subject, seed: int) -> None:
    items = subject.items(120, seed)
    assert 0 < len(items) <= 120
    assert 2 * truth(items).sum() == len(items)
    assert len({unmarked(item) for item in items}) == len(items)
    assert len({item.item for item in items}) == len(items)


def test_one_place_of_a_row_is_marked(subject: Subject) -> None:
    for item in subject.items(120, 3):
        lines = item.text.splitlines()
        assert sum(line.startswith(MARK) for line in lines) == 1
        assert all(line.startswith((MARK, NO_MARK)) for line in lines if line)


def test_the_same_seed_gives_the_same_sheet_and_another_seed_another(subject: Subject) -> None:
    assert subject.items(120, 3) == subject.items(120, 3)
    assert subject.items(120, 3) != subject.items(120, 4)


def chances(name: str, cue: Callable[[int, SheetItem], float]) -> tuple[float, float]:
    """How often a cue ranks a row of one half above one of the other, and the error of a fair one.

    The error is that of the Mann-Whitney statistic, over independent sheets.
    """
    found = []
    for seed in SEEDS:
        items = drawn(name, seed)
        values, half = np.array([cue(at, item) for at, item in enumerate(items)]), truth(items)
        ours, others = values[half][:, None], values[~half]
        found.append(((ours > others) + (ours == others) / 2).mean())
    size = half.sum()
    error = np.sqrt((2 * size + 1) / (12 * size * size * len(SEEDS)))
    return float(np.mean(found)), float(error)


CUES: dict[str, Callable[[int, SheetItem], float]] = {
    "position": lambda at, _: at,
    "name": lambda _, item: int(item.item.removeprefix("item-"), 16),
    "lines": lambda _, item: item.text.count("\n"),
}


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("cue", CUES)
def test_a_cue_does_not_tell_which_is_which(cue: str, name: str) -> None:
    chance, error = chances(name, CUES[cue])
    assert chance == pytest.approx(0.5, abs=4 * error)


@pytest.mark.parametrize("name", PRE)
def test_the_length_of_a_configuration_hardly_tells_its_half(name: str) -> None:
    """Names may be longer where nothing is needed; rosters of unequal size would be 0.18 off."""
    chance, _ = chances(name, lambda _, item: len(item.text))
    assert chance == pytest.approx(0.5, abs=0.06)


def test_the_halves_of_a_configuration_differ_in_nothing_but_the_mark() -> None:
    rosters = configurations("pre")
    assert rosters.excess is not None
    compared = 0
    for row, start in enumerate(rosters.offsets[:-1].tolist()):
        label = rosters.excess[start : rosters.offsets[row + 1]]
        if label.all() or not label.any():
            continue
        one, other = (
            shown(rosters, row, int(np.flatnonzero(label == kind)[0])).splitlines()
            for kind in (True, False)
        )
        differ = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        assert len(differ) == 2
        assert all(a[len(MARK) :] == b[len(MARK) :] for a, b in differ)
        assert sorted((a[: len(MARK)], b[: len(MARK)]) for a, b in differ) == [
            (NO_MARK, MARK),
            (MARK, NO_MARK),
        ]
        compared += 1
    assert compared > 600


@pytest.mark.parametrize("name", PRE)
def test_the_mark_is_on_excess_in_the_positive_half_only(name: str) -> None:
    """Compared with the published table itself, found again by what a row shows."""
    held: dict[tuple[str, tuple[str, ...]], set[tuple[bool, ...]]] = {}
    for row in packaged().table(name).to_pylist():
        roster = tuple(
            " ".join(f"{c['name']} {c['type']} {c['permission_level']}".split())
            for c in row["capabilities"]
        )
        words = ", ".join(row["spec_tokens"]) or "(no word of it is kept)"
        held.setdefault((words, roster), set()).add(tuple(row["excess"]))
    for item in drawn(name, 3):
        task, _, _, *lines = item.text.splitlines()
        roster = tuple(" ".join(line[len(MARK) :].split()) for line in lines)
        marked = next(at for at, line in enumerate(lines) if line.startswith(MARK))
        labels = held[task.removeprefix(f"{NO_MARK}task: "), roster]
        assert any(label[marked] == item.is_positive for label in labels)


def test_the_marked_capability_is_drawn_anew_with_every_seed() -> None:
    places: dict[str, set[int]] = {}
    for seed in SEEDS:
        for item in drawn("pre_sweagent", seed):
            at = [line[: len(MARK)] for line in item.text.splitlines()].index(MARK)
            places.setdefault(unmarked(item), set()).add(at)
    assert min(map(len, places.values())) > 2


@pytest.mark.parametrize("label", [(False, False), (True, True)], ids=["needed", "excess"])
def test_a_config_with_one_kind_only_gives_no_sheet(label: tuple[bool, ...]) -> None:
    records = [make_record(f"r{at}", ("a", f"b{at}"), excess=label) for at in range(9)]
    subject = capabilities_asked("pre_synthetic", "", rosters_of(make_table(*records)))
    with pytest.raises(UsageError, match=r"a row that is excess and one that is needed"):
        subject.items(120, 0)


def test_few_configurations_with_excess_give_a_short_and_balanced_sheet() -> None:
    records = [make_record(f"r{at}", ("a", f"b{at}"), excess=(False, at < 7)) for at in range(100)]
    subject = capabilities_asked("pre_synthetic", "", rosters_of(make_table(*records)))
    for seed in SEEDS:
        assert truth(subject.items(120, seed)).tolist().count(True) == 7
        assert len(subject.items(120, seed)) == 14
        assert len(subject.items(7, seed)) == 6


def test_what_is_too_long_for_a_cell_of_a_spreadsheet_is_not_drawn() -> None:
    rosters = configurations("pre_mcp")
    assert max(len(shown(rosters, row)) for row in range(len(rosters.ids))) > MAX_TEXT
    assert all(len(item.text) <= MAX_TEXT for item in subject_of("pre_mcp").items(10**6, 0))


def test_a_name_with_a_line_break_stays_on_its_line() -> None:
    record = make_record(names=("a", "b\n>> c"), excess=(False, True))
    text = shown(rosters_of(make_table(record)), 0, 0)
    assert [line.startswith(MARK) for line in text.splitlines()] == [*[False] * 3, True, False]


class Page(HTMLParser):
    """Collects what a page fetches or runs, its anchors, its links and the text of its rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.rows: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "pre":
            self.rows.append("")
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop() != tag:
            raise ValueError(f"{tag} closes another element")
        if "pre" in self.open:
            self.rows[-1] += "\n"

    def handle_data(self, data: str) -> None:
        if "pre" in self.open:
            self.rows[-1] += data

    def of(self, name: str) -> list[str | None]:
        return [value for key, value in self.attributes if key == name]


@pytest.mark.parametrize("name", ["simulated runs", "pre_n8n"])
def test_the_page_holds_every_row_and_needs_nothing_else(name: str, tmp_path: Path) -> None:
    write_sheet(subject_of(name), tmp_path, shipped(), 3)
    items = drawn(name, 3)
    text = (tmp_path / "sheet.html").read_text("utf-8")
    page = Page(text)
    assert page.open == []
    assert [row.removesuffix("\n") for row in page.rows] == [item.text for item in items]
    anchors = page.of("id")
    assert len(set(anchors)) == len(anchors)
    assert {f"#{item.item}" for item in items} <= set(page.of("href"))
    assert {str(link)[1:] for link in page.of("href")} <= set(anchors)
    assert not {"script", "link", "img", "iframe", "form"} & set(page.tags)
    assert not page.of("src")
    assert "url(" not in text
    assert "@import" not in text
    for _, meaning in subject_of(name).question.legend:
        assert meaning in text


def test_the_table_holds_the_rows_of_the_page_in_plain_columns(tmp_path: Path) -> None:
    write_sheet(subject_of("pre_n8n"), tmp_path, shipped(), 3)
    with (tmp_path / "sheet.csv").open(newline="", encoding="utf-8") as stream:
        heading, *rows = csv.reader(stream)
    items = drawn("pre_n8n", 3)
    assert heading == ["item", "configuration", "unneeded"]
    assert rows == [[item.item, item.text, ""] for item in items]
    # Neither a number nor a formula, in whatever program it is opened.
    assert all(item[0].isalpha() and text[0] in " >" for item, text, _ in rows)


@pytest.mark.parametrize("name", ["simulated runs", "gold_v1_openhands", "pre_crewai"])
def test_annotators_get_no_word_about_halves_seeds_votes_or_records(
    name: str, tmp_path: Path
) -> None:
    subject = subject_of(name)
    write_sheet(subject, tmp_path, shipped(), 34567)
    text = "".join((tmp_path / file).read_text("utf-8") for file in ("sheet.html", "sheet.csv"))
    for word in ("injected", "excess", "34567", "votes", "claude", "gpt-", "pair-", "run-"):
        assert word not in text
    if name.startswith("pre"):
        assert not any(record in text for record in configurations(name).ids)
