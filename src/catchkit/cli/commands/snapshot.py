"""``catchkit snapshot``: rebuilds the packaged records from the original benchmark's files."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--part",
        choices=("pre", "judges"),
        default="pre",
        help="the declared configurations, or what judges answered on traces (default: pre)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")


def _run(options: Namespace) -> Exit:
    from catchkit.builders.judge_caches import CONFIG, write_judges
    from catchkit.builders.snapshot import write_snapshot

    judges = options.part == "judges"
    manifest = (write_judges if judges else write_snapshot)(options.out)
    rows = manifest.configs[CONFIG if judges else "pre"].rows
    print(f"{options.out}: {rows} records in {len(manifest.files)} files")
    return Exit.DONE


COMMAND = Command(
    name="snapshot",
    summary="Rebuild the packaged records from the installed original (extra: peer).",
    configure=_configure,
    run=_run,
)
