import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.kind import kinds
from catchkit.deidentify.stance import base_of, masked, stances
from catchkit.deidentify.vocabulary import fixed_forms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Search the web and save results", {"save": "requested", "search": "requested"}),
        ("Do not write anything", {"write": "negated"}),
        ("do not browse or modify", {"browse": "negated", "modify": "negated"}),
        (
            "You don't run it, upload it or post it",
            dict.fromkeys(["post", "run", "upload"], "negated"),
        ),
        ("You can\u2019t delete it", {"delete": "negated"}),
        ("Never delete; just search", {"delete": "negated", "search": "requested"}),
        ("Don't delete, but archive and query", {"delete": "negated", "query": "requested"}),
        ("Without saving, send it", {"save": "negated", "send": "requested"}),
        ("Simulate instead of deploying", {"deploy": "negated", "simulate": "requested"}),
        ("Deleting files is strictly forbidden", {"delete": "negated"}),
        ("Uploads are not allowed", {"upload": "negated"}),
        ("Not only search but save", {"save": "requested", "search": "requested"}),
        ("Files must be safely deleted", {"delete": "requested"}),
        ("Files must not be deleted", {"delete": "negated"}),
        ("Call stored procedures", {"store": "mentioned"}),
        ("The build ran", {"build": "requested", "run": "mentioned"}),
        ("Do not delete a. Delete b", {"delete": "requested"}),
        ("Count rows of exports/sample.csv", {"export": "mentioned"}),
        ("See https://x.y/delete", {"delete": "mentioned", "http": "mentioned"}),
        ("Use {{ $json.message }}", {"message": "mentioned"}),
        ("Role: counts words", {"role": "mentioned"}),
        ("AI Agent systemMessage 2:\ncount", {"message": "mentioned"}),
        ("**Policy:** count", {"policy": "mentioned"}),
        ("Count words", {}),
    ],
)
def test_a_word_is_requested_negated_or_mentioned(text: str, expected: dict[str, str]) -> None:
    assert stances(text) == dict(sorted(expected.items()))


PIECES = st.sampled_from(
    [
        *sorted(fixed_forms())[::7],
        "not",
        "never",
        "but",
        ".",
        "\n",
        "a/b.c",
        "x@delete.com",
        "Role:",
    ]
)


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_every_listed_word_of_a_text_has_one_stance(text: str) -> None:
    assert set(stances(text).values()) <= {"requested", "negated", "mentioned"}
    assert set(stances(text)) <= set(base_of().values())


@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_an_identifier_is_never_a_request(text: str) -> None:
    blank = masked(text)
    assert len(blank) == len(text)
    asked = {base for base, stance in stances(text).items() if stance != "mentioned"}
    assert asked <= set(stances(blank))
    assert not any(list(kind.spans(blank)) for kind in kinds().values())


@pytest.mark.parametrize(
    "unit", ["_", "#", "<a", "{{", ", ", "be ", "deleted ", "not ", "a", "instead "]
)
def test_hostile_text_is_read_in_linear_time(unit: str) -> None:
    stances(unit * (60_000 // len(unit)))
