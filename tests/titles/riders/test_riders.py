"""What stops the author of a title with hidden simultaneous cards: names, derived rules, records, words."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import paddock
from paddock import records
from paddock.core.i18n import language
from paddock.core.options import Options, option
from paddock.core.title import Title
from paddock.kernel.bulk import play, secrecy_checks
from paddock.records.fill import NO_ROOM
from paddock.trials.trial import Fault
from paddock.trials.variant import write_package
from paddock.trials.words import records as records_of


def played(decisions: int, **options: Any) -> paddock.Game:
    """A game in which everybody plays its first card."""
    game = paddock.start("riders", seed=3, **options)
    for _decision in range(decisions):
        seat = game.deciders[0]
        game.play(seat, game.legal(seat)[0])
    return game


def test_players_and_rounds_follow_from_the_words(riders: Title) -> None:
    """Options are named by the words of the title, and nothing needs to be said twice."""
    game = played(0, riders=2, stages=2)
    assert (game.options.players, game.options.rounds, game.names) == (2, 2, ("Rider 1", "Rider 2"))
    assert riders.options.read({}).rounds == 1

    class Nobody(Options):
        """No number of players."""

    with pytest.raises(TypeError, match="the options of riders need one called pilots"):
        replace(riders, options=Nobody, player_name="pilot")


def test_options_may_be_called_players_and_rounds() -> None:
    """An option ``rounds`` was read, and had no effect."""

    class Plain(Options):
        """The words are those of Paddock."""

        players: int = option(2, "XX-1.1", "Players.", ge=2, le=3)
        rounds: int = option(1, "XX-1.1", "Rounds.", ge=1, le=9)

    Title("plain", "Plain", "Nothing.", "plain", Plain, round_name="round")
    read = Plain.read({"players": 3, "rounds": 4})
    assert (read.players, read.rounds, read.owners) == (3, 4, (0, 1, 2))


def test_what_is_hidden_reads_hidden() -> None:
    """Without view.py: neither a hand nor a choice of others is a number, on boards and in views."""
    game = played(1)
    text = game.title.text
    own, others = "cards of each value 0 2 0 0 2, chosen card 2", "cards of each value hidden, chosen card"
    assert text.board(game.seen(1)) == [
        f"Rider 1: steps 0, {own}", f"Rider 2: steps 0, {others} 0", f"Rider 3: steps 0, {others} 0",
    ]  # fmt: skip
    assert text.board(game.seen(2))[0] == f"Rider 1: steps 0, {others} hidden"
    assert all("hidden" not in line for line in text.board(game.seen(7)))
    view = game.seen(2).title.view.view(game.seen(2)).state
    assert view["hand"][0] == [None] * 5 and None not in view["hand"][1]
    assert view["chosen"] == [None, 0, 0, 0] and view["cards"] == [4, 4, 4, 0]


def test_buttons_without_labels_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters and the number after them are apart; short codes such as cards stay as they are."""
    game = played(0)
    assert [game.title.text.label(game.seen(1), 0, move.id) for move in game.legal(0)] == ["Play 2", "Play 5"]
    text = type(game.title.text)(game.title, {"MOVES": ["take12", "turn_left", "r70", "12+R", "take LOW"]})
    assert text.LABELS == ["Take 12", "Turn left", "R70", "12+R", "Take LOW"]


def test_the_words_of_a_title_are_translated() -> None:
    """One message for all numbers of a button; the board says what ``FIELDS`` names."""
    game, before = played(0), language.get()
    try:
        language.set("de")
        assert [game.title.text.label(game.seen(1), 0, move.id) for move in game.legal(0)] == [
            "Spiel 2",
            "Spiel 5",
        ]
        assert game.title.text.board(game.seen(1))[0].endswith(
            "Schritte 0, Karten je Wert 0 2 0 0 2, gewählte Karte 0"
        )
    finally:
        language.set(before)
    with pytest.raises(paddock.IllegalMove, match=r"RI-2\.1 you have no such card"):
        game.play(0, "play1")


def test_a_variant_of_a_package_has_its_words_and_numbers(riders: Title, tmp_path: Path) -> None:
    """The translation has the name of the new package, and numbers that are assigned in a row are listed."""
    modules = write_package(riders, "riders_twice", tmp_path / "variant")
    assert (modules / "locale/de/LC_MESSAGES/riders_twice.po").is_file()
    numbers = (tmp_path / "variant/NUMBERS.md").read_text("utf-8")
    assert "- `COPIES` (8): rules.py:7, rules.py:9" in numbers and "same" not in numbers


def completed(game: paddock.Game) -> paddock.Game:
    """What rider 1 knows of a game, filled in."""
    people = [(name, None) for name in game.names]
    text = records.write(game, date="2026-01-31", players=people, eyes=1)
    return records.complete(records.read(text), paddock.Seeded(1))


def test_the_hidden_cards_of_a_record_are_filled_in(riders: Title, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the room ``records.py``; without it an error says what to declare."""
    game = played(20)
    assert records_of(riders, 1) and completed(game).legal(0).ids == game.legal(0).ids
    monkeypatch.setitem(sys.modules, "riders.records", None)
    with pytest.raises(Fault, match=re.escape(NO_ROOM) + "$"):
        records_of(riders, 1)


@pytest.mark.slow("Riders is compiled")
def test_start_and_redeal_reach_what_is_derived(riders: Title) -> None:
    """``clear`` of the author's ``start``, and ``legal`` of the author's ``why_not``, in both modes."""
    options = riders.options.read({})
    fast, slow = (play(riders, options, 30, 3, compiled=mode) for mode in (True, False))
    assert (fast.scores == slow.scores).all() and fast.scores.max() > 20
    assert secrecy_checks(riders, options, seed=1, games=30) > 1000
