from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.structured import STRUCTURED_SCHEMA, concealed, structured_table
from catchkit.deidentify.languages import coverage, language
from catchkit.deidentify.spec import derive
from catchkit.deidentify.structured import describe
from factories import make_capability, make_record

CHINESE = "\u641c\u7d22\u7f51\u9875\u5e76\u6458\u8981"
"""Search web pages and summarise."""


def test_a_chinese_task_meets_a_chinese_capability() -> None:
    kept = describe(CHINESE, [make_capability("\u7f51\u9875")])
    assert kept.tokens == ("\u7f51\u9875",)
    assert kept.language == "zh"


def test_what_is_forbidden_is_not_requested() -> None:
    kept = describe("Role: Reader\nSummarise it, do not browse or modify", [make_capability()])
    assert (kept.requested, kept.negated) == ((), ("browse", "modify"))
    assert kept.mentioned == ("role",)


@given(st.text("deleteqz \u00e9@./-1", max_size=60))
def test_only_listed_words_and_roster_terms_stay(text: str) -> None:
    kept = describe(text, [make_capability("Invoice")])
    assert set(kept.tokens) <= {"delete", "deleted", "deletes", "invoice", "file"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Read the file and send it to the team", "en"),
        ("Lies die Datei und sende sie an das Team", "de"),
        ("Lis le fichier et envoie-le \u00e0 une personne dans l'\u00e9quipe", "fr"),
        ("Lee el archivo y env\u00edalo a los clientes", "es"),
        ("Leia o arquivo e envie para os clientes, n\u00e3o apague", "pt"),
        ("\u041f\u0440\u043e\u0447\u0438\u0442\u0430\u0439 \u0444\u0430\u0439\u043b Gmail", "ru"),
        (CHINESE + " Gmail", "zh"),
        ("\u691c\u7d22\u3057\u3066\u8981\u7d04\u3059\u308b", "ja"),
        ("\ud30c\uc77c\uc744 \uc77d\uc5b4\ub77c", "ko"),
        ("", "und"),
        ("gmail_send 42", "und"),
    ],
)
def test_a_language_is_told(text: str, expected: str) -> None:
    assert language(text) == expected


def test_coverage_counts_texts_with_a_listed_word_per_language() -> None:
    texts = ["Read the file and delete it", "Read the file and keep it", CHINESE, "a/delete.txt"]
    rows = {row.language: (row.texts, row.with_word) for row in coverage(texts)}
    assert rows == {"en": (2, 1), "zh": (1, 0), "und": (1, 0)}


def test_a_structured_table_keeps_the_published_columns_beside_the_stances() -> None:
    record = make_record(names=("Maria's inbox", "search"))
    table = structured_table([(record, "Never search")], key=b"k")
    [row] = table.to_pylist()
    assert table.schema == STRUCTURED_SCHEMA
    assert row["spec_structured"]["negated"] == ["search"]
    assert row["excess"] == list(record.excess or ())
    assert "Maria" not in str(row)


def test_a_concealed_name_is_no_term_of_the_roster_any_more() -> None:
    record = make_record(names=("Maria's inbox", "search"), spec_tokens=("inbox", "maria"))
    text = "Ask Maria about the inbox of https://maria.example.org"
    after = concealed(record, text, key=b"k")
    assert after.spec_tokens == ("inbox",)
    assert "maria" not in str(structured_table([(record, text)], key=b"k").to_pylist()).lower()
    assert after.capabilities[1] == record.capabilities[1]


def test_a_record_without_identifiers_stays_as_it_is() -> None:
    record = make_record(names=("inbox", "search"))
    tokens, overrides = derive("Search the inbox", record.capabilities)
    derived = replace(record, spec_tokens=tokens, spec_overrides=overrides)
    assert concealed(derived, "Search the inbox", key=b"k") == derived
