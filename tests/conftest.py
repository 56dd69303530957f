"""Fixtures that more than one folder of tests uses."""

from pathlib import Path

import pytest

from catchkit.cards.release import write_release
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.loaders.release import SNAPSHOT, Release

collect_ignore = ["fixtures"]  # in the format of others, Python included


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release folder; read it, never change it."""
    folder = tmp_path_factory.mktemp("release") / "catchbench"
    write_release(folder)
    return folder


@pytest.fixture(scope="session")
def snapshot() -> Release:
    return Release.open(SNAPSHOT)


@pytest.fixture(scope="session")
def rosters(snapshot: Release) -> Rosters:
    return rosters_of(snapshot.table("pre"))


@pytest.fixture(autouse=True)
def away_from_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, so that a release lying in the repository changes no result."""
    monkeypatch.chdir(tmp_path)
