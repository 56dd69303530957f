"""Keeps scores in a leaderboard file, one line per evaluation."""

import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from catchkit.errors import UsageError
from catchkit.eval.evaluation import Evaluation
from catchkit.loaders.files import written_whole

MAX_BYTES = 64 * 1024 * 1024


def board_row(evaluation: Evaluation) -> dict[str, Any]:
    """Return what a leaderboard keeps of an evaluation: enough to repeat it, and its score."""
    return {
        "config": evaluation.config,
        "config_digest": evaluation.data["digest"],
        "toolkit": f"catchkit {version('catchkit')}",
        "predictions": evaluation.predictions["origin"],
        "predictions_sha256": evaluation.predictions.get("sha256"),
        "column": evaluation.column,
        "score": asdict(evaluation.score),
        "floors": {name: asdict(floor) for name, floor in evaluation.floors.items()},
    }


def record(evaluation: Evaluation, board: Path) -> int:
    """Add an evaluation to a leaderboard file and return how many rows it then has.

    The same predictions on the same data replace their older row.

    Raises:
        UsageError: The file is no leaderboard.
    """
    row = board_row(evaluation)
    rows = [old for old in read_board(board) if _key(old) != _key(row)] if board.exists() else []
    with written_whole(board) as partial:
        text = "".join(json.dumps(one, allow_nan=False) + "\n" for one in (*rows, row))
        partial.write_text(text, "utf-8")
    return len(rows) + 1


def read_board(board: Path) -> list[dict[str, Any]]:
    """Read the rows of a leaderboard file.

    Raises:
        UsageError: The file is none.
    """
    if not board.is_file() or board.stat().st_size > MAX_BYTES:
        raise UsageError(f"{board} is no leaderboard file")
    rows = []
    for number, line in enumerate(board.read_bytes().splitlines(), start=1):
        try:
            row = json.loads(line)
            _key(row)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UsageError(f"{board}: line {number} is no row of a leaderboard") from None
        rows.append(row)
    return rows


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(
        row[name] for name in ("config", "config_digest", "toolkit", "predictions_sha256", "column")
    )
