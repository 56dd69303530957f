"""Who decides: which fault a run gets first, which site, and from which draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from catchkit.injection.draws import AddressedDraws, Draws, NumpyStream, PythonStream
from catchkit.injection.injector import Injector, Site, Substrate

Stream = Literal["addressed", "published"]


class Randomness(Protocol):
    """The choices that are not the injector's own."""

    def draws(self, fault: Injector, run_id: str) -> Draws:
        """Return the draws for one fault in one run."""

    def faults(self, number: int, run_id: str, faults: Sequence[Injector]) -> Sequence[Injector]:
        """Return the faults in the order in which a run tries them; ``number`` counts runs."""

    def sites(
        self, fault: Injector, sites: Sequence[Site], draws: Draws, *, length: int
    ) -> Iterator[Site]:
        """Yield sites in the order in which they are tried; ``length`` counts steps."""


@dataclass(frozen=True, slots=True)
class Addressed:
    """Every draw depends on seed, fault and run: other runs move nothing. The default."""

    seed: int

    def draws(self, fault: Injector, run_id: str) -> Draws:
        """Return the draws that belong to one fault in one run."""
        return AddressedDraws.at(self.seed, f"inject {fault.name}", run_id)

    def faults(
        self,
        number: int,  # noqa: ARG002 - where a run stands must not matter
        run_id: str,
        faults: Sequence[Injector],
    ) -> Sequence[Injector]:
        """Return the faults in an order that depends on the run."""
        order = AddressedDraws.at(self.seed, "fault order", run_id).order(len(faults))
        return [faults[at] for at in order]

    def sites(
        self,
        fault: Injector,  # noqa: ARG002 - all are drawn alike
        sites: Sequence[Site],
        draws: Draws,
        *,
        length: int,  # noqa: ARG002 - only sites count
    ) -> Iterator[Site]:
        """Yield sites in random order, each place once.

        Two fields may make one argument eligible for a stale value: it counts as one place.
        """
        places: dict[tuple[int, str], list[Site]] = {}
        for site in sites:
            places.setdefault((site.at, site.path), []).append(site)
        held = list(places.values())
        for at in draws.order(len(held)):
            yield held[at][draws.below(len(held[at])) if len(held[at]) > 1 else 0]


@dataclass(frozen=True, slots=True)
class Published:
    """The original's streams: one for the whole corpus, so that each draw moves all later ones."""

    seed: int
    substrate: Substrate
    stream: Draws = field(init=False)

    def __post_init__(self) -> None:
        kind = NumpyStream if self.substrate == "file" else PythonStream
        object.__setattr__(self, "stream", kind(self.seed))

    def draws(self, fault: Injector, run_id: str) -> Draws:  # noqa: ARG002 - one for all
        """Return the one stream."""
        return self.stream

    def faults(
        self,
        number: int,
        run_id: str,  # noqa: ARG002 - only the place counts
        faults: Sequence[Injector],
    ) -> Sequence[Injector]:
        """Return the faults as given for even runs, reversed for odd ones."""
        return list(reversed(faults)) if number % 2 else faults

    def sites(
        self, fault: Injector, sites: Sequence[Site], draws: Draws, *, length: int
    ) -> Iterator[Site]:
        """Yield sites as the original tries them.

        File faults shuffle all steps, whether or not there is a site among them. A stale value is
        drawn once, a dropped one from shuffled sites.
        """
        if fault.substrate == "file":
            at = {site.at: site for site in sites}
            return (at[step] for step in draws.order(length) if step in at)
        if fault.name == "stale_value":
            return iter([sites[draws.below(len(sites))]] if sites else ())
        return (sites[place] for place in draws.order(len(sites)))


def randomness(stream: Stream, seed: int, substrate: Substrate) -> Randomness:
    """Return the choices of a stream.

    Example:
        >>> randomness("addressed", 7, "file")
        Addressed(seed=7)
    """
    return Addressed(seed) if stream == "addressed" else Published(seed, substrate)
