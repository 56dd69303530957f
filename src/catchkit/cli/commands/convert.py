"""``catchkit convert``: turns raw agent traces into records, graphs and configs."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from catchkit.builders.conversion import Conversion


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("corpus", metavar="CORPUS", help="a corpus, or `all` that --from holds")
    parser.add_argument(
        "--from", dest="place", type=Path, metavar="PLACE", help="folder or file (default: fetched)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--engine", choices=("process", "dask"), default="process")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a running Dask cluster")
    parser.add_argument("--key-file", type=Path, metavar="FILE", help="secret of the stand-ins")


def _run(options: Namespace) -> Exit:
    from catchkit.builders.conversion import convert, present
    from catchkit.builders.fetch import fetched
    from catchkit.builders.publish import DEFAULT_KEY
    from catchkit.cli.progress import working
    from catchkit.errors import UsageError

    if options.workers < 1:
        raise UsageError(f"--workers is {options.workers}; at least 1 is needed")
    if options.scheduler and options.engine != "dask":
        raise UsageError("--scheduler needs --engine dask")
    every = options.corpus == "all"
    if every and not options.place:
        raise UsageError("`all` needs --from, a folder with a folder per corpus")
    place = options.place or fetched(options.corpus)
    names = present(place) if every else [options.corpus]
    with working(f"converting {options.corpus}"):
        done = convert(
            names,
            place,
            options.out,
            apart=every,
            workers=options.workers,
            engine=options.engine,
            scheduler=options.scheduler,
            key=_key(options.key_file) if options.key_file else DEFAULT_KEY,
        )
    return _report(done)


def _key(path: Path) -> bytes:
    from catchkit.errors import UsageError

    try:
        key = path.read_bytes().strip()
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read ({problem.strerror})") from None
    if len(key) < 16:
        raise UsageError(f"{path}: a key needs at least 16 bytes, this has {len(key)}")
    return key


def _report(done: "list[Conversion]") -> Exit:
    import sys

    from catchkit.cli.tables import show_table

    header = ["corpus", "shards", "runs", "left out", "damaged", "unparsed", "unpaired"]
    rows = [
        [
            account.corpus,
            *(f"{count:,}" for count in (account.shards, account.runs)),
            f"{sum(account.skipped.values()):,}",
            *(
                f"{count:,}"
                for count in (
                    len(account.damage),
                    account.unparsed_commands,
                    account.unpaired_results,
                )
            ),
        ]
        for account in done
    ]
    show_table(header, rows)
    for account in done:
        for reason, count in account.skipped.items():
            print(f"{account.corpus}: left out {count:,}: {reason}")
        for line in account.damage:
            print(f"{account.corpus}: {line}", file=sys.stderr)
    return Exit.DONE if all(account.is_complete for account in done) else Exit.INCOMPLETE


COMMAND = Command(
    name="convert",
    summary="Turn raw agent traces into records, dependency graphs and configs.",
    configure=_configure,
    run=_run,
)
