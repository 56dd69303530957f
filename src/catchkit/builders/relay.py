"""Runs a command and passes on what it prints, up to a limit: ``python -m ... LIMIT PROGRAM ...``.

The client library reads a server's line until its end; without this a command that never ends its
line would fill the memory.
"""

import subprocess
import sys
from collections.abc import Sequence

CHUNK_BYTES = 65536


def main(arguments: Sequence[str]) -> int:
    """Run the command with our input and errors; end it once it has printed too much.

    Args:
        arguments: The limit in bytes, the program and its arguments.

    Returns:
        The exit code of the command, 1 when it was ended.
    """
    left, command = int(arguments[0]), arguments[1:]
    try:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0)
    except OSError as problem:
        print(f"{command[0]}: {problem.strerror}", file=sys.stderr)  # noqa: T201 - its only output
        return 1
    with child:
        assert child.stdout is not None  # noqa: S101 - it was asked for above
        while chunk := child.stdout.read(CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                print("it prints without end", file=sys.stderr)  # noqa: T201
                child.kill()
                return 1
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
    return child.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
