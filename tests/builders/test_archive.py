import stat
import zipfile

import pytest

from catchkit.builders import archive
from catchkit.builders.archive import read_zip
from catchkit.errors import SourceError
from loopback import make_zip


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def test_only_wanted_files_are_read_and_the_common_folder_is_taken_off() -> None:
    data = make_zip(
        ("name-abc/a.json", b"1"), ("name-abc/sub/b.json", b"2"), ("name-abc/c.py", b"")
    )
    files, left = read_zip(data, "x.zip", lambda path: path.endswith(".json"))
    assert files == {"a.json": b"1", "sub/b.json": b"2"}
    assert left == []


def test_a_file_beside_the_folder_leaves_every_path_whole() -> None:
    data = make_zip(("name/a.json", b"1"), ("b.json", b"2"))
    assert set(read_zip(data, "x.zip", lambda _: True)[0]) == {"name/a.json", "b.json"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../a.json", "leads out"),
        ("x/../../a.json", "leads out"),
        ("/etc/a.json", "leads out"),
        ("x\\..\\a.json", "leads out"),
        ("C:/a.json", "leads out"),
        (link("a.json"), "is a link"),
    ],
    ids=str,
)
def test_a_member_that_leads_elsewhere_refuses_the_archive(
    name: str | zipfile.ZipInfo, words: str
) -> None:
    data = make_zip((name, b"/etc/passwd"), ("good.json", b"1"))
    with pytest.raises(SourceError, match=words) as refused:
        read_zip(data, "x.zip", lambda _: True)
    assert str(refused.value).startswith("x.zip: ")


def test_a_name_that_stands_twice_refuses_the_archive() -> None:
    with pytest.raises(SourceError, match="appears twice"):
        read_zip(make_zip(("a", b"1"), ("a", b"2")), "x.zip", lambda _: True)


def test_a_bomb_is_left_out_by_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 1000)
    data = make_zip(("big.json", b"0" * 100_000), ("small.json", b"1"))
    files, left = read_zip(data, "x.zip", lambda _: True)
    assert list(files) == ["small.json"]
    assert [(skip.what, skip.reason) for skip in left] == [("big.json", "file too large")]
    monkeypatch.setattr(archive, "MAX_TOTAL_BYTES", 1000)
    with pytest.raises(SourceError, match="more than 1000 bytes unpacked"):
        read_zip(data, "x.zip", lambda _: True)


def test_a_header_that_lies_about_the_size_is_found_out() -> None:
    data = bytearray(make_zip(("a.json", b"0" * 100_000)))
    at = data.rindex(b"PK\x01\x02") + 24  # the uncompressed size in the central folder
    data[at : at + 4] = (10).to_bytes(4, "little")
    with pytest.raises(SourceError, match=r"x\.zip: not readable as a zip archive"):
        read_zip(bytes(data), "x.zip", lambda _: True)


@pytest.mark.parametrize("cut", [0, 4, 30, 60, 90])
def test_a_torn_archive_is_refused(cut: int) -> None:
    with pytest.raises(SourceError, match=r"x\.zip: "):
        read_zip(make_zip(("a.json", b"12345"))[:cut], "x.zip", lambda _: True)
