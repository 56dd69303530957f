"""What every identifier kind promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.kind import Kind, kinds

HOSTILE = (
    "a",
    "a/",
    "a.",
    "a%",
    "-a",
    "/a",
    "1",
    "1 ",
    "@a",
    "@",
    "www.",
    "http://",
    "\\\\",
    "é%a",
)


@pytest.fixture(params=list(kinds()))
def kind(request: pytest.FixtureRequest) -> Kind:
    return kinds()[request.param]


def test_the_scrub_order_has_no_gap_and_no_tie() -> None:
    assert [kind.order for kind in kinds().values()] == list(range(1, len(kinds()) + 1))


def test_an_identifier_is_found_from_end_to_end(kind: Kind) -> None:
    for text in kind.found:
        assert list(kind.spans(text)) == [(0, len(text))], text


def test_an_identifier_is_found_between_other_words(kind: Kind) -> None:
    for text in kind.found:
        inside = f"See ({text} ) and '{text}' today"
        assert kind.replace(inside, lambda _: "") == "See ( ) and '' today", text


def test_a_near_miss_is_left_alone(kind: Kind) -> None:
    for text in kind.left:
        assert list(kind.spans(text)) == [], text
        assert kind.replace(text, lambda _: "!") == text


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_read_in_linear_time(kind: Kind, unit: str) -> None:
    """A quadratic pattern would need minutes for one of these; the suite would stand still."""
    text = unit * (400_000 // len(unit)) + "é"
    assert len(kind.replace(text, lambda _: " ")) <= len(text)


@given(st.text("aA1é_./~+%-@:\\ ()\"'wht", max_size=40))
def test_spans_and_replacement_agree(text: str) -> None:
    for kind in kinds().values():
        rest, end = [], 0
        for start, stop in kind.spans(text):
            assert end <= start < stop
            rest.append(text[end:start])
            end = stop
        assert "|".join([*rest, text[end:]]) == kind.replace(text, lambda _: "|")
