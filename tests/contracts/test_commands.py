import subprocess
import sys

import pytest

from catchkit.cli.command import commands
from catchkit.cli.main import main


@pytest.fixture(params=sorted(commands()))
def command(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_its_help_names_every_argument(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert commands()[command].summary.split()[0] in capsys.readouterr().out


def test_the_help_imports_no_heavy_library() -> None:
    program = (
        "import sys; from catchkit.cli.main import _parser; _parser();"
        "print(sorted(m for m in ('numpy', 'pyarrow', 'datasets', 'rich', 'yaml') "
        "if m in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_an_error_obeys_no_escape_of_a_foreign_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "pre\x1b[2J\nmcp", "p.csv"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "\x1b" not in err
