"""The tables of the page on the bar are what its benchmarks printed."""

import re

import pytest

from factories import REPOSITORY

PAGE = (REPOSITORY / "docs" / "bar.md").read_text("utf-8")


def rows_of(text: str, first: str) -> list[str]:
    """Return the rows below the heading of the table whose first column is named so."""
    table = re.search(rf"^\| {first} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, first
    return table.group(1).splitlines()


@pytest.mark.parametrize(
    ("first", "printed"), [("config", "bar_verdicts.txt"), ("runs", "bar_error_rates.txt")]
)
def test_every_row_of_a_table_was_printed(first: str, printed: str) -> None:
    lines = (REPOSITORY / "benchmarks" / printed).read_text("utf-8").splitlines()
    rows = rows_of(PAGE, first)
    assert len(rows) > 3
    assert [row for row in rows if row not in lines] == []
