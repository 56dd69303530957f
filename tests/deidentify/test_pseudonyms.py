from itertools import product
from string import ascii_lowercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.pseudonyms import pseudonym, shaped
from catchkit.deidentify.spans import identifiers

KEYS = st.binary(min_size=1, max_size=40)
NAMES = st.text("abzAZ019 _-#@.é東\u0662", max_size=30)


def _shape(text: str) -> str:
    letters = ["A" if c.isupper() else "a" if c.isalpha() else c for c in text]
    return "".join("0" if c.isdecimal() else c for c in letters)


@given(NAMES, KEYS)
def test_a_stand_in_keeps_the_shape(value: str, key: bytes) -> None:
    assert _shape(shaped("user", value, key=key)) == _shape(value)


@given(NAMES, KEYS)
def test_case_and_surrounding_blanks_do_not_move_a_stand_in(value: str, key: bytes) -> None:
    plain = shaped("user", value, key=key)
    assert shaped("user", f" {value}\t", key=key) == f" {plain}\t"
    assert pseudonym("user", f" {value.upper()} ", key=key) == pseudonym(
        "user", value.upper().lower(), key=key
    )


@pytest.mark.parametrize("alphabets", [(digits,), (digits, digits), (ascii_lowercase, digits)])
def test_values_of_one_shape_are_permuted(alphabets: tuple[str, ...]) -> None:
    values = {"".join(value) for value in product(*alphabets)}
    stand_ins = {shaped("id", f"#{value}", key=b"k") for value in values}
    assert stand_ins == {f"#{value}" for value in values}


def test_every_part_of_the_address_moves_the_stand_in() -> None:
    asked = [
        shaped(kind, value, key=key)
        for kind in ("user", "order")
        for key in (b"k", b"l")
        for value in ("mei_li_5566", "mei_li_5567", "mei-li-5566")
    ]
    assert len({text.replace("_", "-") for text in asked}) == len(asked)


def test_one_changed_digit_changes_the_whole_stand_in() -> None:
    stand_ins = [shaped("order", f"W23781{last:02}", key=b"k") for last in range(100)]
    for place in range(len(stand_ins[0])):
        assert len({text[place] for text in stand_ins}) >= 8


def test_no_part_of_a_name_survives() -> None:
    for value in ("yusuf_rossi_9620", "ava_moore_4814", "ethan_garcia_1261"):
        kept = set(value.split("_")) & set(shaped("user", value, key=b"secret").split("_"))
        assert kept == set()


def test_a_long_value_has_a_stand_in() -> None:
    value = "Ab1-" * 500
    assert _shape(shaped("blob", value, key=b"k")) == _shape(value)
    assert shaped("blob", value, key=b"k") != value


def test_a_stand_in_does_not_look_like_an_identifier_itself() -> None:
    for at in range(2_000):
        assert identifiers(f"to {pseudonym('email', f'user{at}@b.com', key=b'k')}") == ()
