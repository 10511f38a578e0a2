"""The reader of a title's RULES.md: strict, and safe as HTML."""

from __future__ import annotations

import re

import pytest
from tests.titles import TITLES

from paddock.core.clauses import BadClause, Clause, load
from paddock.core.errors import PaddockError
from paddock.core.title import title

SMALL = """\
# Skittles

How to play <b>skittles</b>, as LC-1.1 says.
Second line.

## The idea

- Throw at the **pins**
  and `run` & hide.

## LC-1 Pins

- **LC-1.1** There are `nine` pins, see LC-1.2. *Regulations.*
- **LC-1.2** They **stand**
  in a square. *Ruling.*

## LC-2 End

- **LC-2.0** Nobody wins (LC-1), UTF-8 or not. *Follows from LC-1.1; a ruling.*

## Revisions

- **2** A square.
- **1** First.
"""


def test_clauses_are_typed_and_in_order() -> None:
    book = load(SMALL)
    assert book.title == "Skittles"
    assert book.revision == 2
    assert book.markdown == SMALL
    assert [(c.id, c.title, c.clauses) for c in book.chapters] == [
        ("LC-1", "Pins", ("LC-1.1", "LC-1.2")),
        ("LC-2", "End", ("LC-2.0",)),
    ]
    assert list(book.clauses.values()) == [
        Clause("LC-1.1", "LC-1", "There are `nine` pins, see LC-1.2.", "Regulations.", False),
        Clause("LC-1.2", "LC-1", "They **stand** in a square.", "Ruling.", True),
        Clause("LC-2.0", "LC-2", "Nobody wins (LC-1), UTF-8 or not.", "Follows from LC-1.1; a ruling.", True),
    ]
    assert book.clauses["LC-1.2"].plain == "They stand in a square."


def test_an_excerpt_is_a_clause_or_a_chapter() -> None:
    book = load(SMALL)
    assert book.excerpt(" lc-1.2 ") == "- **LC-1.2** They **stand** in a square. *Ruling.*"
    assert book.excerpt("LC-2") == (
        "## LC-2 End\n\n- **LC-2.0** Nobody wins (LC-1), UTF-8 or not. *Follows from LC-1.1; a ruling.*"
    )
    with pytest.raises(PaddockError, match=r"no clause “LC-9”.*LC-1, LC-2.*LC-1\.1"):
        book.excerpt("LC-9")


