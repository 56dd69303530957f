"""CatchBench as Hugging Face datasets, with the toolkit that builds, tests and scores it."""

import importlib

# Where each public name lives; imported on first use, so that `catchkit --help` stays quick.
_PUBLIC = {
    "evaluate": "catchkit.eval.evaluate",
    "features": "catchkit.builders.dataset",
    "graphs": "catchkit.builders.dataset",
    "load": "catchkit.loaders.dataset",
    "step_features": "catchkit.builders.dataset",
}

__all__ = ["evaluate", "features", "graphs", "load", "step_features"]


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'catchkit' has no attribute {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
