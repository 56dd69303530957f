import json
from typing import Any

import pytest

from catchkit.builders.live_mcp import Server
from catchkit.builders.material import Skipped
from catchkit.builders.registry import entry_url, registered, server_of
from catchkit.builders.web import Web
from catchkit.errors import SourceError
from loopback import Answer, serving

REMOTE = {"type": "streamable-http", "url": "https://clock.example.org/mcp"}
CLOSED = "no open streamable-http remote"
OFFICIAL = "io.modelcontextprotocol.registry/official"


def entry(status: str = "active", latest: bool = True, **about: Any) -> bytes:
    server = {
        "name": "org.example/clock",
        "repository": {"url": "https://github.com/example/clock", "source": "github"},
        "remotes": [REMOTE],
        **about,
    }
    meta = {OFFICIAL: {"status": status, "isLatest": latest}}
    return json.dumps({"server": server, "_meta": meta}).encode()


def test_an_open_remote_of_an_active_entry_is_listed() -> None:
    found = server_of("n", entry())
    assert isinstance(found, Server)
    assert found.url == REMOTE["url"]
    assert found.about is not None
    assert found.about["name"] == "org.example/clock"


def test_the_first_open_remote_counts() -> None:
    closed = {**REMOTE, "url": "https://closed.example.org", "headers": [{"name": "key"}]}
    other = {"type": "sse", "url": "https://sse.example.org"}
    found = server_of("n", entry(remotes=[closed, other, REMOTE]))
    assert isinstance(found, Server)
    assert found.url == REMOTE["url"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (entry(status="deprecated"), "not the latest active entry"),
        (entry(latest=False), "not the latest active entry"),
        (entry(repository={"url": "https://gitlab.com/a/b"}), "no GitHub repository"),
        (entry(repository={"url": "https://github.com.example.org/a/b"}), "no GitHub repository"),
        (entry(repository=None), "no GitHub repository"),
        (entry(repository={"url": "https://[bad"}), "no GitHub repository"),
        (entry(remotes=[{**REMOTE, "url": "https://[bad"}]), CLOSED),
        (entry(remotes=[]), CLOSED),
        (entry(remotes=None), CLOSED),
        (entry(remotes=[{**REMOTE, "headers": [{}]}]), CLOSED),
        (entry(remotes=[{**REMOTE, "type": "sse"}]), CLOSED),
        (
            entry(remotes=[{**REMOTE, "url": "https://{t}.example"}]),
            CLOSED,
        ),
        (
            entry(remotes=[{**REMOTE, "url": "file:///etc/passwd"}]),
            CLOSED,
        ),
        (b"[]", "not a registry entry"),
    ],
)
def test_any_other_entry_is_a_skip(data: bytes, reason: str) -> None:
    found = server_of("n", data)
    assert isinstance(found, Skipped)
    assert found.reason == reason


def test_an_entry_that_is_not_json_is_refused_by_name() -> None:
    with pytest.raises(SourceError, match=r"^org\.example/clock: "):
        server_of("org.example/clock", b"{")


def test_names_are_looked_up_in_order_and_each_has_an_outcome() -> None:
    names = ["a/one", "a/gone", "a/broken"]
    with serving({}) as site:
        paths = [entry_url(name, site.url).removeprefix(site.url) for name in names]
        site.answers.update({paths[0]: Answer(entry()), paths[2]: Answer(b"{")})
        found = list(registered(names, Web(pause_seconds=0).get, site.url))
    assert isinstance(found[0], Server)
    assert [(e.what, e.reason, e.failed) for e in found[1:] if isinstance(e, Skipped)] == [
        ("a/gone", "not in the registry", False),
        ("a/broken", "registry entry cannot be read", True),
    ]


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:9/x", "http://localhost/x", "http://[::1]/x", "http://10.1.2.3/x", "http://169.254.169.254/x"],
)  # fmt: skip
def test_a_registry_of_strangers_cannot_send_us_to_a_private_address(url: str) -> None:
    data = entry(remotes=[{**REMOTE, "url": url}])
    (found,) = registered(["n"], lambda _: data, "https://registry.example.org")
    assert found == Skipped("n", "remote is a private address")
    (found,) = registered(["n"], lambda _: data, "http://127.0.0.1:8000")
    assert isinstance(found, Server)
