"""Says what a prediction file for a config holds."""

import json
from pathlib import Path

import pyarrow as pa

from catchkit.configs import config
from catchkit.eval.write import baseline_table
from catchkit.loaders.release import locate

TEXT = """\
A prediction file for {config} has {rows} rows, one for each configuration, in any order.

  {id_column}  the configuration's id, as in the dataset
  prediction   what you flag in it (another name: --column NAME), in one of three forms:
               true or false for each entry of `capabilities`, in its order;
               a score for each entry, in its order: add --threshold T;
               the names you flag, any number of them.
               null abstains; an empty list of names flags nothing.

Parquet, CSV (a list is written as JSON, an empty cell abstains) or JSONL. Two rows as JSONL:

{example}"""


def example_table(name: str, data: Path | None = None) -> pa.Table:
    """Return two rows of a prediction file: everything flagged in the first two configurations."""
    return baseline_table(name, "flag_all", data).slice(0, 2)


def explanation(name: str, example: pa.Table, data: Path | None = None) -> str:
    """Return what ``catchkit evaluate`` expects for a config, with an example.

    Example:
        >>> print(explanation("pre_mcp", example_table("pre_mcp")).splitlines()[0])
        A prediction file for pre_mcp has 144 rows, one for each configuration, in any order.
    """
    return TEXT.format(
        config=name,
        rows=locate(data).entry(name).rows,
        id_column=config(name).family.id_column,
        example="\n".join(f"  {json.dumps(row)}" for row in example.to_pylist()),
    )
