"""Reads a folder of declarations into a mapping: the folder is the registry."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TypeVar

PACKAGE_ROOT = Path(__file__).parent


class Named(Protocol):
    """What every declaration has: the name of the file it stands in."""

    @property
    def name(self) -> str:
        """The word that a table, a command and the file name share."""


Declaration = TypeVar("Declaration", bound=Named)


@cache
def names(package: str) -> tuple[str, ...]:
    """Return the names declared in a folder, sorted, without importing any of its files.

    Args:
        package: Dotted name below ``catchkit``, such as ``"builders.pre"``.

    Example:
        >>> "mcp" in names("builders.pre")
        True
    """
    folder = PACKAGE_ROOT.joinpath(*package.split("."))
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(folder)])))


def declarations(package: str, binding: str, kind: type[Declaration]) -> Mapping[str, Declaration]:
    """Import every file of a folder and return what each one declares, by name.

    Args:
        package: Dotted name below ``catchkit``, such as ``"builders.pre"``.
        binding: The constant each file binds, such as ``"SOURCE"``.
        kind: The class of the declarations.

    Raises:
        TypeError: A file binds nothing under that name, or something of another class.
        ValueError: A declaration is not named like its file.
    """
    found = {name: declaration(package, binding, kind, name) for name in names(package)}
    return MappingProxyType(found)


def declaration(package: str, binding: str, kind: type[Declaration], name: str) -> Declaration:
    """Return what one file of a folder declares; arguments and errors as ``declarations``."""
    module = importlib.import_module(f"catchkit.{package}.{name}")
    declared = getattr(module, binding, None)
    if not isinstance(declared, kind):
        raise TypeError(f"{module.__name__} must bind {binding} to a {kind.__name__}")
    if declared.name != name:
        raise ValueError(f"{module.__name__} declares {declared.name!r}; name it like its file")
    return declared
