import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catchkit.deidentify.tokens import tokens
from catchkit.deidentify.words import normal, unicode_tokens, words


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_text_has_the_tokens_of_the_published_tokeniser(text: str) -> None:
    assert unicode_tokens(text) == tokens(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("générer résumé", {"générer", "résumé"}, id="accents"),
        pytest.param("СоздатьОтчёт", {"создать", "отчёт"}, id="camel case in Cyrillic"),
        pytest.param("हिन्दी में", {"हिन्दी", "में"}, id="vowel signs stay"),
        pytest.param("\ufb01le \uff21\uff30\uff29", {"file", "api"}, id="compatibility forms"),
        pytest.param("Straße", {"strasse"}, id="case folding"),
        pytest.param("网", {"网"}, id="one character"),
        pytest.param("搜索API网页", {"搜索", "api", "网页"}, id="scripts side by side"),
    ],
)
def test_a_text_in_any_script_has_tokens(text: str, expected: set[str]) -> None:
    assert unicode_tokens(text) == expected


@given(st.text(max_size=30))
def test_composed_and_decomposed_text_read_the_same(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert unicode_tokens(apart) == unicode_tokens(unicodedata.normalize("NFC", text))


@given(st.text(max_size=30))
def test_words_stand_where_they_say(text: str) -> None:
    plain = normal(text)
    for word in words(plain):
        assert plain[word.start : word.end].casefold() == word.token
