"""``catchkit trace-snapshot``: rebuilds the packaged traces from raw corpora."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--from", dest="place", type=Path, required=True, metavar="DIR", help="a folder per corpus"
    )
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="for conversions")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default 1)")


def _run(options: Namespace) -> Exit:
    from catchkit.builders.trace_snapshot import write_trace_snapshot

    manifest = write_trace_snapshot(
        options.place, options.work, options.out, workers=max(1, options.workers)
    )
    files = manifest.files.values()
    size = sum(entry.bytes for entry in files)
    print(f"{options.out}: {len(manifest.configs)} configs, {len(files)} files, {size:,} bytes")
    return Exit.DONE


COMMAND = Command(
    name="trace_snapshot",
    summary="Rebuild the packaged traces from raw corpora whose licence allows it.",
    configure=_configure,
    run=_run,
)
