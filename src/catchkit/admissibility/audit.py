"""Puts a substrate through all five items."""

from pathlib import Path

from catchkit.admissibility.annotation.runs import runs_asked
from catchkit.admissibility.circularity import circularity
from catchkit.admissibility.distribution import distribution
from catchkit.admissibility.leakage import leakage
from catchkit.admissibility.realism import realism
from catchkit.admissibility.substrate import Substrate
from catchkit.admissibility.thresholds import Thresholds, shipped
from catchkit.admissibility.validation import validation
from catchkit.admissibility.verdict import Verdict


def audit(
    substrate: Substrate,
    *,
    thresholds: Thresholds | None = None,
    answers: Path | None = None,
    seed: int = 0,
) -> Verdict:
    """Return the verdict on a substrate under the repaired panel.

    Args:
        substrate: The pairs.
        thresholds: What decides; by default the file of this toolkit.
        answers: Folder of a filled-in annotation sheet.
        seed: For planted artefacts and folds.
    """
    limits = shipped() if thresholds is None else thresholds
    judged = validation(runs_asked(substrate), answers, limits.validation)
    return Verdict(
        subject=substrate.name,
        panel="repaired",
        items=(
            realism(substrate, limits, seed=seed),
            leakage(substrate, limits, seed=seed),
            distribution(substrate, limits, seed=seed),
            circularity(substrate),
            judged,
        ),
        data={"data": substrate.digest, "origin": substrate.origin},
        thresholds=limits,
    )
