from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from catchkit.admissibility.circularity import circularity, crossings, label_is_the_edit
from catchkit.admissibility.control import PairControl, controls, oracles
from catchkit.admissibility.gold_folder import substrate_of
from catchkit.admissibility.simulate import simulated
from catchkit.admissibility.verdict import PACKAGE
from catchkit.builders.corpus import corpus_named
from catchkit.eval.metric import Takes, metrics
from catchkit.injection.gold_values import ValueGold
from catchkit.loaders.release import packaged
from gold_runs import shop_records

FORMS: tuple[Takes, ...] = ("counts", "ranks", "scores", "prefixes")


@pytest.fixture
def permuted_detectors() -> Iterator[None]:
    """Let every control, oracle and metric answer at random."""
    rng = np.random.default_rng(0)
    every = [*controls().values(), *oracles("values").values(), *oracles("steps").values()]
    parts: list[tuple[object, str, object]] = [
        (one, "score", one.score) for one in every if isinstance(one, PairControl)
    ]
    parts += [(one, "compute", one.compute) for form in FORMS for one in metrics(form).values()]
    for detector, name, _ in parts:
        object.__setattr__(detector, name, lambda *_: rng.random())
    yield
    for detector, name, original in parts:
        object.__setattr__(detector, name, original)


def planted() -> dict[str, object]:
    gold = ValueGold.of(shop_records("tau_bench"), corpus_named("tau_bench"))
    return {name: table.to_pylist() for name, table in gold.plant(3).tables.items()}


BEFORE = planted()


@pytest.mark.usefixtures("permuted_detectors")
def test_permuting_every_detector_leaves_every_label_unchanged() -> None:
    assert controls()["length"].score() != controls()["length"].score()  # type: ignore[attr-defined]
    assert planted() == BEFORE


@pytest.mark.parametrize("config", ["gold_v1_openhands", "gold_v2_tau_bench_stale_value"])
def test_every_packaged_label_is_the_edit(config: str) -> None:
    item = circularity(substrate_of(packaged(), config))
    assert item.verdict == "pass"
    assert item.evidence["labels_that_are_the_edit"] == item.evidence["labels"] > 0
    assert item.evidence["import_contract"]["crossings"] == []


def test_a_label_that_a_detector_chose_is_found() -> None:
    made = simulated(pairs=60, seed=4)
    moved = tuple(replace(pair, site=(pair.site + 1) % len(pair.eligible)) for pair in made.pairs)
    assert all(map(label_is_the_edit, made.pairs))
    item = circularity(replace(made, pairs=moved))
    assert item.verdict == "fail"
    assert len(item.evidence["first_wrong"]) == 3


@pytest.mark.parametrize(
    "line",
    [
        "import catchkit.eval.metric",
        "from catchkit.admissibility import control",
        "from catchkit import eval as scores",
        "def f():\n    from catchkit.eval.auc import roc_auc",
    ],
)
def test_an_injector_that_imports_a_detector_is_found(line: str, tmp_path: Path) -> None:
    for folder in ("injection", "builders"):
        (tmp_path / folder).mkdir()
    (tmp_path / "injection" / "fault.py").write_text(f"{line}\n")
    assert len([*crossings(tmp_path)]) >= 1
    (tmp_path / "injection" / "fault.py").write_text("import catchkit.builders.record\n")
    assert [*crossings(tmp_path)] == []


def test_what_plants_the_faults_knows_no_detector() -> None:
    assert [*crossings(PACKAGE)] == []
