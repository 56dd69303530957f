"""``catchkit gold``: plants known faults in real runs, or counts where they could go."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from catchkit.injection.extraction import Mode
    from catchkit.injection.gold_files import FileGold
    from catchkit.injection.gold_values import ValueGold
    from catchkit.injection.planted import Planted


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("version", choices=("v1", "v2"), help="file-level or named-value faults")
    parser.add_argument("--corpus", required=True, metavar="NAME", help="whose runs to take")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--seeds",
        type=int,
        default=1,
        metavar="COUNT",
        help="so many seeds from --seed on, each in a folder DIR/seed-N",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--from",
        dest="place",
        type=Path,
        metavar="PLACE",
        help="raw or converted runs (default: those of the package)",
    )
    parser.add_argument(
        "--rng",
        choices=("addressed", "published"),
        default="addressed",
        help="addressed: each draw depends on seed, fault and run alone; published: the "
        "original's one stream (default: addressed)",
    )
    parser.add_argument(
        "--mode",
        choices=("repaired", "published"),
        help="how v2 reads values (default: repaired; --census shows both)",
    )
    parser.add_argument(
        "--census", action="store_true", help="count the sites of v2 and write nothing"
    )


def _run(options: Namespace) -> Exit:
    from catchkit.errors import UsageError
    from catchkit.injection.gold import check_seed

    if options.version == "v1" and (options.mode or options.census):
        raise UsageError("--mode and --census read values, which only v2 does")
    if options.census:
        return _census(options)
    if options.out is None:
        raise UsageError("name a folder to write with --out")
    if options.seeds < 1:
        raise UsageError(f"--seeds is {options.seeds}; at least 1 is needed")
    check_seed(options.seed)
    check_seed(options.seed + options.seeds - 1)
    return _plant(options)


def _plant(options: Namespace) -> Exit:
    from catchkit.cli.progress import working
    from catchkit.injection.gold import gold

    every = [options.seed + step for step in range(options.seeds)]
    folders = {
        seed: options.out if options.seeds == 1 else options.out / f"seed-{seed}" for seed in every
    }
    _check_place(options.out, is_parent=options.seeds > 1)
    with working(f"reading {options.corpus}"):
        clean = gold(
            options.version,
            options.corpus,
            place=options.place,
            mode=options.mode or "repaired",
            stream=options.rng,
        )
    if options.seeds > 1:
        options.out.mkdir(exist_ok=True)
    for seed, folder in folders.items():
        with working(f"planting, seed {seed}"):
            _write(clean, seed, folder, options)
    return Exit.DONE


def _check_place(out: Path, *, is_parent: bool) -> None:
    """Raise before any work where a folder cannot be written."""
    from catchkit.errors import UsageError
    from catchkit.loaders.writer import check_replaceable

    if not is_parent or not out.is_dir():
        check_replaceable(out)
    elif strangers := sorted(p.name for p in out.iterdir() if not p.name.startswith("seed-")):
        raise UsageError(f"{out} holds {strangers[0]!r}, which is of no seed; name a new folder")


def _write(clean: "FileGold | ValueGold", seed: int, folder: Path, options: Namespace) -> None:
    from catchkit.cards.card import CARD
    from catchkit.cards.gold import render_gold_card
    from catchkit.injection.gold import write_gold

    planted = clean.plant(seed, options.rng)
    corpus = clean.corpus
    write_gold(
        folder,
        planted,
        sources={f"traces of {corpus.name}": f"{corpus.repo} {corpus.pin}"},
        texts=lambda release: {CARD: render_gold_card(release)},
    )
    _show(planted, folder)


def _show(planted: "Planted", folder: Path) -> None:
    from catchkit.cards.gold import SUMMARY_COLUMNS, summary_cells
    from catchkit.cli.tables import show_table
    from catchkit.injection.summary import summaries

    print(f"{folder}: {planted.corpus}, seed {planted.seed}, {planted.clean_runs} clean runs")
    rows = []
    for name, table in planted.tables.items():
        found = [summary_cells(summary) for summary in summaries(table)]
        held = sorted(set(table.column("fault").to_pylist()))
        bare = [" or ".join(held) or "none", *["-"] * (len(SUMMARY_COLUMNS) - 1)]
        rows += [[name, str(table.num_rows), *cells] for cells in found or [bare]]
    show_table(["config", "rows", *SUMMARY_COLUMNS], rows)


def _census(options: Namespace) -> Exit:
    from catchkit.cli.census import show_census
    from catchkit.cli.progress import working
    from catchkit.injection.census import censuses

    modes: list[Mode] = [options.mode] if options.mode else ["published", "repaired"]
    with working(f"reading {options.corpus}"):
        counted = censuses(options.corpus, modes, place=options.place)
    for each in counted:
        show_census(each)
    return Exit.DONE


COMMAND = Command(
    name="gold",
    summary="Plant known faults in real runs under a seed, or count where they could go.",
    configure=_configure,
    run=_run,
)
