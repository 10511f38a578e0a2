"""The rules in other languages have the structure and the numbers of the English ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import pytest
from tests.core.test_clauses import SMALL
from tests.titles import TITLES

import pages
from paddock.core.clauses import BadClause, Rulebook, load
from paddock.core.i18n import language
from paddock.core.title import title

GERMAN = (
    SMALL.replace("Skittles", "Kegeln")
    .replace("The idea", "Die Idee")
    .replace("Nobody wins", "Niemand gewinnt")
    .replace("a ruling", "Auslegung")
    .replace("*Ruling.*", "*Auslegung.*")
    .replace("Revisions", "Fassungen")
)
RULING = {"de": "Auslegung"}  # the word for a ruling in a source
THOUSANDS = {"en": ",", "de": "."}
ID = re.compile(r"\b[A-Z]{2}-\d+(?:\.\d+)?\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@pytest.fixture(params=pages.translations(), ids="-".join)
def books(request: pytest.FixtureRequest) -> Iterator[tuple[str, Rulebook, Rulebook]]:
    """A language, and the rules of a title in English and in that language."""
    name, code = request.param
    english = title(name).rulebook
    token = language.set(code)
    yield code, english, title(name).rulebook
    language.reset(token)


def test_every_title_has_its_rules_in_german() -> None:
    assert {name for name, code in pages.translations() if code == "de"} == set(TITLES)


def test_a_reader_gets_the_rules_in_their_language(books: tuple[str, Rulebook, Rulebook]) -> None:
    _, english, other = books
    assert other.title != english.title
    assert (other.revision, list(other.clauses)) == (english.revision, list(english.clauses))
    assert [(c.id, c.clauses) for c in other.chapters] == [(c.id, c.clauses) for c in english.chapters]
    assert [c.ruling for c in other.clauses.values()] == [c.ruling for c in english.clauses.values()]
    for pattern in (r'<(?:li class="clause"|h2) id="[^"]*"', r"</?[a-z0-9]+"):
        assert Counter(re.findall(pattern, other.html)) == Counter(re.findall(pattern, english.html))


def test_the_documentation_has_the_clauses_of_each_translation() -> None:
    for name, code in pages.translations():
        anchors = re.findall(r"^### (\S+) \{ #(\S+) \}$", pages.translated(name, code), flags=re.MULTILINE)
        assert anchors == [(id, id.lower()) for id in title(name).rulebook.clauses]


def test_a_language_without_rules_gets_the_english_ones() -> None:
    token = language.set("xx")
    other = title("rasant").rulebook
    language.reset(token)
    assert other is title("rasant").rulebook


def test_a_translation_has_the_same_numbers_options_and_references(
    books: tuple[str, Rulebook, Rulebook],
) -> None:
    code, english, other = books
    pairs = zip(english.html.splitlines(), other.html.splitlines(), strict=True)
    assert [its for one, its in pairs if facts(its, code) != facts(one, "en")] == []


def facts(html: str, code: str) -> Counter[str]:
    """What a line must have in every language: ids of clauses, code and numbers."""
    words = re.findall(r"<code>.*?</code>", html)
    text = unescape(re.sub(r"<code>.*?</code>|<[^>]*>", " ", html))
    found = NUMBER.findall(ID.sub("", text))
    numbers = [number.replace(THOUSANDS[code], "").replace(",", ".") for number in found]
    return Counter([*words, *numbers, *ID.findall(text)])


def test_the_source_of_a_clause_calls_a_ruling_one(books: tuple[str, Rulebook, Rulebook]) -> None:
    code, _, other = books
    for clause in other.clauses.values():
        assert clause.ruling == (RULING[code] in clause.source), clause.id


def test_a_translation_keeps_anchors_rulings_and_the_revision() -> None:
    english, german = load(SMALL), load(GERMAN, load(SMALL))
    assert (german.title, german.revision) == ("Kegeln", 2)
    assert [clause.ruling for clause in german.clauses.values()] == [False, True, True]
    assert '<h2 id="the-idea">Die Idee</h2>' in german.html and '<h2 id="revisions">' in german.html
    assert re.findall(r'id="([^"]+)"', german.html) == re.findall(r'id="([^"]+)"', english.html)
    assert german.excerpt("LC-2").startswith("## LC-2 End\n\n- **LC-2.0** Niemand gewinnt")


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("Second line.", "\n\nSecond line.", 6, "the original has “## The idea”"),
        ("## LC-1 Pins", "## LC-3 Pins", 11, "the original has “## LC-1”"),
        ("- **LC-1.2** They **stand**\n  in a square. *Auslegung.*\n", "", 15, "the original has “- LC-1.2”"),
        ("- **1** First.\n", "", 23, "the original goes on with “- 1”"),
        ("- **1** First.\n", "- **1** First.\n\nMore.\n", 26, "the original ends before this"),
    ],
)
def test_a_translation_of_another_shape_is_refused(old: str, new: str, line: int, reason: str) -> None:
    assert old in GERMAN
    with pytest.raises(BadClause, match=re.escape(reason)) as caught:
        load(GERMAN.replace(old, new, 1), load(SMALL))
    assert caught.value.line == line
