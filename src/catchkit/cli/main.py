"""The ``catchkit`` command: finds the subcommand, turns errors into one line and an exit code."""

import os
import sys
from argparse import Action, ArgumentParser
from collections.abc import Sequence

from catchkit.cli.command import Exit, commands
from catchkit.errors import CatchkitError

INTERRUPTED = 130
"""What a shell reports for a program that Ctrl-C ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    Example:
        >>> main(["evaluate", "pre_mpc", "nothing.parquet"])
        2
    """
    options = _parser().parse_args(arguments)
    try:
        return int(commands()[options.command].run(options))
    except CatchkitError as problem:
        from catchkit.builders.untrusted import printable

        # File names and values of others stand in it; a terminal would obey their escapes.
        print(printable(f"catchkit {options.command}: {problem}"), file=sys.stderr)
        return int(Exit.BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; keep Python from saying so at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(Exit.DONE)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="catchkit",
        description="CatchBench as datasets: build, verify, load and score.",
        epilog="Exit codes: 0 done; 1 the answer is no; 2 bad input; 3 undetermined or incomplete.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and leave")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in commands().items():
        command.configure(
            chosen.add_parser(name, help=command.summary, description=command.summary)
        )
    return parser


class _Version(Action):
    """Looks the version up only when it is asked for: that takes longer than all of ``--help``."""

    def __call__(self, parser: ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        parser.exit(message=f"catchkit {version('catchkit')}\n")
