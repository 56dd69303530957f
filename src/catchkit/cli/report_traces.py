"""Shows an evaluation of steps, runs or prefixes: own score, guessing, references."""

from collections.abc import Mapping
from typing import Any

from catchkit.cli.tables import show_table
from catchkit.eval.evaluation import Evaluation
from catchkit.eval.gold_board import FULL, MATCHED, GoldEvaluation
from catchkit.eval.intervals import Interval
from catchkit.eval.prefixes_board import PrefixEvaluation
from catchkit.eval.runs_board import RunEvaluation
from catchkit.eval.steps_board import StepEvaluation

POOLED = "pooled"
READS = "(* reads labels of other runs)"


def show_traces(evaluation: Evaluation) -> None:
    """Print the scores of a prediction file beside guessing and every reference."""
    match evaluation:
        case StepEvaluation():
            _show_steps(evaluation)
        case RunEvaluation():
            _show_runs(evaluation)
        case PrefixEvaluation():
            _show_prefixes(evaluation)
        case GoldEvaluation():
            _show_gold(evaluation)


def _show_steps(evaluation: StepEvaluation) -> None:
    names = ("top1", "top3", "mrr")
    rows = []
    for source, score in _parts(evaluation):
        floor = _floor(evaluation, source)
        own = [_decimal(getattr(score, name)) for name in names]
        guess = [_decimal(getattr(floor, name)) for name in names]
        counts = [f"{score.scored}/{score.runs}", str(score.tied)]
        rows.append([source, *own, *guess, *counts])
    show_table(["domain", *names, *(f"{name} guessed" for name in names), "scored", "tied"], rows)
    _show_notes(evaluation.notes)
    print("\nminus guessing, 95 % interval over groups")
    show_table(["metric", "difference", "low", "high"], _intervals(evaluation.minus_floor))
    score, published = evaluation.score, evaluation.as_published
    if score.abstained:
        worst, best = (getattr(score, end).top1 for end in ("worst", "best"))
        print(f"top1 if every abstention were wrong, right: {_decimal(worst)}, {_decimal(best)}")
    figures = " / ".join(_decimal(getattr(published, name)) for name in names)
    print(f"with ties given to the earlier step, as in the original: {figures}\n")
    rules = [
        [family, one.best, _decimal(one.in_sample), _decimal(one.held_out)]
        for family, one in evaluation.position_rules.items()
    ]
    header = ["position rules", "best", "in sample", "held out"]
    show_table(header, rows=rules, title="Top-1 of naming a position, whatever happens there")
    lifts = [
        [f"over {one.rule}", *_signed(one.lift), _decimal(one.pss_floored), _decimal(one.p)]
        for one in evaluation.lift.values()
    ]
    print()
    show_table(["positional lift", "lift", "95 % low", "high", "floored PSS", "p"], lifts)
    print()
    _show_references(evaluation, names)


def _show_runs(evaluation: RunEvaluation) -> None:
    names = ("roc_auc", "average_precision", "tpr_at_5fpr", "tpr_at_10fpr", "expected_precision")
    extra = ("roc_auc_residual", "fpr_at_5", "fpr_at_10")
    rows = []
    for source, score in _parts(evaluation):
        own = [_decimal(getattr(score, name)) for name in (*names, *extra)]
        rows.append([source, *own, str(score.failed), f"{score.scored}/{score.runs}"])
    floor = evaluation.floors["random"]
    guess = [_decimal(getattr(floor, name)) for name in names]
    rows.append(["guessing", *guess, "-", "-", "-", "-", "-"])
    show_table(["domain", *names, *extra, "failed", "scored"], rows)
    for source, part in evaluation.sources.items():
        if part.unscored_because:
            print(f"{source}: {part.unscored_because}, so there is no area")
    _show_notes(evaluation.notes)
    if evaluation.roc_auc:
        print(f"\nroc_auc {_with_interval(evaluation.roc_auc)}, runs of one group kept together")
    print(f"expected_precision where {evaluation.failure_rate:.0%} of all runs fail\n")
    title = "roc_auc minus that of each size control"
    show_table(
        ["control", "difference", "95 % low", "high"], _intervals(evaluation.over_size), title=title
    )
    print()
    _show_references(evaluation, names)


