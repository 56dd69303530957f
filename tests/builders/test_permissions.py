from hypothesis import given
from hypothesis import strategies as st

from catchkit.builders.permissions import Rule, classify, words

FACETS = st.sampled_from("xyz")
WORDS = st.frozensets(st.sampled_from("abcdef"), max_size=4)
RULES = st.lists(st.builds(Rule, st.sampled_from("pqr"), FACETS, WORDS), max_size=6)
EVIDENCE = st.dictionaries(FACETS, WORDS)


@given(RULES, EVIDENCE)
def test_the_first_rule_that_applies_gives_the_outcome(
    rules: list[Rule], evidence: dict[str, frozenset[str]]
) -> None:
    applying = [rule for rule in rules if rule.words & evidence.get(rule.facet, frozenset())]
    expected = applying[0].outcome if applying else "none"
    assert classify(evidence, rules, default="none") == expected


@given(RULES, EVIDENCE)
def test_a_rule_without_words_never_applies(
    rules: list[Rule], evidence: dict[str, frozenset[str]]
) -> None:
    empty = [Rule("never", facet, words("")) for facet in "xyz"]
    assert classify(evidence, [*empty, *rules], default="none") == classify(
        evidence, rules, default="none"
    )
