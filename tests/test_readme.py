from pathlib import Path

import pytest

from console import with_fresh_output
from factories import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_shows_what_its_code_prints(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert with_fresh_output(text, tmp_path) == text


def test_a_block_that_shows_something_else_is_noticed(tmp_path: Path) -> None:
    stale = "```console\n$ echo new\nold\n```\n"
    assert with_fresh_output(stale, tmp_path) == "```console\n$ echo new\nnew\n```\n"
