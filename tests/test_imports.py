"""What import-linter cannot see: modules that are named in strings, and circles through them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src"
LOADER = "paddock.kernel.loader"  # executes sources of the kernel and of titles again, by their names
# Who imports by a name that is not written there
BY_NAME = {
    "paddock": "its own subpackages, when they are first used",
    "paddock.core.places": "a title's modules",
    "paddock.core.title.facts": "a title's modules",
    "paddock.features": "the features of its list",
    LOADER: "a title's modules, and those of the kernel",
    "paddock.server.warm": "all modules of the titles",
}
# Their arguments name a log, a folder of data, or the package of a title
NO_MODULES = {"files", "logging.getLogger", "PackageLoader"}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of Paddock by its name, parsed."""
    files = {".".join(file.relative_to(SRC).with_suffix("").parts): file for file in SRC.rglob("*.py")}
    return {name.removesuffix(".__init__"): ast.parse(file.read_bytes()) for name, file in files.items()}


@cache
def parts(module: str) -> tuple[ast.AST, ...]:
    """Everything in the source of a module."""
    return tuple(ast.walk(modules()[module]))


def imported(module: str) -> Iterator[str]:
    """Yield what a module imports, also below ``if TYPE_CHECKING:`` and in functions."""
    for node in parts(module):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{name.name}" for name in node.names]
            yield from (one if one in modules() else str(node.module) for one in inner)


def named(module: str) -> Iterator[str]:
    """Yield the other modules that a module names in strings."""
    left_out = set[ast.AST]()
    for node in parts(module):
        if isinstance(node, ast.Call):
            if ast.unparse(node.func) in NO_MODULES:
                left_out.update(node.args)
            left_out.update(word.value for word in node.keywords if word.arg == "package")
    for node in parts(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield from {node.value} & modules().keys() - {"paddock", module}


def test_no_module_imports_itself_through_others_not_even_by_a_string() -> None:
    graph = {name: ({*imported(name), *named(name)} & modules().keys()) - {name} for name in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def test_only_the_loader_names_modules_in_strings() -> None:
    assert {name: found for name in modules() if name != LOADER and (found := [*named(name)])} == {}


def test_only_these_import_by_a_name() -> None:
    calls = {"import_module", "__import__"}
    found = {
        name
        for name in modules()
        for node in parts(name)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in calls
    }
    assert found == BY_NAME.keys()


def test_rooms_are_asked_for_by_their_attributes() -> None:
    """``Title.room`` has no types: it is for the table of the rooms alone, and for templates of titles."""
    asked = {
        name
        for name in modules()
        for node in parts(name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "room"
    }
    assert asked == {"paddock.core.rooms.table"}
