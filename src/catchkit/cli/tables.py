"""Tables for a reader: ruled on a terminal, plain aligned columns in a pipe."""

import re
import sys
from collections.abc import Sequence
from typing import Literal

FIGURE = re.compile(r"[-+]?\d|-$")


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """Print a table to standard output, columns of figures right-aligned.

    Args:
        header: Column titles.
        rows: Cells as text, one sequence per row, as long as ``header``.
        title: A line above it, if any.
    """
    if sys.stdout.isatty():
        _show_ruled(header, rows, title)
    else:
        print(plain_table(header, rows, title=title))


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> str:
    """Return a table as text in aligned columns, two blanks apart.

    Example:
        >>> print(plain_table(["config", "rows"], [["pre_mcp", "144"]]))
        config   rows
        pre_mcp   144
    """
    lines = [header, *rows]
    columns = [*zip(*lines, strict=True)]
    padded = [
        [cell.rjust(width) if _holds_figures(cells) else cell.ljust(width) for cell in cells]
        for cells, width in zip(columns, (max(map(len, cells)) for cells in columns), strict=True)
    ]
    text = ["  ".join(cells).rstrip() for cells in zip(*padded, strict=True)]
    return "\n".join([title, *text] if title else text)


def _holds_figures(cells: Sequence[str]) -> bool:
    """Whether every cell below the title is a figure or a dash."""
    return len(cells) > 1 and all(FIGURE.match(cell) for cell in cells[1:])


def _show_ruled(header: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for at, cells in enumerate(zip(header, *rows, strict=True)):
        justify: Literal["left", "right"] = "right" if _holds_figures(cells) else "left"
        table.add_column(cells[0], justify=justify, no_wrap=at == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
