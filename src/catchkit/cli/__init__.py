"""The command line: one file per command under ``commands``, each binding ``COMMAND``."""

from catchkit.cli.main import main

__all__ = ["main"]
