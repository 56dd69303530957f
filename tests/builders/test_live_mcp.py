import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from catchkit.builders.live_mcp import Server, fetch_listing, harvest_servers, list_server
from catchkit.builders.material import RawConfig, Skipped
from catchkit.builders.source import sources
from catchkit.errors import MissingExtraError, SourceError, UsageError
from loopback import MCP_SERVER, Answer, serving, serving_mcp

STDIO = shlex.join([sys.executable, str(MCP_SERVER)])
EXPECTED = [
    ("tell_hour", "mcp_tool", "read"),
    ("stop_hand", "mcp_tool", "write"),
    ("run_script", "execution", "execute"),
    ("web_time", "network", "network"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving_mcp() as url:
        yield url


def python(program: str) -> str:
    return shlex.join([sys.executable, "-c", program])


def test_a_server_over_http_gives_its_roster_in_its_order(address: str) -> None:
    (config,) = list_server(Server(url=f"{address}?key=secret"))
    assert isinstance(config, RawConfig)
    assert [(c.name, c.type, c.permission_level) for c in config.capabilities] == EXPECTED
    assert config.text == "Tower clock: Tells the time."
    assert "secret" not in repr(config)


def test_a_server_over_standard_streams_gives_the_same(address: str) -> None:
    (over_streams,) = list_server(Server(command=STDIO))
    (over_http,) = list_server(Server(url=address))
    assert isinstance(over_streams, RawConfig)
    assert isinstance(over_http, RawConfig)
    assert over_streams.capabilities == over_http.capabilities
    assert over_streams.repo == "io.example/clock"


def test_what_a_registry_says_goes_before_what_a_server_says_of_itself(address: str) -> None:
    about = {
        "name": "org.other/name",
        "description": "From the registry.",
        "repository": {"url": "https://github.com/other/name", "subfolder": "server"},
    }
    (config,) = list_server(Server(url=address, about=about))
    assert isinstance(config, RawConfig)
    assert config.text == "org.other/name: From the registry."
    assert (config.repo, config.path) == ("https://github.com/other/name", "server")


def test_the_number_of_a_record_is_the_place_in_the_list(address: str) -> None:
    servers: list[Server | Skipped] = [Skipped("gone", "not listed"), Server(url=address)]
    found = harvest_servers(sources()["mcp"], servers, pause_seconds=0)
    assert [record.instance_id for record in found.records] == ["mcp-0002-io-example-clock"]
    assert found.records[0].excess is None
    assert found.records[0].spec_tokens == ("tells", "time")
    assert not found.incomplete


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("no-such-program --key secret", id="no such program"),
        pytest.param(python("raise SystemExit('secret of the tower')"), id="leaves at once"),
        pytest.param(python("print('hello')"), id="speaks no protocol"),
        pytest.param(python("print('x' * 10**6, flush=True); input()"), id="long line"),
        pytest.param(python("while True: print('x' * 10**6, end='')"), id="line without end"),
        pytest.param(python("raise SystemExit('\\x1b[2J')"), id="speaks to the terminal"),
        pytest.param(python("import time; time.sleep(60)"), id="never answers"),
        pytest.param(python("print('[' * 9999, flush=True)"), id="nests"),
    ],
)
def test_a_command_that_is_no_server_is_a_failed_skip_in_time(command: str) -> None:
    (skip,) = list_server(Server(command=command), seconds=2)
    assert isinstance(skip, Skipped)
    assert (skip.reason, skip.failed) == ("server cannot be listed", True)
    assert "--key secret" not in skip.what + skip.detail
    assert "\x1b" not in skip.detail


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Answer(status=404), id="not there"),
        pytest.param(Answer(status=500), id="broken"),
        pytest.param(Answer(b"<html>"), id="a page"),
        pytest.param(
            Answer(status=302, headers={"location": "http://127.0.0.1:1/"}), id="leads on"
        ),
    ],
)
def test_an_address_that_is_no_server_is_a_failed_skip(answer: Answer) -> None:
    with serving({"/mcp": answer}) as site:
        (skip,) = list_server(Server(url=f"{site.url}/mcp"), seconds=5)
    assert isinstance(skip, Skipped)
    assert skip.failed


def test_without_the_library_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "catchkit.builders.mcp_session", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'catchkit\[harvest\]'"):
        list(list_server(Server(command=STDIO)))


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    with pytest.raises(SourceError):
        fetch_listing(Server(command=f"no-such-program; touch {mark}"), seconds=3)
    assert not mark.exists()


def test_a_command_with_an_open_quotation_is_refused() -> None:
    with pytest.raises(UsageError, match="No closing quotation"):
        list(list_server(Server(command="server 'open")))
