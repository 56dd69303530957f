"""What a card says of shortcuts: scores that read how the data were collected."""

from collections.abc import Mapping
from functools import cache

from catchkit.admissibility.control import roster_controls
from catchkit.cards.facts import ConfigFacts
from catchkit.cards.markdown import markdown_table
from catchkit.eval.baseline import baselines
from catchkit.eval.board import FLOOR


@cache
def bundled_shortcuts() -> Mapping[str, str]:
    """Return shortcut -> the bundled reference that is the same prediction, where there is one.

    Example:
        >>> bundled_shortcuts()["roster_size"]
        'roster_size_prior'
    """
    return {
        control.name: reference.name
        for control in roster_controls().values()
        for reference in baselines().values()
        if reference.predict is control.predict
    }


def meanings_table() -> str:
    """Return what every shortcut reads and flags, as a Markdown table."""
    return markdown_table(
        ["shortcut", "hidden columns", "what it flags", "artefact it would find"],
        [
            [f"`{name}`", ", ".join(control.reads), control.summary, control.artefact]
            for name, control in roster_controls().items()
        ],
    )


def shortcuts_table(facts: Mapping[str, ConfigFacts], margin: float) -> str:
    """Return the F1 of the floor, of the best published entrant and of every shortcut.

    Args:
        facts: One column per config.
        margin: A shortcut that lies above the floor by more than this is printed in bold.
    """
    columns = [_column(entry, margin) for entry in facts.values()]
    rows = [[label, *(column[label] for column in columns)] for label in columns[0]]
    return markdown_table(["F1", *facts], rows)


def _column(entry: ConfigFacts, margin: float) -> dict[str, str]:
    references = entry.references
    floor, entrant = references[FLOOR].f1, references[entry.best_entrant].f1
    cells = {
        f"`{FLOOR}`, the floor": _decimal(floor),
        f"`{entry.best_entrant}`, the best published entrant": _decimal(entrant),
    }
    for shortcut, f1 in entry.shortcuts.items():
        cells[f"`{shortcut}`"] = _marked(f1, floor, margin)
        reference = references.get(bundled_shortcuts().get(shortcut, ""))
        if reference is not None and reference.f1_undecided_flagged is not None:
            bolder = _marked(reference.f1_undecided_flagged, floor, margin)
            cells[f"`{shortcut}`, ties and unseen flagged"] = bolder
    return cells


def references_table(facts: Mapping[str, ConfigFacts]) -> str:
    """Return the F1 of the bundled references that ``shortcuts_table`` does not show."""
    pooled = facts["pre"]
    shown = {FLOOR, pooled.best_entrant, *bundled_shortcuts().values()}
    return markdown_table(
        ["reference", "hidden columns", *facts],
        [
            [
                f"`{name}`",
                ", ".join(reference.reads),
                *(_decimal(entry.references[name].f1) for entry in facts.values()),
            ]
            for name, reference in pooled.references.items()
            if name not in shown
        ],
    )


def _marked(f1: float, floor: float | None, margin: float) -> str:
    is_above = floor is not None and f1 - floor > margin
    return f"**{_decimal(f1)}**" if is_above else _decimal(f1)


def _decimal(f1: float | None) -> str:
    return "none" if f1 is None else f"{f1:.3f}"
