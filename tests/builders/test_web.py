import itertools
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from catchkit.builders import web
from catchkit.builders.kept import Kept
from catchkit.builders.web import ATTEMPTS, GoneError, Web
from catchkit.errors import MissingExtraError, SourceError
from loopback import Answer, serving


class Clock:
    """Notes how long it was asked to sleep, and returns at once."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def test_a_body_comes_back_byte_for_byte() -> None:
    with serving({"/a": Answer(b"\x00\xff{}")}) as site:
        assert Web().get(f"{site.url}/a") == b"\x00\xff{}"


def test_there_is_a_pause_between_two_requests_and_none_before_the_first() -> None:
    clock = Clock()
    with serving({"/a": Answer()}) as site:
        client = Web(pause_seconds=3.0, sleep=clock.sleep)
        client.get(f"{site.url}/a")
        assert clock.slept == []
        client.get(f"{site.url}/a")
    assert clock.slept == [3.0]


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_gone_is_told_apart_and_not_asked_again(status: int) -> None:
    with (
        serving({"/a": Answer(status=status)}) as site,
        pytest.raises(GoneError, match=str(status)),
    ):
        Web().get(f"{site.url}/a")
    assert site.asked == ["/a"]


def test_a_busy_server_is_asked_again_after_the_time_it_names() -> None:
    clock = Clock()
    busy = Answer(status=429, headers={"retry-after": "7"})
    with serving({"/a": [busy, Answer(b"now")]}) as site:
        assert Web(pause_seconds=0, sleep=clock.sleep).get(f"{site.url}/a") == b"now"
    assert clock.slept == [7.0]


def test_a_server_that_stays_busy_is_left() -> None:
    clock = Clock()
    with (
        serving({"/a": Answer(status=503, headers={"retry-after": "86400"})}) as site,
        pytest.raises(SourceError, match="answers 503"),
    ):
        Web(pause_seconds=0, sleep=clock.sleep).get(f"{site.url}/a")
    assert len(site.asked) == ATTEMPTS
    assert max(clock.slept) <= web.MAX_RETRY_AFTER_SECONDS


def test_redirects_are_followed_a_few_times_and_no_more() -> None:
    hop = {f"/{n}": Answer(status=302, headers={"location": f"/{n + 1}"}) for n in range(9)}
    with serving({**hop, "/9": Answer(b"there")}) as site:
        assert Web(pause_seconds=0).get(f"{site.url}/7") == b"there"
        with pytest.raises(SourceError, match=f"{site.url}/0: "):
            Web(pause_seconds=0).get(f"{site.url}/0")


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x"])
def test_a_redirect_to_another_scheme_is_refused(target: str) -> None:
    with (
        serving({"/a": Answer(status=302, headers={"location": target})}) as site,
        pytest.raises(SourceError, match=f"{site.url}/a: "),
    ):
        Web().get(f"{site.url}/a")


def test_a_redirect_from_https_to_http_is_refused() -> None:
    check = web._refuse_downgrade("https://a.example/x")
    import httpx2

    check(httpx2.Request("GET", "https://b.example/x"))
    with pytest.raises(SourceError, match="from https to http"):
        check(httpx2.Request("GET", "http://a.example/x"))


def test_a_body_without_end_is_cut_off_by_its_size() -> None:
    def endless() -> Iterator[bytes]:
        return itertools.repeat(b"x" * 65536)

    with (
        serving({"/a": Answer(drip=endless)}) as site,
        pytest.raises(SourceError, match="larger than 1000000 bytes"),
    ):
        Web(max_bytes=1_000_000).get(f"{site.url}/a")


def test_a_body_that_drips_is_cut_off_by_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TOTAL_SECONDS", 0.0)
    with (
        serving({"/a": Answer(b"x" * 100)}) as site,
        pytest.raises(SourceError, match="not complete after"),
    ):
        Web().get(f"{site.url}/a")


def test_a_server_that_says_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "WAIT_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/a"
        with pytest.raises(SourceError, match="timed out"):
            Web().get(url)


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'catchkit\[harvest\]'"):
        Web().get("http://127.0.0.1:1/a")


def test_an_answer_that_is_compressed_is_refused() -> None:
    with (
        serving({"/a": Answer(b"\x1f\x8b", headers={"content-encoding": "gzip"})}) as site,
        pytest.raises(SourceError, match="compressed"),
    ):
        Web().get(f"{site.url}/a")


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/a", "http://[bad/a", "http:///a"])
def test_an_address_that_cannot_be_reached_is_named(url: str) -> None:
    with pytest.raises(SourceError) as refused:
        Web().get(url)
    assert str(refused.value).startswith(url)


def test_a_kept_answer_contacts_nobody(tmp_path: Path) -> None:
    with serving({"/a": Answer(b"one"), "/b": Answer(b"two")}) as site:
        first = Kept(tmp_path / "kept", Web(pause_seconds=0).get)
        assert first.get(f"{site.url}/a") == b"one"
        again = Kept(tmp_path / "kept", Web(pause_seconds=0).get)
        assert (again.holds(f"{site.url}/a"), again.holds(f"{site.url}/b")) == (True, False)
        assert again.get(f"{site.url}/a") == b"one"
        assert again.get(f"{site.url}/b") == b"two"
        assert site.asked == ["/a", "/b"]
        again.forget()
    assert not (tmp_path / "kept").exists()


def test_a_failed_answer_is_not_kept(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept", Web(pause_seconds=0).get)
    with serving({"/a": [Answer(status=404), Answer(b"late")]}) as site:
        url = f"{site.url}/a"
        with pytest.raises(GoneError):
            kept.get(url)
        assert kept.get(url) == b"late"
