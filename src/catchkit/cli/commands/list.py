"""``catchkit list``: which configs there are."""

from argparse import ArgumentParser, Namespace

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.cards.facts import counted
    from catchkit.cards.markdown import counts
    from catchkit.cli.tables import show_table
    from catchkit.loaders.release import known_entries, locate

    release = locate(options.data)
    rows = []
    for name, entry in known_entries(release).items():
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
