"""The language of a command, and sentences of core in another language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import paddock
from paddock import records
from paddock.core import catalogue as catalogue_file
from paddock.core.i18n import (
    LOCALE,
    Sentence,
    _,
    catalogues,
    language,
    of_environment,
    pgettext,
    plural,
    pmark,
)
from paddock.core.wording import dated, either, listed, number, own_name, timed


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Catalogues of Spanish and of Brazilian Portuguese."""
    words = {
        "there is no option “{name}”; the options are {options}": "no hay opción “{name}”: {options}",
        "and {n} more": "y {n} más",
        "line {line}: {reason}": "línea {line}: {reason}",
        "a record begins with the line “{format}”": "primero “{format}”",
        "there is no title {name}; the titles are {titles}": "no hay {name}: {titles}",
    }
    for code in ("es", "pt_BR"):
        catalogue = Catalog(code)
        for english, foreign in words.items():
            plural = english == "and {n} more"
            catalogue.add(
                (english, english) if plural else english, (foreign, foreign) if plural else foreign
            )
        path = tmp_path / code / "LC_MESSAGES"
        path.mkdir(parents=True)
        with (path / "paddock.po").open("wb") as stream:
            write_po(stream, catalogue)
    token = catalogues.set(tmp_path)
    yield
    catalogues.reset(token)


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es@euro"}, "es"),
        ({"LANG": "pt_BR.UTF-8"}, "pt_BR"),
        ({"LANG": "pt_PT.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LANGUAGE": "xx:pt_BR:es", "LANG": "es"}, "pt_BR"),
        ({"PADDOCK_LANGUAGE": "es", "LANGUAGE": "pt_BR"}, "es"),
        ({"PADDOCK_LANGUAGE": "en", "LANG": "es"}, "en"),
    ],
)
def test_a_command_speaks_the_language_of_its_environment(
    environment: dict[str, str], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PADDOCK_LANGUAGE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert of_environment() == found


def test_validators_speak_the_current_language() -> None:
    token = language.set("es")
    with pytest.raises(paddock.BadOption) as bad:
        paddock.start("lacorsa", **{f"wrong{i}": 1 for i in range(22)})
    assert "no hay opción “wrong0”" in str(bad.value) and str(bad.value).endswith("; y 2 más")
    with pytest.raises(paddock.BadRecord, match="línea 1: primero “paddock record 1”"):
        records.read("nothing")
    with pytest.raises(paddock.PaddockError, match="no hay “chess”: great_race"):
        paddock.title("chess")
    language.reset(token)


def polish(folder: Path, text: str) -> None:
    """A catalogue by hand."""
    path = folder / "pl" / "LC_MESSAGES"
    path.mkdir(parents=True)
    (path / "paddock.po").write_text(text, "utf-8")
    catalogues.set(folder)  # the fixture resets it


PO = r"""
# A comment
#, fuzzy
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\n"

#. Translators: a tab and quotes
msgid "a \"b\"\t"
"c"
msgstr "ą "
"„b”"

msgctxt "verb"
msgid "Pass"
msgstr "Pasuj"

msgctxt "noun"
msgid "Pass"
msgstr ""

#, fuzzy
msgid "old"
msgstr "stary"

msgid "{n} car"
msgid_plural "{n} cars"
msgstr[0] "auto"
msgstr[1] "{n} auta"
msgstr[2] "{n} aut"

#~ msgid "gone"
#~ msgstr "nie ma"
"""


def test_a_catalogue_is_read_as_translators_write_it(tmp_path: Path) -> None:
    """Contexts, plurals, continued lines; without what is empty, fuzzy or obsolete."""
    polish(tmp_path, PO)
    token = language.set("pl")
    assert _('a "b"\tc') == "ą „b”" and _("") == ""
    assert (
        pgettext("verb", "Pass")
        == _(pmark("verb", "Pass"))
        == str(Sentence(pmark("verb", "Pass")))
        == "Pasuj"
    )
    assert pgettext("noun", "Pass") == pgettext("other", "Pass") == _("Pass") == "Pass"
    assert [_(word) for word in ("old", "gone")] == ["old", "gone"]
    assert [plural("{n} car", "{n} cars", n) for n in (1, 2, 5, 22)] == ["auto", "2 auta", "5 aut", "22 auta"]
    assert plural("{n} card", "{n} cards", 1) == "1 card"
    language.reset(token)
    assert plural("{n} car", "{n} cars", 2) == "2 cars" and pgettext("verb", "Pass") == "Pass"


@pytest.mark.parametrize("text", ["nothing", 'msgid "a', 'msgid "\\x"', "\xff"])
def test_a_file_that_is_no_catalogue_is_left_out(
    text: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    polish(tmp_path, "")
    (tmp_path / "pl" / "LC_MESSAGES" / "paddock.po").write_text(text, "latin-1")
    token = language.set("pl")
    assert _("Pass") == "Pass" and "cannot be read" in caplog.text
    language.reset(token)
    with pytest.raises(ValueError, match=r"line|escape|codec"):
        catalogue_file.read(tmp_path / "pl" / "LC_MESSAGES" / "paddock.po")


def test_lists_and_numbers() -> None:
    """In English, and in German by the data that is in the package."""
    names = ["Ana", "Ben", "Cai", "Dee"]
    assert [listed(names[:n]) for n in range(5)] == [
        "",
        "Ana",
        "Ana and Ben",
        "Ana, Ben and Cai",
        "Ana, Ben, Cai and Dee",
    ]
    assert either(names[:3]) == "Ana, Ben or Cai" and number(1234.5, "+,.2f") == "+1,234.50"
    noon = datetime(2026, 3, 1, 12, 5, tzinfo=UTC)
    assert dated(noon) == "2026-03-01" and timed(noon) == "2026-03-01 12:05"
    tokens = catalogues.set(LOCALE), language.set("de")
    assert listed(names) == "Ana, Ben, Cai und Dee" and either(names[:2]) == "Ana oder Ben"
    assert number(1234.5, "+,.2f") == "+1.234,50" and number(1234) == "1.234"
    assert dated(noon) == "01.03.2026" and timed(noon) == "01.03.2026 12:05"
    assert [own_name(code, LOCALE) for code in ("en", "de", "xx")] == ["English", "Deutsch", "xx"]
    catalogues.reset(tokens[0])
    language.reset(tokens[1])
