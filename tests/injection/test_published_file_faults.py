"""The original's file-level injections and scores on a generated corpus, to the last digit.

The expected values are those that the original's own functions gave on it.
"""

import numpy as np
import numpy.typing as npt
import pytest

from catchkit.eval.auc import roc_auc
from catchkit.eval.floors import floors
from catchkit.eval.metric import metrics
from catchkit.eval.ranks import ranks
from catchkit.injection.files import FileRun
from catchkit.injection.injector import fault_named, faults_of
from catchkit.injection.pairs import Pair, attribution, mixed
from catchkit.injection.randomness import Published
from gold_runs import file_runs

Scores = npt.NDArray[np.float64]

TARGETS = {
    0: [7, 13, 11, 15, 11, 9, 7, 25, 15, 5, 17, 9],
    1: [7, 9, 11, 13, 11, 5, 11, 5, 11, 9, 19, 7],
    2: [7, 17, 11, 21, 11, 11, 9, 21, 15, 5, 15, 9],
}
EDITS = {
    0: "5>3 9> 9>3 13> 7>3 5> 3>1 21> 11>5 3> 9>1 5>",
    1: "5>3 5> 9>3 9> 7>3 3> 9>1 1> 5>3 5> 15>3 1>",
    2: "5>3 13> 9>3 17> 7>3 9> 7>3 17> 11>5 3> 11>7 5>",
}
FULL_POOL = {
    "position": (0, 0, 0.089482),
    "degree": (0.041667, 0.347222, 0.274735),
    "has-dep": (0.148611, 0.429735, 0.336093),
    "max-span": (0.458333, 0.525568, 0.535422),
    "dep-anomaly": (0.458333, 0.525568, 0.535422),
    "random": (0.051667, 0.181667, 0.203532),
}
MATCHED_POOL = {
    "position": (0.333333, 0.750000, 0.575694),
    "degree": (0.347222, 0.645833, 0.540509),
    "has-dep": (0.333333, 0.625000, 0.516865),
    "max-span": (0.500000, 0.666667, 0.617560),
}


def published(seed: int) -> list[Pair[FileRun]]:
    return mixed(file_runs(), faults_of("file"), Published(seed, "file"))


def test_the_generated_corpus_is_the_one_described() -> None:
    runs = file_runs()
    assert [run.n_steps for run in runs] == [10, 20, 12, 22, 14, 24, 16, 26, 18, 10, 20, 12]
    assert [run.n_edges for run in runs] == [2, 6, 3, 7, 3, 7, 5, 8, 4, 3, 6, 2]


@pytest.mark.parametrize("seed", TARGETS)
def test_file_faults_fall_where_the_original_puts_them(seed: int) -> None:
    pairs = published(seed)
    assert [pair.change.site.at for pair in pairs] == TARGETS[seed]
    assert [pair.fault for pair in pairs] == ["stale_read", "dropped_grounding"] * 6
    edits = (f"{p.change.before}>{'' if p.change.after is None else p.change.after}" for p in pairs)
    assert " ".join(edits) == EDITS[seed]


def test_the_eligible_pools_are_the_original_ones() -> None:
    assert [len(pair.eligible) for pair in published(0)] == [1, 6, 1, 7, 1, 7, 4, 8, 2, 3, 4, 2]


@pytest.mark.parametrize("method", FULL_POOL)
def test_step_scores_over_all_steps(method: str) -> None:
    assert rank_metrics(method, matched=False) == pytest.approx(FULL_POOL[method], abs=5e-7)


@pytest.mark.parametrize("method", MATCHED_POOL)
def test_step_scores_within_the_eligible_pool(method: str) -> None:
    assert rank_metrics(method, matched=True) == pytest.approx(MATCHED_POOL[method], abs=5e-7)


def test_the_floors_of_the_eligible_pools() -> None:
    pairs = published(0)
    found = floors(np.array([len(pair.eligible) for pair in pairs]))
    kinds = np.array([pair.fault == "stale_read" for pair in pairs])
    names = ("top1", "top3", "mrr")
    everything = [found[name].mean() for name in names]
    assert everything == pytest.approx([0.450893, 0.769345, 0.636805], abs=5e-7)
    stale = [found[name][kinds].mean() for name in names]
    assert stale == pytest.approx([0.666667, 0.916667, 0.798611], abs=5e-7)
    dropped = [found[name][~kinds].mean() for name in names]
    assert dropped == pytest.approx([0.235119, 0.622024, 0.474999], abs=5e-7)


@pytest.mark.parametrize(
    ("seed", "span", "edges"), [(0, 0.685950, 0.648760), (1, 0.657025, 0.648760)]
)
def test_the_attribution_view(seed: int, span: float, edges: float) -> None:
    twice = twice_injected(seed)
    is_stale = np.array([pair.fault == "stale_read" for pair in twice])
    assert is_stale.tolist() == [True] * 11 + [False] * 11
    spans = np.array([max(pair.faulty.spans) for pair in twice], dtype=float)
    counts = np.array([pair.faulty.n_edges for pair in twice], dtype=float)
    assert roc_auc(spans, is_stale) == pytest.approx(span, abs=5e-7)
    assert roc_auc(counts, is_stale) == pytest.approx(edges, abs=5e-7)


