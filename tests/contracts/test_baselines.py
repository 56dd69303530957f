import inspect
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from catchkit.configs import PRE
from catchkit.eval.baseline import Baseline, baselines, predict
from catchkit.eval.evaluate import evaluate
from catchkit.eval.rosters import Rosters, rosters_of
from catchkit.eval.write import baseline_table
from catchkit.loaders.release import Release


@pytest.fixture(params=sorted(baselines()))
def chosen(request: pytest.FixtureRequest) -> Baseline[Any, Any]:
    return baselines()[request.param]


def test_it_reads_only_hidden_columns_that_exist(chosen: Baseline[Any, Any]) -> None:
    assert set(chosen.reads) <= set(PRE.hidden)


def test_it_runs_on_rows_that_lack_every_hidden_column_it_does_not_declare(
    chosen: Baseline[Any, Any], snapshot: Release
) -> None:
    hidden = [name for name in PRE.hidden if name not in chosen.reads]
    table = snapshot.table("pre")
    bare = chosen.predict(rosters_of(table.drop_columns(hidden)))
    assert np.array_equal(bare.flagged, predict(chosen, rosters_of(table)).flagged)


@pytest.mark.parametrize("name", [name for name, chosen in baselines().items() if chosen.reads])
def test_a_declared_answer_is_really_read(name: str, rosters: Rosters) -> None:
    with pytest.raises(ValueError, match="reads"):
        baselines()[name].predict(rosters.showing(()))


def test_the_order_of_the_rows_changes_no_prediction(
    chosen: Baseline[Any, Any], snapshot: Release
) -> None:
    table = snapshot.table("pre_synthetic")
    order = np.random.default_rng(5).permutation(table.num_rows)
    shuffled = rosters_of(table.take(pa.array(order)))
    there = dict(zip(shuffled.ids, predict(chosen, shuffled).lists(shuffled), strict=True))
    straight = rosters_of(table)
    here = dict(zip(straight.ids, predict(chosen, straight).lists(straight), strict=True))
    assert there == here


def test_what_it_writes_scores_as_its_own_reference(chosen: Baseline[Any, Any]) -> None:
    table = baseline_table("pre_n8n", chosen.name)
    assert pc.count(table.column("instance_id")).as_py() == table.num_rows
    evaluation = evaluate("pre_n8n", table)
    reference = evaluation.references[chosen.name]
    assert (reference.tp, reference.fp, reference.fn) == (
        evaluation.score.tp,
        evaluation.score.fp,
        evaluation.score.fn,
    )


def test_its_summary_is_one_sentence(chosen: Baseline[Any, Any]) -> None:
    assert chosen.summary.endswith(".")
    assert inspect.getdoc(inspect.getmodule(chosen.predict))
