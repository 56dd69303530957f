import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from catchkit import catalog
from catchkit.eval import metrics
from catchkit.eval.metric import Metric


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder whose files are importable beside those of ``eval.metrics``."""
    monkeypatch.setattr(metrics, "__path__", [*metrics.__path__, str(tmp_path)])
    yield tmp_path
    sys.modules.pop("catchkit.eval.metrics.new_metric", None)


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("OTHER = 1", TypeError, "must bind METRIC to a Metric"),
        ("METRIC = 1", TypeError, "must bind METRIC to a Metric"),
        (
            "from catchkit.eval.metrics.f1 import METRIC",
            ValueError,
            "declares 'f1'; name it like its file",
        ),
    ],
    ids=["nothing", "another kind", "another name"],
)
def test_a_file_that_does_not_keep_the_contract_is_refused(
    folder: Path, text: str, error: type[Exception], words: str
) -> None:
    (folder / "new_metric.py").write_text(text)
    with pytest.raises(error, match=words):
        catalog.declaration("eval.metrics", "METRIC", Metric, "new_metric")


def test_names_come_sorted_and_without_importing_the_files() -> None:
    sys.modules.pop("catchkit.eval.metrics.recall", None)
    assert catalog.names("eval.metrics") == tuple(sorted(catalog.names("eval.metrics")))
    assert "recall" in catalog.names("eval.metrics")
    assert "catchkit.eval.metrics.recall" not in sys.modules
