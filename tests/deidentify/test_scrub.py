"""The boundaries of the seven patterns, one by one; the release alone cannot tell a loose one."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catchkit.deidentify.scrub import scrub
from catchkit.deidentify.tokens import tokens

RAW = Path(__file__).parents[3] / "shared" / "raw"

BOUNDARIES = [
    # mail address: what may stand beside it, and what its last label needs
    ("to a@b.com, ok", "to #, ok"),
    ("éa@b.com", "éa@b.com"),
    ("_a@b.com", "#"),
    ("é%a@b.com", "é%#"),
    ("éx%a@b.com", "éx%#"),
    ("(+a@b.com", "(#"),
    ("a@b.com+c", "#+c"),
    ("a@b.com.", "a@b.com."),
    ("a@b.com-", "a@b.com-"),
    ("a@b.comé", "a@b.comé"),
    ("a@b.c", "a@b.c"),
    ("A@B.CO", "#"),
    # web address: where it ends, and that it is not glued behind a letter
    ("http://a.b/c>d", "#>d"),
    ("http://a.b/c<d", "#<d"),
    ("http://a.b/c'd", "#'d"),
    ('http://a.b/c"d', '#"d'),
    ("http://a.b/c`d)e", "#"),
    ("http://a.b/c\u00a0d", "#\u00a0d"),
    (".www.x", ".#"),
    ("éwww.x", "éwww.x"),
    ("_http://x", "_http://x"),
    ("HTTPS://X", "#"),
    # Windows path: a back-tick ends it, and no word may touch it
    ("C:\\a`b", "#`b"),
    ("C:\\a'b", "#'b"),
    ('C:\\a"b', '#"b'),
    ("C:\\a<b", "#<b"),
    ("C:\\a>b", "#>b"),
    ("éC:\\a", "éC:\\a"),
    ("a\\\\b", "a\\\\b"),
    ("-\\\\b", "-#"),
    # POSIX path: two pieces, an optional last slash, no at sign
    ("/one/", "/one/"),
    ("/one/two/", "#"),
    ("/one/two//three", "#/three"),
    ("//one/two", "/#"),
    (".../one/two", ".#"),
    ("(/one/two)", "(#)"),
    ("é/one/two", "é/one/two"),
    ("/one/two@x", "#@x"),
    ("/one@/two", "/one@/two"),
    # relative path: the last piece needs a dot and something behind it
    ("one/two", "one/two"),
    ("one/two.", "one/two."),
    ("one/two.x/three", "#/three"),
    ("one/two.x+", "#+"),
    ("one/two.é", "one/two.é"),
    ("one/two.xé", "one/two.xé"),
    ("éone/two.x", "éone/two.x"),
    ("éa-b/c.d", "éa-#"),
    ("x@one/two.x", "x@#"),
    ("one//two.x", "one//two.x"),
    # handle: a letter first, at least one more, at most 39 in all
    ("@a", "@a"),
    ("@ab", "#"),
    ("@1a", "@1a"),
    ("x@ab", "x@ab"),
    ("é@ab", "é@ab"),
    ("@@ab", "@@ab"),
    (".@ab", ".#"),
    ("@" + "a" * 40, "#a"),
    ("@abé", "#é"),
    # phone: 8 to 15 digits, 18 with a prefix
    ("1234567", "1234567"),
    ("12345678", "#"),
    ("1" * 15, "#"),
    ("1" * 18, "#"),
    ("1" * 19, "1" * 19),
    ("1234 " + "1" * 15, "1234 #"),
    ("+(12345678", "+(#"),
    ("12345678é", "12345678é"),
    ("_12345678", "_12345678"),
    ("12345678.", "#."),
    ("1\u00a02345678", "1\u00a02345678"),
    ("1/2345678", "1/2345678"),
]


@pytest.mark.parametrize(("text", "expected"), BOUNDARIES)
def test_a_pattern_ends_where_it_should(text: str, expected: str) -> None:
    assert scrub(text, "#") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a@b.com/c.d", "#/c.d", id="mail before path"),
        pytest.param("www.a/b/c.d", "#", id="address before path"),
        pytest.param("/a/b/20240102.csv", "#", id="path before phone"),
        pytest.param("@ada/12345678.x", "@#", id="path before handle"),
    ],
)
def test_an_earlier_kind_wins(text: str, expected: str) -> None:
    assert scrub(text, "#") == expected


ALPHABET = "aZé_\u017f\u212a1\u0662./~+%-@:\\ ()<>\"'`\n\u00a0"
PIECES = st.sampled_from(["http://", "www.", "C:\\", "a@b.co", "@ab", "12345678", "a/b.c", "/a/b"])


@settings(max_examples=400)
@given(st.lists(st.text(ALPHABET, max_size=8) | PIECES, max_size=8).map("".join))
@example("a%b@c.com%d@e.com")
def test_the_scrub_equals_the_original_one(text: str) -> None:
    peer = pytest.importorskip("catchbench.pre_static_scanner", reason="extra `peer` missing")
    assert scrub(text, "[redacted]") == peer.redact_spec_identifiers(text)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _strings(key)
            yield from _strings(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry)


def _texts() -> Iterator[str]:
    """Yield every string of every raw file: leaf by leaf where it is JSON, else whole."""
    for path in sorted(RAW.rglob("*")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            try:
                yield from _strings(json.loads(text))
            except ValueError:
                yield text


def test_no_raw_string_has_other_tokens_than_under_the_original() -> None:
    if not RAW.is_dir():
        pytest.skip(f"{RAW} is absent: no raw upstream material to compare on")
    peer = pytest.importorskip("catchbench.pre_static_scanner", reason="extra `peer` missing")
    texts = set(_texts())
    other = [
        text for text in texts if tokens(scrub(text)) != tokens(peer.scrub_spec_identifiers(text))
    ]
    assert (len(other), other[:3]) == (0, [])
    assert len(texts) > 10_000
