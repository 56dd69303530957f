"""Shows an evaluation: per source first, pooled last, three decimals."""

from catchkit.cli.tables import show_table
from catchkit.eval.board import FLOOR, Reference, Score
from catchkit.eval.evaluate import Evaluation
from catchkit.eval.intervals import Interval

POOLED = "pooled"


def show_evaluation(evaluation: Evaluation) -> None:
    """Print the scores of a prediction file beside its floor and references."""
    origin = evaluation.predictions["origin"]
    print(f"{origin}: column {evaluation.column!r} against {evaluation.config}")
    print(f"data: {evaluation.data['origin']}, {evaluation.data['digest'][:19]}\n")
    _show_scores(evaluation)
    print()
    _show_references(evaluation)


def _show_scores(evaluation: Evaluation) -> None:
    header = ["source", "precision", "recall", "f1", "tp", "fp", "fn", "scored"]
    header += ["f1 if abstentions wrong..right", f"{FLOOR} f1", f"f1 - {FLOOR} [95%]"]
    parts = [
        (source, result.score, result.floors[FLOOR], result.f1_minus_floor)
        for source, result in evaluation.sources.items()
    ]
    if len(parts) > 1:
        floor = evaluation.floors[FLOOR]
        parts.append((POOLED, evaluation.score, floor, evaluation.f1_minus_floor))
    rows = [
        [
            name,
            *map(_decimal, (score.precision, score.recall, score.f1)),
            *map(str, (score.tp, score.fp, score.fn)),
            f"{score.scored}/{score.configurations}",
            _bounds(score),
            _decimal(floor.f1),
            _interval(difference),
        ]
        for name, score, floor, difference in parts
    ]
    show_table(header, rows)


def _show_references(evaluation: Evaluation) -> None:
    """Print the F1 of every reference per source; a second value flags what a prior leaves open."""
    columns = [(source, result.references) for source, result in evaluation.sources.items()]
    if len(columns) > 1:
        columns.append((POOLED, evaluation.references))
    rows = []
    for name, reference in evaluation.references.items():
        marks = f" (reads {', '.join(reference.reads)})" if reference.reads else ""
        cells = [_reference_cell(references[name]) for _, references in columns]
        rows.append([name + marks, *cells])
    title = "F1 of the references on the same configurations; for a prior also with ties flagged"
    show_table(["reference", *(name for name, _ in columns)], rows, title=title)


def _reference_cell(reference: Reference) -> str:
    bolder = reference.f1_undecided_flagged
    return _decimal(reference.f1) + (f" | {_decimal(bolder)}" if bolder is not None else "")


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _bounds(score: Score) -> str:
    return f"{_decimal(score.f1_worst)}..{_decimal(score.f1_best)}" if score.abstained else "-"


def _interval(interval: Interval | None) -> str:
    if interval is None:
        return "-"
    return f"{interval.value:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]"
