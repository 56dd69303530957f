"""``catchkit fetch``: downloads a corpus at its pinned revision."""

from argparse import ArgumentParser, Namespace

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("corpus", metavar="CORPUS", help="a corpus that is on the Hub")


def _run(options: Namespace) -> Exit:
    import sys

    from catchkit.builders.fetch import announcement, fetch

    print(announcement(options.corpus), file=sys.stderr)
    print(fetch(options.corpus))
    return Exit.DONE


COMMAND = Command(
    name="fetch",
    summary="Download a corpus at its pinned revision, checked (network: Hugging Face Hub).",
    configure=_configure,
    run=_run,
)
