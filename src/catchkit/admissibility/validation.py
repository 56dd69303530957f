"""Item 5: people who do not know which is which say yes to the one half, and no to the other."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

from catchkit.admissibility.annotation.files import read_answers
from catchkit.admissibility.annotation.sheet import Question, SheetItem, Subject
from catchkit.admissibility.thresholds import Validation
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.eval.agreement import Rate, cohen_kappa, exact_rate, krippendorff_alpha

Answers = Mapping[str, Sequence[bool | None]]
NOBODY = (
    "nobody has filled in a sheet: make one with --annotate DIR, have people answer it, and read "
    "their answers with --annotations DIR"
)


def validation(subject: Subject, folder: Path | None, limits: Validation) -> Item:
    """Judge the answers of a sheet by the rule that was fixed before anybody saw it."""
    rule = asdict(limits)
    if folder is None:
        return Item(item=5, verdict="not met", because=NOBODY, evidence={"rule": rule})
    answered = read_answers(folder, subject)
    items, question = answered.items, subject.question
    complete = {name: given for name, given in answered.answers.items() if not answered.empty[name]}
    evidence: dict[str, object] = {
        "rule": rule,
        "items": len(items),
        "empty_answers": dict(answered.empty),
    }
    if len(complete) < limits.min_annotators or len(items) < limits.items:
        because = (
            f"{len(complete)} complete sheets of {limits.min_annotators}, "
            f"{len(items)} items of {limits.items}"
        )
        return Item(item=5, verdict="not met", because=because, evidence=evidence)
    found, false = (
        called(items, complete, positive=True),
        called(items, complete, positive=False),
    )
    alpha = krippendorff_alpha([*complete.values()])
    kappas = {
        f"{one} and {other}": cohen_kappa(complete[one], complete[other])
        for one, other in combinations(sorted(complete), 2)
    }
    evidence |= {
        "krippendorff_alpha": alpha,
        "cohen_kappa": kappas,
        f"{question.positive}_called_{question.answer}": asdict(found),
        f"{question.negative}_called_{question.answer}": asdict(false),
    }
    because = _because(question, alpha, found, false)
    verdict = accepted(alpha, found, false, limits)
    return Item(item=5, verdict=verdict, because=because, evidence=evidence)


def called(items: Sequence[SheetItem], answers: Answers, *, positive: bool) -> Rate:
    """Return to how many rows of one half most annotators say yes; unsure is no yes."""
    places = [at for at, item in enumerate(items) if item.is_positive == positive]
    yes = [sum(given[at] is True for given in answers.values()) for at in places]
    return exact_rate(sum(2 * votes > len(answers) for votes in yes), len(places))


def _because(question: Question, alpha: float | None, found: Rate, false: Rate) -> str:
    return (
        f"{question.positive} called {question.answer} {found.hits} of {found.trials}, "
        f"{question.negative} {false.hits} of {false.trials}, "
        f"alpha {'undefined' if alpha is None else f'{alpha:.3f}'}"
    )


def accepted(alpha: float | None, found: Rate, false: Rate, limits: Validation) -> ItemVerdict:
    """Apply the acceptance rule.

    Args:
        alpha: Agreement beyond chance; ``None`` where it is undefined.
        found: Rows of the positive half that are called positive.
        false: Rows of the negative half that are.
        limits: The rule.

    Example:
        >>> from catchkit.admissibility.thresholds import shipped
        >>> limits = shipped().validation
        >>> accepted(0.9, exact_rate(60, 60), exact_rate(0, 60), limits)
        'pass'
        >>> accepted(0.9, exact_rate(20, 60), exact_rate(0, 60), limits)
        'fail'
    """
    agree = alpha is not None and alpha >= limits.min_alpha
    if agree and found.low >= limits.min_found and false.high <= limits.max_false:
        return "pass"
    if not agree or found.high < limits.min_found or false.low > limits.max_false:
        return "fail"
    return "undetermined"
