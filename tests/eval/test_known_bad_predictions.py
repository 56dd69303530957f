"""Every folder under ``known_bad/predictions`` holds a file that must be refused, and the words."""

import shlex
from pathlib import Path

import pytest

from catchkit.cli.main import main
from factories import make_record, make_release

CASES = sorted((Path(__file__).parent.parent / "known_bad" / "predictions").iterdir())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "catchbench"
    names = ("read_file", "write_file")
    return make_release(folder, *(make_record(name, names) for name in ("a", "b", "c")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_is_refused_in_one_line_and_nothing_is_scored(
    case: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = case.glob("predictions.*")
    extra = case / "arguments.txt"
    arguments = shlex.split(extra.read_text()) if extra.exists() else []
    code = main(["evaluate", "pre_synthetic", str(file), "--data", str(data), *arguments])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert (case / "expected.txt").read_text().strip() in err


@pytest.mark.parametrize(
    ("path", "words"), [("nowhere.csv", "no such file"), (".", "not a file")], ids=["absent", "dir"]
)
def test_a_path_that_is_no_file_is_refused(
    path: str, words: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "pre_synthetic", path, "--data", str(data)]) == 2
    assert words in capsys.readouterr().err
