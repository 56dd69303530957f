"""``catchkit baseline``: writes what a bundled reference predicts."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("config", nargs="?", help="config to predict, such as pre_mcp")
    parser.add_argument("method", nargs="?", help="baseline; leave both out to list them")
    parser.add_argument("--out", type=Path, metavar="FILE", help=".parquet, .csv or .jsonl")
    parser.add_argument(
        "--recipe",
        choices=("default", "published"),
        default="default",
        help="published: draw, fit and fold as the original benchmark does",
    )
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.cli.tables import show_table
    from catchkit.errors import UsageError
    from catchkit.eval.baseline import all_baselines
    from catchkit.eval.write import baseline_table, write_predictions

    if options.config is None:
        rows = [
            (b.name, ", ".join(b.serves), ", ".join(b.reads), b.summary)
            for b in all_baselines().values()
        ]
        show_table(["baseline", "answers", "reads", "what it says"], rows)
        return Exit.DONE
    if options.method is None or options.out is None:
        raise UsageError("name a config, a baseline and --out FILE")
    table = baseline_table(options.config, options.method, options.data, recipe=options.recipe)
    write_predictions(options.out, table)
    print(f"{options.out}: {table.num_rows} predictions of {options.method} for {options.config}")
    return Exit.DONE


COMMAND = Command(
    name="baseline",
    summary="Write the predictions of a bundled reference, or list the references.",
    configure=_configure,
    run=_run,
)
