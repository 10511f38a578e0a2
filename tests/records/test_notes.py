"""Notes in records: they come out byte for byte as they went in; anything else is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.records import Note
from paddock.records.notes import _TURNS, LONGEST, MOST, check_note
from sampling import count

WHO = [("Ana", None), ("Ben", "club")]
NOTES = [
    Note(0, "Ana", "Was für ein Blatt!\nAnd now?", ("luck",)),
    Note(17, "Zoë: the “friend”", 'quotes " and \\ and # and : stay', (), (("piece 1", "piece 2"),)),
    Note(17, "Ben", tags=("mistake", "früh-2"), marks=("card 2:3", "space 14")),
]


def played(seed: int = 3) -> Game:
    game = paddock.start("rasant", players=2, seed=seed)
    for _ in range(12):
        seat = game.deciders[0]
        game.play(seat, game.legal(seat)[0])
    return game


GAME = played()


def written(notes: list[Note], eyes: int | None = None) -> str:
    return records.write(GAME, date="2026-03-01", players=WHO, eyes=eyes, notes=notes)


def test_notes_survive_export_and_import_byte_for_byte() -> None:
    text = written(NOTES)
    record = records.read(text)
    assert list(record.notes) == NOTES
    again = records.write(record.game(), date=record.date, players=record.players, notes=record.notes)
    assert again.encode() == text.encode()
    assert "".join(records.write_all([record])) == text
    assert text.splitlines()[-3:] == [note.line for note in NOTES]
    assert record.game().position == GAME.position


PRINTED = st.characters(
    exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters=_TURNS, include_characters="\n"
)
WORD = st.text(PRINTED, max_size=60)


@settings(max_examples=count(40, 500), deadline=None)
@given(st.integers(0, len(GAME.log)), WORD.map(str.strip).filter(bool))
def test_any_text_survives(at: int, text: str) -> None:
    note = Note(at, "Ana", text)
    (again,) = records.read(written([note])).notes
    assert again == note and again.line.encode() == note.line.encode()


def test_notes_are_written_in_the_order_of_their_moments() -> None:
    assert list(records.read(written(NOTES[::-1])).notes) == [NOTES[0], NOTES[2], NOTES[1]]


def test_only_a_complete_record_has_notes() -> None:
    with pytest.raises(paddock.PaddockError, match="only complete records have notes"):
        written(NOTES, eyes=1)
    whole = records.read(written(NOTES))
    assert "note" not in "".join(records.write_all([whole], eyes=1))
    partial = records.write(GAME, date="2026-03-01", players=WHO, eyes=1).split("\n")
    partial = [line for line in partial if not line.startswith("checksum")]
    with pytest.raises(paddock.BadRecord, match="only complete records have notes"):
        records.read("\n".join([*partial, NOTES[0].line]))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('note 1: {"by": "Ana"}', "write something, or mark something"),
        ('note 1: {"text": "x"}', "needs the name"),
        ('note 1: {"by": " Ana", "text": "x"}', "needs the name"),
        ('note 999: {"by": "Ana", "text": "x"}', "no moment 999"),
        ('note 01: {"by": "Ana", "text": "x"}', "write a note as"),
        ("note 1: Ana says x", "write a note as"),
        ("note 1: {Ana}", "has the texts"),
        ('note 1: {"by": "Ana", "text": 7}', "has the texts"),
        ('note 1: {"by": "Ana", "text": "x", "colour": "red"}', "has the texts"),
        ('note 1: {"by": "Ana", "tags": "luck"}', "has the texts"),
        ('note 1: {"by": "Ana", "tags": ["two words"]}', "is not a tag"),
        ('note 1: {"by": "Ana", "tags": ["Luck"]}', "is not a tag"),
        ('note 1: {"by": "Ana", "tags": ["luck", "luck"]}', "each of them once"),
        ('note 1: {"by": "Ana", "arrows": [["piece 1"]]}', "has the texts"),
        ('note 1: {"by": "Ana", "arrows": [["piece 1", "piece 1"]]}', "two ends"),
        ('note 1: {"by": "Ana", "arrows": [["piece 1", "there"]]}', "is not a place"),
        ('note 1: {"by": "Ana", "marks": ["card 0:1"]}', "is not a place"),
        ('note 1: {"by": "Ana", "text": "bell\\u0007"}', "printable characters"),
        ('note 1: {"by": "Ana", "text": " x"}', "printable characters"),
        ('note 1: {"by": "Ana", "text": "a\u202eb"}', "printable characters"),
        ('note 1: {"by": "A\u2067na", "text": "x"}', "name of who wrote it"),
        (f'note 1: {{"by": "Ana", "text": "{"x" * (LONGEST + 1)}"}}', "at most 2,000 characters"),
        (f'note 1: {{"by": "Ana", "text": "x{" " * 9000}"}}', "write a note as"),
        (
            f'note 1: {{"by": "Ana", "marks": {[f"piece {n}" for n in range(25)]}}}'.replace("'", '"'),
            "at most 24",
        ),
    ],
)
def test_a_wrong_note_is_refused_with_its_line(line: str, says: str) -> None:
    text = "\n".join(one for one in written(NOTES[:1]).splitlines() if not one.startswith("checksum"))
    with pytest.raises(paddock.BadRecord, match=says) as caught:
        records.read(f"{text}\n{line}\n")
    assert caught.value.line == len(text.splitlines()) + 1


def test_notes_are_the_last_lines_in_order_and_not_too_many() -> None:
    lines = [one for one in written(NOTES).splitlines() if not one.startswith("checksum")]
    with pytest.raises(paddock.BadRecord, match="in the order of their moments"):
        records.read("\n".join([*lines[:-3], lines[-1], lines[-3]]))
    with pytest.raises(paddock.BadRecord):
        records.read("\n".join([*lines[:8], lines[-1], *lines[8:-1]]))
    with pytest.raises(paddock.BadRecord, match=f"at most {MOST} notes"):
        records.read("\n".join([*lines, *[NOTES[1].line] * MOST]))
    with pytest.raises(paddock.PaddockError, match="no moment"):
        written([Note(len(GAME.log) + 1, "Ana", "x")])


def test_the_checksum_protects_notes() -> None:
    with pytest.raises(paddock.BadRecord, match="the text was changed"):
        records.read(written(NOTES).replace("And now?", "And then?"))


def test_a_note_made_by_hand_is_checked_like_a_read_one() -> None:
    with pytest.raises(paddock.PaddockError, match="is not a place"):
        check_note(Note(0, "Ana", marks=("board",)))
