"""``catchkit harvest``: reads a source upstream and writes de-identified records."""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catchkit import catalog
from catchkit.cli.command import Command, Exit

if TYPE_CHECKING:
    from catchkit.builders.harvest import Harvest
    from catchkit.builders.kept import Kept
    from catchkit.builders.live_mcp import Server
    from catchkit.builders.material import Skipped
    from catchkit.builders.places import Place
    from catchkit.builders.source import Source


MIN_KEY_BYTES = 16


def _configure(parser: ArgumentParser) -> None:
    chosen = parser.add_subparsers(dest="source", required=True, metavar="SOURCE")
    for name in catalog.names("builders.pre"):
        one = chosen.add_parser(name, help=f"harvest {name}")
        one.add_argument("--out", type=Path, required=True, metavar="FILE", help="Parquet to write")
        one.add_argument(
            "--skipped", type=Path, metavar="FILE", help="write everything left out as JSON lines"
        )
        one.add_argument(
            "--texts",
            type=Path,
            metavar="FILE",
            help="write the task texts as JSON lines, for judges: they are NOT de-identified",
        )
        one.add_argument(
            "--mode",
            choices=["published", "structured"],
            default="published",
            help="what is kept of a task (default: published)",
        )
        one.add_argument(
            "--key-file",
            type=Path,
            metavar="FILE",
            help="secret of the stand-ins that --mode structured puts for names of people",
        )
        _add_places(one)
        if name == "synthetic":
            one.add_argument("--seed", type=int, default=0, help="of grants and order (default: 0)")
        if name == "n8n":
            _add_gallery(one)
        if name == "mcp":
            _add_servers(one)


def _add_places(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--from",
        dest="places",
        nargs="+",
        metavar="PLACE",
        help="folder, file, zip archive, address, or git repository as PATH@COMMIT; "
        "OWNER/NAME= in front of it is the repository that its records name",
    )
    parser.add_argument("--license", metavar="SPDX", help="licence that a single place declares")
    parser.add_argument(
        "--pause", type=float, default=1.0, metavar="SECONDS", help="between requests (default: 1)"
    )


def _add_gallery(parser: ArgumentParser) -> None:
    parser.add_argument("--ids", type=Path, metavar="FILE", help="template ids, one a line")
    parser.add_argument("--base", metavar="URL", help="gallery to ask instead of n8n's own")


def _add_servers(parser: ArgumentParser) -> None:
    parser.add_argument("--server", nargs="+", metavar="URL", help="running servers to list")
    parser.add_argument(
        "--stdio", nargs="+", metavar="COMMAND", help="commands that serve on standard streams"
    )
    parser.add_argument("--ids", type=Path, metavar="FILE", help="registry names, one a line")
    parser.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="for one server (default: 60)",
    )
    parser.add_argument("--base", metavar="URL", help="registry to ask instead of the official one")


def _run(options: Namespace) -> Exit:
    from dataclasses import asdict

    from catchkit.builders.harvest import write_harvest
    from catchkit.loaders.files import written_whole

    key = _key(options)
    with written_whole(options.out) as partial:
        harvested, kept = _harvest(options)
        _report(harvested)
        if options.skipped is not None:
            _write_lines(options.skipped, map(asdict, harvested.skipped))
        write_harvest(partial, harvested, key=key)
        if options.texts is not None:
            pairs = zip(harvested.records, harvested.texts, strict=True)
            rows = ({"instance_id": record.instance_id, "text": text} for record, text in pairs)
            _write_lines(options.texts, rows)
    if not harvested.incomplete:
        kept.forget()
    print(f"{options.out}: {len(harvested.records)} records")
    if harvested.incomplete:
        print("incomplete: run the same command again for what failed", file=sys.stderr)
    return Exit.INCOMPLETE if harvested.incomplete else Exit.DONE


def _harvest(options: Namespace) -> "tuple[Harvest, Kept]":
    from catchkit.builders.kept import Kept
    from catchkit.builders.pre.synthetic import seeded
    from catchkit.builders.source import sources
    from catchkit.builders.web import Web

    _check(options)
    source = sources()[options.source]
    if source.name == "synthetic":
        source = seeded(options.seed)
    folder = options.out.with_name(f"{options.out.name}.fetched")
    kept = Kept(folder, Web(pause_seconds=options.pause).get)
    if source.name == "mcp" and not options.places:
        return _list_servers(source, options, kept), kept
    return _read_places(source, options, kept), kept


def _read_places(source: "Source", options: Namespace, kept: "Kept") -> "Harvest":
    from catchkit.builders.harvest import harvest_places
    from catchkit.cli.progress import working

    places = _places(source, options)
    _announce([place.where for place in places if place.is_remote], kept)
    with working(f"harvesting {source.name}"):
        return harvest_places(source, places, kept.get)


