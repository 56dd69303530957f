"""Compares what our readers make of the real inputs with the released records.

``python tests/parity.py`` prints one line per comparison, ``equal / present / published``, and
one line per miss.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from catchkit.builders.harvest import harvest_places, record_of
from catchkit.builders.material import Material, Parsed, RawConfig, Skipped
from catchkit.builders.places import Place, materials
from catchkit.builders.pre.crewai import entry_text
from catchkit.builders.pre.mcp import describe, read_description, slug
from catchkit.builders.pre.sweagent import SUBMISSION
from catchkit.builders.source import sources
from catchkit.builders.untrusted import read_yaml
from catchkit.deidentify.spec import derive
from catchkit.errors import CatchkitError
from catchkit.loaders.release import SNAPSHOT, Release
from catchkit.schema import Capability, PreRecord
from factories import SHARED

RAW = SHARED / "raw"
MIRRORS = "CATCHKIT_MIRRORS"
"""Names a folder of bare repositories, ``owner+name`` or ``owner+name/repo`` each."""


@dataclass(kw_only=True)
class Parity:
    """One comparison."""

    what: str
    equal: int = 0
    present: int = 0
    published: int
    misses: list[str] = field(default_factory=list)

    def add(self, name: str, *, equal: bool) -> None:
        self.present += 1
        self.equal += equal
        if not equal:
            self.misses.append(name)

    def __str__(self) -> str:
        line = f"{self.what}: {self.equal} / {self.present} / {self.published}"
        return "\n".join([line, *(f"  miss: {miss}" for miss in self.misses)])


@cache
def released(source: str) -> MappingProxyType[str, PreRecord]:
    rows = Release.open(SNAPSHOT).table(f"pre_{source}").to_pylist()
    return MappingProxyType({row["instance_id"]: PreRecord.from_row(row) for row in rows})


def declared(record: PreRecord) -> tuple[Capability, ...]:
    """Return the roster of a record in its upstream order."""
    places = zip(record.declared_position, record.capabilities, strict=True)
    return tuple(capability for _, capability in sorted(places, key=lambda entry: entry[0]))


def no_network(url: str) -> bytes:
    raise AssertionError(url)


def stored(source: str, folder: str = "") -> Iterator[Material]:
    wants = sources()[source].wants
    for found in materials(Place(where=str(RAW / (folder or source))), wants, no_network):
        assert isinstance(found, Material), found
        yield found


def parsed(source: str, folder: str = "") -> Iterator[tuple[Material, RawConfig | Skipped]]:
    for material in stored(source, folder):
        for entry in sources()[source].parse(material):
            yield material, entry


def same_text(text: str, record: PreRecord) -> bool:
    """Whether a text gives a record's tokens and overrides under the released roster."""
    return derive(text, declared(record)) == (record.spec_tokens, record.spec_overrides)


def injecagent() -> Parity:
    found = harvest_places(
        sources()["injecagent"], [Place(where=str(RAW / "injecagent"))], no_network
    )
    result = Parity(what="injecagent, every field", published=len(released("injecagent")))
    for record in found.records:
        result.add(record.instance_id, equal=record == released("injecagent")[record.instance_id])
    return result


def n8n() -> Parity:
    """Compare all that a reader gives; votes and the label come from judges."""
    result = Parity(what="n8n, all but votes and label", published=len(released("n8n")))
    for _, entry in parsed("n8n"):
        assert isinstance(entry, RawConfig), entry
        ours, theirs = record_of(sources()["n8n"], entry), released("n8n")[entry.instance_id]
        result.add(entry.instance_id, equal=without_label(ours) == without_label(theirs))
    return result


def without_label(record: PreRecord) -> dict[str, object]:
    row = record.to_row()
    return {name: value for name, value in row.items() if name not in ("votes", "excess")}


def sweagent() -> Iterator[Parity]:
    """Compare the runs of released issues; they are another model's, so use is not compared."""
    total = len(released("sweagent"))
    names = Parity(what="sweagent, eleven declared commands", published=total)
    texts = Parity(what="sweagent, tokens and overrides given the roster", published=total)
    for _, entry in parsed("sweagent"):
        if isinstance(entry, RawConfig) and "swe-agent-results" in entry.path:
            record = released("sweagent")[entry.instance_id]
            assert record.commit == SUBMISSION
            same = declared(record)[:11] == entry.capabilities[:11]
            names.add(entry.instance_id, equal=same)
            texts.add(entry.instance_id, equal=same_text(entry.text, record))
    yield from (names, texts)


