"""Item 5: people who do not know which is which call injected places faulty, and clean ones not."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

from catchkit.admissibility.sheet import SheetItem, read_answers
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import Validation
from catchkit.admissibility.verdict import Item, ItemVerdict
from catchkit.eval.agreement import Rate, cohen_kappa, exact_rate, krippendorff_alpha

Answers = Mapping[str, Sequence[bool | None]]


def validation(substrate: Substrate, folder: Path | None, limits: Validation) -> Item:
    """Judge the answers of a sheet by the rule that was fixed before anybody saw it."""
    rule = asdict(limits)
    if folder is None:
        because = "nobody has filled in a sheet: make one with --annotate"
        return Item(item=5, verdict="not met", because=because, evidence={"rule": rule})
    items, answers, empty = read_answers(folder, substrate)
    complete = {name: given for name, given in answers.items() if not empty[name]}
    evidence: dict[str, object] = {"rule": rule, "items": len(items), "empty_answers": empty}
    if len(complete) < limits.min_annotators or len(items) < limits.items:
        because = (
            f"{len(complete)} complete sheets of {limits.min_annotators}, "
            f"{len(items)} items of {limits.items}"
        )
        return Item(item=5, verdict="not met", because=because, evidence=evidence)
    found, false = (
        called_faulty(items, complete, injected=True),
        called_faulty(items, complete, injected=False),
    )
    alpha = krippendorff_alpha([*complete.values()])
    kappas = {
        f"{one} and {other}": cohen_kappa(complete[one], complete[other])
        for one, other in combinations(sorted(complete), 2)
    }
    evidence |= {
        "krippendorff_alpha": alpha,
        "cohen_kappa": kappas,
        "injected_called_faulty": asdict(found),
        "clean_called_faulty": asdict(false),
    }
    verdict, because = accepted(alpha, found, false, limits)
    return Item(item=5, verdict=verdict, because=because, evidence=evidence)


def called_faulty(items: Sequence[SheetItem], answers: Answers, *, injected: bool) -> Rate:
    """Return how many rows of one kind most annotators call faulty; unsure is no yes."""
    places = [at for at, item in enumerate(items) if item.is_injected == injected]
    yes = [sum(given[at] is True for given in answers.values()) for at in places]
    return exact_rate(sum(2 * votes > len(answers) for votes in yes), len(places))


def accepted(
    alpha: float | None, found: Rate, false: Rate, limits: Validation
) -> tuple[ItemVerdict, str]:
    """Apply the acceptance rule.

    Example:
        >>> from catchkit.admissibility.thresholds import shipped
        >>> limits = shipped().validation
        >>> accepted(0.9, exact_rate(60, 60), exact_rate(0, 60), limits)[0]
        'pass'
        >>> accepted(0.9, exact_rate(20, 60), exact_rate(0, 60), limits)[0]
        'fail'
    """
    words = (
        f"injected called faulty {found.hits} of {found.trials}, clean {false.hits} of "
        f"{false.trials}, alpha {'undefined' if alpha is None else f'{alpha:.3f}'}"
    )
    agree = alpha is not None and alpha >= limits.min_alpha
    if agree and found.low >= limits.min_found and false.high <= limits.max_false:
        return "pass", words
    if not agree or found.high < limits.min_found or false.low > limits.max_false:
        return "fail", words
    return "undetermined", words
