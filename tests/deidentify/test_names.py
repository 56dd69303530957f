import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.names import conceal, named_identifiers, people
from catchkit.schema import Capability


def roster(*names: str) -> tuple[Capability, ...]:
    return tuple(Capability(name=name, type="tool", permission_level="read") for name in names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Email Józef Kowalski", ["Józef Kowalski"]),
        ("callJohnSmith", ["JohnSmith"]),
        ("notify_maria_lopez", ["maria_lopez"]),
        ("JOHN DOE report", ["JOHN DOE"]),
        ("Mark's calendar", ["Mark"]),
        ("Rose\u2019s inbox", ["Rose"]),
        ("Dr. Who lookup", ["Who"]),
        ("Maria Calendar", ["Maria"]),
        ("mark comment as processed", []),
        ("Grant access", []),
        ("Special Agent's Manual", []),
        ("MS Teams", []),
        ("Search latest news", []),
        ("martial_arts", []),
    ],
)
def test_a_person_is_found_where_one_is_named(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in people(text)] == expected


def test_no_name_of_a_person_stays_in_a_concealed_roster() -> None:
    before = roster("Mail for Ada@corp.com", "Ask @bob_b", "Maria's inbox", "Search")
    after = conceal(before, key=b"k")
    assert [c.name for c in after if named_identifiers(c.name)] == []
    assert after[3] == before[3]
    assert after[2].name.endswith(">'s inbox")


def test_one_person_has_one_stand_in_in_every_roster() -> None:
    first = conceal(roster("Maria's inbox"), key=b"k")[0].name.split("'")[0]
    second = conceal(roster("Search", "notify maria"), key=b"k")[1].name.split(" ")[1]
    assert first == second
    assert first != conceal(roster("Maria's inbox"), key=b"l")[0].name.split("'")[0]


def test_names_that_become_equal_are_told_apart() -> None:
    names = [c.name for c in conceal(roster("ask Maria", "ask MARIA", "ask maria"), key=b"k")]
    assert names == [names[0], f"{names[0]} #2", f"{names[0]} #3"]


def test_a_number_that_is_taken_is_passed_over() -> None:
    stand_in = conceal(roster("ask Maria"), key=b"k")[0].name
    after = conceal(roster(f"{stand_in} #2", stand_in, "ask Maria"), key=b"k")
    assert [c.name for c in after] == [f"{stand_in} #2", stand_in, f"{stand_in} #3"]


NAMES = st.lists(
    st.text("aMaria Jon's_@b.co", min_size=1, max_size=20).filter(str.strip), unique=True
)


@given(NAMES)
def test_a_concealed_roster_is_a_roster(names: list[str]) -> None:
    after = conceal(roster(*names), key=b"k")
    assert len({c.name for c in after}) == len(names)
