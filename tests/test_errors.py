import pytest

from catchkit.configs import config
from catchkit.errors import MissingExtraError, UsageError


def test_an_unknown_config_is_answered_with_the_closest_one() -> None:
    with pytest.raises(UsageError, match="no config 'pre_mpc' \\(did you mean 'pre_mcp'\\?\\)"):
        config("pre_mpc")


def test_a_missing_library_is_answered_with_what_to_install() -> None:
    assert "pip install 'catchkit[peer]'" in str(MissingExtraError("catchbench", "peer"))
