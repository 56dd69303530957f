"""Flags what the held-out judge does not call needed; the judge made no label."""

import numpy as np
import pyarrow.parquet as pq

from catchkit.builders.published import JUDGE
from catchkit.builders.snapshot import JUDGE_TABLE
from catchkit.eval.baseline import Baseline
from catchkit.eval.flags import Flags
from catchkit.eval.rosters import Rosters
from catchkit.loaders.release import SNAPSHOT, Release


def _predict(rosters: Rosters) -> Flags:
    table = pq.ParquetFile(Release.open(SNAPSHOT).checked(JUDGE_TABLE)).read()
    ids, answers = (table.column(name).to_pylist() for name in table.column_names)
    flagged = {
        instance_id: None if names is None else frozenset(names)
        for instance_id, names in zip(ids, answers, strict=True)
    }
    answered = [flagged.get(instance_id) for instance_id in rosters.ids]
    return Flags(
        flagged=np.array(
            [name in (answered[roster] or ()) for roster, name, _, _ in rosters.capabilities()]
        ),
        abstained=np.array([names is None for names in answered]),
    )


BASELINE = Baseline(
    name="llm_judge_needed",
    summary=f"What {JUDGE} leaves over when asked which capabilities the task needs.",
    predict=_predict,
    published_name=f"llm_judge_needed({JUDGE})",
)
