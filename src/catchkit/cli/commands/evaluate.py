"""``catchkit evaluate``: scores a prediction column."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from catchkit.cli.command import Command, Exit, add_data_option


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("config", help="config to score against, such as pre or pre_mcp")
    parser.add_argument(
        "predictions", nargs="?", type=Path, help="prediction file: .parquet, .csv or .jsonl"
    )
    parser.add_argument("--column", default="prediction", help="value column (default: prediction)")
    parser.add_argument(
        "--threshold", type=float, metavar="T", help="for scores: flagged when at least T"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, unrounded")
    parser.add_argument("--explain", action="store_true", help="say what a prediction file holds")
    parser.add_argument(
        "--example", type=Path, metavar="FILE", help="with --explain: write a file of two rows"
    )
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.errors import UsageError

    if options.explain:
        return _explain(options)
    if options.predictions is None or options.example is not None:
        raise UsageError("name a prediction file, or ask with --explain what it should hold")
    from catchkit.cli.report import show_evaluation
    from catchkit.eval.evaluate import evaluate

    evaluation = evaluate(
        options.config,
        options.predictions,
        column=options.column,
        threshold=options.threshold,
        data=options.data,
    )
    if options.json:
        print(evaluation.to_json())
    else:
        show_evaluation(evaluation)
    return Exit.DONE


def _explain(options: Namespace) -> Exit:
    from catchkit.eval.explain import example_table, explanation
    from catchkit.eval.write import write_predictions

    example = example_table(options.config, options.data)
    print(explanation(options.config, example, options.data))
    if options.example is not None:
        write_predictions(options.example, example)
        print(f"\n{options.example}: an example of two rows")
    return Exit.DONE


COMMAND = Command(
    name="evaluate",
    summary="Score a prediction column against a config.",
    configure=_configure,
    run=_run,
)
