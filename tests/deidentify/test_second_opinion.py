import socket
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.recognisers import RECOGNISERS, Recogniser
from catchkit.deidentify.second_opinion import Reader, own_reader, stock_reader

pytest.importorskip("presidio_analyzer", reason="extra `deid` missing")


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Block every socket, and note who asked for one."""
    asked: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        asked.append(arguments)
        raise OSError("the network is blocked")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return asked


@pytest.mark.parametrize("reader", [own_reader, stock_reader])
def test_a_mail_address_is_found_without_a_network_attempt(
    reader: Callable[[], Reader], attempts: list[object], caplog: pytest.LogCaptureFixture
) -> None:
    [spans] = reader()(["write to ada.lovelace@example.co.uk, please"])
    assert any("mail" in span.kind.casefold() for span in spans)
    assert attempts == []
    assert "Traceback" not in caplog.text


def test_the_block_would_notice_an_attempt(attempts: list[object]) -> None:
    with pytest.raises(OSError, match="blocked"):
        socket.create_connection(("example.org", 80))
    assert attempts


@pytest.fixture(params=RECOGNISERS, ids=lambda recogniser: recogniser.entity)
def recogniser(request: pytest.FixtureRequest) -> Recogniser:
    assert isinstance(request.param, Recogniser)
    return request.param


def test_a_recogniser_finds_its_kind_among_other_words(recogniser: Recogniser) -> None:
    texts = [f"See {text} and" for text in recogniser.found]
    for text, spans in zip(texts, own_reader()(texts), strict=True):
        assert recogniser.entity in {span.kind for span in spans}, text


def test_a_recogniser_leaves_near_misses_alone(recogniser: Recogniser) -> None:
    for text, spans in zip(recogniser.left, own_reader()(recogniser.left), strict=True):
        assert recogniser.entity not in {span.kind for span in spans}, text


@pytest.mark.parametrize(
    "unit", ["a", "a.", "@a", ":", "a:", "1", "1 ", "sk-", "sk-a", "\\\\", "%"]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    own_reader()([unit * (100_000 // len(unit)) + "\u00e9"])


@given(
    st.lists(st.sampled_from(["", "ada@b.com", "x", "t.me/ada", "@ada", "8.8.8.8 "]), max_size=9)
)
def test_a_text_reads_the_same_alone_and_among_others(texts: list[str]) -> None:
    read = own_reader()
    assert read(texts) == [read([text])[0] for text in texts]
