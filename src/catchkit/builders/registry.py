"""Which servers of an MCP registry are harvested: listed, active, open to anyone, with a source."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote

from catchkit.builders.live_mcp import Server
from catchkit.builders.material import Skipped
from catchkit.builders.untrusted import read_json
from catchkit.builders.web import GoneError, address
from catchkit.errors import SourceError

REGISTRY = "https://registry.modelcontextprotocol.io"
_OFFICIAL = "io.modelcontextprotocol.registry/official"


def entry_url(name: str, registry: str = REGISTRY) -> str:
    """Return the address of the latest entry of a server.

    Example:
        >>> entry_url("io.example/clock", "https://registry.example")
        'https://registry.example/v0.1/servers/io.example%2Fclock/versions/latest'
    """
    return f"{registry.rstrip('/')}/v0.1/servers/{quote(name, safe='')}/versions/latest"


def registered(
    names: Iterable[str], get: Callable[[str], bytes], registry: str = REGISTRY
) -> Iterator[Server | Skipped]:
    """Look servers up and yield, in order, where each is listed or why it is not.

    Args:
        names: Registry names.
        get: Fetches an address.
        registry: The registry asked.
    """
    for name in names:
        try:
            found = server_of(name, get(entry_url(name, registry)))
            local = isinstance(found, Server) and is_local(found.url or "")
            # A registry of strangers must not make this machine speak to itself.
            refused = local and not is_local(registry)
            yield Skipped(name, "remote is a private address") if refused else found
        except GoneError as problem:
            yield Skipped(name, "not in the registry", str(problem))
        except SourceError as problem:
            yield Skipped(name, "registry entry cannot be read", str(problem), failed=True)


def server_of(name: str, data: bytes) -> Server | Skipped:
    """Apply the selection rules to one registry entry.

    Raises:
        SourceError: The entry is not JSON.
    """
    found = read_json(data, name)
    entry = _mapping(_mapping(found).get("server"))
    official = _mapping(_mapping(_mapping(found).get("_meta")).get(_OFFICIAL))
    if not entry:
        return Skipped(name, "not a registry entry")
    status = official.get("status", entry.get("status"))
    if status != "active" or official.get("isLatest") is False:
        return Skipped(name, "not the latest active entry")
    if _host(_mapping(entry.get("repository")).get("url")) != "github.com":
        return Skipped(name, "no GitHub repository")
    remotes = entry.get("remotes")
    for remote in map(_mapping, remotes if isinstance(remotes, list) else []):
        url = _text(remote.get("url"))
        # A template variable left in an address makes it one that cannot be asked.
        is_open = not remote.get("headers") and _host(url) and "{" not in url
        if remote.get("type") == "streamable-http" and is_open:
            return Server(url=url, about=entry)
    return Skipped(name, "no open streamable-http remote")


def is_local(url: str) -> bool:
    """Return whether an address names this machine or a private network.

    Example:
        >>> is_local("http://127.0.0.1:9/mcp"), is_local("https://mcp.example.org/mcp")
        (True, False)
    """
    host = _host(url)
    try:
        return not ip_address(host).is_global
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".internal"))


def _host(url: object) -> str:
    """Return the host of an address in small letters, nothing when it is no address."""
    try:
        return address(_text(url)).hostname or ""
    except SourceError:
        return ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
