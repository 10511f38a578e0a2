"""Finds the source files that modules depend on, by following their import statements."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import PathFinder
from importlib.util import find_spec, resolve_name
from pathlib import Path

PADDOCK = "paddock"


def source(module: str) -> Path:
    """Return the file of a module, without importing its package; raise ``ImportError`` if there is none."""
    name, *parts = module.split(".")
    spec = find_spec(name)
    for part in parts:
        folders = spec.submodule_search_locations if spec else None
        spec = PathFinder.find_spec(f"{name}.{part}", folders) if folders else None
        name = f"{name}.{part}"
    if spec is None or spec.origin is None:
        raise ImportError(f"no source of {module}")
    return Path(spec.origin)


def imported(module: str, path: Path) -> Iterator[str]:
    """Yield the modules that a module imports, and imported names that may be submodules."""
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            from_module = resolve_name("." * node.level + (node.module or ""), package)
            yield from_module
            yield from (f"{from_module}.{alias.name}" for alias in node.names)


def closure(modules: Sequence[str], within: Sequence[str] | None = None) -> dict[str, Path]:
    """Return these modules and everything that they import, with their files.

    Only modules of the packages ``within`` count. By default all count but those of the standard library and
    of packages that Paddock itself imports, such as NumPy: what a title reads from these is always the same.
    """
    files: dict[str, Path] = {}
    left_out = set(sys.stdlib_module_names)
    own_modules: list[str] = []  # modules of Paddock to look at: first, because they say what is left out
    other_modules: list[str] = []

    def add(names: Iterable[str]) -> None:
        for name in names:
            (own_modules if _package(name) == PADDOCK else other_modules).append(name)

    add(modules)
    while own_modules or other_modules:
        module = (own_modules or other_modules).pop()
        package = _package(module)
        if module in files or (package in left_out if within is None else package not in within):
            continue
        try:
            files[module] = path = source(module)
        except ImportError:  # a function or constant in a module, not a module
            continue
        names = list(imported(module, path)) if path.suffix == ".py" else []
        if package == PADDOCK:
            left_out.update({_package(name) for name in names} - {PADDOCK})
        add(names)
    return files


def _package(module: str) -> str:
    return module.partition(".")[0]


def digest(modules: Sequence[str], also: str, within: Sequence[str] | None = None) -> str:
    """Return a short hash of the sources of the closure and of ``also``."""
    total = hashlib.blake2b(also.encode(), digest_size=12)
    for name, path in sorted(closure(modules, within).items()):
        total.update(f"\n{name}\n".encode() + path.read_bytes())
    return total.hexdigest()