def test_the_stale_edits_of_the_attribution_view() -> None:
    edits = [(p.change.site.at, p.change.before, p.change.after) for p in twice_injected(0)[:11]]
    assert edits == [
        *((7, 5, 3), (19, 11, 3), (11, 9, 3), (15, 13, 9), (11, 7, 3), (19, 13, 1)),
        *((11, 9, 1), (9, 5, 1), (11, 5, 3), (5, 3, 1), (11, 7, 3)),
    ]


def twice_injected(seed: int) -> list[Pair[FileRun]]:
    stale, dropped = fault_named("stale_read"), fault_named("dropped_grounding")
    return attribution(file_runs(), stale, dropped, Published(seed, "file"))


@pytest.mark.parametrize("budget", [0.05, 0.10])
def test_the_online_view(budget: float) -> None:
    pairs = [pair for pair in published(0) if pair.fault == "stale_read"]
    assert len(pairs) == 6
    assert online_rates(pairs, "dep-count", budget) == (0, 0)
    assert online_rates(pairs, "span", budget) == pytest.approx((1 / 3, 0))
    tpr, realised = online_rates(pairs, "span z", budget)
    assert (tpr, realised) == pytest.approx((1 / 6 if budget == 0.05 else 1 / 3, 1 / 6))
    assert online_rates(pairs, "random", budget) == pytest.approx((1 / 6, 1 / 6))


def test_the_causal_series_of_a_run() -> None:
    run = published(0)[0].clean
    assert run.spans == (0, 0, 0, 0, 0, 2, 0, 2, 0, 0)
    expected = [0, 0, 0, 0, 0, 0, -0.447214, 2.449490, -0.577350, -0.534522]
    assert causal_z(np.array(run.spans, dtype=float)).tolist() == pytest.approx(expected, abs=5e-7)


def online_rates(pairs: list[Pair[FileRun]], method: str, budget: float) -> tuple[float, float]:
    """Return the original's rates: the threshold is a quantile of the very runs it is tried on."""
    stream = np.random.RandomState(0)

    def score(run: FileRun) -> float:
        match method:
            case "random":
                return float(stream.rand(run.n_steps).max())
            case "dep-count":
                return float(max(map(len, run.deps)))
            case "span":
                return float(max(run.spans))
            case _:
                return float(causal_z(np.array(run.spans, dtype=float)).max())

    clean = np.array([score(pair.clean) for pair in pairs])
    faulty = np.array([score(pair.faulty) for pair in pairs])
    threshold = np.quantile(clean, 1 - budget)
    return float((faulty > threshold).mean()), float((clean > threshold).mean())


def causal_z(series: Scores) -> Scores:
    found = np.zeros(len(series))
    for at in range(2, len(series)):
        before = series[:at]
        if (spread := before.std()) > 1e-9:
            found[at] = (series[at] - before.mean()) / spread
    return found


def rank_metrics(method: str, *, matched: bool) -> list[float]:
    pairs = published(0)
    sizes = [pair.clean.n_steps for pair in pairs]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    targets = np.array([pair.change.site.at for pair in pairs])
    pool = None
    if matched:
        pool = np.zeros(starts[-1], dtype=bool)
        for start, pair in zip(starts[:-1], pairs, strict=True):
            pool[[start + site.at for site in pair.eligible]] = True
    columns = random_columns(sizes) if method == "random" else [step_scores(pairs, method)]
    found = []
    for scores in columns:
        placed = ranks(scores, starts, targets, pool=pool)
        values = [
            metrics("ranks")[n].compute(placed.above, placed.tied) for n in ("top1", "top3", "mrr")
        ]
        found.append([value.mean() for value in values])
    return [float(value) for value in np.mean(found, axis=0)]


def random_columns(sizes: list[int]) -> list[Scores]:
    streams = (np.random.RandomState(seed) for seed in range(50))
    return [np.concatenate([stream.rand(size) for size in sizes]) for stream in streams]


def step_scores(pairs: list[Pair[FileRun]], method: str) -> Scores:
    return np.concatenate([run_scores(pair.faulty, method) for pair in pairs])


def run_scores(run: FileRun, method: str) -> Scores:
    counts, spans = (
        np.array([len(deps) for deps in run.deps], dtype=float),
        np.array(run.spans, float),
    )
    match method:
        case "position":
            return 1 - np.arange(run.n_steps) / (run.n_steps - 1)
        case "degree":
            used = np.bincount([dep for deps in run.deps for dep in deps], minlength=run.n_steps)
            return counts + used
        case "has-dep":
            return (counts > 0).astype(float)
        case "max-span":
            return spans
        case _:
            return np.maximum(absolute_z(counts), absolute_z(spans))


def absolute_z(values: Scores) -> Scores:
    spread = values.std()
    return np.abs(values - values.mean()) / spread if spread > 1e-9 else np.zeros(len(values))
