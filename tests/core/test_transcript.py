"""The moves of a game one by one, and its story for some eyes."""

from __future__ import annotations

import random

import pytest
from tests.core.test_information import played
from tests.titles import RULES

import paddock
from paddock import records
from paddock.core.title import Title
from paddock.kernel.source import Seeded


def test_each_move_has_its_owner_its_notation_and_a_sentence() -> None:
    game = paddock.start("lacorsa", drivers=4, races=1, names=["Ana", "Ben", "Cho", "Dan"], seed=7)
    for seat, move in [(0, "11"), (1, "9"), (2, "R"), (3, "8")]:
        game.play(seat, move)
    first, *_, last = game.moves()
    assert first == paddock.Made(52, 0, 0, "Ana (1)", "11", "Commit 11: worth 11", False)
    assert (last.entry, last.seat, last.who, last.move) == (55, 3, "Dan (4)", "8")


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_the_moves_lead_to_the_same_game(title: Title) -> None:
    """Their notation, linked as it was, is all that a replay needs beside chance."""
    game = played(title, 3)
    again, made = game.at(0), iter(game.moves())
    for entry in game.log:
        if entry.by == paddock.CHANCE:
            again.append(entry)
            continue
        move = next(made)
        options, said = game.options, title.text.parse_move(game.setup, move.move)
        seen = again.seen(options.eyes(options.owners[move.seat]))
        assert (move.round, move.seat, move.linked) == (len(again.rounds), entry.by, entry.linked)
        assert said.id == entry.what and move.who == seen.seat_name(entry.by)
        assert move.sentence == title.text.label(seen, entry.by, entry.what)
        again.append(entry)
    assert again == game and next(made, None) is None


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_a_transcript_tells_every_event_that_the_eyes_learned_of(title: Title) -> None:
    for seed in range(4):
        game = played(title, seed)
        for eyes in (0, 1, (1 << game.options.seats) - 1):
            lines = [line.strip() for line in game.transcript(eyes).splitlines() if line.startswith("  ")]
            assert lines == game.story_for(eyes)
        everything = [line.strip() for line in game.transcript(None).splitlines() if line.startswith("  ")]
        assert everything == game.story and "?" not in game.transcript(None).replace("? ", "")


@pytest.mark.parametrize("title", RULES, ids=lambda title: title.name)
def test_a_transcript_keeps_secrets(title: Title) -> None:
    """The twin log: what the eyes did not see is drawn again, and their transcript is the same."""
    told = 0
    for seed in range(40):
        game = played(title, seed)
        eyes = random.Random(seed).randrange(1 << game.options.seats)
        players = [(name, None) for name in game.names]
        record = records.write(game, date="2026-03-01", players=players, eyes=eyes)
        twin = records.complete(records.read(record), Seeded(seed))
        assert twin.transcript(eyes) == game.transcript(eyes)
        told += twin.transcript(None) != game.transcript(None)
    assert told > 9


def test_a_transcript_reads_like_a_story() -> None:
    game = paddock.start("lacorsa", drivers=4, races=1, names=["Ana", "Ben", "Cho", "Dan"], seed=7)
    game.play(0, "11")
    assert game.transcript(0) == "Race 1\n\nAna (1): ?"
    assert game.transcript(1).endswith("\nAna (1): 11") and "\ndeal 1: " in game.transcript(1)
    assert "deal 2" not in game.transcript(1)
    for seat, move in [(1, "9"), (2, "R"), (3, "8")]:
        game.play(seat, move)
    assert game.transcript(0).splitlines()[:7] == [
        "Race 1",
        "",
        "Ana (1): 11",
        "Ben (2): 9",
        "Cho (3): R",
        "Dan (4): 8",
        "  Ana (1) reveals 11.",
    ]
    assert paddock.start("lacorsa", seed=1).transcript(0) == "Race 1"


def test_a_transcript_from_a_position_begins_there() -> None:
    game = paddock.position(paddock.start("rasant", players=3, seed=5).position)
    assert (game.transcript(None), game.moves()) == ("", [])
    seat = game.deciders[0]
    game.play(seat, game.legal(seat)[0])
    assert [made.seat for made in game.moves()] == [seat]
    assert game.transcript(0).startswith(f"Game 1\n\nPlayer {seat + 1}: ")


@pytest.mark.parametrize("eyes", [-1, 16, "1", 1.0, True, b"1"])
def test_eyes_that_are_no_bitmask_of_seats_are_refused(eyes: object) -> None:
    with pytest.raises(paddock.PaddockError, match="eyes: give a bitmask of the 4 seats"):
        paddock.start("lacorsa", drivers=4, seed=1).transcript(eyes)  # type: ignore[arg-type]
