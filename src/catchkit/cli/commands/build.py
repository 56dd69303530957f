"""``catchkit build``: writes the release folder."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, default=Path("catchbench"), metavar="DIR", help="default: catchbench"
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="files written at once (default: 1)"
    )


def _run(options: Namespace) -> Exit:
    from catchkit.cards.release import write_release
    from catchkit.cli.progress import working
    from catchkit.errors import UsageError

    if options.workers < 1:
        raise UsageError(f"--workers is {options.workers}; at least 1 is needed")
    with working(f"building {options.out}"):
        manifest = write_release(options.out, workers=options.workers)
    files = manifest.files.values()
    size = sum(entry.bytes for entry in files)
    print(f"{options.out}: {len(manifest.configs)} configs, {len(files)} files, {size:,} bytes")
    return Exit.DONE


COMMAND = Command(
    name="build",
    summary="Write the release folder from the packaged records, offline.",
    configure=_configure,
    run=_run,
)
