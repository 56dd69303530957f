"""One test per rule by which a test case gives a record."""

import json
from typing import Any

import pytest

from catchkit.builders.harvest import harvest
from catchkit.builders.material import Material, RawConfig, Skipped
from catchkit.builders.pre.injecagent import CASES, CASES_PER_USER_TOOL, SOURCE
from catchkit.builders.source import sources


def toolkit(name: str, *tools: str, summary: str = "Does it.") -> dict[str, Any]:
    return {"name_for_model": name, "tools": [{"name": tool, "summary": summary} for tool in tools]}


def case(user: str, *attackers: str, attack: str = "Others") -> dict[str, Any]:
    return {
        "User Tool": user,
        "Attacker Tools": list(attackers),
        "User Instruction": "Do it.",
        "Attack Type": attack,
    }


def material(tools: list[Any], **cases: list[Any]) -> Material:
    files = {
        f"data/test_cases_{name}.json": json.dumps(rows).encode() for name, rows in cases.items()
    }
    return Material(repo="r", files={"data/tools.json": json.dumps(tools).encode(), **files})


def level(family: str, tool: str, summary: str = "Does it.") -> str:
    tools = [toolkit(family, tool, summary=summary), toolkit("Other", "Thing")]
    name = f"{family}{tool}"
    (config,) = SOURCE.parse(material(tools, dh_base=[case(name, "OtherThing")]))
    assert isinstance(config, RawConfig)
    return config.capabilities[0].permission_level


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (level("Terminal", "GetPage"), "execute"),
        (level("WebBrowser", "NavigateTo"), "network"),
        (level("WebBrowser", "DownloadFile"), "read"),
        (level("GoogleSearch", "ImageSearch"), "network"),
        (level("GoogleSearch", "GetSearchHistory"), "read"),
        (level("Gmail", "SendEmail"), "network"),
        (level("Venmo", "SendMoney"), "unknown"),
        (level("Facebook", "Poke", summary="Sends a message to a friend."), "network"),
        (level("Gmail", "DeleteEmails", summary="Delete emails."), "write"),
        (level("Gmail", "ReadEmail"), "read"),
        (level("Update", "Things"), "unknown"),
        (level("X", "SearchAndBook"), "write"),
    ],
)
def test_the_first_matching_rule_gives_the_level(found: str, expected: str) -> None:
    assert found == expected


def test_a_type_comes_from_the_toolkit_else_is_its_name() -> None:
    tools = [toolkit("EpicFHIR", "GetIt"), toolkit("GardenHubPro", "OpenGate")]
    (config,) = SOURCE.parse(
        material(tools, dh_base=[case("EpicFHIRGetIt", "GardenHubProOpenGate")])
    )
    assert isinstance(config, RawConfig)
    assert [c.type for c in config.capabilities] == ["health_records", "garden_hub_pro"]
    assert config.needed == ("EpicFHIRGetIt",)


TOOLS = [toolkit("A", "Get", "Set", "Add"), toolkit("B", *(f"Do{n}" for n in range(60)))]


def test_the_first_case_of_a_roster_is_kept_over_the_files_in_their_order() -> None:
    assert CASES[0] == "test_cases_dh_base.json"
    found = harvest(
        sources()["injecagent"],
        [
            material(
                TOOLS,
                ds_enhanced=[case("AGet", "ASet", attack="late")],
                ds_base=[
                    case("AGet", "ASet", attack="second"),
                    case("ASet", "AGet", attack="third"),
                ],
                dh_base=[case("AGet", "ASet", attack="first")],
            )
        ],
    )
    assert [(r.attack_type, r.path) for r in found.records] == [
        ("first", "data/test_cases_dh_base.json")
    ]
    assert found.reasons() == {"roster seen before": 3}


def test_attack_types_take_turns_up_to_the_cap() -> None:
    rows = [case("AGet", f"BDo{n}", attack="x") for n in range(30)]
    rows += [case("AGet", f"BDo{n}", attack="y") for n in range(30, 33)]
    found = harvest(sources()["injecagent"], [material(TOOLS, dh_base=rows)])
    assert [r.attack_type for r in found.records] == ["x", "y"] * 3 + ["x"] * 14
    assert [r.instance_id for r in found.records] == [
        f"injecagent-{n:04d}" for n in range(1, CASES_PER_USER_TOOL + 1)
    ]
    assert found.reasons() == {"beyond 20 cases of its user tool": 13}
    assert len({r.group for r in found.records}) == 1


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (case("AGet", "ASet", "AGet"), "user tool is an attacker tool"),
        (case("AGet", "Nowhere"), "tool not in the tool list"),
        (case("AGet"), "attacker tools missing or repeated"),
        (case("AGet", "ASet", "ASet"), "attacker tools missing or repeated"),
        ({"User Tool": "AGet"}, "not a test case"),
        ({**case("AGet", "ASet"), "User Instruction": 7}, "not a test case"),
        ({**case("AGet", "ASet"), "Attacker Tools": [["ASet"]]}, "not a test case"),
        ({**case("AGet", "ASet"), "Attacker Tools": 7}, "not a test case"),
        ("text", "not a test case"),
        (None, "not a test case"),
    ],
)
def test_a_case_without_a_roster_is_a_skip(row: Any, reason: str) -> None:
    (found,) = SOURCE.parse(material(TOOLS, dh_base=[row]))
    assert isinstance(found, Skipped)
    assert found.reason == reason


@pytest.mark.parametrize("tools", [{}, [1], [{"name_for_model": "A"}], [toolkit("A", "")]])
def test_a_tool_list_of_another_shape_is_a_skip(tools: Any) -> None:
    found = list(SOURCE.parse(material(tools, dh_base=[case("AGet", "ASet")])))
    assert all(isinstance(entry, Skipped) for entry in found)
    assert found
