"""CatchBench as Hugging Face datasets, with the toolkit that builds, tests and scores it."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catchkit.builders.dataset import features, graphs, step_features
    from catchkit.eval.evaluate import evaluate
    from catchkit.loaders.dataset import load

__all__ = ["evaluate", "features", "graphs", "load", "step_features"]

# Imported on first use, so that `catchkit --help` does not wait for the Arrow library.
_HOMES = {
    "evaluate": "catchkit.eval.evaluate",
    "features": "catchkit.builders.dataset",
    "graphs": "catchkit.builders.dataset",
    "load": "catchkit.loaders.dataset",
    "step_features": "catchkit.builders.dataset",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'catchkit' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
