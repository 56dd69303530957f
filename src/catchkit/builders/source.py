"""What a PRE source is: where it comes from, how it is read, labelled and grouped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from catchkit import catalog
from catchkit.builders.material import Parse, Select, first_of_each_id
from catchkit.builders.places import Place, Wants


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a source may look at to decide which rows share an origin."""

    instance_id: str
    repo: str
    framework: str | None
    needed: tuple[str, ...]
    """Names of the capabilities the task needs, in declared order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of declared agent configurations."""

    name: str
    title: str
    """What the source is, for a table."""

    url: str
    pin: str
    """The revision or frozen list that fixes what is harvested."""

    label_process: str
    license_rule: str
    """Where the licence of a row comes from."""

    wants: Wants
    """Says of a path whether ``parse`` reads the file."""

    parse: Parse
    """Turns the files of one origin into configurations and skips; touches nothing else."""

    select: Select = first_of_each_id
    """Takes all configurations together: selection, de-duplication and numbering."""

    places: Callable[[], Sequence[Place]] | None = None
    """Where it is read by default, mostly on the network; ``None`` where a user names a place."""

    group: Callable[[Origin], str]
    """The group of a row: equal for rows that cross-validation must keep together."""

    group_rule: str
    """The same in words, for the documentation."""


def sources() -> Mapping[str, Source]:
    """Return every PRE source by name.

    Example:
        >>> sources()["n8n"].label_process
        'llm_judge'
    """
    return catalog.declarations("builders.pre", "SOURCE", Source)


def repository_of(url: str) -> str:
    """Return the repository a URL or path names, spelled one way.

    Example:
        >>> repository_of("https://github.com/Owner/Name.git")
        'owner/name'
    """
    return url.removeprefix("https://github.com/").rstrip("/").removesuffix(".git").lower()
