"""``paddock variant``: a copy of a title as a package of its own, whose rules can be changed."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from paddock.core.errors import PaddockError
from paddock.core.i18n import _
from paddock.core.title import Title, titles

# Networks and puzzles belong to the rules that they were made with
LEFT_OUT = shutil.ignore_patterns("__pycache__", "networks", "puzzles.jsonl")
_PROJECT = """\
[build-system]
requires = ["hatchling>=1.25"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1.0"
description = "A variant of {label} for Paddock."
requires-python = ">=3.11"
dependencies = ["paddock-games"]

[project.entry-points."paddock.titles"]
{name} = "{name}.rulebook:TITLE"
"""
_TEST = '''\
"""Everything that the title promises: see ``paddock check``."""

import pytest

import paddock
from paddock.trials import TRIALS
from paddock.trials.trial import Trial, outcome


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.name)
def test_{name}(trial: Trial) -> None:
    found = outcome(trial, paddock.title("{name}"), seed=0)
    assert not found.room, found
'''


def write_package(title: Title, name: str, folder: Path) -> Path:
    """Write the package ``name`` into a new folder; return the folder of its modules.

    Raises ``PaddockError`` for a name that cannot be one, and for a folder that exists.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or name in titles() or find_spec(name):
        raise PaddockError(
            _("{name}: write a name of small letters, digits and _ that no title and no package has").format(
                name=name
            )
        )
    if folder.exists():
        raise PaddockError(_("{folder} exists: give another folder").format(folder=folder))
    modules = folder / "src" / name
    copy_title(title, name, modules)
    (folder / "pyproject.toml").write_text(_PROJECT.format(name=name, label=title.label), "utf-8")
    (folder / "tests").mkdir()
    (folder / "tests" / f"test_{name}.py").write_text(_TEST.format(name=name), "utf-8")
    lines = [f"# Where the numbers of {name} are read", "", *touched(modules)]
    (folder / "NUMBERS.md").write_text("\n".join(lines) + "\n", "utf-8")
    return modules


def copy_title(title: Title, name: str, modules: Path) -> None:
    """Copy the modules of a title into a new folder, as the title and the package ``name``."""
    (source,) = find_spec(title.package).submodule_search_locations  # type: ignore[union-attr, misc]
    shutil.copytree(source, modules, ignore=LEFT_OUT)
    for file in modules.rglob("*.py"):
        text = re.sub(rf"\b{re.escape(title.package)}\b", name, file.read_text("utf-8"))
        file.write_text(text, "utf-8")
    domain = title.package.partition(".")[0]
    for file in modules.rglob(f"LC_MESSAGES/{domain}.po"):
        file.rename(file.with_name(f"{name}.po"))
    rulebook = modules / "rulebook.py"
    text = rulebook.read_text("utf-8")
    for before, after in ((title.name, name), (title.label, name.replace("_", " ").capitalize())):
        text = text.replace(f'"{before}"', f'"{after}"')
    rulebook.write_text(text, "utf-8")


def touched(modules: Path) -> Iterator[str]:
    """Yield a list in Markdown: the numbers of the rules, and every line that reads them."""
    sources = sorted(
        file
        for file in modules.rglob("*")
        if file.suffix in (".py", ".html", ".js", ".md") and file.is_file()
    )
    lines = [
        (file.relative_to(modules).as_posix(), number, line)
        for file in sources
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
    ]
    for name, value in _numbers(modules):
        word = re.compile(rf"\b{name}\b")
        places = [f"{file}:{number}" for file, number, line in lines if word.search(line)]
        if len(places) > 1:
            yield f"- `{name}` ({value}): {', '.join(places)}"


def _numbers(modules: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each constant of the rules, and of each ``rule_number``."""
    for file in sorted({modules / "rulebook.py", *modules.glob("rules.py"), *modules.glob("rules/*.py")}):
        tree = ast.parse(file.read_text("utf-8"))
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                    yield from _constants(zip(names, values, strict=False))
                case ast.Assign(targets=[target], value=number):
                    yield from _constants([(target, number)])
        for part in ast.walk(tree):
            match part:
                case ast.AnnAssign(
                    target=ast.Name(id=name),
                    value=ast.Call(func=ast.Name(id="rule_number"), args=[usual, *_]),
                ):
                    yield name, ast.unparse(usual)


def _constants(assigned: Iterable[tuple[ast.expr, ast.expr]]) -> Iterator[tuple[str, str]]:
    """Yield the name and the value of each whole number that is assigned."""
    for pair in assigned:
        match pair:
            case ast.Name(id=name), ast.Constant(value=int() as value):
                yield name, str(value)
