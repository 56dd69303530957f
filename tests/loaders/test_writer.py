from pathlib import Path

import pytest

from catchkit.errors import CatchkitError, UsageError
from catchkit.loaders.files import written_whole
from catchkit.loaders.release import Release
from catchkit.loaders.writer import write_folder
from factories import make_record, make_release


def test_an_older_release_is_replaced_whole(tmp_path: Path) -> None:
    folder = make_release(tmp_path / "r", make_record("old-1"), make_record("old-2"))
    make_release(folder, make_record("new"))
    ids = Release.open(folder).table("pre_synthetic").column("instance_id").to_pylist()
    assert ids == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_folder_that_no_build_wrote_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="holds files that no build wrote"):
        make_release(tmp_path / "home")
    assert (tmp_path / "home" / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_target_that_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "target"
    if kind == "file":
        target.write_text("text")
    else:
        target.symlink_to(tmp_path)
    with pytest.raises(UsageError, match="is not a folder"):
        make_release(target)


@pytest.mark.parametrize("target", [".", ".."])
def test_the_folder_it_runs_in_is_never_replaced(target: str) -> None:
    with pytest.raises(UsageError, match="holds the folder this runs in"):
        make_release(Path(target))


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    assert Release.open(make_release(tmp_path / "r")).entry("pre_synthetic").rows == 1


def test_a_failing_build_leaves_the_old_release_and_nothing_else(tmp_path: Path) -> None:
    folder = make_release(tmp_path / "r", make_record("old"))

    def fail(_: Release) -> dict[str, str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, tables={}, parts={}, sources={}, texts=fail)
    assert Release.open(folder).entry("pre_synthetic").rows == 1
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_what_a_killed_build_left_is_removed_by_the_next(tmp_path: Path) -> None:
    # No process has this number: the largest one Linux gives out is 2**22.
    abandoned = tmp_path / f".r.catchkit-building-{2**22 + 1}"
    abandoned.mkdir()
    make_release(tmp_path / "r")
    assert not abandoned.exists()


def test_a_file_is_complete_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write_half() -> None:
        with written_whole(path) as partial:
            partial.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["nowhere/file", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(CatchkitError, match=str(tmp_path)), written_whole(tmp_path / name):
        pass
