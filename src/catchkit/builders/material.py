"""What passes between fetching, parsing and de-identifying: files, configurations, skips."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from catchkit.schema import Capability

NO_LICENSE = "NOASSERTION"
NO_COMMIT = "n/a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Files of one origin at one revision, untrusted until parsed."""

    repo: str
    """Where the files come from, as the records will name it."""

    commit: str = NO_COMMIT
    license: str = NO_LICENSE
    files: Mapping[str, bytes]
    """Path below the origin, ``/`` between its parts -> content."""

    def named(self, *names: str) -> Iterator[tuple[PurePosixPath, bytes]]:
        """Yield the files whose last path part is one of the names, ordered by path parts."""
        for path in sorted(map(PurePosixPath, self.files), key=lambda path: path.parts):
            if path.name in names:
                yield path, self.files[str(path)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RawConfig:
    """One declared agent configuration with its prose; it never reaches a release."""

    instance_id: str
    text: str
    """The task or role in the source's own words, identifiers included."""

    capabilities: tuple[Capability, ...]
    """The roster in declared order."""

    needed: tuple[str, ...] | None = None
    """Names the task needs, where the source says so; ``None`` where judges are to come."""

    framework: str | None = None
    attack_type: str | None = None
    repo: str
    commit: str
    path: str
    license: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that gave no configuration, and why."""

    what: str
    """The file, entry or address."""

    reason: str
    """A few words that are the same for every case of the kind, so that they can be counted."""

    detail: str = ""
    """What is special about this case."""

    failed: bool = False
    """Whether another attempt may give it: the harvest is incomplete without it."""


Parsed = RawConfig | Skipped
Parse = Callable[[Material], Iterator[Parsed]]
Select = Callable[[Iterable[RawConfig]], Iterator[Parsed]]


def first_of_each_id(configs: Iterable[RawConfig]) -> Iterator[Parsed]:
    """Yield every configuration whose id has not been seen; the others are skips."""
    seen: set[str] = set()
    for config in configs:
        if config.instance_id in seen:
            yield Skipped(config.path, "instance id seen before", config.instance_id)
        else:
            seen.add(config.instance_id)
            yield config
