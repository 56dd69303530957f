import re
from dataclasses import replace

import pytest

from catchkit.builders.publish import published, run_id_of
from catchkit.builders.record import TraceRecord
from runs import answered, asked, called, edited, make_corpus, make_trace, random_trace, said

TAU = make_corpus("tau_bench")
PRIVATE = replace(TAU, is_synthetic=False, synthetic_because="")
PROSE = "I moved to Springfield last May and my parcel never came"


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return []


def test_a_record_comes_back_from_its_row() -> None:
    for seed in range(20):
        record = published(random_trace(seed), TAU)
        assert TraceRecord.from_row(record.to_row()) == record


@pytest.mark.parametrize("corpus", [TAU, PRIVATE], ids=["made up", "private"])
def test_no_prose_survives(corpus: object) -> None:
    trace = make_trace(
        said(PROSE),
        asked(called("think", thought=PROSE), text=PROSE),
        answered({"note": PROSE}),
        asked(edited("src/Springfield.py", PROSE, PROSE)),
        answered(PROSE),
    )
    kept = strings(published(trace, corpus).to_row()["events"])  # type: ignore[arg-type]
    assert not [text for text in kept if "Springfield" in text or "parcel" in text]


def test_values_stay_where_persons_and_records_are_made_up() -> None:
    trace = make_trace(asked(called("get", order="#W2378156", day="2024-05-20", paid=12.0)))
    leaves = published(trace, TAU).events[1].leaves
    assert [(leaf.key, leaf.token) for leaf in leaves] == [
        ("order", "#W2378156"),
        ("day", "2024-05-20"),
        ("paid", "12"),
    ]


def test_values_get_stand_ins_elsewhere() -> None:
    trace = make_trace(said("I am #W2378156"), asked(called("get", order="#W2378156")))
    message, _, call = published(trace, PRIVATE).events
    assert message.mentions == ()
    assert "2378156" not in call.leaves[0].token


def test_a_person_gets_one_stand_in_of_the_same_shape_wherever_the_run_names_them() -> None:
    trace = make_trace(
        said("Write to ada.b12@example.org."),
        asked(called("find", email="ada.b12@example.org")),
        answered({"email": "ada.b12@example.org", "first_name": "Adaline"}),
    )
    message, _, call, result = published(trace, TAU).events
    token = call.leaves[0].token
    assert token != "ada.b12@example.org"
    assert re.fullmatch(r"[a-z]{3}\.[a-z]\d\d@[a-z]{7}-[a-z]{3}", token)
    assert message.mentions == (f"{token}.",)
    assert result.leaves[0].token == token
    assert result.leaves[1].token != "Adaline"


def test_digests_and_stand_ins_depend_on_the_key() -> None:
    trace = make_trace(said("hello"), asked(edited("a.py", "x", "y"), called("f", x=PROSE)))
    one, other = (published(trace, PRIVATE, key=key) for key in (b"1" * 16, b"2" * 16))
    assert one.run_id == other.run_id
    for a, b in zip(one.events, other.events, strict=True):
        assert not a.text or a.text != b.text
        assert all(x.token != y.token for x, y in zip(a.leaves, b.leaves, strict=True))
        assert all(x.resource != y.resource for x, y in zip(a.touches, b.touches, strict=True))


def test_the_tokens_of_a_text_stay_in_order_with_what_follows_them() -> None:
    trace = make_trace(said("Order #W1, then 2 of card_77. Nothing else"))
    assert published(trace, TAU).events[0].mentions == ("#W1", "2", "card_77.")


def test_a_resource_keeps_its_ending_and_nothing_else() -> None:
    trace = make_trace(asked(edited("/home/ada/secret.py", "x", "y")))
    resource = published(trace, TAU).events[1].touches[0].resource
    assert resource.endswith(">.py")
    assert "ada" not in resource
    assert "secret" not in resource


def test_odd_characters_can_be_written() -> None:
    trace = make_trace(
        said("a \ud800 b1"), asked(called("f", **{"k\ud800": "v\udfff1"})), key="k\ud800"
    )
    for text in strings(published(trace, TAU).to_row()):
        text.encode("utf-8")


def test_a_run_id_depends_on_corpus_and_key_alone() -> None:
    one = published(make_trace(said("a"), key="x"), TAU)
    other = published(make_trace(said("b"), key="x", failed=True), TAU)
    assert one.run_id == other.run_id == run_id_of("tau_bench", "x")
    assert run_id_of("tau_bench", "y") != one.run_id != run_id_of("agentdojo", "x")
