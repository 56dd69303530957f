from pathlib import Path

import pytest

from catchkit.loaders import swap
from catchkit.loaders.swap import complete_swap, exchange, swap_in


def make_folder(path: Path, text: str) -> Path:
    path.mkdir()
    (path / "file").write_text(text)
    return path


@pytest.fixture(params=[True, False], ids=["exchange", "two renames"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.setattr(swap, "exchange", lambda _one, _other: False)


@pytest.mark.usefixtures("any_system")
@pytest.mark.parametrize("old", [True, False], ids=["replaces", "creates"])
def test_the_new_folder_takes_the_place_of_the_old(tmp_path: Path, old: bool) -> None:
    target = tmp_path / "target"
    if old:
        make_folder(target, "old")
    swap_in(make_folder(tmp_path / "finished", "new"), target)
    assert (target / "file").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


@pytest.mark.parametrize("renames_done", range(4))
def test_two_renames_cut_off_anywhere_leave_the_old_or_the_new_folder(
    tmp_path: Path, renames_done: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap, "exchange", lambda _one, _other: False)
    target = make_folder(tmp_path / "target", "old")
    finished = make_folder(tmp_path / "finished", "new")
    rename, left = Path.rename, renames_done

    def rename_some(path: Path, goal: Path) -> Path:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        return rename(path, goal)

    monkeypatch.setattr(Path, "rename", rename_some)
    if renames_done < 3:
        with pytest.raises(KeyboardInterrupt):
            swap_in(finished, target)
    else:
        swap_in(finished, target)
    monkeypatch.setattr(Path, "rename", rename)

    complete_swap(target)
    assert (target / "file").read_text() == ("new" if renames_done >= 2 else "old")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_exchange_that_the_system_can_do_leaves_both_folders(tmp_path: Path) -> None:
    one, other = make_folder(tmp_path / "one", "1"), make_folder(tmp_path / "other", "2")
    if not exchange(one, other):
        pytest.skip("this file system cannot exchange two names")
    assert [(one / "file").read_text(), (other / "file").read_text()] == ["2", "1"]


def test_nothing_to_complete_changes_nothing(tmp_path: Path) -> None:
    complete_swap(tmp_path / "absent")
    assert not list(tmp_path.iterdir())
