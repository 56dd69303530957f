"""One test per rule by which a listing gives a record."""

import json
from typing import Any

import pytest

from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.pre.mcp import SOURCE, describe
from catchkit.builders.readers.tool_lists import capabilities, tools_in
from catchkit.errors import SourceError


def tool(name: str = "x", description: str = "", **about: Any) -> dict[str, Any]:
    return {"name": name, "description": description, **about}


def parse(**files: Any) -> list[Parsed]:
    named = {path: _bytes(content) for path, content in files.items()}
    return list(SOURCE.parse(Material(repo="owner/name", commit="c", license="MIT", files=named)))


def _bytes(content: Any) -> bytes:
    return content if isinstance(content, bytes) else json.dumps(content).encode()


@pytest.mark.parametrize(
    ("listed", "level", "kind"),
    [
        pytest.param(tool("a", "Execute a search."), "execute", "execution", id="execute first"),
        pytest.param(tool("a", "runs code: run_code"), "execute", "execution", id="run code"),
        pytest.param(tool("a", "code-run"), "execute", "execution", id="code run"),
        pytest.param(tool("a", "runcode"), "execute", "execution", id="joined by nothing"),
        pytest.param(tool("a", "decode run"), "unknown", "mcp_tool", id="no part of a word"),
        pytest.param(tool("a", "code then run"), "unknown", "mcp_tool", id="not beside each other"),
        pytest.param(
            tool("a", "search", annotations={"destructiveHint": True}), "write", "network",
            id="destructive before network",
        ),
        pytest.param(
            tool("a", "Search.", annotations={"readOnlyHint": True}), "network", "network",
            id="network before read-only",
        ),
        pytest.param(
            tool("a", annotations={"readOnlyHint": True, "openWorldHint": True}), "read",
            "mcp_tool", id="read-only before open world",
        ),
        pytest.param(
            tool("a", annotations={"openWorldHint": True}), "network", "mcp_tool", id="open world"
        ),
        pytest.param(
            tool("a", annotations={"readOnlyHint": "true", "destructiveHint": 1}), "unknown",
            "mcp_tool", id="a hint must be literally true",
        ),
        pytest.param(tool("search_products"), "unknown", "mcp_tool", id="underscore joins"),
        pytest.param(tool("search-products"), "network", "network", id="hyphen splits"),
        pytest.param(tool("a", "SQL over a file"), "unknown", "file", id="file before database"),
        pytest.param(tool("a", "One record, by email"), "unknown", "database", id="database"),
        pytest.param(tool("a", "Emails and chat"), "unknown", "messaging", id="messaging"),
        pytest.param(tool("a", "An invoice"), "unknown", "commerce", id="commerce"),
        pytest.param(tool("a", "A ticket"), "unknown", "workflow", id="workflow"),
        pytest.param(
            tool("a", inputSchema={"properties": {"url": {}}}), "network", "network", id="schema"
        ),
        pytest.param(
            tool("a", inputSchema={"a": "x " * 1000, "b": "url"}), "unknown", "mcp_tool",
            id="schema beyond the cut",
        ),
        pytest.param(
            tool("a", title="url", outputSchema={"url": 1}), "unknown", "mcp_tool",
            id="title and output are not read",
        ),
    ],
)  # fmt: skip
def test_the_first_matching_rule_gives_level_and_type(
    listed: dict[str, Any], level: str, kind: str
) -> None:
    (found,) = capabilities([listed])
    assert (found.permission_level, found.type) == (level, kind)


