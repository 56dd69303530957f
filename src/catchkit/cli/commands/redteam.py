"""``catchkit redteam``: plants invented identifiers and reports what of them reaches a record."""

from argparse import ArgumentParser, Namespace

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200, metavar="N", help="texts per kind")
    parser.add_argument("--mode", choices=["published", "structured"], default="published")


def _run(options: Namespace) -> Exit:
    from catchkit.cli.tables import show_table
    from catchkit.deidentify.redteam import measure, plants
    from catchkit.errors import UsageError

    if options.count < 1:
        raise UsageError(f"--count is {options.count}; at least 1 is needed")
    table = measure(list(plants(options.seed, options.count)), options.mode)
    rows = [
        [
            row.kind,
            str(row.planted),
            str(row.ordinary),
            str(row.survived),
            f"{row.recall:.3f}",
            f"[{row.low:.3f}, {row.high:.3f}]",
            str(row.scanned),
        ]
        for row in table
    ]
    header = ["kind", "planted", "listed words", "survived", "recall", "95% exact", "scan finds"]
    show_table(header, rows)
    survived = sum(row.survived for row in table)
    print(f"{survived} of {sum(row.planted for row in table)} planted identifiers survived")
    return Exit.ANSWER_IS_NO if survived else Exit.DONE


COMMAND = Command(
    name="redteam",
    summary="Plant invented identifiers in task texts; exit 1 when one reaches a record.",
    configure=_configure,
    run=_run,
)
