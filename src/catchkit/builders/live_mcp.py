"""Lists the tools of running MCP servers; the session itself is in ``mcp_session``."""

import shlex
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catchkit.builders.harvest import Harvest, harvest_configs
from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.pre.mcp import config_of, numbered
from catchkit.builders.source import Source
from catchkit.builders.web import address
from catchkit.errors import MissingExtraError, SourceError, UsageError

SERVER_SECONDS = 60.0
"""Longest time for one server, from connecting to its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server to list: an address, or a command that speaks over its standard streams."""

    url: str | None = None
    command: str | None = None
    about: Mapping[str, Any] | None = None
    """What a registry says of it; by default what it says of itself."""

    def __post_init__(self) -> None:
        if self.url is not None:
            address(self.url)
        elif not self.arguments:
            raise UsageError("--stdio: the command is empty")

    @property
    def shown(self) -> str:
        """A name for reports, without the query, password or arguments that may hold a secret."""
        if self.url is not None:
            parts = address(self.url)
            return f"{parts.hostname}{parts.path}".rstrip("/")
        return self.arguments[0].rpartition("/")[2]

    @property
    def arguments(self) -> list[str]:
        """The command split into arguments, as a shell would; no shell runs it."""
        try:
            return shlex.split(self.command or "")
        except ValueError as problem:
            raise UsageError(f"--stdio {self.command!r}: {problem}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a server answered."""

    about: Mapping[str, Any]
    tools: tuple[Mapping[str, Any], ...]
    has_more: bool
    """Whether it offered further pages."""


def harvest_servers(
    source: Source,
    servers: Iterable[Server | Skipped],
    *,
    pause_seconds: float = 1.0,
    seconds: float = SERVER_SECONDS,
) -> Harvest:
    """List servers one after the other and harvest what they offer.

    Args:
        source: The source named ``mcp``.
        servers: In the order of the list they stand in; a skip keeps its place in the numbering.
        pause_seconds: Time between two servers.
        seconds: Longest time for one server.

    Raises:
        MissingExtraError: The client library is not installed.
    """

    def configs() -> Iterator[Parsed]:
        for position, server in enumerate(servers, start=1):
            if isinstance(server, Skipped):
                yield server
                continue
            if position > 1:
                time.sleep(pause_seconds)
            for found in list_server(server, seconds=seconds):
                yield numbered(found, position) if isinstance(found, RawConfig) else found

    return harvest_configs(source, configs())


def list_server(server: Server, *, seconds: float = SERVER_SECONDS) -> Iterator[Parsed]:
    """Yield the configuration of one running server, or why there is none.

    As in the released records, only the first page of a list is read; that there is more is
    reported as a skip.

    Raises:
        MissingExtraError: The client library is not installed.
    """
    try:
        listing = fetch_listing(server, seconds=seconds)
    except SourceError as problem:
        yield Skipped(server.shown, "server cannot be listed", str(problem), failed=True)
        return
    about = server.about or listing.about
    # A command says nothing about where its server comes from, and its arguments may hold a key.
    repo = server.shown if server.url else str(about.get("name") or server.shown)
    yield config_of(about, listing.tools, Material(repo=repo, files={}), ".")
    if listing.has_more:
        yield Skipped(server.shown, "further pages of a tool list")


def fetch_listing(server: Server, *, seconds: float = SERVER_SECONDS) -> Listing:
    """Ask a server for its tools, once.

    Raises:
        SourceError: It does not answer in time, or not as the protocol says.
        MissingExtraError: The client library is not installed.
    """
    try:
        from catchkit.builders.mcp_session import ask
    except ImportError:
        raise MissingExtraError("mcp", "harvest") from None
    return ask(server, seconds=seconds)
