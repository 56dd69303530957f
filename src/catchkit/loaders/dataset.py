"""Loads one config, answers hidden."""

from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.configs import config
from catchkit.loaders.release import locate

if TYPE_CHECKING:
    from datasets import Dataset


def load(name: str, *, labels: bool = False, data: str | Path | None = None) -> "Dataset":
    """Return the rows of a config as a ``datasets.Dataset`` in memory.

    Unlike ``datasets.load_dataset`` it reads no cache: the bytes of every file are checked
    against the manifest first, so a rebuilt or damaged folder is never mistaken for the old one.

    Args:
        name: A config, such as ``"pre_mcp"``.
        labels: Whether the columns that give the answer away come along: the label, the votes
            and attack type behind it, and the declared order.
        data: A folder written by ``catchkit build``; by default ``./catchbench`` where that
            exists, else the snapshot that is part of the package.

    Raises:
        UsageError: There is no such config.
        ReleaseError: The folder is damaged or does not hold the config.

    Example:
        >>> rows = load("pre_mcp")
        >>> "excess" in rows.column_names, "excess" in load("pre_mcp", labels=True).column_names
        (False, True)
    """
    from datasets import Dataset  # takes half a second, which no command needs

    release = locate(None if data is None else Path(data))
    table = release.table(name)
    return Dataset(table if labels else table.drop_columns(list(config(name).family.hidden)))
