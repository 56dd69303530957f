import re
import tomllib

import pytest

from factories import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def test_the_extra_all_is_the_union_of_the_others() -> None:
    (everything,) = EXTRAS["all"]
    named = set(re.fullmatch(r"catchkit\[(.*)\]", everything)[1].split(","))  # type: ignore[index]
    assert named == set(EXTRAS) - {"all"}


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_every_requirement_has_a_version_that_was_measured(extra: str) -> None:
    pinned = {
        re.split("[=<>]", line)[0].lower().replace("_", "-")
        for line in (REPOSITORY / "constraints.txt").read_text("utf-8").splitlines()
        if "==" in line
    }
    for requirement in [*PROJECT["dependencies"], *EXTRAS[extra]]:
        name = re.split(r"[\[=<>]", requirement)[0].lower().replace("_", "-")
        assert name in pinned | {"catchkit"}, requirement
