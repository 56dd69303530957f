import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from catchkit.builders.licenses import license_of
from catchkit.builders.material import Material, Skipped
from catchkit.builders.places import Place, materials
from catchkit.errors import CatchkitError, SourceError, UsageError
from loopback import make_zip


def no_network(url: str) -> bytes:
    raise AssertionError(url)


def is_json(path: str) -> bool:
    return path.endswith(".json")


def read(where: Path, **about: str) -> list[Material | Skipped]:
    return list(materials(Place(where=str(where), **about), is_json, no_network))


def write_listing(folder: Path, **changes: Any) -> Path:
    folder.mkdir()
    (folder / "a.json").write_bytes(b"{}")
    entry = {
        "file": "a.json",
        "repo": "owner/name",
        "commit": "c0ffee",
        "path": "data/a.json",
        "license": "MIT",
        "sha256": hashlib.sha256(b"{}").hexdigest(),
    }
    (folder / "MANIFEST.json").write_text(json.dumps([{**entry, **changes}]), "utf-8")
    return folder


def test_a_folder_is_one_origin_and_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "place"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/a.json").write_bytes(b"1")
    (folder / "b.txt").write_bytes(b"2")
    (tmp_path / "secret.json").write_bytes(b"3")
    (folder / "c.json").symlink_to(tmp_path / "secret.json")
    (folder / "loop").symlink_to(folder)
    skipped, material = read(folder)
    assert skipped == Skipped("c.json", "not a plain file")
    assert material == Material(repo="place", files={"sub/a.json": b"1"})


def test_a_file_name_that_is_no_text_is_a_skip(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.json")).write_bytes(b"{}")
    (tmp_path / "\u00e9.json").write_bytes(b"{}")
    skipped, material = read(tmp_path)
    assert skipped == Skipped("?.json", "file name unreadable")
    assert isinstance(material, Material)
    assert set(material.files) == {"\u00e9.json"}


def test_a_licence_file_names_the_licence_and_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text("Apache License\nVersion 2.0, January 2004", "utf-8")
    (tmp_path / "a.json").write_bytes(b"1")
    (material,) = read(tmp_path)
    assert isinstance(material, Material)
    assert (material.license, set(material.files)) == ("Apache-2.0", {"a.json"})


def test_a_listing_says_where_each_file_comes_from(tmp_path: Path) -> None:
    (material,) = read(write_listing(tmp_path / "place"))
    assert material == Material(
        repo="owner/name", commit="c0ffee", license="MIT", files={"data/a.json": b"{}"}
    )


def test_a_copy_is_listed_under_where_its_bytes_come_from(tmp_path: Path) -> None:
    upstream = {"upstream_repo": "first/name", "upstream_path": "x.json", "upstream_commit": "1"}
    (material,) = read(write_listing(tmp_path / "place", **upstream))
    assert isinstance(material, Material)
    assert (material.repo, material.commit, set(material.files)) == ("first/name", "1", {"x.json"})


def test_a_listed_file_that_changed_is_a_skip(tmp_path: Path) -> None:
    folder = write_listing(tmp_path / "place")
    (folder / "a.json").write_bytes(b"[]")
    assert read(folder) == [Skipped("a.json", "listed file changed")]
    (folder / "a.json").unlink()
    assert read(folder) == [Skipped("a.json", "listed file missing")]


@pytest.mark.parametrize("file", ["../a.json", "/etc/a.json", "x/../../a.json", "a\\b.json"])
def test_a_listing_cannot_name_a_file_outside_its_folder(tmp_path: Path, file: str) -> None:
    with pytest.raises(CatchkitError, match="out of the folder"):
        read(write_listing(tmp_path / "place", file=file))


@pytest.mark.parametrize("changes", [{"sha256": None}, {"repo": 7}, {"path": ["a"]}])
def test_a_listing_of_another_shape_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(SourceError, match="every entry needs file, repo"):
        read(write_listing(tmp_path / "place", **changes))


def test_an_archive_is_read_without_unpacking_it(tmp_path: Path) -> None:
    (tmp_path / "name.zip").write_bytes(make_zip(("n-1/a.json", b"1"), ("n-1/b.py", b"")))
    (material,) = read(tmp_path / "name.zip", repo="owner/name", commit="1")
    assert material == Material(repo="owner/name", commit="1", files={"a.json": b"1"})


def test_a_single_file_is_meant_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_bytes(b"{}")
    (material,) = read(tmp_path / "reply.txt")
    assert isinstance(material, Material)
    assert material.files == {"reply.txt": b"{}"}


def test_a_place_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "repo", "where", "commit"),
    [
        ("folder", None, "folder", None),
        ("a/b=folder", "a/b", "folder", None),
        ("a/b=x.git@" + "a" * 40, "a/b", "x.git", "a" * 40),
        ("x@y@" + "0" * 40, None, "x@y", "0" * 40),
        ("x@" + "0" * 39, None, "x@" + "0" * 39, None),
        ("https://u:p@h.example/a/b?c=d", None, "https://u:p@h.example/a/b?c=d", None),
        ("a/b=https://h.example/x?y=z", "a/b", "https://h.example/x?y=z", None),
        ("../a/b=c", None, "../a/b=c", None),
        ("", None, "", None),
    ],
)
def test_a_place_is_written_in_one_word(
    text: str, repo: str | None, where: str, commit: str | None
) -> None:
    assert Place.parse(text) == Place(where=where, repo=repo, commit=commit)


def test_an_address_names_its_origin_without_query_or_password() -> None:
    place = Place(where="https://user:pw@host.example/data/a.json?key=secret")
    (material,) = materials(place, is_json, lambda _: b"{}")
    assert isinstance(material, Material)
    assert material.repo == "host.example/data/a.json"


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        (
            "merge, publish, distribute, sublicense, and/or sell\ncopies of the Software",
            "MIT",
        ),
        (
            "Non-Commercial License. You may use, copy, modify, merge, publish, and distribute it.",
            None,
        ),
        ("GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007", "GPL-3.0"),
        ("GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3, 19 November 2007", "AGPL-3.0"),
        ("All rights reserved.", None),
    ],
)
def test_a_licence_is_known_by_the_words_that_set_it_apart(text: str, spdx: str | None) -> None:
    assert license_of({"LICENSE.md": text.encode(), "a.json": b""}) == spdx