def test_names_are_tidied_and_counted_once() -> None:
    found = capabilities([tool(" a  b "), tool("a b"), tool("\t"), tool("c")])
    assert [c.name for c in found] == ["a b", "c"]


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ({"name": "n", "title": "T", "description": "d"}, "T: d"),
        ({"name": "n", "description": " d\n d "}, "n: d d"),
        ({"name": "n", "title": "T"}, "T"),
        ({"name": "n", "description": "list:"}, "n: list"),
        ({"name": "n", "title": 7, "description": ["d"]}, "n"),
    ],
)
def test_the_text_is_title_and_description(about: dict[str, Any], text: str) -> None:
    assert describe(about) == text


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"}]}}', id="reply"),
        pytest.param(b'{"tools":[{"name":"a"}]}', id="object"),
        pytest.param(b'[{"name":"a"}]', id="list"),
        pytest.param(b'event: message\ndata: {"result":{"tools":[{"name":"a"}]}}\n\n', id="event"),
        pytest.param(
            b'event: ping\r\n\r\ndata: {"result":\r\ndata: {"tools":[{"name":"a"}]}}\r\n\r\n',
            id="event over two lines",
        ),
        pytest.param(
            b'data: {"method":"x"}\n\ndata: {"result":{"tools":[{"name":"a"}]}}\n\n', id="second"
        ),
        pytest.param(
            b'data: {"jsonrpc":"2.0","id":__ID__,"result":{"tools":[{"name":"a"}]}}\n\n',
            id="placeholder",
        ),
        pytest.param(b'data: {"tools":[{"name":"a"}]}', id="event without an end"),
        pytest.param(b': hello\n\ndata: {"tools":[{"name":"a"}]}\n', id="event after a remark"),
        pytest.param(b'{"result":{"tools":[{"name":"a"}]},"id":__ID__}', id="placeholder last"),
        pytest.param(b'{"id": ${id}, "result":{"tools":[{"name":"a"}]}}', id="template"),
    ],
)
def test_a_tool_list_is_read_in_each_of_its_shapes(reply: bytes) -> None:
    assert tools_in(reply, "f") == [{"name": "a"}]


@pytest.mark.parametrize(
    "other", [b"{}", b'{"tools": {}}', b'[{"x": 1}]', b'[{"name": 1}]', b'"a"', b'{"tools":[1]}']
)
def test_another_file_is_no_tool_list(other: bytes) -> None:
    assert tools_in(other, "f") is None


@pytest.mark.parametrize("broken", [b"", b"data: {", b"event: x\ndata: [1\n\n", b"\xff", b"{}{}"])
def test_a_broken_tool_list_is_refused_by_name(broken: bytes) -> None:
    with pytest.raises(SourceError, match=r"^f: "):
        tools_in(broken, "f")


SERVER = {
    "name": "org.example/clock",
    "description": "d",
    "repository": {"url": "https://github.com/example/clock", "subfolder": "mcp"},
}


def test_a_tool_file_belongs_to_the_description_above_it() -> None:
    found = parse(
        **{
            "server.json": SERVER,
            "data/tools-list.json": [tool("near")],
            "two/server.json": {**SERVER, "name": "two"},
            "two/deep/tools.json": [tool("other")],
        }
    )
    assert [(e.instance_id, e.capabilities[0].name) for e in found if isinstance(e, RawConfig)] == [
        ("org.example/clock", "near"),
        ("two", "other"),
    ]


def test_a_stored_reply_goes_before_a_hand_written_list() -> None:
    (found,) = parse(
        **{
            "server.json": SERVER,
            "glama.json": {"tools": [tool("c")]},
            "tools.json": [tool("b")],
            "x/tools-list.sse.txt": b'data: {"result": {"tools": [{"name": "a"}]}}\n\n',
        }
    )
    assert isinstance(found, RawConfig)
    assert [c.name for c in found.capabilities] == ["a"]


def test_a_record_names_the_registered_repository() -> None:
    (found,) = parse(**{"server.json": SERVER, "tools.json": [tool()]})
    assert isinstance(found, RawConfig)
    assert (found.repo, found.path, found.commit, found.license) == (
        "https://github.com/example/clock", "mcp", "c", "MIT"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"server.json": SERVER}, "no tool list beside the description"),
        ({"server.json": SERVER, "tools.json": []}, "no tools"),
        ({"server.json": [1], "tools.json": [tool()]}, "file unreadable"),
        ({"server.json": SERVER, "tools.json": b"[", "x": b""}, "file unreadable"),
        ({"glama.json": {"maintainers": []}}, "no tool list in the file"),
    ],
)
def test_what_gives_no_roster_is_a_skip(files: dict[str, Any], reason: str) -> None:
    found = [entry for entry in parse(**files) if isinstance(entry, Skipped)]
    assert reason in [entry.reason for entry in found]


def test_servers_are_numbered_in_order_and_counted_once() -> None:
    (one,) = parse(**{"server.json": SERVER, "tools.json": [tool()]})
    (two,) = parse(**{"server.json": {**SERVER, "name": "B c/D"}, "tools.json": [tool()]})
    assert isinstance(one, RawConfig)
    assert isinstance(two, RawConfig)
    found = list(SOURCE.select([one, one, two]))
    assert [e.instance_id if isinstance(e, RawConfig) else e.reason for e in found] == [
        "mcp-0001-org-example-clock",
        "server listed before",
        "mcp-0002-b-c-d",
    ]