def _places(source: "Source", options: Namespace) -> "Sequence[Place]":
    from dataclasses import replace

    from catchkit.builders.places import Place
    from catchkit.builders.pre.n8n import API, template_places
    from catchkit.errors import UsageError

    ids = getattr(options, "ids", None)
    if options.places:
        named = [Place.parse(text) for text in options.places]
        if options.license and len(named) > 1:
            raise UsageError("--license is that of one place; name one with --from")
        return [replace(place, license=options.license) for place in named]
    if ids:
        return template_places(_read_ids(ids, _is_number), options.base or API)
    if source.places is None:
        raise UsageError(f"{source.name} has no pinned address; name a place with --from")
    return source.places()


def _list_servers(source: "Source", options: Namespace, kept: "Kept") -> "Harvest":
    from catchkit.builders.live_mcp import Server, harvest_servers
    from catchkit.builders.registry import REGISTRY, entry_url, registered
    from catchkit.errors import UsageError

    servers: list[Server] = [Server(url=url) for url in options.server or ()]
    servers += [Server(command=command) for command in options.stdio or ()]
    names = _read_ids(options.ids, bool) if options.ids else []
    if bool(servers) == bool(names):
        raise UsageError("name places with --from, servers with --server or --stdio, or --ids")
    base = options.base or REGISTRY
    _announce([server.url for server in servers if server.url], kept)
    _announce([entry_url(name, base) for name in names], kept, "and the servers it names")
    for server in servers:
        if server.command is not None:
            print(f"will run: {server.shown}", file=sys.stderr)
    found = _announced(registered(names, kept.get, base)) if names else servers
    return harvest_servers(source, found, pause_seconds=options.pause, seconds=options.timeout)


def _announced(found: "Iterable[Server | Skipped]") -> "Iterator[Server | Skipped]":
    """Say of each server that a registry names that it will be contacted, before it is."""
    for server in found:
        if url := getattr(server, "url", None):
            _announce([url], None)
        yield server


def _check(options: Namespace) -> None:
    """Refuse options that would be ignored."""
    from catchkit.errors import UsageError

    given = {name for name, value in vars(options).items() if value is not None}
    others = given & {"ids", "server", "stdio"}
    if "places" in given and others:
        raise UsageError(f"--from cannot stand beside --{min(others)}")
    if "base" in given and "ids" not in given:
        raise UsageError("--base says where the ids of --ids are looked up")
    if "license" in given and "places" not in given:
        raise UsageError("--license is that of the place of --from")
    if not (getattr(options, "pause", 0) >= 0 and getattr(options, "timeout", 1) > 0):
        raise UsageError("--pause cannot be negative, and --timeout must be above 0")


def _key(options: Namespace) -> bytes | None:
    """Return the secret of the structured mode, ``None`` in the published one."""
    from catchkit.errors import UsageError

    if (options.mode == "structured") != (options.key_file is not None):
        raise UsageError("--mode structured and --key-file go together")
    if options.key_file is None:
        return None
    if not options.key_file.is_file():
        raise UsageError(f"there is no file {options.key_file}")
    key: bytes = options.key_file.read_bytes().strip()
    if len(key) < MIN_KEY_BYTES:
        raise UsageError(f"{options.key_file} holds fewer than {MIN_KEY_BYTES} bytes")
    return key


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _read_ids(path: Path, is_id: Callable[[str], bool]) -> list[str]:
    """Read a file of ids, one a line; what follows a ``#`` is a remark."""
    from catchkit.builders.untrusted import read_text
    from catchkit.errors import UsageError

    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    lines = read_text(path.read_bytes(), str(path)).splitlines()
    found = [text for line in lines if (text := line.partition("#")[0].strip())]
    if wrong := [text for text in found if not is_id(text)]:
        raise UsageError(f"{path}: {wrong[0]!r} is not an id")
    if not found:
        raise UsageError(f"{path} holds no id")
    return list(dict.fromkeys(found))


def _announce(urls: Sequence[str], kept: "Kept | None", more: str = "") -> None:
    """Say which hosts will be contacted, before any is."""
    from catchkit.builders.web import address

    waiting = [url for url in urls if kept is None or not kept.holds(url)]
    hosts = Counter(address(url).netloc.rpartition("@")[2] for url in waiting)
    for host, count in hosts.items():
        print(f"will contact: {host} ({count} addresses) {more}".rstrip(), file=sys.stderr)
    if len(waiting) < len(urls):
        print(f"kept from an earlier run: {len(urls) - len(waiting)} answers", file=sys.stderr)


def _report(harvested: "Harvest") -> None:
    from catchkit.builders.untrusted import printable
    from catchkit.cli.tables import show_table

    examples = {skip.reason: skip for skip in reversed(harvested.skipped)}
    rows = [
        [reason, str(count), printable(examples[reason].what[:70])]
        for reason, count in harvested.reasons().items()
    ]
    show_table(["outcome", "count", "first"], [["record", str(len(harvested.records)), ""], *rows])


def _write_lines(path: Path, rows: "Iterable[dict[str, Any]]") -> None:
    import json

    from catchkit.loaders.files import written_whole

    with written_whole(path) as partial:
        partial.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


COMMAND = Command(
    name="harvest",
    summary="Harvest a source and write its de-identified records.",
    configure=_configure,
    run=_run,
)
