"""What the pack leaves out: nothing that it has needs it."""

from __future__ import annotations

import ast
import marshal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paddock.device import pack, trim

SOURCE = b'''"""About this."""

class Car:
    """A car."""

def drive(car):
    """Drive it."""
    return f"{car} drives"
'''


def at_once(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield the modules that a module imports when it is imported, and cannot do without."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            yield ".".join([*above, *filter(None, [node.module])])
        elif isinstance(node, ast.ClassDef):
            yield from at_once(node, package)


def names(module: str) -> Iterator[str]:
    """Yield the packages of a module, and itself."""
    parts = module.split(".")
    yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def test_needs() -> None:
    """No module of the pack imports at once one that was left out, of its package or of Python's library."""
    files = dict(pack.of_paddock())
    for package in pack.needed(pack.DISTRIBUTION):
        files |= pack.of_package(package)
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in files}
    tops = {name.split(".")[0] for name in modules} - {"pydantic_core"}  # which has a wheel of its own
    there = {above for module in modules for above in names(module)}
    missing = list[str]()
    for module, name in modules.items():
        if not name.endswith(".py"):
            continue
        home = module if name.endswith("/__init__.py") else module.rpartition(".")[0]
        for needed in at_once(ast.parse(files[name]), home):
            file = needed.replace(".", "/")
            dropped = any(pack.LIBRARY_ELSEWHERE.match(f"{file}{end}") for end in (".py", "/__init__.py"))
            if dropped or (needed.split(".")[0] in tops and needed not in there):
                missing.append(f"{module} needs {needed}")
    assert missing == []


def test_bytecode() -> None:
    """Docstrings go, of all packages but Paddock, which reads its own."""

    def run(name: str) -> tuple[str | None, ...]:
        has: dict[str, Any] = {}
        exec(marshal.loads(trim.bytecode(SOURCE, name)[16:]), has)
        assert has["drive"](1) == "1 drives"
        return has.get("__doc__"), has["Car"].__doc__, has["drive"].__doc__

    assert run("other/cars.py") == (None, None, None)
    assert run("paddock/cars.py") == ("About this.", "A car.", "Drive it.")
    assert trim.placed("other/cars.py") == "other/cars.pyc"
    assert trim.placed("paddock/kernel/loops.py").startswith("paddock/kernel/__pycache__/loops.")


def test_compiled_once(browser_python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled is there without Node.js, and what has changed since is not."""
    monkeypatch.setattr(pack, "user_cache_path", lambda _name: tmp_path)
    made = pack.compiled(browser_python, {"cars": {"cars.py": SOURCE}})
    assert {*pack.unzipped(made["cars"])} == {"cars.pyc"}
    monkeypatch.setenv("PATH", "")
    assert pack.compiled(browser_python, {"cars": {"cars.py": SOURCE}}) == made
    with pytest.raises(pack.PackError, match=r"node is not installed"):
        pack.compiled(browser_python, {"cars": {"cars.py": SOURCE + b"1"}})
    assert len([*tmp_path.glob("bytecode/*")]) == 1