def _show_prefixes(evaluation: PrefixEvaluation) -> None:
    lengths = sorted(evaluation.score.running)
    header = ["", "mean", *map(str, lengths)]
    rows = [
        [source, _decimal(score.prefix_auc), *_by_prefix(score, lengths)]
        for source, score in _parts(evaluation)
    ]
    floor = evaluation.floors["random"]
    rows.append(["guessing", _decimal(floor.prefix_auc), *_by_prefix(floor, lengths)])
    running = [str(evaluation.score.running[length]) for length in lengths]
    rows.append(["runs that long", "-", *running])
    score = evaluation.score
    print(f"{score.scored}/{score.prefixes} prefixes scored")
    show_table(header, rows, title="roc_auc by prefix (steps, or per cent of the final length)")
    for length in score.one_outcome:
        print(f"prefix {length}: runs of one outcome only, so there is no area")
    _show_notes(evaluation.notes)
    if evaluation.prefix_auc:
        print(f"\nprefix_auc {_with_interval(evaluation.prefix_auc)}, runs of one group together")
    found = evaluation.time_to_detection
    earliest = "at no prefix" if found.earliest is None else f"from prefix {found.earliest} on"
    latest = "at no prefix" if found.latest is None else f"from prefix {found.latest} on"
    print(f"an area of {found.bar:.2f} is possible {earliest}, shown {latest}\n")
    references = [
        [_marked(name, one.reads), _decimal(one.prefix_auc), *_by_prefix(one, lengths)]
        for name, one in evaluation.references.items()
    ]
    show_table(["reference", *header[1:]], references, title=f"References {READS}")


def _show_gold(evaluation: GoldEvaluation) -> None:
    names = ("top1", "top3", "mrr")
    rows = []
    for fault, score in _parts(evaluation):
        floors = evaluation.floors if fault == POOLED else evaluation.sources[fault].floors
        matched, full = floors[MATCHED], floors[FULL]
        rows.append(
            [
                fault,
                *(_decimal(getattr(score, name)) for name in names),
                *(_decimal(getattr(matched, name)) for name in names),
                _decimal(score.full.top1),
                _decimal(full.top1),
                _decimal(score.pool_mean),
                str(score.pools_of_one),
                _decimal(score.runs.roc_auc),
                _decimal(score.runs.tpr_at_5fpr),
                f"{score.scored}/{score.versions}",
            ]
        )
    header = ["fault", *names, *(f"{name} guessed" for name in names)]
    header += ["top1 full", "guessed", "pool", "of one", "roc_auc", "tpr_at_5fpr", "scored"]
    show_table(header, rows, title="Among the parts that could have taken the fault, then all")
    _show_notes(evaluation.notes)
    if evaluation.minus_floor:
        print("\nminus guessing, 95 % interval over groups")
        show_table(["metric", "difference", "low", "high"], _intervals(evaluation.minus_floor))
    if evaluation.roc_auc:
        print(f"\nroc_auc of versions {_with_interval(evaluation.roc_auc)}, ", end="")
        print(f"p of swapping labels within pairs {_decimal(evaluation.roc_auc_p)}")
    references = [
        [
            name,
            *(_decimal(getattr(one, metric)) for metric in names),
            _decimal(one.full.top1),
            _decimal(one.runs.roc_auc),
        ]
        for name, one in evaluation.references.items()
    ]
    print()
    header = ["reference", *names, "top1 full", "roc_auc"]
    show_table(header, references, title="References on the same versions")


def _parts(evaluation: Evaluation) -> list[tuple[str, Any]]:
    parts = [(name, source.score) for name, source in evaluation.sources.items()]
    return [*parts, (POOLED, evaluation.score)] if len(parts) > 1 else parts


def _floor(evaluation: Evaluation, source: str) -> Any:  # noqa: ANN401 - metrics of any question
    floors = evaluation.floors if source == POOLED else evaluation.sources[source].floors
    return floors["random"]


def _show_references(evaluation: Evaluation, names: tuple[str, ...]) -> None:
    rows = [
        [_marked(name, one.reads), *(_decimal(getattr(one, metric)) for metric in names)]
        for name, one in evaluation.references.items()
    ]
    show_table(["reference", *names], rows, title=f"References on the same runs {READS}")


def _show_notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        print(f"note: {note}")


def _marked(name: str, reads: tuple[str, ...]) -> str:
    return f"{name} *" if reads else name


def _by_prefix(score: Any, lengths: list[int]) -> list[str]:  # noqa: ANN401 - score or reference
    return [_decimal(score.by_prefix.get(length)) for length in lengths]


def _intervals(found: Mapping[str, Interval]) -> list[list[str]]:
    return [[name, *_signed(interval)] for name, interval in found.items()]


def _signed(interval: Interval) -> list[str]:
    return [f"{value:+.3f}" for value in (interval.value, interval.low, interval.high)]


def _with_interval(interval: Interval) -> str:
    return f"{interval.value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
