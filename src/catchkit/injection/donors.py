"""Where replacement values come from: what other runs use at the same argument."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from catchkit.injection.values import ValueRun, consumptions


@dataclass(frozen=True, slots=True)
class Donors:
    """Argument key -> the identifiers that any run uses there, sorted."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Iterable[ValueRun]) -> "Donors":
        """Collect the identifiers that runs use."""
        found: dict[str, set[str]] = defaultdict(set)
        for run in runs:
            for use in consumptions(run):
                if run.extraction.is_identifier(use.value, use.key):
                    found[use.key].add(use.value)
        return cls({key: tuple(sorted(values)) for key, values in sorted(found.items())})

    def at(self, key: str, without: frozenset[str]) -> list[str]:
        """Return the identifiers at a key that are none of these values, sorted."""
        return [value for value in self.values.get(key, ()) if value not in without]
