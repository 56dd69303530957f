"""Runs the code blocks of Markdown files; as a program it writes their output anew.

A ``console`` block holds commands behind ``$`` with the output that follows them, a ``pycon`` block
an interpreter session, a ``python`` block a program. All blocks of a file run in one folder, in
order. Blocks in another language, such as ``sh``, are not run.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

BLOCK = re.compile(r"^```(console|pycon|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = {"console": "$ ", "pycon": ">>> "}


def with_fresh_output(text: str, folder: Path) -> str:
    """Return a Markdown text whose blocks show what their code prints when run in ``folder``."""

    def fresh(block: re.Match[str]) -> str:
        language, body = block.groups()
        return f"```{language}\n{_run(language, body, folder)}```"

    return BLOCK.sub(fresh, text)


def _run(language: str, body: str, folder: Path) -> str:
    if language == "python":
        _output([sys.executable, "-c", body], folder)
        return body
    prompt = PROMPT[language]
    commands = [line for line in body.splitlines() if line.startswith((prompt, "... "))]
    if language == "pycon":
        return _session(commands, folder)
    shown = (
        (line, _output(["bash", "-c", line.removeprefix(prompt)], folder)) for line in commands
    )
    return "".join(f"{line}\n{output}" for line, output in shown)


SESSION = """
import code, sys
lines = sys.stdin.read().splitlines()
console = code.InteractiveConsole()
is_open = False
for line in lines:
    if is_open and line.startswith(">>>"):
        console.push("")
    print(line)
    is_open = console.push(line[4:])
console.push("")
"""


def _session(lines: list[str], folder: Path) -> str:
    return _output([sys.executable, "-c", SESSION], folder, text="\n".join(lines))


def _output(command: list[str], folder: Path, text: str = "") -> str:
    beside = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(folder / ".cache"),
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    # Progress bars go to standard error too; what ended a command does not start with a blank.
    errors = [line for line in done.stderr.splitlines() if is_error(line)]
    return done.stdout + "".join(f"{line}\n" for line in errors)


def is_error(line: str) -> bool:
    """Whether a line of standard error belongs into the shown output."""
    return line.startswith(("catchkit", "Traceback")) or "Error" in line


def refreshed(files: list[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each file with its text as it should be."""
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            yield path, with_fresh_output(path.read_text("utf-8"), Path(folder))


if __name__ == "__main__":
    for path, text in refreshed([Path(name) for name in sys.argv[1:]]):
        path.write_text(text, "utf-8")
