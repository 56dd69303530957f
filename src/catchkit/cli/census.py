"""Shows a census: sites by fault, tool, field and pool size, and what the rules cover."""

from catchkit.cli.tables import show_table
from catchkit.injection.census import Census

MIN_COVERAGE_USES = 20
"""Arguments used less often are left out of the coverage table, and counted."""


def show_census(census: Census) -> None:
    """Print the tables of a census to standard output."""
    print(f"== {census.corpus}, values read as {census.mode} ==\n")
    _show_sites(census)
    _show_arguments(census)
    _show_stale(census)
    _show_coverage(census)


def _show_sites(census: Census) -> None:
    header = ["fault", "part", "runs", "with calls", "sites", "runs with"]
    header += ["pool median", "p90", "max", "of size 1"]
    rows = [
        [
            sites.fault,
            sites.part,
            f"{sites.runs:,}",
            f"{sites.runs_with_calls:,}",
            f"{sites.sites:,}",
            f"{sites.runs_with_sites:,}",
            *(_number(sites.quantile(share)) for share in (0.5, 0.9, 1.0)),
            f"{sites.pools_of_one:,}",
        ]
        for sites in census.sites
    ]
    show_table(header, rows, title="Sites, before anything is injected")
    print()


def _show_arguments(census: Census) -> None:
    rows = [
        [fault, tool, key, f"{sites:,}", f"{runs:,}"]
        for (fault, tool, key), (sites, runs) in census.by_argument.items()
    ]
    show_table(["fault", "tool", "consuming field", "sites", "runs"], rows, title="By argument")
    print()


def _show_stale(census: Census) -> None:
    header = [
        "part",
        "runs",
        "observe",
        "observe again",
        "read again",
        "field changed",
        "used later",
    ]
    rows = [
        [
            entry.part,
            *map(
                str,
                (
                    entry.runs,
                    entry.observing,
                    entry.observing_again,
                    entry.reading_again,
                    entry.with_change,
                    entry.with_use,
                ),
            ),
        ]
        for entry in census.rereads
    ]
    show_table(header, rows, title="Runs on the way to a stale value")
    print()
    causes = [[*key, str(count)] for key, count in census.causes.items()]
    show_table(
        ["part", "superseded by", "both observations are of", "sites"], causes, title="Stale sites"
    )
    print()


def _show_coverage(census: Census) -> None:
    shown = [entry for entry in census.coverage if entry.uses >= MIN_COVERAGE_USES]
    rows = [
        [
            entry.key,
            f"{entry.uses:,}",
            f"{entry.published:,}",
            f"{entry.declared:,}",
            entry.example_shape,
        ]
        for entry in shown
    ]
    title = "Identifiers among argument values"
    header = [
        "argument",
        "uses",
        "by the original's pattern",
        f"as {census.mode}",
        "others look like",
    ]
    show_table(header, rows, title=title)
    left = len(census.coverage) - len(shown)
    print(f"{left} arguments with fewer than {MIN_COVERAGE_USES} uses are not shown\n")


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
