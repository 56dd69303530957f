import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from catchkit.admissibility.thresholds import SHIPPED, shipped
from catchkit.cli import main
from catchkit.injection.gold import file_of
from catchkit.loaders.release import packaged
from gold_folders import FILE_GOLD, VALUE_GOLD, gold_folder, write_gold


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return gold_folder(tmp_path_factory.mktemp("gold") / "v1", FILE_GOLD)


@pytest.fixture(scope="module")
def verdict(small: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    target = tmp_path_factory.mktemp("verdict") / "bar.json"
    assert main(["bar", str(small), "--json", str(target)]) == 1
    found: dict[str, Any] = json.loads(target.read_text())
    return found


def test_a_verdict_has_five_items_with_evidence(verdict: dict[str, Any]) -> None:
    assert verdict["verdict"] == "inadmissible"
    assert [item["item"] for item in verdict["items"]] == [1, 2, 3, 4, 5]
    for item in verdict["items"]:
        assert item["verdict"] in ("pass", "fail", "undetermined", "not met")
        assert item["evidence"]
        assert item["because"]
    assert verdict["items"][1]["verdict"] == "fail"
    assert verdict["items"][4]["verdict"] == "not met"


def test_a_verdict_carries_digests_of_data_code_and_thresholds(verdict: dict[str, Any]) -> None:
    for name in ("data", "code", "thresholds"):
        assert verdict["digests"][name].startswith("sha256:")
    assert verdict["thresholds"]["version"] == shipped().version
    assert verdict["thresholds"]["is_shipped"] is True


def test_every_reading_states_margin_power_and_required_sample(verdict: dict[str, Any]) -> None:
    readings = verdict["items"][1]["evidence"]["readings"]
    assert {r["control"] for r in readings} >= {
        *("broken_predecessor", "position_prior", "tool_prior", "run_size", "row_order"),
        "learned_adversary",
    }
    for reading in readings:
        assert reading["reading"] in ("inside", "outside", "too wide", "not informative")
        assert reading["margin"] == 0.05
        assert reading["required_pairs"] > 0
        assert {"hits", "trials", "low", "high"} <= set(reading["power"]["registered"])


def test_thresholds_changed_after_a_reading_show(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, other = tmp_path / "bar.json", tmp_path / "lenient.toml"
    command = ["bar", str(small), "--panel", "published", "--json", str(target)]
    main(command)
    other.write_text(SHIPPED.read_text().replace("margin_top1 = 0.05", "margin_top1 = 0.99"))
    capsys.readouterr()
    # The published panel has margins of its own and refuses others.
    assert main([*command, "--thresholds", str(other)]) == 2
    assert "the published panel has margins of its own" in capsys.readouterr().err
    earlier = json.loads(target.read_text())
    earlier["digests"]["thresholds"] = "sha256:other"
    target.write_text(json.dumps(earlier))
    main(command)
    assert "thresholds changed: an earlier reading" in capsys.readouterr().out
    assert json.loads(target.read_text())["earlier"][0]["digests"]["thresholds"] == "sha256:other"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (f"version = {shipped().version}\n", "", "no thresholds"),
        ("alpha = 0.05", "alpha = 'small'", "alpha is 'small'"),
        ("folds = 5", "folds = 2.5", "folds is 2.5"),
        ("alpha = 0.05", "alpha = 0.0", "alpha is 0.0, expected a share"),
        ("[realism]", "[surprise]\nx = 1\n[realism]", "unknown entries surprise"),
    ],
    ids=["no version", "a word", "a fraction of a fold", "no error", "unknown section"],
)
def test_thresholds_that_mean_nothing_are_refused(
    old: str, new: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thresholds.toml"
    assert old in SHIPPED.read_text()
    path.write_text(SHIPPED.read_text().replace(old, new))
    assert main(["bar", "pre_n8n", "--thresholds", str(path)]) == 2
    assert words in capsys.readouterr().err


def damage_nothing_but(kind: str, folder: Path) -> str:
    """Damage a folder and return the name that the refusal must hold."""
    file = folder / file_of(FILE_GOLD)
    match kind:
        case "truncated":
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
        case "flipped":
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            file.write_bytes(bytes(content))
        case "missing":
            file.unlink()
        case "no manifest":
            (folder / "manifest.json").unlink()
            return "manifest.json"
        case "manifest cut":
            path = folder / "manifest.json"
            path.write_bytes(path.read_bytes()[:40])
            return "manifest.json"
        case "empty":
            shutil.rmtree(folder)
            folder.mkdir()
            return str(folder)
    return file.name


@pytest.mark.parametrize(
    "kind", ["truncated", "flipped", "missing", "no manifest", "manifest cut", "empty"]
)
def test_a_damaged_folder_is_refused_by_name(
    kind: str, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gold"
    shutil.copytree(small, folder)
    name = damage_nothing_but(kind, folder)
    target = tmp_path / "bar.json"
    assert main(["bar", str(folder), "--json", str(target)]) == 2
    assert name in capsys.readouterr().err
    assert not target.exists()


def test_a_folder_that_is_not_there_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bar", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_of_several_substrates_one_must_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = gold_folder(tmp_path / "two", FILE_GOLD, VALUE_GOLD)
    assert main(["bar", str(folder)]) == 2
    assert f"choose with --config: {FILE_GOLD}, {VALUE_GOLD}" in capsys.readouterr().err
    options = ["--config", VALUE_GOLD, "--panel", "published"]
    assert main(["bar", str(folder), *options]) in (1, 3)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["bar", "post_tau_bench"], "has no bar"),
        (["bar", "pre_mcp", "--panel", "published"], "is for Gold"),
        (["bar", "pre_mcp", "--config", "pre_mcp"], "is for Gold"),
        (["bar", "pre_mcp", "--annotations", "nowhere"], "key.json is missing"),
        (["bar", "gold_v1_openhands_attribution"], "both versions"),
    ],
    ids=["a board of traces", "panel", "config", "no sheet", "attribution view"],
)
def test_what_the_bar_cannot_test_is_said(
    command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("subject", "rows"),
    [("pre_sweagent", "120 rows, half of them excess"), (FILE_GOLD, "rows, half of them injected")],
)
def test_whoever_makes_a_sheet_is_told_what_to_hand_out_and_what_to_keep(
    subject: str, rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "sheet"
    assert main(["bar", subject, "--annotate", str(folder), "--seed", "7"]) == 0
    said = capsys.readouterr().out
    assert rows in said
    assert "give annotators sheet.html and sheet.csv; keep key.json" in said
    assert {path.name for path in folder.iterdir()} == {"sheet.html", "sheet.csv", "key.json"}


def test_a_sheet_that_the_rule_finds_too_short_is_announced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bar", "pre_synthetic", "--annotate", str(tmp_path / "sheet")]) == 0
    said = capsys.readouterr().out
    assert "item 5 needs 120 rows, and pre_synthetic has no more" in said


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("site", 10**6, "its site is not among its eligible places"),
        ("site", None, "pair"),
        ("pair_id", "alone", "has one member only"),
        ("eligible", [10**6], "pair"),
        ("run_id", "another", "its members are of two runs"),
    ],
    ids=["site not eligible", "no site", "no twin", "eligible beyond the run", "two runs"],
)
def test_rows_that_contradict_each_other_are_refused_by_pair(
    column: str, value: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = packaged().table(FILE_GOLD)
    rows = table.to_pylist()
    at = next(at for at, row in enumerate(rows) if row["is_injected"])
    rows[at][column] = value
    folder = write_gold(tmp_path / "gold", {FILE_GOLD: pa.Table.from_pylist(rows, table.schema)})
    assert main(["bar", str(folder)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "pair" in error
