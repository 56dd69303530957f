"""The learned adversary: boosted trees on everything the controls read, with grouped folds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from catchkit.admissibility.control import Output, PairControl
from catchkit.admissibility.panel import Flags, Panel, scores_of
from catchkit.admissibility.power import Plants, Power, Strength, registers
from catchkit.admissibility.thresholds import Adversary, Leakage, Thresholds
from catchkit.eval.agreement import Rate, exact_rate
from catchkit.eval.auc import roc_auc
from catchkit.eval.matched import Counts, Pools, Values, superiority
from catchkit.seeds import generator

NAME = "learned_adversary"
ORDER = "row_order"
"""Of this only the sign of the difference is shown: which of the twins stands first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the adversary sees of ``n`` pairs."""

    pools: Pools
    clusters: Counts
    is_test: Flags
    """The task of each pair, and whether it is held out: whole tasks are. Length n."""

    clean: Values
    injected: Values
    """Shape (m, features): each score, and its rank within the pool."""

    order: Values
    """1 where the injected run stands after its twin, -1 where before, length n."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Out-of-fold scores of the adversary."""

    output: Output
    gaps: Values
    """The gap of each held-out pair, as ``Panel.values`` has it for a control."""

    clusters: Counts
    """Aligned with ``gaps``."""

    auc: float
    """``top1``: within-pool AUC. ``paired``: AUC of injected against clean at the same site."""


def columns_of(
    pools: Pools, scores: Mapping[str, Values], controls: Mapping[str, PairControl]
) -> Values:
    """Return the features of every place, shape (m, features)."""
    names = [name for name in controls if name != ORDER]
    ranked = [name for name in names if "top1" in controls[name].outputs]
    columns = [scores[name] for name in names]
    return np.column_stack([*columns, *(pools.rank_share(scores[name]) for name in ranked)])


def folds_of(clusters: Counts, folds: int, seed: int) -> Counts:
    """Spread clusters over folds at random, each whole."""
    order = generator(seed, "folds of the adversary", "").permutation(clusters.max() + 1)
    return order[clusters] % folds


def held_out(clusters: Counts, seed: int) -> Flags:
    """Hold out about half of the clusters at random, each whole.

    Half, and once: what trees say of one fold depends on the labels of the others, so that over
    the folds of a cross-validation the gaps of a clean injector vary almost twice as much as any
    formula for independent clusters has it.
    """
    found: Flags = folds_of(clusters, 2, seed) == 0
    return found


def attack(seen: Features, output: Output, thresholds: Thresholds) -> Attack:
    """Train on the pairs that are not held out, and try the others."""
    return _rank(seen, thresholds) if output == "top1" else _compare(seen, thresholds)


def _rank(seen: Features, thresholds: Thresholds) -> Attack:
    """Tell the site from the rest of its pool, in the injected run."""
    pools = seen.pools
    label = np.zeros(int(pools.offsets[-1]))
    label[pools.target] = 1.0
    found = learned(seen.injected, label, seen.is_test[pools.owners], thresholds.adversary)
    kept = seen.is_test & (pools.sizes > 1)
    return Attack(
        output="top1",
        gaps=(pools.top1(found) - pools.floor)[kept],
        clusters=seen.clusters[kept],
        auc=_mean(pools.rank_share(found)[pools.target][kept]),
    )


def _compare(seen: Features, thresholds: Thresholds) -> Attack:
    """Tell an injected run from its twin, by what differs between them at the site.

    Between twins that the trees hold for equally likely, to within the margin, they do not choose:
    the order of two rows is random in every pair, and a guess by it would drown all else.
    """
    target, kept = seen.pools.target, seen.is_test
    difference = np.column_stack([seen.injected[target] - seen.clean[target], seen.order])
    both = np.concatenate([difference, -difference])
    label = np.repeat([1.0, 0.0], len(target))
    found = learned(both, label, np.tile(kept, 2), thresholds.adversary)
    forward, backward = (part[kept] for part in np.split(found, 2))
    likelier = min(0.5 + thresholds.leakage.margin_paired, 1 - 1e-9)
    least = 2 * math.log(likelier / (1 - likelier))
    return Attack(
        output="paired",
        gaps=superiority(forward, backward, tolerance=least) - 0.5,
        clusters=seen.clusters[kept],
        auc=roc_auc(np.concatenate([forward, backward]), np.repeat([True, False], kept.sum())),
    )


