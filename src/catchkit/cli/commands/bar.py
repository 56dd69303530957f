"""``catchkit bar``: puts a Gold folder or a config through the five items."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from catchkit.cli.command import Command, Exit, add_data_option

if TYPE_CHECKING:
    from catchkit.admissibility.annotation.sheet import Subject
    from catchkit.admissibility.substrate import Substrate
    from catchkit.admissibility.thresholds import Thresholds
    from catchkit.admissibility.verdict import Verdict


def _configure(parser: ArgumentParser) -> None:
    parser.add_argument("subject", help="Gold folder, or a config such as pre_mcp")
    parser.add_argument("--config", metavar="NAME", help="which config of a Gold folder")
    parser.add_argument(
        "--panel",
        choices=("repaired", "published"),
        default="repaired",
        help="repaired: all controls, with power; published: the original's (default: repaired)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdict as JSON")
    sheet = parser.add_mutually_exclusive_group()
    sheet.add_argument(
        "--annotate",
        type=Path,
        metavar="DIR",
        help="write a blinded sheet: give annotators sheet.html and sheet.csv; keep key.json, "
        "which reads their answers",
    )
    sheet.add_argument(
        "--annotations",
        type=Path,
        metavar="DIR",
        help="read key.json and the filled-in copies beside it, answers-NAME.csv",
    )
    parser.add_argument("--thresholds", type=Path, metavar="FILE", help="other thresholds")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="for plants, folds and the rows of a sheet, where annotators must not know it "
        "(default: 0)",
    )
    add_data_option(parser)


def _run(options: Namespace) -> Exit:
    from catchkit.admissibility.thresholds import read_thresholds, shipped
    from catchkit.configs import configs

    limits = shipped() if options.thresholds is None else read_thresholds(options.thresholds)
    is_config = options.subject in configs() and not Path(options.subject).is_dir()
    if is_config and not options.subject.startswith("gold_"):
        _check_configurations(options)
        if options.annotate is not None:
            return _annotate(_configurations_asked(options), limits, options)
        return _show(_on_configurations(limits, options), options)
    substrate = _substrate(options, is_config=is_config)
    if options.annotate is not None:
        from catchkit.admissibility.annotation.runs import runs_asked

        return _annotate(runs_asked(substrate), limits, options)
    return _show(_on_pairs(substrate, limits, options), options)


def _annotate(subject: "Subject", limits: "Thresholds", options: Namespace) -> Exit:
    from catchkit.admissibility.annotation.files import HAND_OUT, write_sheet

    count = write_sheet(subject, options.annotate, limits, options.seed)
    half = subject.question.positive
    print(f"{options.annotate}: a blinded sheet of {count} rows, half of them {half}")
    if count < limits.validation.items:
        print(f"item 5 needs {limits.validation.items} rows, and {subject.name} has no more")
    print(HAND_OUT)
    return Exit.DONE


def _substrate(options: Namespace, *, is_config: bool) -> "Substrate":
    from catchkit.admissibility.gold_folder import gold_config, substrate_of
    from catchkit.cli.progress import working
    from catchkit.loaders.release import Release, locate

    with working(f"reading {options.subject}"):
        if is_config:
            return substrate_of(locate(options.data), options.subject)
        release = Release.open(Path(options.subject))
        return substrate_of(release, gold_config(release, options.config))


def _on_pairs(substrate: "Substrate", limits: "Thresholds", options: Namespace) -> "Verdict":
    from catchkit.admissibility.audit import audit
    from catchkit.admissibility.published import published
    from catchkit.cli.progress import working
    from catchkit.errors import UsageError

    with working(f"reading the panel on {len(substrate.pairs)} pairs"):
        if options.panel == "published":
            if options.thresholds is not None:
                raise UsageError("the published panel has margins of its own")
            return published(substrate)
        return audit(substrate, thresholds=limits, answers=options.annotations, seed=options.seed)


def _check_configurations(options: Namespace) -> None:
    from catchkit.errors import UsageError

    if not options.subject.startswith("pre"):
        raise UsageError(f"{options.subject} has no bar; it is for pre and gold configs")
    if options.config is not None:
        raise UsageError("--config is for Gold")
    if options.panel != "repaired":
        raise UsageError("the published panel is for Gold")


def _configurations_asked(options: Namespace) -> "Subject":
    from catchkit.admissibility.annotation.capabilities import capabilities_asked
    from catchkit.eval.rosters import rosters_of
    from catchkit.loaders.release import locate

    release, name = locate(options.data), options.subject
    return capabilities_asked(name, release.entry(name).digest, rosters_of(release.table(name)))


def _on_configurations(limits: "Thresholds", options: Namespace) -> "Verdict":
    from catchkit.admissibility.configurations import audit_configurations
    from catchkit.cli.progress import working
    from catchkit.loaders.release import locate

    with working(f"reading the shortcuts of {options.subject}"):
        return audit_configurations(
            locate(options.data),
            options.subject,
            thresholds=limits,
            answers=options.annotations,
            seed=options.seed,
        )


def _show(verdict: "Verdict", options: Namespace) -> Exit:
    from dataclasses import replace

    from catchkit.admissibility.verdict import earlier_readings
    from catchkit.cli.bar import show_verdict
    from catchkit.loaders.files import written_whole

    if options.json is not None:
        verdict = replace(verdict, earlier=earlier_readings(options.json))
        with written_whole(options.json) as place:
            place.write_text(verdict.to_json(), "utf-8")
    show_verdict(verdict)
    exits = {"admissible": Exit.DONE, "inadmissible": Exit.ANSWER_IS_NO}
    return exits.get(verdict.verdict, Exit.INCOMPLETE)


COMMAND = Command(
    name="bar",
    summary="Put a Gold folder or a config through the five items of the admissibility bar.",
    configure=_configure,
    run=_run,
)
