import pytest

from catchkit.deidentify.audit import audit, reviewed, strings
from catchkit.deidentify.kind import kinds


def found(row: dict[str, object]) -> list[tuple[str, str, str, str]]:
    return [(f.kind, f.column, f.found, f.status) for f in audit([row], second=None)]


@pytest.mark.parametrize("kind", list(kinds()))
def test_every_kind_is_found_at_any_depth(kind: str) -> None:
    for text in kinds()[kind].found:
        row: dict[str, object] = {"events": [{"args": [{"leaf": f"x {text} y"}]}]}
        assert ("events.args.leaf", "hit") in {(f[1], f[3]) for f in found(row)}, text


def test_bytes_are_read_as_text() -> None:
    assert found({"blob": b"\xff ada@b.com"}) == [("email", "blob", "ada@b.com", "hit")]


def test_numbers_and_nulls_hold_no_string() -> None:
    assert list(strings({"a": 1.5, "b": None, "c": [True, None], "d": {}})) == []


def test_a_person_in_a_capability_name_is_for_review_and_an_address_is_a_hit() -> None:
    row: dict[str, object] = {"capabilities": [{"name": "Maria's mail a@b.com", "type": "Maria"}]}
    assert found(row) == [
        ("person", "capabilities.name", "Maria", "review"),
        ("email", "capabilities.name", "a@b.com", "hit"),
    ]


@pytest.mark.parametrize(
    ("column", "value", "status"),
    [
        ("repo", "https://github.com/some-owner/a.b", "allowed"),
        ("repo", "https://github.com/some-owner/a.b/issues/3", "hit"),
        ("repo", "https://example.org/owner/name", "hit"),
        ("repo", "see https://github.com/some-owner/a.b", "hit"),
        ("group", "https://github.com/some-owner/a.b", "hit"),
        ("group", "owner/my.ai", "allowed"),
        ("path", "src/crew/config/agents.yaml", "allowed"),
        ("path", "my crew/config/agents.yaml", "allowed"),
        ("path", "home/ada/agents.yaml", "hit"),
        ("path", "/home/ada/agents.yaml", "hit"),
        ("path", "x/Users/ada/agents.yaml", "hit"),
        ("spec_tokens", "src/crew/config/agents.yaml", "hit"),
    ],
)
def test_the_reviewed_list_is_narrow(column: str, value: str, status: str) -> None:
    assert {entry[3] for entry in found({column: value})} == {status}


def test_every_exception_has_a_reason_and_names_what_it_covers() -> None:
    for entry in reviewed():
        assert len(entry.reason) > 20
        assert entry.columns
        assert entry.kinds
        assert not entry.value.fullmatch("ada@example.org")


def test_a_log_does_not_repeat_what_was_found() -> None:
    [finding] = audit([{"note": "ask ada.lovelace@example.org"}], second=None)
    assert finding.found == "ada.lovelace@example.org"
    assert "lovelace" not in finding.masked
