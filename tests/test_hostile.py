"""Hostile or clumsy input is refused with a sentence, everywhere."""

from __future__ import annotations

import tracemalloc
from typing import Any
from xml.etree import ElementTree

import numpy
import pytest
from tests.terminal.test_cli import run

import paddock
from paddock import records
from paddock.core.errors import brief
from paddock.kernel.watch import watch
from paddock.terminal.race import Seats, race, set_up

BOMB = "+".join(["99*r10-130"] * 30_000)  # some hundred kilobytes that name 38 million cards


def refused(title: str, **options: Any) -> str:
    with pytest.raises(paddock.BadOption) as error:
        paddock.start(title, **options)
    return str(error.value)


@pytest.mark.parametrize(
    ("title", "name", "value", "sentence"),
    [
        ("rasant", "players", "four", "write a whole number from 2 to 5 (RA-1.3)"),
        ("rasant", "players", 6, "write a whole number from 2 to 5 (RA-1.3)"),
        ("rasant", "games", 1.5, "write a whole number from 1 to 20 (RA-5.5)"),
        ("rasant", "round_end", "both", "write one or all (RA-3.4)"),
        ("rasant", "deck", None, "write a text (RA-1.2)"),
        ("lacorsa", "large_grid", "maybe", "write yes or no (LX-1.4)"),
        ("lacorsa", "incidents", 1, "write auto, yes or no (LX-3.0)"),
        ("lacorsa", "points", "9,six,4,x", "write whole numbers, separated by commas (LC-7.2)"),
    ],
)
def test_a_refused_option_says_what_to_write_and_its_clause(
    title: str, name: str, value: object, sentence: str
) -> None:
    said = refused(title, **{name: value})
    assert said.endswith(f": {sentence}")
    assert said.count(name) == 1  # one fault, whatever was wrong inside


def test_the_end_of_a_files_last_line_belongs_to_no_option() -> None:
    game = paddock.start("rasant", deck="all-black-top\n", line=" krgbyrgbyrgby\r\n", players=" 3 ")
    assert "players=3 games=1 round_end=one deck=all-black-top line=krgbyrgbyrgby" in game.options.text


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        ("", "the deck has no cards: name one of standard"),
        ("# nothing here", "the deck has no cards"),
        ("0*r10", "write a count from 1 to 120 (RA-1.2)"),
        ("k10-130", "a coloured card to lead with (RA-1.2)"),
        ("٣*r10-130", "is not part of a deck"),
        ("\ud800", "is not part of a deck"),
        ("r10-130\0g10-130", "is not part of a deck"),
        (BOMB, "a file has at most 50,000 characters, not 329,999 (RA-1.2)"),
        (BOMB[:49_999] + "0", "a deck has at most 120 cards (RA-1.2)"),
        ("r10 " * 12_000, "a deck has at most 120 cards (RA-1.2)"),
    ],
)
def test_RA_1_2_no_deck_breaks_anything(deck: str, sentence: str) -> None:
    tracemalloc.start()
    said = refused("rasant", deck=deck)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sentence in said
    assert said.encode()  # no half of a surrogate pair in it
    assert most < 64_000_000


def test_what_is_quoted_is_cut_and_visible() -> None:
    assert len(refused("rasant", deck="x" * 10**6)) < 400
    assert len(refused("rasant", **{"y" * 10**6: 1})) < 400
    assert brief("a\x1b[31mb\u202ec\ud800\n d") == "a�[31mb�c� d"


@pytest.mark.parametrize(
    "text", ["", "chess/1", "rasant", "rasant/2", "\ud800/1", "x" * 10**6, "rasant/1 x=1 x"]
)
def test_a_position_that_is_none_is_a_bad_position(text: str) -> None:
    with pytest.raises(paddock.BadPosition) as error:
        paddock.position(text)
    assert len(str(error.value).encode()) < 1000


@pytest.mark.parametrize("seats", [-1, 4, [0, 9], [-1], 1.0, True, pytest.param(10**5000, id="long")])
def test_nobody_sees_through_eyes_that_are_not_there(seats: Any) -> None:
    game = paddock.start("rasant", seed=1)
    with pytest.raises(paddock.BadMove, match="there is no seat"):
        game.view(seats)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("deck=standard", f"deck={BOMB}"),
        ("options: ", "options: " + " ".join(f"o{i}" for i in range(50_000)) + " "),
        ("title: rasant/1", "title: " + "x" * 300_000),
        ("date: ", "date: " + "x" * 300_000),
        ("game 1\n", "game 1\n1: " + "x" * 300_000 + "\n"),
        ("game 1\n", "game 1\n" + "x" * 300_000 + "\n"),
    ],
)
def test_a_hostile_record_is_refused_in_a_line(old: str, new: str) -> None:
    game = paddock.start("rasant", seed=1)
    text = records.write(game, date="2026-03-01", players=[(name, None) for name in game.names])
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("checksum"))
    with pytest.raises(paddock.BadRecord) as error:
        records.read(text.replace(old, new, 1))
    assert len(str(error.value)) < 700


