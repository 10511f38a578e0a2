"""The pages of the documentation that are made from the code: scripts/cited.py and scripts/pages.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cited
import pages
from paddock.cli import app
from paddock.core.title import title
from paddock.features.reach.ways import WAYS


def test_citations_are_found_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(
        '"""AB-1.1 of the module."""\n'
        "DECK = 3  # AB-1.2\n"
        "class Options:\n"
        '    cars: int = option("AB-1.3")\n'
        "    @property\n"
        "    def eyes(self):\n"
        '        """AB-2.1 to AB-2.3 what a seat sees."""\n'
        "def test_ab_3_1_a_name():\n"
        "    pass\n"
    )
    found = {(place.name, place.line): ids for place, ids in cited.places(path) if ids}
    assert found == {
        ("", 1): {"AB-1.1"},
        ("DECK", 2): {"AB-1.2"},
        ("Options.cars", 4): {"AB-1.3"},
        ("Options.eyes", 6): {"AB-2.1", "AB-2.2", "AB-2.3"},
        ("test_ab_3_1_a_name", 8): {"AB-3.1"},
    }


@pytest.mark.parametrize("name", cited.titles())
def test_each_clause_has_an_anchor_and_leads_to_its_function_and_test(name: str) -> None:
    text = pages.rules(name)
    clauses = re.split(r"^### (\S+) \{ #(\S+) \}$", text, flags=re.MULTILINE)
    assert clauses[1::3] == cited.known(name)
    for id, anchor, clause in zip(clauses[1::3], clauses[2::3], clauses[3::3], strict=True):
        assert anchor == id.lower()
        assert re.split(r"\W", title(name).rulebook.clauses[id].source)[0] in clause
        linked = re.findall(r'href="\.\./source/(.+?)\.html#line-0-(\d+)"><code>(.+?)</code>', clause)
        assert [label for _, _, label in linked if label.startswith("test_") or ".test_" in label]
        for page, line, label in linked:
            path = cited.ROOT / ("" if page.startswith("tests") else "src") / f"{page}.py"
            assert label.rpartition(".")[2] in path.read_text("utf-8").splitlines()[int(line) - 1] or (
                label == path.stem
            )


def test_references_between_clauses_are_links() -> None:
    text = pages.rules("lacorsa")
    assert "[LX-5.1](#lx-5.1)" in text
    assert "## LC-1 Cards and deck { #lc-1 }" in text


def test_tables_are_filled_in() -> None:
    table = pages.filled("<!-- options: lacorsa -->")
    assert "| `races` | 1 to 99 | `7` |" in table
    assert "[LC-2.4](../rules/lacorsa.md#lc-2.4)" in table
    assert len(table.splitlines()) == 2 + len(title("lacorsa").options.model_fields)
    assert "<!--" not in pages.filled("<!-- fields: rasant -->")
    ways = [line.split("|")[1].strip() for line in pages.filled("<!-- ways -->").splitlines()[2:]]
    assert ways[0] == "A browser" and sorted(ways) == sorted(way.name for way in WAYS.values())
    assert pages.filled("no table") == "no table"


def test_the_page_of_the_command_line_has_every_command_with_whole_sentences() -> None:
    text = pages.filled("<!-- commands -->")
    for command in app.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")  # type: ignore[union-attr]
        assert f"## `paddock {name}` {{ #paddock-{name} }}" in text
    assert "..." not in re.findall(r"^\* \[`.*$", text, re.MULTILINE)[0]


def test_the_colours_are_those_of_the_pages() -> None:
    assert "--paper:" in pages.tokens()
    assert "--accent:" in pages.tokens()
    assert "[data-" not in pages.tokens()
