import json
from collections.abc import Callable
from contextlib import suppress

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.untrusted import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_YAML_CHARACTERS,
    MAX_YAML_NODES,
    read_json,
    read_text,
    read_yaml,
)
from catchkit.errors import SourceError

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 10)}]\n" for n in range(9)
)
"""Ten lines that stand for ten thousand million values."""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a": 1, "a": 2}', "'a' appears twice"),
        (b'{"a": {"b": 1, "b": 1}}', "'b' appears twice"),
        (b'{"a": 1} {"a": 1}', "Extra data"),
        (b'{"a": ', "Expecting value"),
        (b"[NaN]", "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"[1e400]", "too large"),
        (b"[" + b"9" * 401 + b"]", "too large"),
        (b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2), "nested deeper"),
        (b"[" * 1_000_000, "nested deeper"),
        (b'["\\ud800"]', "surrogates not allowed"),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
        (b'["\xff"]', "not UTF-8 (byte 2)"),
        (b"", "Expecting value"),
        (b" " * (MAX_BYTES + 1), "larger than"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else value,
)
def test_json_that_is_not_plain_is_refused_by_name(data: bytes, words: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_json(data, "some/file.json")
    assert str(refused.value).startswith("some/file.json: ")
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\na: 2", "'a' appears twice"),
        ("a: {b: 1, b: 2}", "'b' appears twice"),
        ("a: 1\n---\nb: 2", "expected a single document"),
        ("a: [1, 2", "while parsing"),
        ("a: *nowhere", "refers to nothing"),
        ("a: &a [*a]", "refers to nothing that is complete"),
        ("[" * (MAX_DEPTH + 2), "nested deeper"),
        ("- " * (MAX_DEPTH + 2), "nested deeper"),
        (BOMB, f"more than {MAX_YAML_NODES} nodes"),
        ("a: " + "9" * 5000, "too large"),
        ("a: " + "1:" + "59:" * 3000 + "1", "too large"),
        ("a: 2026-99-99", "month must be in"),
        ("!!python/object/apply:os.system ['true']", "could not determine a constructor"),
        ("!!python/name:os.system", "could not determine a constructor"),
        ("? [a, b]\n: c", "unhashable"),
        ("a: \x00", "control characters"),
        ("a" * (MAX_YAML_CHARACTERS + 1), "longer than"),
    ],
    ids=lambda value: None if len(value) > 60 else repr(value),
)
def test_yaml_that_is_not_plain_is_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(SourceError) as refused:
        read_yaml(text, "agents.yaml")
    assert str(refused.value).startswith("agents.yaml: ")
    assert words in str(refused.value)


def test_a_key_that_stands_twice_is_reported_where_that_is_asked_for() -> None:
    twice: list[str] = []
    assert read_yaml("a: 1\na: 2", "f", on_duplicate=twice.append) == {"a": 2}
    assert twice == ["a"]


def test_a_merge_key_may_stand_beside_the_key_it_merges() -> None:
    text = "base: &base {x: 1, y: 2}\nmine: {<<: *base, x: 3}"
    assert read_yaml(text, "f")["mine"] == {"x": 3, "y": 2}


def test_a_byte_order_mark_is_taken_off() -> None:
    assert read_text(b"\xef\xbb\xbftext", "f") == "text"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
)


@given(JSON)
def test_what_json_writes_is_read_back(value: object) -> None:
    assert read_json(json.dumps(value), "f") == value
    assert read_json(json.dumps(value, ensure_ascii=False).encode(), "f") == value


@given(
    st.dictionaries(
        st.text("abcxyz", min_size=1), st.lists(st.text("abc :#-'\"\n")) | st.booleans()
    )
)
def test_what_safe_yaml_writes_is_read_back(value: object) -> None:
    assert read_yaml(yaml.safe_dump(value), "f") == value


READERS: tuple[Callable[[bytes | str, str], object], ...] = (read_json, read_yaml)

PIECES = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            '"',
            "a",
            "1",
            "-",
            "\n",
            " ",
            "&a",
            "*a",
            "<<",
            "?",
            "!!",
            "|",
            ">",
            "'",
            "e9",
            "\\u",
            "%",
            "---",
            "\t",
            "\x07",
            "\ud800",
            "null",
            "2026-01-01",
        ]
    ),
    max_size=60,
).map("".join)


@given(PIECES)
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in READERS:
        with suppress(SourceError):
            read(text, "f")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in READERS:
        with suppress(SourceError):
            read(data, "f")
