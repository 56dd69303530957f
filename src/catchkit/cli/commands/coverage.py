"""``catchkit coverage``: how far the scanner's English word lists reach, per language."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("texts", type=Path, help="JSONL of instance_id and text")


def _run(options: Namespace) -> Exit:
    from catchkit.builders.texts import read_texts
    from catchkit.cli.tables import show_table
    from catchkit.deidentify.languages import coverage

    rows = [
        [
            row.language,
            str(row.texts),
            str(row.with_word),
            f"{row.with_word / row.texts:.3f}",
            str(row.words),
            str(row.listed_words),
        ]
        for row in coverage(read_texts(options.texts).values())
    ]
    show_table(["language", "texts", "with a word", "share", "words", "listed"], rows)
    return Exit.DONE


COMMAND = Command(
    name="coverage",
    summary="Count, per language, the task texts in which the scanner lists find a word.",
    configure=_configure,
    run=_run,
)