def learned(features: Values, label: Values, is_test: Flags, limits: Adversary) -> Values:
    """Return what trees grown on the other rows say of each held-out row, as log-odds.

    The rows that are not held out get 0.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    found = np.zeros(len(label))
    if len(np.unique(label[~is_test])) < 2 or not is_test.any():
        return found
    trees = HistGradientBoostingClassifier(
        max_iter=limits.iterations,
        learning_rate=limits.learning_rate,
        max_leaf_nodes=limits.leaves,
        min_samples_leaf=limits.min_leaf,
        early_stopping=False,
        random_state=0,
    )
    # On tables this small, threads that wait for each other cost more than they save.
    with threadpool_limits(limits=1):
        trees.fit(features[~is_test], label[~is_test])
        found[is_test] = trees.decision_function(features[is_test])
    return found


def features_of(panel: Panel, seed: int = 0) -> Features:
    """Return what the adversary sees of a substrate."""
    return Features(
        pools=panel.pools,
        clusters=panel.clusters,
        is_test=held_out(panel.clusters, seed),
        clean=columns_of(panel.pools, panel.clean, panel.controls),
        injected=columns_of(panel.pools, panel.injected, panel.controls),
        order=_order(panel, panel.injected),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How often the adversary finds the artefact of one control."""

    control: str
    output: str
    """``top1`` or ``paired``, for declared configurations ``f1``."""

    strength: Strength
    registered: Rate
    mean_gap: float


def trials(
    panel: Panel, plants: Mapping[str, Plants], thresholds: Thresholds, seed: int = 0
) -> list[Found]:
    """Let the adversary look for the artefact of every control, at the strength of its plants."""
    limits, found = thresholds.leakage, []
    rounds = thresholds.adversary.replicates
    clean = columns_of(panel.pools, panel.clean, panel.controls)
    for name, made in plants.items():
        outputs = panel.controls[name].outputs
        strength = made.strength(panel, outputs, limits.artefact)
        seen = [_planted(panel, clean, made, strength.share, seed + at) for at in range(rounds)]
        for output in outputs:
            attacks = [attack(one, output, thresholds) for one in seen]
            margin = limits.margin(output)
            hits = sum(
                bool(registers(one.gaps[None, :], one.clusters, margin=margin, alpha=limits.alpha))
                for one in attacks
            )
            found.append(
                Found(
                    control=name,
                    output=output,
                    strength=strength,
                    registered=exact_rate(hits, rounds),
                    mean_gap=float(np.mean([one.gaps.mean() for one in attacks])),
                )
            )
    return found


def power_from(found: Sequence[Found], limits: Leakage) -> Power:
    """Return the power of a reading of the adversary over the artefacts of all controls.

    It is that of the artefact which it finds most rarely where that one is shown to escape it too
    often, and otherwise the share of all of them. Artefacts that cannot be planted strongly enough
    on a substrate say nothing here; their own reading is without power.
    """
    of = [one for one in found if one.strength.reaches(limits)]
    if not of:
        return Power(strength=Strength(share=1.0, effect=0.0), registered=exact_rate(0, 0))
    worst = min(of, key=lambda one: one.registered.high)
    if worst.registered.high < limits.power:
        return Power(strength=worst.strength, registered=worst.registered)
    return Power(
        strength=Strength(
            effect=limits.artefact, share=float(np.mean([one.strength.share for one in of]))
        ),
        registered=exact_rate(
            sum(one.registered.hits for one in of), sum(one.registered.trials for one in of)
        ),
    )


def _planted(panel: Panel, columns: Values, made: Plants, share: float, seed: int) -> Features:
    """Return clean runs of which a share is planted; in the others any place is the site.

    ``columns`` are those of the clean runs, the same for every plant.
    """
    rng = generator(seed, "trial of the adversary", made.control)
    sizes = panel.pools.sizes
    is_planted = rng.random(len(sizes)) < share
    places = np.where(
        is_planted, [planted.site for planted in made.planted], rng.integers(0, sizes)
    )
    pools = Pools.of(sizes, places)
    chosen = np.flatnonzero(is_planted).tolist()
    pairs = [panel.substrate.pairs[at] for at in chosen]
    runs = [made.planted[at].run for at in chosen]
    scores = {name: clean.copy() for name, clean in panel.clean.items()}
    if pairs:
        rows = is_planted[pools.owners]
        for name, column in scores_of(panel.controls, panel.context, pairs, runs).items():
            scores[name][rows] = column
    planted_order = _order(panel, scores)
    chance = rng.choice([-1.0, 1.0], size=len(sizes)) * np.abs(_order(panel, panel.injected))
    return Features(
        pools=pools,
        clusters=panel.clusters,
        is_test=held_out(panel.clusters, seed),
        clean=columns,
        injected=columns_of(pools, scores, panel.controls),
        order=np.where(planted_order == 0, chance, planted_order),
    )


def _order(panel: Panel, scores: Mapping[str, Values]) -> Values:
    first = panel.pools.offsets[:-1]
    found: Values = np.sign(scores[ORDER][first] - panel.clean[ORDER][first])
    return found


def _mean(values: Values) -> float:
    return float(values.mean()) if len(values) else 0.5
