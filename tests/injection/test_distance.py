from hypothesis import given
from hypothesis import strategies as st

from catchkit.injection.distance import edit_distance, nearest
from catchkit.injection.draws import AddressedDraws
from catchkit.injection.redraw import redrawn

TEXTS = st.text(alphabet="ab#0é", max_size=9)


def slow_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for at, character in enumerate(one, start=1):
        left = [at]
        for place, other_character in enumerate(other):
            differs = character != other_character
            left.append(min(left[-1] + 1, row[place + 1] + 1, row[place] + differs))
        row = left
    return row[-1]


@given(TEXTS, TEXTS)
def test_the_distance_is_that_of_the_plain_table(one: str, other: str) -> None:
    assert edit_distance(one, other) == slow_distance(one, other)


def test_long_values_are_measured_too() -> None:
    one, other = "ab" * 60, "ba" * 60
    assert edit_distance(one, other) == slow_distance(one, other)


@given(TEXTS, st.lists(TEXTS))
def test_the_value_itself_is_no_neighbour(value: str, others: list[str]) -> None:
    distances = [slow_distance(value, other) for other in others if other != value]
    assert nearest(value, [*others, value]) == min(distances, default=0)


@given(st.text(min_size=1, max_size=6), st.integers(0, 1000))
def test_a_value_drawn_anew_is_free_and_of_the_same_form(value: str, seed: int) -> None:
    found = redrawn(value, AddressedDraws.at(seed, "test", "run"), {value})
    assert found != value
    if len(found) == len(value):
        kept = [(a, b) for a, b in zip(value, found, strict=True) if a != b]
        assert all(a.isalnum() and b.isalnum() for a, b in kept)


def test_when_every_value_of_a_form_is_taken_it_grows() -> None:
    taken = {str(digit) for digit in range(10)}
    found = redrawn("7", AddressedDraws.at(0, "test", "run"), taken)
    assert found not in taken
    assert found.isdigit()
