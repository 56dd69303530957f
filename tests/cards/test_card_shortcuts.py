"""The card of a release states every shortcut beside the floor, as figures published elsewhere."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from catchkit.admissibility.control import roster_controls
from catchkit.admissibility.thresholds import shipped
from catchkit.cards.facts import ConfigFacts, facts_of
from catchkit.cards.shortcuts import shortcuts_table
from catchkit.configs import PRE, configs
from catchkit.eval.baseline import baselines
from catchkit.loaders.release import Release

Cells = Mapping[tuple[str, str], str]
"""(row, config) -> what the card says there."""

FLOOR = "`flag_all`, the floor"
ENTRANT = "`llm_judge_needed`, the best published entrant"
PUBLISHED = {
    (FLOOR, "pre_injecagent"): "0.750",
    (FLOOR, "pre_sweagent"): "0.574",
    (ENTRANT, "pre"): "0.695",
    ("`name_prior`", "pre_injecagent"): "**1.000**",
    ("`name_prior`", "pre_sweagent"): "**0.725**",
    ("`name_prior`", "pre_synthetic"): "0.800",
    ("`type_prior`", "pre"): "**0.704**",
    ("`type_prior`", "pre_crewai"): "0.182",
    ("`type_prior`", "pre_n8n"): "**0.513**",
    ("`type_prior`", "pre_mcp"): "0.652",
    ("`type_prior`", "pre_injecagent"): "**0.928**",
    ("`type_prior`", "pre_sweagent"): "**0.734**",
    ("`type_prior`", "pre_synthetic"): "0.800",
}


def cells(table: str) -> Cells:
    """Return the cells of a Markdown table under the configs that its header names."""
    header, _, *lines = table.splitlines()
    columns = split(header)
    rows = [split(line) for line in lines]
    return {
        (row[0], column): cell
        for row in rows
        for column, cell in zip(columns, row, strict=True)
        if column in configs()
    }


def split(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def tables(card: str, section: str) -> Iterator[str]:
    body = card.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return (block for block in body.split("\n\n") if block.startswith("| "))


@pytest.fixture(scope="module")
def card(built: Path) -> str:
    return (built / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def shown(card: str) -> Cells:
    _, table = tables(card, "Shortcuts")
    return cells(table)


@pytest.fixture(scope="module")
def sweagent(built: Path) -> dict[str, ConfigFacts]:
    return {"pre_sweagent": facts_of(Release.open(built), "pre_sweagent")}


@pytest.mark.parametrize("place", PUBLISHED, ids=" ".join)
def test_a_published_figure_stands_in_its_row_and_column(
    place: tuple[str, str], shown: Cells
) -> None:
    assert shown[place] == PUBLISHED[place]


def test_every_shortcut_is_explained_and_has_a_figure_for_every_config(
    card: str, shown: Cells
) -> None:
    meanings, _ = tables(card, "Shortcuts")
    explained = {split(line)[0] for line in meanings.splitlines()[2:]}
    assert explained == {f"`{name}`" for name in roster_controls()}
    pre = {name for name, config in configs().items() if config.family is PRE}
    assert {(row, config) for row in {*explained, FLOOR, ENTRANT} for config in pre} <= set(shown)


def test_every_bundled_reference_stands_in_one_of_the_two_tables_and_once(
    card: str, shown: Cells
) -> None:
    (table,) = tables(card, "References")
    named = [row for row, config in [*shown, *cells(table)] if config == "pre"]
    found = [row.split("`")[1] for row in named if "ties" not in row]
    only_in_the_bar = {"position", "vocabulary_overlap"}
    expected = {*baselines(), *only_in_the_bar, "roster_size"} - {"roster_size_prior"}
    assert sorted(found) == sorted(expected)


def test_bold_is_what_lies_above_the_floor_by_more_than_the_margin(shown: Cells) -> None:
    for (row, config), cell in shown.items():
        above = float(cell.strip("*")) - float(shown[FLOOR, config]) - shipped().rosters.margin
        if abs(above) > 0.001:  # what three decimals tell
            assert cell.startswith("**") == (above > 0 and row not in (FLOOR, ENTRANT)), (
                row,
                config,
            )


@pytest.mark.parametrize(
    ("margin", "name_prior", "type_prior"), [(0.14, True, True), (0.155, False, True)]
)
def test_the_margin_decides_what_is_bold(
    margin: float, name_prior: bool, type_prior: bool, sweagent: dict[str, ConfigFacts]
) -> None:
    found = cells(shortcuts_table(sweagent, margin))
    assert found["`name_prior`", "pre_sweagent"].startswith("**") == name_prior
    assert found["`type_prior`", "pre_sweagent"].startswith("**") == type_prior