def mcp() -> Iterator[Parity]:
    by_slug = {key.split("-", 2)[2]: record for key, record in released("mcp").items()}
    texts = Parity(what="mcp, tokens and overrides of server.json", published=len(by_slug))
    for material in stored("mcp", "mcp_official"):
        for path, data in material.named("server.json"):
            about = read_description(str(path), data)
            if record := by_slug.get(slug(str(about["name"]))):
                texts.add(record.instance_id, equal=same_text(describe(about), record))
    yield texts
    live = released("mcp")["mcp-0057-co-ainumbers-tools"]
    tools = Parity(what="mcp-0057, tools of the stored reply", published=len(live.capabilities))
    for _, entry in parsed("mcp", "mcp_official"):
        if isinstance(entry, RawConfig) and slug(entry.instance_id) == "co-ainumbers-tools":
            for ours, theirs in zip(entry.capabilities, declared(live), strict=True):
                tools.add(theirs.name, equal=ours == theirs)
    yield tools


Row = tuple[str, tuple[Capability, ...], tuple[str, ...], object]


def crewai_yaml() -> Iterator[Parity]:
    """Compare crews of which only the YAML is stored, by repository, file and order."""
    total = len(released("crewai"))
    full = Parity(what="crewai, our rows of unchanged files, roster in the YAML", published=total)
    exact = Parity(what="crewai, tokens and overrides, unchanged files", published=total)
    other = Parity(what="crewai, tokens and overrides, files of another commit", published=total)
    theirs = _by_repository()
    for material in stored("crewai"):
        pinned = theirs[material.repo][0].commit == material.commit
        ours = [_row(config) for config in _selected(_configs(sources()["crewai"].parse(material)))]
        wanted = [_released_row(record) for record in theirs[material.repo]]
        for row in ours if pinned else ():
            full.add(f"{material.repo} {row[2]}", equal=row in wanted)
        for record in theirs[material.repo]:
            if record.path not in material.files:
                continue
            texts = _texts(record.path, material.files[record.path])
            same = any(same_text(text, record) for text in texts)
            (exact if pinned else other).add(f"{record.instance_id} {record.repo}", equal=same)
    yield from (full, exact, other)


def crewai_mirrors(folder: Path) -> Iterator[Parity]:
    """Compare crews read with their Python from bare repositories at the released commits."""
    result = Parity(
        what="crewai, all but label, from repositories", published=len(released("crewai"))
    )
    surplus = Parity(
        what="crewai, rows of ours that are released", published=len(released("crewai"))
    )
    configs: list[RawConfig] = []
    theirs = _by_repository()
    for repo, records in theirs.items():
        bare = folder / repo.replace("/", "+")
        place = Place(
            where=str(bare / "repo" if (bare / "repo").is_dir() else bare),
            repo=repo,
            commit=records[0].commit,
        )
        configs += _read_mirror(place)
    chosen = _selected(configs)
    for repo in dict.fromkeys(config.repo for config in configs):
        ours = [_row(config) for config in chosen if config.repo == repo]
        wanted = [_released_row(record) for record in theirs[repo]]
        for record, row in zip(theirs[repo], wanted, strict=True):
            result.add(f"{record.instance_id} {repo}", equal=row in ours)
        for row in ours:
            surplus.add(f"{repo} {row[2]}", equal=row in wanted)
    yield from (result, surplus)


def _read_mirror(place: Place) -> list[RawConfig]:
    """Return what a repository gives; nothing where it or its commit is not there."""
    try:
        found = list(materials(place, sources()["crewai"].wants, no_network))
    except CatchkitError:
        return []
    parse = sources()["crewai"].parse
    return [config for m in found if isinstance(m, Material) for config in _configs(parse(m))]


def _selected(configs: Iterable[RawConfig]) -> list[RawConfig]:
    return _configs(sources()["crewai"].select(configs))


def _configs(entries: Iterable[Parsed]) -> list[RawConfig]:
    return [entry for entry in entries if isinstance(entry, RawConfig)]


def _by_repository() -> dict[str, list[PreRecord]]:
    found = defaultdict(list)
    for record in released("crewai").values():
        found[record.repo].append(record)
    return found


def _row(config: RawConfig) -> Row:
    return (config.path, config.capabilities, *derive(config.text, config.capabilities))


def _released_row(record: PreRecord) -> Row:
    return (record.path, declared(record), record.spec_tokens, record.spec_overrides)


def _texts(path: str, data: bytes) -> Sequence[str]:
    entries = read_yaml(data.decode("utf-8", "ignore"), path, on_duplicate=lambda _: None)
    return [entry_text(entry) for entry in entries.values() if isinstance(entry, dict)]


def comparisons() -> Iterator[Parity]:
    yield injecagent()
    yield n8n()
    many: list[Callable[[], Iterator[Parity]]] = [sweagent, mcp, crewai_yaml]
    for compare in many:
        yield from compare()
    if folder := os.environ.get(MIRRORS):
        yield from crewai_mirrors(Path(folder))


if __name__ == "__main__":
    if not RAW.is_dir():
        sys.exit(f"the real inputs are not beside the repository ({RAW})")
    for comparison in comparisons():
        sys.stdout.write(f"{comparison}\n")
