"""Shows comparisons: difference, interval, corrected p-value, and what could have been seen."""

from collections import Counter

from catchkit.cli.tables import show_table
from catchkit.eval.compare import Comparison
from catchkit.eval.comparisons import Finding
from catchkit.eval.contrasts import ContrastResult, Contrasts, FamilyResult, printed_p


def show_comparison(comparison: Comparison) -> None:
    """Print two prediction files beside each other."""
    a, b = comparison.a["origin"], comparison.b["origin"]
    print(f"a: {a}\nb: {b}")
    print(f"{comparison.config}: both answer {comparison.answered}/{comparison.total} rows")
    print(f"data: {comparison.data['origin']}, {comparison.data['digest'][:19]}\n")
    rows = [
        [
            row.metric,
            *_figures(row.finding),
            printed_p(row.p_adjusted),
            row.finding.test,
            str(row.finding.units),
            row.verdict,
            f"{row.smallest_detectable:.3f}",
            printed_p(row.equivalence.p),
        ]
        for row in comparison.rows
    ]
    header = ["metric", "a", "b", "a - b", "95 % low", "high", "p", "test", "units", "verdict"]
    show_table([*header, "detectable", f"p within {comparison.margin:g}"], rows)


def show_contrasts(found: Contrasts) -> None:
    """Print every family with its contrasts, then the counts."""
    for family in found.families:
        print(f"{family.name}: {family.title}")
        _show_family(family)
        print()
    show_counts(found)


def show_counts(found: Contrasts) -> None:
    """Print how many contrasts there are, ran, are absent and meet what is printed."""
    counts = found.counts()
    print(
        f"{counts['contrasts']} contrasts in {len(found.families)} families, "
        f"recipe {found.recipe}: {counts['present']} ran, {counts['separate']} separate"
    )
    if any(one.reproduced is not None for one in found.results):
        print(
            f"{counts['reproduced']} of {counts['present']} reproduce every printed digit, "
            f"{counts['not_reproduced']} do not"
        )
    print(f"{counts['absent']} are absent, {counts['awaiting_data']} of them for want of data:")
    reasons = Counter(one.absent_because for one in found.results if one.absent_because)
    for reason, count in reasons.most_common():
        print(f"  {count}: {reason}")


def _show_family(family: FamilyResult) -> None:
    header = ["contrast", "a", "b", "a - b", "95 % low", "high", "p (Holm)", "verdict"]
    header += ["detectable", "printed"]
    show_table(header, [_row(one) for one in family.contrasts])


def _row(one: ContrastResult) -> list[str]:
    if one.finding is None:
        return [one.id, *["-"] * 6, "absent", "-", "-"]
    met = {None: "-", True: "met", False: "not met"}[one.reproduced]
    return [
        one.id,
        *_figures(one.finding),
        printed_p(one.p_family or 0.0),
        one.verdict,
        f"{one.smallest_detectable or 0.0:.3f}",
        met,
    ]


def _figures(finding: Finding) -> list[str]:
    interval = finding.difference
    return [
        f"{finding.a:.3f}",
        f"{finding.b:.3f}",
        *(f"{value:+.3f}" for value in (interval.value, interval.low, interval.high)),
    ]
