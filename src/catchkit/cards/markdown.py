"""Markdown tables."""

from collections.abc import Iterable, Mapping, Sequence

from catchkit.configs import Family, spelled


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a Markdown table; cells are written as text with their bars escaped.

    Example:
        >>> print(markdown_table(["a", "b"], [[1, "x|y"]]))
        | a | b |
        |---|---|
        | 1 | x\|y |
    """
    lines = [_line(header), "|" + "---|" * len(header)]
    return "\n".join([*lines, *(_line(row) for row in rows)])


def _line(cells: Iterable[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def counts(counted: Mapping[str, int]) -> str:
    """Return counts in words.

    Example:
        >>> counts({"MIT": 3, "NOASSERTION": 1})
        'MIT 3, NOASSERTION 1'
    """
    return ", ".join(f"{name} {count}" for name, count in counted.items())


def columns_table(family: Family) -> str:
    """Return the columns of a family as a Markdown table."""
    rows = [
        (f"`{c.name}`", f"`{spelled(c.type)}`", "*answer*" if c.hidden else "", c.meaning)
        for c in family.columns
    ]
    return markdown_table(["column", "type", "", "meaning"], rows)