def test_html_links_clauses_and_escapes_the_rest() -> None:
    assert (
        load(SMALL).html
        == """\
<h1>Skittles</h1>
<p>How to play &lt;b&gt;skittles&lt;/b&gt;, as <a href="#LC-1.1">LC-1.1</a> says. Second line.</p>
<h2 id="the-idea">The idea</h2>
<ul>
<li>Throw at the <strong>pins</strong> and <code>run</code> &amp; hide.</li>
</ul>
<h2 id="LC-1">LC-1 Pins</h2>
<ul>
<li class="clause" id="LC-1.1"><a class="id" href="#LC-1.1">LC-1.1</a> There are <code>nine</code> pins, \
see <a href="#LC-1.2">LC-1.2</a>. <em class="source">Regulations.</em></li>
<li class="clause" id="LC-1.2"><a class="id" href="#LC-1.2">LC-1.2</a> They <strong>stand</strong> \
in a square. <em class="source ruling">Ruling.</em></li>
</ul>
<h2 id="LC-2">LC-2 End</h2>
<ul>
<li class="clause" id="LC-2.0"><a class="id" href="#LC-2.0">LC-2.0</a> Nobody wins \
(<a href="#LC-1">LC-1</a>), UTF-8 or not. \
<em class="source ruling">Follows from <a href="#LC-1.1">LC-1.1</a>; a ruling.</em></li>
</ul>
<h2 id="revisions">Revisions</h2>
<ul>
<li><strong>2</strong> A square.</li>
<li><strong>1</strong> First.</li>
</ul>
"""
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("# Skittles", "Skittles", 1, "begin with"),
        ("# Skittles\n", "# Skittles\n# Again\n", 2, "title on line 1"),
        ("## The idea", "### The idea", 6, "## "),
        ("**LC-1.2**", "**LC-1.1**", 14, "LC-1.1 exists already"),
        ("**LC-1.1** There", "**LC-1.3** There", 14, "LC-1.2 belongs before LC-1.3"),
        ("**LC-1.2**", "**LC-3.2**", 14, "LC-3.2 does not belong to LC-1"),
        ("**LC-1.2**", "**LC-12**", 14, r"write a clause as “- \*\*LC-1.1"),
        ("**LC-1.2**", "LC-1.2", 14, "write a clause as"),
        (" *Ruling.*", "", 14, "write a clause as"),
        ("*Ruling.*", "*Ruling.", 14, "not closed"),
        ("`nine`", "`nine", 13, "not closed"),
        ("## LC-2 End", "## LC-1 End", 17, "LC-1 exists already"),
        ("## LC-2 End", "## LC-2", 17, "write a chapter"),
        ("see LC-1.2", "see LC-1.7", 13, "no clause or chapter LC-1.7"),
        ("- **LC-2.0** Nobody wins", "Nobody wins", 17, "LC-2 has no clauses"),
        ("- **2** A square.", "- **3** A square.", 24, "write revisions"),
        ("- **2** A square.", "- A square.", 23, "write revisions"),
        ("- **1** First.\n", "", 1, "down to revision 1"),
        ("## The idea", "## ", 6, "only “## ” headings"),
        ("## The idea", "1. The idea", 6, "only “## ” headings"),
        ("## The idea", "    The idea", 6, "only “## ” headings"),
        ("## The idea", "> The idea", 6, "only “## ” headings"),
        ("## The idea", "***", 6, "only “## ” headings"),
        ("  and `run`", "\n  and `run`", 8, "only “## ” headings"),
        ("  and `run`", "  - and `run`", 8, "only “## ” headings"),
    ],
)
def test_a_wrong_line_is_named(old: str, new: str, line: int, reason: str) -> None:
    assert old in SMALL
    with pytest.raises(BadClause, match=reason) as caught:
        load(SMALL.replace(old, new, 1))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_rules_without_revisions_are_at_the_first() -> None:
    assert load(SMALL.partition("## Revisions")[0]).revision == 1


def test_a_text_without_clauses_is_no_rulebook() -> None:
    for text in ("", "# Skittles\n\n## Revisions\n\n- **1** First.\n"):
        with pytest.raises(BadClause):
            load(text)


def test_lacorsas_rules_are_whole() -> None:
    book = title("lacorsa").rulebook
    assert book.revision == title("lacorsa").revision
    chapters = [*(f"LC-{n}" for n in range(1, 8)), *(f"LX-{n}" for n in range(1, 6))]
    assert [chapter.id for chapter in book.chapters] == chapters
    assert [len(chapter.clauses) for chapter in book.chapters] == [5, 5, 5, 5, 6, 7, 5, 4, 7, 10, 1, 2]
    for chapter in book.chapters:
        first = int(chapter.id not in ("LX-2", "LX-3"))  # those begin with what a stop or an incident is
        numbers = range(first, first + len(chapter.clauses))
        assert list(chapter.clauses) == [f"{chapter.id}.{n}" for n in numbers]
    html = book.html
    assert sorted(re.findall(r'<li class="clause" id="([^"]+)"', html)) == sorted(book.clauses)
    assert "*" not in html and "`" not in html


@pytest.mark.parametrize("name", TITLES)
def test_options_name_clauses_that_are_there(name: str) -> None:
    """For refusals, the tests that reach every refusal check this."""
    assert {row.clause for row in title(name).options.describe()} <= set(title(name).rulebook.clauses)
