"""One test per rule by which a workflow gives a record."""

import json
from typing import Any

import pytest

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.pre.n8n import AGENT, SOURCE


def node(name: str, kind: str = "n8n-nodes-base.thing", **parameters: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "parameters": parameters}


def wired(*tools: str, agent: str = "Agent", kind: str = "ai_tool") -> dict[str, Any]:
    edge = {"node": agent, "type": kind, "index": 0}
    return {tool: {kind: [[edge]]} for tool in tools}


def workflow(*nodes: dict[str, Any], connections: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {"nodes": [node("Agent", AGENT), *nodes], "connections": connections, **about}


def parse(*files: tuple[str, Any]) -> list[Parsed]:
    material = Material(
        repo="owner/name",
        commit="c",
        license="MIT",
        files={name: json.dumps(content).encode() for name, content in files},
    )
    return list(SOURCE.parse(material))


def config(content: Any) -> RawConfig:
    (found,) = parse(("5.json", content))
    assert isinstance(found, RawConfig), found
    return found


def reason(content: Any) -> str:
    (found,) = parse(("5.json", content))
    assert isinstance(found, Skipped), found
    return found.reason


def level(kind: str, name: str = "x", **parameters: Any) -> str:
    found = config(workflow(node(name, kind, **parameters), connections=wired(name)))
    return found.capabilities[0].permission_level


def test_the_roster_follows_the_connections_and_not_the_nodes() -> None:
    found = config(workflow(node("b"), node("a"), connections=wired("a", "b")))
    assert [c.name for c in found.capabilities] == ["a", "b"]


def test_an_edge_counts_by_its_own_type_too() -> None:
    edge = {"node": "Agent", "type": "ai_tool", "index": 0}
    found = config(workflow(node("a"), connections={"a": {"main": [None, [edge]]}}))
    assert [c.name for c in found.capabilities] == ["a"]


def test_a_source_counts_once_and_must_be_a_node() -> None:
    twice = {"a": {"ai_tool": [[{"node": "Agent"}, {"node": "Agent"}]]}, **wired("ghost")}
    assert [c.name for c in config(workflow(node("a"), connections=twice)).capabilities] == ["a"]


def test_only_wires_to_an_agent_count() -> None:
    other = workflow(node("a"), node("Other"), connections=wired("a", agent="Other"))
    assert reason(other) == "agent without tools"


def test_a_name_keeps_its_blanks() -> None:
    found = config(workflow(node(" two  blanks "), connections=wired(" two  blanks ")))
    assert found.capabilities[0].name == " two  blanks "


@pytest.mark.parametrize("kind", [AGENT + "Tool", AGENT.upper(), "agent"])
def test_an_agent_has_exactly_one_type(kind: str) -> None:
    content = {"nodes": [node("Agent", kind), node("a")], "connections": wired("a")}
    assert reason(content) == "no AI agent"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("n8n-nodes-base.gmailTool", "gmail"),
        ("@n8n/n8n-nodes-langchain.toolHttpRequest", "tool_http_request"),
        ("n8n-nodes-base.httpRequestTool", "http_request"),
        ("x.Tool", "tool"),
    ],
)
def test_a_type_is_the_last_part_in_snake_case(kind: str, expected: str) -> None:
    found = config(workflow(node("a", kind), connections=wired("a")))
    assert found.capabilities[0].type == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(level("x.httpRequest", operation="delete"), "network", id="http first"),
        pytest.param(level("x.toolWorkflow", operation="get"), "execute", id="workflow"),
        pytest.param(level("x.pycodex"), "execute", id="code inside a word"),
        pytest.param(level("x.gmail", operation="send"), "write", id="write before service"),
        pytest.param(level("x.gmail", operation="get"), "network", id="service before read"),
        pytest.param(level("x.store", "Look up: search"), "read", id="read word in the name"),
        pytest.param(level("x.store", a={"b": ["Fetch it"]}), "read", id="word deep inside"),
        pytest.param(level("x.store", updateFields={}), "write", id="word in a key"),
        pytest.param(level("x.store", note="API key"), "unknown", id="a capital run loses one"),
        pytest.param(level("x.store", note="the API"), "network", id="but not at the end"),
        pytest.param(level("x.store", count=5), "unknown", id="nothing"),
    ],
)
def test_the_first_matching_rule_gives_the_level(found: str, expected: str) -> None:
    assert found == expected


def test_the_text_has_name_description_and_each_distinct_system_message() -> None:
    agents = [
        node("One", AGENT, options={"systemMessage": "Be  kind.\r\n\r\n\r\n\r\nAlways."}),
        node("Two", AGENT, deep=[{"systemMessage": "Be kind.\n\nAlways."}, {"systemMessage": " "}]),
        node("Three", AGENT, systemMessage="={{ $json.x }}"),
    ]
    content = workflow(
        *agents, node("a"), connections=wired("a"), name=" A\tname ", description="<b>d</b>"
    )
    assert config(content).text == (
        "A name\n\n<b>d</b>\n\n"
        "AI Agent systemMessage 1:\nBe kind.\n\nAlways.\n\n"
        "AI Agent systemMessage 2:\n={{ $json.x }}"
    )


def test_a_gallery_template_names_the_gallery_and_a_plain_file_its_repository() -> None:
    plain = workflow(node("a"), connections=wired("a"))
    listed = config({"workflow": {"id": 77, "name": "n", "workflow": plain}})
    assert (listed.instance_id, listed.repo, listed.commit, listed.path, listed.license) == (
        "n8n-77", "n8n.io/workflows", "77", "77", "NOASSERTION"
    )  # fmt: skip
    own = config(plain)
    assert (own.instance_id, own.repo, own.commit, own.path, own.license) == (
        "n8n-5", "owner/name", "c", "5.json", "MIT"
    )  # fmt: skip


def test_what_is_known_of_a_plain_workflow_stands_beside_it() -> None:
    plain = workflow(node("a"), connections=wired("a"), name="inside")
    about = {"id": 9, "name": "outside", "description": "d"}
    (found,) = parse(("9.json", plain), ("9.meta.json", about))
    assert isinstance(found, RawConfig)
    assert (found.instance_id, found.text) == ("n8n-9", "outside\n\nd")


def test_templates_come_in_the_order_of_their_numbers() -> None:
    plain = workflow(node("a"), connections=wired("a"))
    found = parse(("10.json", plain), ("9.json", plain), ("100.json", plain))
    assert [e.instance_id for e in found if isinstance(e, RawConfig)] == [
        "n8n-9",
        "n8n-10",
        "n8n-100",
    ]
