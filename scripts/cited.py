"""Find where the clauses of a title's rules are cited: ``python scripts/cited.py lacorsa LC-6.2``.

A clause is cited by its id (``LC-6.2``) in a docstring, a comment or a text, or in the name of a test
(``test_LC_6_2_…``). ``LC-6.1 to LC-6.4`` cites all four. The place of a citation is the function, class,
option or constant around it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "src/paddock/games"
TABLES = ROOT / "src/paddock/tables"
TESTS = ROOT / "tests"
CLAUSE = re.compile(r"\b([A-Z]{2})-(\d+)\.(\d+)\b|\btest_([A-Za-z]{2})_(\d+)_(\d+)(?!\d)")
RANGE = re.compile(r"\b([A-Z]{2})-(\d+)\.(\d+) to \1-\2\.(\d+)\b")
TEST = re.compile(r"test_")


@dataclass(frozen=True, order=True)
class Place:
    """A function, class, option or constant that cites a clause: its file, its first line and its name."""

    path: Path
    line: int
    name: str  # with the class before it: ``Options.races``; empty outside of all of them

    @property
    def is_test(self) -> bool:
        """Whether this is a test function."""
        return bool(TEST.match(self.name.rpartition(".")[2]))


def clauses(text: str) -> set[str]:
    """Return the ids of the clauses that a text cites."""
    found = set()
    for groups in CLAUSE.findall(text):
        title, chapter, clause = filter(None, groups)
        found.add(f"{title.upper()}-{chapter}.{clause}")
    for title, chapter, first, last in RANGE.findall(text):
        found |= {f"{title}-{chapter}.{clause}" for clause in range(int(first), int(last) + 1)}
    return found


def titles() -> list[str]:
    """Return the names of the titles in this repository."""
    return sorted(path.parent.name for path in GAMES.glob("*/RULES.md"))


def known(title: str) -> list[str]:
    """Return the ids of a title's clauses, in the order of its rules."""
    return re.findall(
        r"^- \*\*([A-Z]{2}-\d+\.\d+)\*\*", (GAMES / title / "RULES.md").read_text("utf-8"), re.MULTILINE
    )


def places(path: Path) -> Iterator[tuple[Place, set[str]]]:
    """Yield each place of a Python file with the clauses that it cites, innermost places only."""
    text = path.read_text("utf-8")
    if not CLAUSE.search(text):
        return
    lines = text.splitlines()
    around = [Place(path, number, "") for number in range(len(lines) + 1)]  # the innermost place of each line
    for place, first, last in _defined(path, ast.parse(text), ""):
        around[first : last + 1] = [place] * (last + 1 - first)
    parts: dict[Place, list[str]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        parts[around[number]].append(line)
    for place, part in parts.items():
        yield place, clauses("\n".join(part))


def _defined(path: Path, node: ast.AST, within: str) -> Iterator[tuple[Place, int, int]]:
    """Yield each definition with its first and last line, outer ones first."""
    for child in ast.iter_child_nodes(node):
        name = ""
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = child.name
        elif isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name):
            name = child.targets[0].id
        elif isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name):
            name = child.target.id
        if name:
            full = f"{within}{name}"
            decorators = getattr(child, "decorator_list", [])
            first = min([child.lineno, *(each.lineno for each in decorators)])  # type: ignore[attr-defined]
            yield Place(path, child.lineno, full), first, child.end_lineno  # type: ignore[attr-defined]
            if isinstance(child, ast.ClassDef):
                yield from _defined(path, child, f"{full}.")


def cited(paths: Iterable[Path]) -> Mapping[str, list[Place]]:
    """Return, for each clause, the places in these files that cite it."""
    found: dict[str, list[Place]] = defaultdict(list)
    for path in sorted(paths):
        for place, ids in places(path):
            for id in ids:
                found[id].append(place)
    return found


@cache
def in_source(title: str) -> Mapping[str, list[Place]]:
    """Return, for each clause, the places that cite it in the code of its title and of the tables."""
    return cited([*GAMES.joinpath(title).rglob("*.py"), *TABLES.glob("*.py")])


@cache
def in_tests(title: str) -> Mapping[str, list[Place]]:
    """Return, for each clause, the clause tests that cite it; other tests if there are none."""
    of_title = TESTS / "rules" / title
    found = {}
    for id, tests in _tests().items():
        found[id] = [test for test in tests if test.path.is_relative_to(of_title)] or tests
    return found


@cache
def _tests() -> dict[str, list[Place]]:
    found = {
        id: [place for place in places if place.is_test]
        for id, places in cited(TESTS.rglob("test_*.py")).items()
    }
    return {id: tests for id, tests in found.items() if tests}


def main() -> int:
    """Print the places that cite the clauses given; return 1 if one is cited nowhere."""
    title, *ids = sys.argv[1:] or [""]
    if title not in titles():
        print(f"Name a title: {', '.join(titles())}.")
        return 1
    missing = False
    for id in ids or known(title):
        found = [*in_source(title).get(id, []), *in_tests(title).get(id, [])]
        missing |= not found
        for place in found or [None]:
            print(f"{id}: {place.path.relative_to(ROOT)}:{place.line} {place.name}" if place else f"{id}: —")
    return missing


if __name__ == "__main__":
    sys.exit(main())
