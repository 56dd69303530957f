"""Shows an evaluation of flags: per source first, pooled last, three decimals."""

from catchkit.cli.tables import show_table
from catchkit.eval.board import FLOOR
from catchkit.eval.evaluate_flags import FlagEvaluation
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.intervals import Interval

POOLED = "pooled"
REFERENCES = "F1 of the references on the same configurations (* reads the label or declared order)"


def show_evaluation(evaluation: Evaluation) -> None:
    """Print the scores of a prediction file beside its floor and references."""
    origin = evaluation.predictions["origin"]
    print(f"{origin}: column {evaluation.column!r} against {evaluation.config}")
    print(f"data: {evaluation.data['origin']}, {evaluation.data['digest'][:19]}\n")
    if isinstance(evaluation, FlagEvaluation):
        _show_scores(evaluation)
        print()
        _show_references(evaluation)
    else:
        from catchkit.cli.report_traces import show_traces  # not needed for a PRE config

        show_traces(evaluation)


def _show_scores(evaluation: FlagEvaluation) -> None:
    parts = [
        (source, result.score, result.floors[FLOOR], result.f1_minus_floor)
        for source, result in evaluation.sources.items()
    ]
    if len(parts) > 1:
        floor = evaluation.floors[FLOOR]
        parts.append((POOLED, evaluation.score, floor, evaluation.f1_minus_floor))
    header = ["source", "precision", "recall", "f1", "tp", "fp", "fn", "scored"]
    header += [FLOOR, "difference", "95 % low", "high"]
    rows = [
        [
            name,
            *map(_decimal, (score.precision, score.recall, score.f1)),
            *map(str, (score.tp, score.fp, score.fn)),
            f"{score.scored}/{score.configurations}",
            _decimal(floor.f1),
            *_interval(difference),
        ]
        for name, score, floor, difference in parts
    ]
    if evaluation.score.abstained:
        header += ["f1 worst", "f1 best"]
        bounds = [(score.f1_worst, score.f1_best) for _, score, _, _ in parts]
        rows = [[*row, *map(_decimal, pair)] for row, pair in zip(rows, bounds, strict=True)]
    show_table(header, rows)


def _show_references(evaluation: FlagEvaluation) -> None:
    columns = {source: result.references for source, result in evaluation.sources.items()}
    if len(columns) > 1:
        columns[POOLED] = evaluation.references
    rows = []
    for name, reference in evaluation.references.items():
        found = [references[name] for references in columns.values()]
        mark = " *" if reference.reads else ""
        rows.append([name + mark, *(_decimal(one.f1) for one in found)])
        if reference.f1_undecided_flagged is not None:
            cells = [_decimal(one.f1_undecided_flagged) for one in found]
            rows.append(["  ties and unseen flagged *", *cells])
    show_table(["reference", *columns], rows, title=REFERENCES)


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> list[str]:
    if interval is None:
        return ["-"] * 3
    return [f"{value:+.3f}" for value in (interval.value, interval.low, interval.high)]
