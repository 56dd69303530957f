"""Tables for a reader: ruled on a terminal, plain aligned columns in a pipe."""

import sys
from collections.abc import Sequence


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "") -> None:
    """Print a table to standard output; every column after the first is right-aligned.

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
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    text = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([title, *text] if title else text)


def _show_ruled(header: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for at, name in enumerate(header):
        table.add_column(name, justify="left" if at == 0 else "right", no_wrap=at == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
