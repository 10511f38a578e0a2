"""Finds the source files that a module depends on, by following its import statements."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path


def source(module: str) -> Path:
    """Return the source file of a module; raise ``ImportError`` if there is none."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ImportError(f"no source of {module}")
    return Path(spec.origin)


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a source imports, and imported names that may be submodules."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def closure(modules: Sequence[str], within: Sequence[str]) -> dict[str, Path]:
    """Return these modules and everything that they import from the packages ``within``, with their files."""
    found: dict[str, Path] = {}
    todo = list(modules)
    while todo:
        module = todo.pop()
        if module in found or module.partition(".")[0] not in within:
            continue
        try:
            found[module] = source(module)
        except ImportError:  # a function or constant in a module, not a module
            continue
        todo += imported(found[module])
    return found


def digest(modules: Sequence[str], within: Sequence[str], also: str) -> str:
    """Return a short hash of the sources of the closure and of ``also``."""
    total = hashlib.blake2b(also.encode(), digest_size=12)
    for name, path in sorted(closure(modules, within).items()):
        total.update(f"\n{name}\n".encode() + path.read_bytes())
    return total.hexdigest()