@pytest.mark.parametrize("title", ["lacorsa", "rasant"])
def test_a_seat_is_a_whole_number_of_any_kind(title: str) -> None:
    game = paddock.start(title, seed=7)
    seat = game.deciders[0]
    wrong: Any
    for wrong in (float(seat), bool(seat), str(seat), None):
        with pytest.raises(paddock.BadMove, match="there is no seat"):
            game.play(wrong, next(iter(game.legal(seat))))
    with pytest.raises(paddock.BadMove, match="nothing to undo"):
        game.undo()
    first: Any = numpy.int64(seat)
    assert game.view(first) == game.view(seat)
    move: Any = numpy.int64(game.legal(seat).ids[0])
    assert game.why(first, move) is None


@pytest.mark.parametrize("names", [[1, 2, 3, 4], ["Ana"], "Ana"])
def test_names_are_texts_one_for_each_player(names: Any) -> None:
    with pytest.raises(paddock.BadOption, match="names: give 4 texts"):
        paddock.start("lacorsa", names=names)


def test_a_name_can_be_drawn() -> None:
    game = paddock.start("lacorsa", names=["A\x00\x0bna", "B\ufffeen", "\u200b", "Dario\ud800"])
    assert game.names == ("A na", "Ben", "Driver 3", "Dario")
    ElementTree.fromstring(game._repr_svg_())


@pytest.mark.parametrize("wrong", [None, 7, True, b"rasant", ["rasant"], {}, object()])
def test_what_is_no_text_is_refused_with_what_to_give(wrong: Any) -> None:
    for call in (paddock.title, paddock.start):
        with pytest.raises(paddock.PaddockError, match=r"there is no title .*; the titles are great_race"):
            call(wrong)
    with pytest.raises(paddock.BadPosition, match="is not a text: give a position"):
        paddock.position(wrong)


@pytest.mark.parametrize("name", ["drivers", "points", "seed"])
def test_a_number_that_nobody_can_write_is_refused(name: str) -> None:
    with pytest.raises(paddock.PaddockError) as error:
        paddock.start("lacorsa", **{name: 10**5000})
    assert len(str(error.value)) < 200


def test_every_text_is_a_seed() -> None:
    assert paddock.start("lacorsa", seed="\ud800").position != paddock.start("lacorsa", seed="").position


@pytest.mark.parametrize("title", ["lacorsa", "rasant"])
def test_a_long_move_is_not_quoted_whole(title: str) -> None:
    game = paddock.start(title, seed=1)
    refusal = str(game.why(game.deciders[0], "x\x1b[31m" * 10_000))
    assert len(refusal) < 300 and "\x1b" not in refusal


def test_many_faults_are_counted() -> None:
    with pytest.raises(paddock.BadPosition, match=r"and \d+ more") as error:
        paddock.position("lacorsa/1 " * 10_000)
    assert len(str(error.value)) < 2000


@pytest.mark.parametrize("eyes", [-1, 99])
def test_a_record_is_seen_by_eyes_that_are_there(eyes: int) -> None:
    game = paddock.start("lacorsa", seed=1)
    with pytest.raises(paddock.PaddockError, match="bitmask of the 4 seats"):
        records.write(game, date="2026-03-01", players=[(name, None) for name in game.names], eyes=eyes)


@pytest.mark.parametrize("date", [None, 20260101, "tomorrow"])
def test_a_record_has_a_date(date: Any) -> None:
    game = paddock.start("lacorsa", seed=1)
    with pytest.raises(paddock.PaddockError, match="write it as"):
        records.write(game, date=date, players=[(name, None) for name in game.names])


def test_a_series_has_one_length() -> None:
    """``--races`` and the option must not differ."""
    title, seats = paddock.title("rasant"), Seats(("club", "rookie"))
    assert set_up(title, seats, {"games": "3"}, 3, 1).options.rounds == 3
    with pytest.raises(paddock.BadOption, match="games=3: --races says 2"):
        set_up(title, seats, {"games": "3"}, 2, 1)


def test_a_number_of_any_length_is_answered() -> None:
    title, seats = paddock.title("rasant"), Seats(("me", "rookie"))
    game, said = set_up(title, seats, {}, None, 1), list[str]()
    answers = ["#" + "9" * 5000, "#0", "#²", "#", "9" * 5000]
    race(game, seats, 1, said.append, lambda _ask: answers.pop(0) if answers else "#1")
    assert sum("Write a number from #1 to #" in line for line in said) == 5
    assert max(map(len, said)) < 300


def test_any_seed_is_watched() -> None:
    assert not next(iter(watch(paddock.title("rasant"), 1, 10**40, 1))).broken


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("replay", "{folder}/binary"), "binary: the file is not UTF-8 text"),
        (("replay", "{folder}"), "Is a directory"),
        (("race", "rasant", "--seats", "club,rookie", "--record", "{folder}"), "Is a directory"),
        (("simulate", "rasant", "--games", "1", "--csv", "{folder}"), "Is a directory"),
        (("race", "rasant", "--seats", "club,rookie", "--option", "deck=@{folder}/binary"), "not UTF-8 text"),
    ],
)
def test_a_file_that_does_not_do_is_refused_before_any_work(
    tmp_path: Any, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0r")
    done = run(*(word.format(folder=tmp_path) for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Errno" not in done.stderr
    assert not done.stdout
