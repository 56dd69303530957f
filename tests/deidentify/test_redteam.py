from collections import Counter
from collections.abc import Sequence

import pytest

from catchkit.cli import main
from catchkit.deidentify import redteam
from catchkit.deidentify.kind import kinds
from catchkit.deidentify.redteam import (
    LOCALES,
    MAKERS,
    Mode,
    Plant,
    is_scanned,
    leftover,
    measure,
    plants,
)
from catchkit.deidentify.tokens import tokens
from catchkit.schema import Capability, Overrides

pytest.importorskip("faker", reason="extra `test` missing")

PER_KIND = 60
MODES: tuple[Mode, ...] = ("published", "structured")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(3))
def test_no_planted_identifier_survives(seed: int, mode: Mode) -> None:
    planted = list(plants(seed, PER_KIND))
    alive = [(p.kind, p.value) for p in planted if leftover(p, mode) - redteam.ordinary_words()]
    assert alive == []
    assert Counter(plant.kind for plant in planted) == dict.fromkeys(MAKERS, PER_KIND)


def test_every_pattern_kind_is_planted_in_every_locale() -> None:
    assert set(kinds()) <= set(MAKERS)
    assert len(LOCALES) == 10
    assert PER_KIND % len(LOCALES) == 0


def test_the_same_seed_plants_the_same_and_another_seed_does_not() -> None:
    assert list(plants(1, 10)) == list(plants(1, 10))
    assert list(plants(1, 10)) != list(plants(2, 10))


def test_more_texts_leave_the_earlier_ones_as_they_were() -> None:
    assert list(plants(0, 10)) == [plant for at, plant in enumerate(plants(0, 20)) if at % 20 < 10]


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def keeps_everything(text: str, _: Sequence[Capability]) -> tuple[tuple[str, ...], Overrides]:
        return tuple(sorted(tokens(text))), Overrides()

    monkeypatch.setattr(redteam, "derive", keeps_everything)
    rows = {row.kind: row for row in measure(list(plants(0, PER_KIND)))}
    assert rows["email"].survived > PER_KIND * 0.9
    assert rows["email"].recall < rows["email"].high < 0.2
    assert main(["redteam", "--count", "5"]) == 1


def plant(value: str, kind: str = "person") -> Plant:
    return Plant(kind=kind, value=value, text=f"Mail {value} about it", bare="Mail  about it")


def test_a_name_that_is_a_listed_word_is_counted_apart() -> None:
    [row] = measure([plant("Ulysses Grant"), plant("Ada Lovelace"), plant("Ada Invoice")])
    assert (row.planted, row.ordinary, row.survived, row.recall) == (3, 2, 0, 1.0)


def test_the_interval_is_exact() -> None:
    """With all of n kept out, the exact lower bound is the n-th root of 0.025."""
    [row] = measure([plant("Ada Lovelace")] * 30)
    assert row.low == pytest.approx(0.025 ** (1 / 30))
    assert row.high == 1.0


def test_the_command_reports_and_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["redteam", "--count", "10", "--seed", "5"]) == 0
    assert f"0 of {10 * len(MAKERS)} planted identifiers survived" in capsys.readouterr().out


def test_the_scan_reports_every_planted_identifier_of_the_seven_kinds() -> None:
    missed = [p.value for p in plants(4, PER_KIND) if p.kind in kinds() and not is_scanned(p)]
    assert missed == []
