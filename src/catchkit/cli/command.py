"""What a command is: arguments in, one public function called, text out."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from catchkit import catalog


class Exit(IntEnum):
    """Exit codes, the same for every command."""

    DONE = 0
    ANSWER_IS_NO = 1
    """The question was answered, and the answer is no: ``verify``, ``scan``, ``bar``."""

    BAD_INPUT = 2
    """Bad input or usage; nothing was written."""

    INCOMPLETE = 3
    """Undetermined or incomplete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One subcommand. Its file imports heavy libraries inside ``run`` only."""

    name: str
    summary: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], Exit]


def commands() -> Mapping[str, Command]:
    """Return every command by name; ``merge_votes.py`` is the command ``merge-votes``."""
    return {
        name.replace("_", "-"): catalog.declaration("cli.commands", "COMMAND", Command, name)
        for name in catalog.names("cli.commands")
    }


def add_data_option(parser: ArgumentParser) -> None:
    """Add ``--data``, the same wherever a command reads a config."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="release folder (default: ./catchbench where that is one, else the packaged snapshot)",
    )
