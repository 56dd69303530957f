"""Scores every pair of a substrate with every control, as flat arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from catchkit.admissibility.context import Context
from catchkit.admissibility.control import Output, PairControl
from catchkit.admissibility.substrate import Pair, Run, Substrate
from catchkit.eval.matched import Counts, Pools, Values, superiority

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Scores of ``n`` pairs with ``m`` eligible places in all."""

    substrate: Substrate
    context: Context
    controls: Mapping[str, PairControl]
    pools: Pools
    clusters: Counts
    """Code of the task of each pair, length n."""

    clean: Mapping[str, Values]
    injected: Mapping[str, Values]
    """Control -> one score per eligible place, length m."""

    @property
    def ranked(self) -> Flags:
        """Which pairs have at least two candidates, so that a ranking says something."""
        return self.pools.sizes > 1

    def values(self, name: str, output: Output) -> Values:
        """Return what a reading averages: one gap per pair, 0 where there is no leak.

        For ``top1`` the chance to name the site minus the floor, pools of one left out; for
        ``paired`` whether the injected run scores above its twin, minus one half.
        """
        return gaps(self.pools, self.clean[name], self.injected[name], output)

    def auc(self, name: str, output: Output) -> float:
        """Return an AUC that compares like with like, one half where there is no leak.

        For ``top1`` the site against the rest of its own pool, for ``paired`` an injected run
        against its own twin. Never over all candidates at once, which reads the size of a pool.
        """
        if output == "paired":
            return 0.5 + float(self.values(name, output).mean())
        beaten = self.pools.rank_share(self.injected[name])[self.pools.target][self.ranked]
        return float(beaten.mean()) if len(beaten) else 0.5

    def clusters_of(self, output: Output) -> Counts:
        """Return the clusters aligned with ``values``."""
        return self.clusters[self.ranked] if output == "top1" else self.clusters


def gaps(pools: Pools, clean: Values, injected: Values, output: Output) -> Values:
    """Return the gap of each pair; see ``Panel.values``."""
    if output == "top1":
        return (pools.top1(injected) - pools.floor)[pools.sizes > 1]
    return superiority(pools.mean(injected), pools.mean(clean)) - 0.5


def panel_of(substrate: Substrate, controls: Mapping[str, PairControl]) -> Panel:
    """Score a substrate."""
    context = Context.of(substrate)
    pairs = substrate.pairs
    return Panel(
        substrate=substrate,
        context=context,
        controls=controls,
        pools=Pools.of([len(pair.eligible) for pair in pairs], [pair.site for pair in pairs]),
        clusters=codes([pair.group for pair in pairs]),
        clean=scores_of(controls, context, pairs, [pair.clean for pair in pairs]),
        injected=scores_of(controls, context, pairs, [pair.injected for pair in pairs]),
    )


def scores_of(
    controls: Mapping[str, PairControl],
    context: Context,
    pairs: Sequence[Pair],
    runs: Sequence[Run],
) -> dict[str, Values]:
    """Score one version of every pair with every control."""
    return {
        name: np.concatenate(
            [control.score(context, pair, run) for pair, run in zip(pairs, runs, strict=True)]
        )
        for name, control in controls.items()
    }


def codes(names: Sequence[str]) -> Counts:
    """Return equal numbers for equal names, in order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
