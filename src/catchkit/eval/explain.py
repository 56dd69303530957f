"""Says what a prediction file for a config holds."""

import json
from pathlib import Path

import pyarrow as pa

from catchkit.configs import config
from catchkit.eval.baseline import Question
from catchkit.eval.evaluate import GOLD, TRACES
from catchkit.eval.write import baseline_table
from catchkit.loaders.release import locate

TEXT = """\
A prediction file for {config} has {rows} rows, one for each {unit}, in any order.

  {id_column:<11}  the {unit}'s id, as in the dataset
  prediction   {meaning}

Parquet, CSV (a list is written as JSON, an empty cell abstains) or JSONL. Two rows as JSONL:

{example}"""

FLAGS = """\
what you flag in it (another name: --column NAME), in one of three forms:
true or false for each entry of `capabilities`, in its order;
a score for each entry, in its order: add --threshold T;
the names you flag, any number of them.
null abstains; an empty list of names flags nothing."""

STEPS = """\
which step went wrong (another name: --column NAME), in one of three forms:
a score for each step, in order, as numbers with a decimal point;
a ranking: steps as whole numbers from 0, the most suspicious first,
any number of them; those left out share the places below;
one step, as a whole number.
null abstains. A stochastic method writes seed_0, seed_1, ... instead."""

SCORES = """\
one number, the higher the likelier the run {verb} (another name: --column NAME).
null abstains. A stochastic method writes seed_0, seed_1, ... instead."""

GOLD_PARTS = """\
where the planted fault is (another name: --column NAME), in one of four forms:
a score for each of the {parts}, in order, as numbers with a decimal point;
a ranking: {parts} as whole numbers from 0, the most suspicious first,
any number of them; those left out share the places below;
one of the {parts}, as a whole number;
one number with a decimal point for the whole version: is it faulty at all?
Arguments are those of every call in `events`, in the order of their `leaves`.
null abstains. A stochastic method writes seed_0, seed_1, ... instead."""

MEANINGS: dict[Question, str] = {
    "arguments": "",
    "flags": FLAGS,
    "steps": STEPS,
    "runs": SCORES.format(verb="failed"),
    "prefixes": SCORES.format(verb="will fail"),
}
UNITS: dict[Question, str] = {
    "flags": "configuration",
    "steps": "run",
    "arguments": "version",
    "runs": "run",
    "prefixes": "prefix",
}
EXAMPLES: dict[Question, str] = {
    "flags": "flag_all",
    "steps": "position",
    "arguments": "position",
    "runs": "length",
    "prefixes": "length",
}


def question_of_config(name: str, data: Path | None = None) -> Question:
    """Return what a config asks first.

    Raises:
        UsageError: There is no such config.
        PredictionError: It asks nothing.
        ReleaseError: The data is damaged or does not hold the config.
    """
    family = config(name).family.name
    if family in GOLD:
        return "arguments" if family == "gold_v2" else "steps"
    if family not in TRACES:
        return "flags"
    from catchkit.eval.evaluate_traces import question_of

    return question_of(name, locate(data).table(name))


def example_table(name: str, data: Path | None = None) -> pa.Table:
    """Return two rows of a prediction file, those of a simple baseline."""
    question = question_of_config(name, data)
    return baseline_table(name, EXAMPLES[question], data).slice(0, 2)


def explanation(name: str, example: pa.Table, data: Path | None = None) -> str:
    """Return what ``catchkit evaluate`` expects for a config, with an example.

    Example:
        >>> print(explanation("pre_mcp", example_table("pre_mcp")).splitlines()[0])
        A prediction file for pre_mcp has 144 rows, one for each configuration, in any order.
    """
    question = question_of_config(name, data)
    is_gold = config(name).family.name in GOLD
    meaning = GOLD_PARTS.format(parts=question) if is_gold else MEANINGS[question]
    return TEXT.format(
        config=name,
        rows=_rows(name, question, data),
        unit="version" if is_gold else UNITS[question],
        id_column=config(name).family.id_column,
        meaning=meaning.replace("\n", "\n" + " " * 15),
        example="\n".join(f"  {json.dumps(row)}" for row in example.to_pylist()),
    )


def _rows(name: str, question: Question, data: Path | None) -> int:
    """Count the rows to predict: those without a label are not asked."""
    release = locate(data)
    if question == "flags" or config(name).family.name in GOLD:
        return release.entry(name).rows
    label = "mistake_step" if question == "steps" else "failed"
    column = release.table(name).column(label)
    return len(column) - int(column.null_count)
