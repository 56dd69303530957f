"""``catchkit gold-snapshot``: rebuilds the packaged Gold from the packaged records."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="files at once")


def _run(options: Namespace) -> Exit:
    from catchkit.cli.progress import working
    from catchkit.injection.gold import write_gold_snapshot

    with working(f"planting into {options.out}"):
        manifest = write_gold_snapshot(options.out, workers=max(1, options.workers))
    files = manifest.files.values()
    size = sum(entry.bytes for entry in files)
    print(f"{options.out}: {len(manifest.configs)} configs, {len(files)} files, {size:,} bytes")
    return Exit.DONE


COMMAND = Command(
    name="gold_snapshot",
    summary="Rebuild the packaged Gold from the packaged records.",
    configure=_configure,
    run=_run,
)
