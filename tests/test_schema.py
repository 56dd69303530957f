from typing import Any

import pytest

from catchkit.errors import RecordError
from catchkit.loaders.release import Release
from catchkit.schema import Overrides, PreRecord, Vote
from factories import make_capability, make_record

BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no roster": ({"names": ()}, "'capabilities': is empty"),
    "name twice": ({"names": ("a", "a")}, "'capabilities': a name is declared twice"),
    "order": ({"declared_position": (0, 2)}, "'declared_position': is not an order of 0 to 1"),
    "label length": ({"excess": (True,)}, "'excess': has 1 values for 2"),
    "label missing": ({"excess": None}, "'excess': is null where no judge is to come"),
    "process": ({"label_process": "guess"}, "'label_process': is 'guess'"),
    "tokens unsorted": ({"spec_tokens": ("b", "a")}, "'spec_tokens': .* sorted and unique"),
    "tokens twice": ({"spec_tokens": ("a", "a")}, "'spec_tokens': .* sorted and unique"),
    "token empty": ({"spec_tokens": ("", "a")}, "'spec_tokens': .* empty string"),
    "override": (
        {"spec_overrides": Overrides(functionality_capabilities=("z",))},
        "'spec_overrides': names undeclared",
    ),
    "votes beside another process": (
        {"votes": (Vote(judge="x", needed=(True, False)),)},
        "'votes': stand beside 'synthetic_inject'",
    ),
    "vote length": (
        {"label_process": "llm_judge", "votes": (Vote(judge="x", needed=(True,)),)},
        "'votes': 'x' has 1 values for 2",
    ),
    "label is not the votes": (
        {"label_process": "llm_judge", "votes": (Vote(judge="x", needed=(False, True)),)},
        "'excess': is not what every judge calls unneeded",
    ),
    "licence": ({"license": ""}, "'license': is empty"),
}


@pytest.mark.parametrize(("fields", "words"), BROKEN.values(), ids=BROKEN)
def test_a_record_that_breaks_a_promise_is_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        make_record(**fields)


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"permission_level": "root"}, "'root'"), ({"name": " "}, "no name"), ({"type": ""}, "type")],
)
def test_a_capability_that_breaks_a_promise_is_refused(fields: dict[str, str], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        make_capability(**fields)


def test_every_published_record_survives_a_round_trip(snapshot: Release) -> None:
    for row in snapshot.table("pre").to_pylist():
        assert PreRecord.from_row(row).to_row() == row


WITH_A_NULL: dict[str, list[object]] = {
    "capabilities": [None, [None], [{"name": None, "type": "file", "permission_level": "read"}]],
    "declared_position": [None, [0, None]],
    "votes": [None, [None], [{"judge": "x", "needed": None}], [{"judge": "x", "needed": [None]}]],
    "spec_tokens": [None, ["a", None]],
    "spec_overrides": [None, {"privilege_bases": None}, {"privilege_bases": [None]}],
    "license": [None],
}


@pytest.mark.parametrize(
    ("column", "value"),
    [(column, value) for column, values in WITH_A_NULL.items() for value in values],
)
def test_a_null_at_any_depth_is_refused_by_name_of_the_column(column: str, value: object) -> None:
    with pytest.raises(RecordError, match=f"'{column}'.*null"):
        PreRecord.from_row({**make_record().to_row(), column: value})


def test_a_judged_record_may_wait_for_its_votes() -> None:
    assert make_record(label_process="llm_judge", excess=None).excess is None
