"""The catalogue of messages and its translations: contexts, and what `make messages` checks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

import catalogues
import messages
import way
from paddock.core.i18n import languages


def of(
    english: str | tuple[str, str], foreign: str | tuple[str, ...], code: str = "de", **more: object
) -> list[str]:
    """The faults of one translation."""
    found = Catalog(code)
    found.add(english, foreign, **more)  # type: ignore[arg-type]
    return catalogues.faults(found, whole=True)


@pytest.mark.parametrize(
    ("english", "foreign", "fault"),
    [
        ("{name} passes.", "", "missing"),
        ("{name} passes.", "{nam} passt.", "unknown fields"),
        ("{name} passes.", "Jemand passt.", "lost fields"),
        ("{name} passes.", "{name passt.", "a brace is open"),
        ("{n:.1f} MB in {file}", "{n:.1f} MB in {file", "a brace is open"),
        ("<b>now</b>", "<i>jetzt</i>", "other tags"),
        (" and ", "und", "other spaces"),
        (("{n} card", "{n} cards"), ("{n} Karte", ""), "write 2 forms"),
        (("{n} card", "{n} cards"), ("{m} Karte", "{n} Karten"), "unknown fields"),
        (
            ("{n} card for {name}", "{n} cards for {name}"),
            ("{n} Karte", "{n} Karten für {name}"),
            "lost fields",
        ),
    ],
)
def test_what_is_wrong_with_a_translation(
    english: str | tuple[str, str], foreign: str | tuple[str, ...], fault: str
) -> None:
    assert any(fault in one for one in of(english, foreign))


def test_what_is_right_is_not_wrong() -> None:
    assert of("{a} and {b:.2f}", "{b:.1f} und {a}") == []
    assert of(("{n} card", "{n} cards"), ("eine Karte", "{n} Karten")) == []
    assert of("{name}", "{name}", flags=["fuzzy"]) == [
        "“{name}”: fuzzy: nobody has checked it since the English changed"
    ]
    partial = Catalog("fr")
    partial.add("Pass", "")
    assert catalogues.faults(partial) == []


def test_labels_that_may_be_too_long_are_named() -> None:
    found = Catalog("de")
    found.add("Pit", "An die Box fahren")
    found.add("Pass", "Passen")
    assert catalogues.hints(found) == ["“Pit”: “An die Box fahren”"]


def test_ambiguous_english_needs_a_context() -> None:
    found = Catalog()
    for message, context in (
        ("Pass", None),
        ("{name} passes.", None),
        ("Pass", "verb"),
        ("Pass the salt", None),
    ):
        found.add(message, context=context)
    found.add("race", locations=[("title lacorsa", 0)])
    assert messages.ambiguous(found) == ["Pass", "{name} passes."]


def test_the_messages_of_paddock_and_their_translations() -> None:
    """One test, as it takes seconds to find them all."""
    found = messages.catalogue()
    assert messages.ambiguous(found) == []
    assert found.get("passes", "overtakes") and found.get("passes", "make no more moves")
    race = next(one for one in found if one.id == "race")
    assert "a noun" in race.auto_comments[0]
    parts = [way.place(one)[0] for one in found if one.id]
    assert parts == sorted(parts) and set(parts) == set(range(len(way.parts()))), "as a player reads them"
    there = messages.languages()
    assert set(messages.WHOLE) <= set(there) and set(languages()) == {"en", *there}
    for code, file in there.items():
        now = messages.read(file, code)
        now.update(found, no_fuzzy_matching=True)  # what is new is missing; what is gone is obsolete
        wrong = catalogues.faults(now, whole=code in messages.WHOLE)
        assert wrong[:20] == [], f"make messages, then translate what is new in {file}"


def test_a_language_is_started_updated_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Translations survive, what is new is empty, and a fault fails the command."""
    source = tmp_path / "boats.py"
    source.write_text(
        '_("{name} sails")\nplural("{n} boat", "{n} boats", n)\n'
        '# Translators: a card\npmark("card", "Drive")\n'
    )
    monkeypatch.setattr(messages, "folder", lambda package: tmp_path)
    monkeypatch.setattr(messages, "titles", dict)
    monkeypatch.setattr(messages, "command_line", tuple)
    other = tmp_path / "locale" / "de" / "LC_MESSAGES" / "paddock.po"
    other.parent.mkdir(parents=True)
    other.write_text('msgid ""\nmsgstr ""\n\n#, fuzzy\nmsgid "old"\nmsgstr "alt"\n', "utf-8")
    before = other.read_bytes()
    monkeypatch.setattr("sys.argv", ["messages.py", "--new", "pl"])
    assert messages.main() == 0
    said = capsys.readouterr()
    assert other.read_bytes() == before and "/de/" not in said.out and not said.err, "nothing about others"
    other.unlink()
    file = tmp_path / "locale" / "pl" / "LC_MESSAGES" / "paddock.po"
    text = file.read_text("utf-8")
    assert 'msgctxt "card"' in text and "#. a card" in text and text.count("msgstr[") == 3
    assert "boats.py:" not in text, "line numbers would change with every edit"
    file.write_text(
        text.replace('msgid "{name} sails"\nmsgstr ""', 'msgid "{name} sails"\nmsgstr "{name} żegluje"'),
        "utf-8",
    )
    source.write_text(source.read_text() + '_("new")\n_("Open")\n')
    monkeypatch.setattr("sys.argv", ["messages.py"])
    capsys.readouterr()
    assert messages.main() == 1
    said = capsys.readouterr()
    assert "1 of 5 messages" in said.out and "“Open” needs a context" in said.err
    assert re.search(r'msgid "new"\nmsgstr ""', file.read_text("utf-8")) and "żegluje" in file.read_text(
        "utf-8"
    )
