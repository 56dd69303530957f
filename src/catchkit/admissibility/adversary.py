"""The learned adversary: boosted trees on everything the controls read, with grouped folds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from catchkit.admissibility.control import Output, PairControl
from catchkit.admissibility.panel import Panel, gaps
from catchkit.admissibility.power import Plants, Power, Strength, registers
from catchkit.admissibility.thresholds import Adversary, Thresholds
from catchkit.eval.agreement import exact_rate
from catchkit.eval.matched import Counts, Pools, Values
from catchkit.seeds import generator

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingClassifier

NAME = "learned_adversary"
PER_RUN = frozenset({"row_order"})
"""Scores that name the row and not the run; trees would learn them by heart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Out-of-fold scores of the adversary, one per eligible place."""

    top1: Values
    """How much a place of the injected run looks like the site, against the rest of its pool."""

    twin_injected: Values
    twin_clean: Values
    """How much the site looks injected, in the injected run and in its clean twin, length n."""

    def same_site_auc(self) -> float:
        """Return the AUC of injected against clean values at the same sites."""
        pool = Pools.of([len(self.twin_injected) + 1], [0])
        above = [pool.rank_share(np.r_[value, self.twin_clean])[0] for value in self.twin_injected]
        return float(np.mean(above))


def features_of(
    pools: Pools, scores: Mapping[str, Values], controls: Mapping[str, PairControl]
) -> Values:
    """Return the features of every place: each score, and its rank within the pool.

    Returns:
        Shape (m, features).
    """
    names = [name for name in controls if name not in PER_RUN]
    ranked = [name for name in names if "top1" in controls[name].outputs]
    columns = [scores[name] for name in names]
    columns += [pools.rank_share(scores[name]) for name in ranked]
    return np.column_stack(columns)


def attack(
    pools: Pools, clean: Values, injected: Values, clusters: Counts, limits: Adversary, seed: int
) -> Attack:
    """Train on the other folds and score each one: pairs of one task never cross a fold.

    Args:
        pools: The eligible places, the sites as targets.
        clean: Features of every place in the clean runs, shape (m, features).
        injected: The same in the injected runs.
        clusters: Task of each pair, length n.
        limits: Folds and size of the trees.
        seed: Decides the folds.
    """
    order = generator(seed, "folds of the adversary", "").permutation(clusters.max() + 1)
    fold = order[clusters] % limits.folds
    return Attack(
        top1=_out_of_fold(injected, _is_target(pools), fold[pools.owners], limits),
        **_twins(pools, clean, injected, fold, limits),
    )


def _is_target(pools: Pools) -> Values:
    flags = np.zeros(int(pools.offsets[-1]))
    flags[pools.target] = 1.0
    return flags


def _twins(
    pools: Pools, clean: Values, injected: Values, fold: Counts, limits: Adversary
) -> dict[str, Values]:
    both = np.concatenate([injected[pools.target], clean[pools.target]])
    label = np.repeat([1.0, 0.0], len(pools.target))
    found = _out_of_fold(both, label, np.tile(fold, 2), limits)
    half = len(pools.target)
    return {"twin_injected": found[:half], "twin_clean": found[half:]}


def _out_of_fold(features: Values, label: Values, fold: Counts, limits: Adversary) -> Values:
    from threadpoolctl import threadpool_limits

    found = np.zeros(len(label))
    # On tables this small, threads that wait for each other cost more than they save.
    with threadpool_limits(limits=1):
        for held in np.unique(fold):
            train, test = fold != held, fold == held
            if len(np.unique(label[train])) > 1:
                model = _trees(limits).fit(features[train], label[train])
                found[test] = model.decision_function(features[test])
    return found


def _trees(limits: Adversary) -> "HistGradientBoostingClassifier":
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=limits.iterations,
        learning_rate=limits.learning_rate,
        max_leaf_nodes=limits.leaves,
        min_samples_leaf=limits.min_leaf,
        early_stopping=False,
        random_state=0,
    )


def attack_on(panel: Panel, limits: Adversary, seed: int = 0) -> Attack:
    """Attack a substrate."""
    clean = features_of(panel.pools, panel.clean, panel.controls)
    injected = features_of(panel.pools, panel.injected, panel.controls)
    return attack(panel.pools, clean, injected, panel.clusters, limits, seed)


def attack_gaps(pools: Pools, found: Attack, output: Output) -> Values:
    """Return the gap of each pair, as ``Panel.values`` does for a control."""
    if output == "top1":
        return gaps(pools, found.top1, found.top1, "top1")
    twins = Pools.of(np.ones(len(found.twin_clean), dtype=np.int64), 0 * pools.target)
    return gaps(twins, found.twin_clean, found.twin_injected, "paired")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Whether the adversary finds the artefact of one control."""

    control: str
    output: Output
    share: float
    tried: int
    registered: int
    mean_gap: float


def trials(
    panel: Panel, plants: Mapping[str, Plants], thresholds: Thresholds, seed: int = 0
) -> list[Found]:
    """Let the adversary look for the artefact of every control, at the strength of its plants."""
    limits = thresholds.leakage
    found = []
    rounds = max(1, thresholds.adversary.replicates // max(len(plants), 1))
    for name, made in plants.items():
        share = made.strength(panel, panel.controls[name].outputs, limits.artefact).share
        features = _planted_features(panel, made)
        for wanted in panel.controls[name].outputs:
            hits, means = 0, []
            for at in range(rounds):
                gap = _trial(panel, made, features, share, thresholds.adversary, seed + at, wanted)
                clusters = panel.clusters_of(wanted)
                margin = limits.margin(wanted)
                hits += int(registers(gap[None, :], clusters, margin=margin, alpha=limits.alpha)[0])
                means.append(float(gap.mean()))
            found.append(
                Found(
                    control=name,
                    output=wanted,
                    share=share,
                    tried=rounds,
                    registered=hits,
                    mean_gap=float(np.mean(means)),
                )
            )
    return found


def power_from(found: list[Found], output: Output, limits: Thresholds) -> Power:
    """Return the power of the adversary over the artefacts of all controls."""
    of = [one for one in found if one.output == output]
    hits, tried = sum(one.registered for one in of), sum(one.tried for one in of)
    return Power(
        strength=Strength(
            effect=limits.leakage.artefact,
            share=float(np.mean([one.share for one in of])) if of else 0.0,
        ),
        registered=exact_rate(hits, tried),
    )


def _planted_features(panel: Panel, made: Plants) -> Values:
    pairs = panel.substrate.pairs
    scores = {
        name: np.concatenate(
            [
                control.score(panel.context, pair, planted.run)
                for pair, planted in zip(pairs, made.planted, strict=True)
            ]
        )
        for name, control in panel.controls.items()
    }
    return features_of(panel.pools, scores, panel.controls)


def _trial(
    panel: Panel,
    made: Plants,
    features: Values,
    share: float,
    limits: Adversary,
    seed: int,
    output: Output,
) -> Values:
    """Attack clean runs of which a share is planted; in the others a uniform place is the site."""
    rng = generator(seed, "trial of the adversary", output)
    sizes = panel.pools.sizes
    is_planted = rng.random(len(sizes)) < share
    drawn = rng.integers(0, sizes)
    places = np.where(is_planted, [planted.site for planted in made.planted], drawn)
    pools = Pools.of(sizes, places)
    clean = features_of(panel.pools, panel.clean, panel.controls)
    injected = np.where(is_planted[pools.owners][:, None], features, clean)
    found = attack(pools, clean, injected, panel.clusters, limits, seed)
    return attack_gaps(pools, found, output)
