"""Plants in clean runs what a control must catch, and counts how often a reading registers it."""

from dataclasses import dataclass

import numpy as np

from catchkit.admissibility.control import Output, Planted
from catchkit.admissibility.panel import Flags, Panel
from catchkit.admissibility.thresholds import Leakage
from catchkit.eval.agreement import Rate, exact_rate
from catchkit.eval.bands import clustered_means, half_widths
from catchkit.eval.matched import Counts, Pools, Values, superiority
from catchkit.seeds import generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """How strong an artefact is."""

    share: float
    """Share of the pairs that carry it."""

    effect: float
    """Size of the gap that it adds on average: the wanted one, or what can be reached."""

    def reaches(self, limits: Leakage) -> bool:
        """Return whether it is as strong as the artefact that has to be found."""
        return self.effect >= limits.artefact - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """How often a reading registers its artefact."""

    strength: Strength
    registered: Rate

    def suffices(self, limits: Leakage) -> bool:
        """Return whether the reading would have left the band had the injector been dirty."""
        return self.strength.reaches(limits) and (self.registered.value or 0.0) >= limits.power


@dataclass(frozen=True, slots=True, kw_only=True)
class Plants:
    """The artefact of one control, planted once in every pair."""

    control: str
    planted: tuple[Planted, ...]
    top1: Values
    """Gap over the floor at the planted place, length n."""

    paired: Values
    """Superiority over the clean run minus one half, length n."""

    def strength(self, panel: Panel, outputs: tuple[Output, ...], wanted: float) -> Strength:
        """Return how many pairs to plant for a wanted gap.

        The gap is that of the ranking, also where the paired reading is under test; only a
        control that ranks nothing is planted for a gap of its paired reading. It may be negative:
        an artefact can push the site to the end of the ranking as well.
        """
        ranks = "top1" in outputs
        full = abs(float(self.top1[panel.ranked].mean() if ranks else self.paired.mean()))
        if full <= wanted:
            return Strength(share=1.0, effect=full)
        return Strength(share=wanted / full, effect=wanted)


def plants_of(panel: Panel, name: str, seed: int = 0) -> Plants:
    """Plant the artefact of a control in the clean run of every pair."""
    control, pairs = panel.controls[name], panel.substrate.pairs
    planted: list[Planted] = []
    for pair in pairs:
        rng = generator(seed, f"plant {name}", pair.pair_id)
        drawn = int(rng.integers(len(pair.eligible)))
        planted.append(control.plant(panel.context, pair, drawn, rng))
    scores = np.concatenate(
        [control.score(panel.context, p, made.run) for p, made in zip(pairs, planted, strict=True)]
    )
    pools = Pools.of(panel.pools.sizes, [made.site for made in planted])
    return Plants(
        control=name,
        planted=tuple(planted),
        top1=pools.top1(scores) - pools.floor,
        paired=superiority(pools.mean(scores), pools.mean(panel.clean[name])) - 0.5,
    )


def power_of(
    panel: Panel, name: str, output: Output, plants: Plants, limits: Leakage, seed: int = 0
) -> Power:
    """Measure the power of one reading on the pairs that it is taken on.

    Every replicate is an injector that leaves no trace in most pairs and the artefact in a share
    of them: its sites are drawn anew, and which pairs are planted too.
    """
    strength = plants.strength(panel, panel.controls[name].outputs, limits.artefact)
    rng = generator(seed, f"power of {name}", output)
    rows = limits.replicates
    null = (
        _null_top1(panel, name, rows, rng)
        if output == "top1"
        else _null_paired(panel, name, rows, rng)
    )
    planted = plants.top1[panel.ranked] if output == "top1" else plants.paired
    is_planted = rng.random(null.shape) < strength.share
    values = np.where(is_planted, planted, null)
    hits = registers(
        values, panel.clusters_of(output), margin=limits.margin(output), alpha=limits.alpha
    )
    return Power(strength=strength, registered=exact_rate(int(hits.sum()), rows))


def registers(values: Values, clusters: Counts, *, margin: float, alpha: float) -> Flags:
    """Return for each row of gaps whether it is told apart from zero and not inside the band."""
    means, errors = clustered_means(values, clusters)
    count = len(np.unique(clusters))
    inner = half_widths(errors, count, 1 - 2 * alpha)
    outer = half_widths(errors, count, 1 - alpha)
    is_inside = np.abs(means) + inner <= margin
    found: Flags = (np.abs(means) > outer) & ~is_inside
    return found


def _null_top1(panel: Panel, name: str, rows: int, rng: np.random.Generator) -> Values:
    """Draw a uniform site in every clean run and return its gaps, shape (rows, ranked pairs)."""
    each = panel.pools.top1_of_each(panel.clean[name])
    sizes = panel.pools.sizes[panel.ranked]
    starts = panel.pools.offsets[:-1][panel.ranked]
    drawn = rng.integers(0, sizes, size=(rows, len(sizes)))
    found: Values = each[starts + drawn] - 1.0 / sizes
    return found


def _null_paired(panel: Panel, name: str, rows: int, rng: np.random.Generator) -> Values:
    """Keep of the observed differences what has no direction, with signs at random.

    What exceeds the rarer direction is a leak and no noise: an injector that is above its twin
    in every pair would be without any difference had it left no trace.
    """
    observed = panel.values(name, "paired")
    above, below = int((observed > 0).sum()), int((observed < 0).sum())
    kept = 2 * min(above, below) / max(above + below, 1)
    signs = rng.choice(np.array([-1.0, 1.0]), size=(rows, len(observed)))
    noise: Values = np.abs(observed) * signs * (rng.random(signs.shape) < kept)
    return noise
