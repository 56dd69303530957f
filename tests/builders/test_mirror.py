import shutil
import subprocess
from pathlib import Path

import pytest

from catchkit.builders.mirror import github_name, read_commit
from catchkit.errors import SourceError

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *who, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "config").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "config/agents.yaml").write_text("first", "utf-8")
    (folder / "other.txt").write_text("other", "utf-8")
    (folder / "outside.yaml").symlink_to("/etc/passwd")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    return folder


def everything(_: str) -> bool:
    return True


def test_a_commit_is_read_whatever_came_later(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    (checkout / "config/agents.yaml").write_text("second", "utf-8")
    git(checkout, "commit", "-qam", "two")
    files, left = read_commit(checkout, commit, everything)
    assert files == {"config/agents.yaml": b"first", "other.txt": b"other"}
    assert left == []


def test_a_bare_copy_gives_the_same(checkout: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(checkout), str(bare))
    commit = git(checkout, "rev-parse", "HEAD")
    assert read_commit(bare, commit, everything) == read_commit(checkout, commit, everything)


def test_only_wanted_files_are_read(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    files, _ = read_commit(checkout, commit, lambda path: path.endswith(".yaml"))
    assert set(files) == {"config/agents.yaml"}
    assert read_commit(checkout, commit, lambda _: False) == ({}, [])


@pytest.mark.parametrize("commit", ["HEAD", "--help", "-" * 40, "0" * 39, "0" * 40, ""])
def test_what_is_no_commit_there_is_refused(checkout: Path, commit: str) -> None:
    with pytest.raises(SourceError, match="checkout"):
        read_commit(checkout, commit, everything)


def test_a_folder_inside_a_repository_is_not_taken_for_it(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    with pytest.raises(SourceError, match="git cannot read it"):
        read_commit(checkout / "config", commit, everything)


def test_nothing_that_a_repository_configures_is_run(checkout: Path, tmp_path: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD")
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n", "utf-8")
    program.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "filter.x.smudge",
        "diff.x.textconv",
    ):
        git(checkout, "config", key, str(program))
    git(checkout, "config", "alias.ls-tree", f"!{program}")
    git(checkout, "config", "alias.cat-file", f"!{program}")
    (checkout / ".gitattributes").write_text("* filter=x diff=x\n", "utf-8")
    for hook in ("post-checkout", "pre-auto-gc", "post-index-change"):
        (checkout / ".git/hooks" / hook).write_text(program.read_text("utf-8"), "utf-8")
        (checkout / ".git/hooks" / hook).chmod(0o755)
    mark.unlink(missing_ok=True)
    assert read_commit(checkout, commit, everything)[0]["other.txt"] == b"other"
    assert not mark.exists()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/Owner/Some.Name.git", "Owner/Some.Name"),
        ("https://user:token@github.com/Owner/Name", "Owner/Name"),
        ("git@github.com:Owner/Name.git", "Owner/Name"),
        ("https://example.org/Owner/Name", None),
    ],
)
def test_the_name_comes_from_where_the_copy_was_made(
    checkout: Path, url: str, name: str | None
) -> None:
    assert github_name(checkout) is None
    git(checkout, "remote", "add", "origin", url)
    assert github_name(checkout) == name
