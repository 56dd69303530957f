"""``catchkit list``: which configs there are."""

from argparse import ArgumentParser, Namespace

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("prefix", nargs="?", default="", help="only configs that start with it")
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.cards.facts import counted
    from catchkit.cards.markdown import counts
    from catchkit.cli.tables import show_table
    from catchkit.errors import UsageError
    from catchkit.loaders.release import known_entries, locate

    release = locate(options.data)
    entries = known_entries(release)
    shown = {name: entry for name, entry in entries.items() if name.startswith(options.prefix)}
    if not shown:
        raise UsageError.unknown("config that starts with", options.prefix, entries)
    rows = []
    for name, entry in shown.items():
        table = release.table(name)
        mixes = [counts(counted(table, column)) for column in ("label_process", "license")]
        rows.append([name, str(entry.rows), *mixes, entry.digest[:19]])
    header = ["config", "rows", "label process", "licences", "digest"]
    show_table(header, rows, title=release.described)
    return Exit.DONE


COMMAND = Command(
    name="list",
    summary="Show the configs with their rows, labels, licences and digest.",
    configure=_configure,
    run=_run,
)
