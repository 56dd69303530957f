"""Shows on a terminal that something is going on; silent in a pipe."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def working(message: str) -> Iterator[None]:
    """Show a moving sign beside ``message`` on standard error while the block runs."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(message):
        yield
