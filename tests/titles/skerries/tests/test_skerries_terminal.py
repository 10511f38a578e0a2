"""Skerries in a terminal: chains are built link by link, and people read what each of them was told."""

from __future__ import annotations

import re

import pytest
from rich.console import Console
from tests.terminal.test_race import Terminal
from tests.titles.skerries.tests.harness import at

from paddock.core.game import Game
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.terminal.race import Seats, race
from paddock.terminal.show import scorepads

ROOKIES = ("me", "rookie", "rookie")


def played(terminal: Terminal, seats: tuple[str, ...] = ROOKIES, **fields: str) -> Game:
    """A race from a position to its end."""
    game = at({"days": 1}, Seeded(3), **fields)
    race(game, Seats(seats), 3, terminal.said.append, terminal.ask)
    return game


def submissions(game: Game, seat: int = 0) -> list[list[str]]:
    """What the seat submitted, in notation."""
    out: list[list[str]] = []
    for entry in game.log:
        if entry.by == seat:
            out += [] if entry.linked else [[]]
            out[-1].append(str(game.title.text.move(game.setup, entry.what)))
    return out


@pytest.mark.parametrize(
    ("answers", "submitted"),
    [
        (["e", "e", "send"], ["e", "e"]),
        (["e", "back", "se"], ["se"]),  # which draws a card, so that the chain ends there
        (["e", "e", "back", "back", "e", "w", "send"], ["e", "w"]),
        (["e; e; w", "stop"], ["e", "e", "w", "stop"]),
        (["e ;  se", "send"], ["e", "se"]),
        (["#1", "#1", "send"], ["e", "e"]),
        (["e", "ne", "e; e", "north", "send"], ["e"]),  # what is refused adds nothing
        (["send", "back", "stop"], ["stop"]),  # there is nothing to send yet
    ],
)
def test_a_chain_is_sent_as_one_submission(skerries: Title, answers: list[str], submitted: list[str]) -> None:
    terminal = Terminal(*answers)
    assert submissions(played(terminal, wind="6"))[0] == submitted


def test_the_next_links_and_their_costs_are_shown(skerries: Title) -> None:
    terminal = Terminal("e", "send")
    played(terminal, wind="3")
    text = "\n".join(terminal.said)
    before, after = text.split("So far: e. ", 1)
    assert re.search(r"^  e +#1 .*\(wind 1\)$", before, re.MULTILINE)
    assert "Add a move, or write “send” to play these, “back” to remove the last one:" in after
    first = after.split("Move: ")[0]
    assert re.search(r"^  e +#1 .*\(wind 2\)$", first, re.MULTILINE)
    assert re.search(r"^  stop +#5 ", first, re.MULTILINE)


def test_ready_chains_stand_below_the_moves(skerries: Title) -> None:
    """Each with its way, which can be typed. Chains of one move are not listed again."""
    terminal = Terminal("#4", "send")
    game = played(terminal, wind="3")
    before = "\n".join(terminal.said).split("Move: ")[0]
    assert re.findall(r"^  (\S.*?) +#(\d)", before, re.MULTILINE) == [
        ("e", "1"),
        ("se", "2"),
        ("stop", "3"),
        ("e; se", "4"),
        ("e; e", "5"),
        ("e; se; e", "6"),
    ]
    assert submissions(game)[0] == ["e", "se"]


def test_a_chain_of_too_many_links_is_refused(skerries: Title) -> None:
    terminal = Terminal("; ".join(["e", "w"] * 51), "stop")
    assert submissions(played(terminal, wind="6"))[0] == ["stop"]
    assert "a submission has 1 to 100 moves" in terminal.said


def test_people_at_one_terminal_hear_what_they_were_told(skerries: Title) -> None:
    """SK-3.1 the others read that skipper 1 draws, but not which card, not even when the race is over."""
    terminal = Terminal("se")
    game = played(terminal, ("me", "me", "rookie"), wind="1")
    (drawn,) = [line for line in game.story if line.startswith("Skipper 1 draws a card: ")]
    turns = "\n".join(terminal.said).split("Pass the keyboard to ")
    assert [turn.partition(",")[0] for turn in turns[1:]] == ["Skipper 1", "Skipper 2"]
    assert drawn in turns[1] and drawn not in turns[2]
    assert "Skipper 1 draws a card.\n" in turns[2]


def test_a_person_alone_hears_its_own_secrets_and_no_others(skerries: Title) -> None:
    for seed in range(6):
        terminal = Terminal()
        game = played(terminal, ("rookie", "me", "rookie"), wind=str(2 + seed))
        told = [line[2:] for line in terminal.said if line.startswith("  ") and " #" not in line]
        story = [line for line in told if line in set(game.story_for(2))]
        assert story == game.story_for(2)


def test_who_has_not_arrived_has_no_rank(skerries: Title) -> None:
    """SK-5.3 the boat that has arrived wins, in whatever order the boats are listed."""
    game = played(Terminal("ne"), boats="d2,a1,a1", wind="1")
    console = Console(width=60, record=True)
    for pad in scorepads(game, 80):
        console.print(pad)
    ranks = re.findall(r"(\S+)[ │|]+Skipper (\d)", console.export_text())
    assert ranks == [("1", "1"), ("–", "2"), ("–", "3")]
    assert game.result and game.result.winners == (0,)
