import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catchkit.deidentify.spec import derive
from catchkit.deidentify.vocabulary import fixed_forms
from catchkit.schema import Capability, Overrides


def roster(*entries: str) -> list[Capability]:
    """Build a roster from `name type level` triples."""
    return [
        Capability(name=name, type=kind, permission_level=level)
        for name, kind, level in (entry.split() for entry in entries)
    ]


def test_the_roster_decides_which_terms_stay() -> None:
    text = "Read the invoices and email them"
    assert derive(text, roster("Invoice db read"))[0] == ("email", "invoices")
    assert derive(text, roster("Notes db read"))[0] == ("email",)


def test_generic_words_do_not_stay_because_a_capability_has_them() -> None:
    assert derive("List the file info", roster("list_files tool read")) == ((), Overrides())


def test_a_word_that_stood_in_a_path_only_comes_back_as_a_level() -> None:
    agents = roster("write_file mcp_tool write", "fetch_url mcp_tool network")
    kept, lost = derive("Count rows of exports/sample.csv", agents)
    assert kept == ()
    assert lost == Overrides(permission_levels=("write",))


def test_a_level_that_nothing_in_the_roster_has_does_not_come_back() -> None:
    _, lost = derive("Count rows of exports/sample.csv", roster("count mcp_tool read"))
    assert lost == Overrides()


def test_a_capability_related_through_an_address_comes_back_by_name() -> None:
    agents = roster("grant_role iam admin", "read_vault secret read")
    text = "Ask admin@corp.com to grant https://vault.example.com/secret"
    kept, lost = derive(text, agents)
    assert kept == ("grant",)
    assert lost == Overrides(
        functionality_capabilities=("read_vault",), sensitive_bases=("secret", "vault")
    )


WORDS = st.sampled_from(
    [*sorted(fixed_forms())[::9], "a", "invoices", "Invoice", "reports", "db", "class", "file"]
)
LINKS = st.sampled_from(["x@{}.com", "https://{}.org", "/a/{}/b", "{}/c.txt", "@{}", "{}", "Do{}"])
TEXTS = st.lists(st.builds(str.format, LINKS, WORDS), max_size=9).map(" ".join)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map("_".join)
ROSTERS = st.lists(
    st.builds(
        Capability,
        name=NAMES,
        type=WORDS,
        permission_level=st.sampled_from(["read", "write", "execute", "network", "admin"]),
    ),
    max_size=4,
    unique_by=lambda capability: capability.name,
)


@settings(max_examples=300)
@given(TEXTS, ROSTERS)
def test_tokens_and_overrides_equal_the_original_ones(text: str, agents: list[Capability]) -> None:
    peer = pytest.importorskip("catchbench.pre_static_scanner", reason="extra `peer` missing")
    declared = [
        {"name": c.name, "type": c.type, "permission_level": c.permission_level} for c in agents
    ]
    expected = peer.derive_spec_features(text, declared)
    kept, lost = derive(text, agents)
    given_back = {
        name: words
        for name in Overrides.__dataclass_fields__
        if (words := list(getattr(lost, name)))
    }
    assert list(kept) == expected["spec_tokens"]
    assert given_back == expected["spec_token_overrides"]


@given(TEXTS, ROSTERS)
def test_the_order_of_the_roster_does_not_matter(text: str, agents: list[Capability]) -> None:
    assert derive(text, agents) == derive(text, agents[::-1])
