"""A race in the terminal: what an answer means, who is told what, and the scorepad."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from rich.console import Console

import paddock
from paddock.core.game import Game
from paddock.core.series import Standing
from paddock.terminal.race import Seats, race, set_up
from paddock.terminal.show import _pads, results

ONLY = ", so the only possible move is played."


class Terminal:
    """A person who gives ``answers`` one by one, and then the first line of the list."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.said: list[str] = []
        self.asked: list[str] = []

    def ask(self, words: str) -> str:
        self.asked.append(words)
        self.said.append(words)
        if "press Enter" in words:
            return ""
        return self.answers.pop(0) if self.answers else "#1"

    def told(self) -> list[str]:
        """Return the lines of the story that were printed, without lists of moves and forced moves."""
        lines = [line[2:] for line in self.said if line.startswith("  ") and " #" not in line]
        return [line for line in lines if not line.endswith(ONLY)]

    def race(self, title: str, seats: str, **options: Any) -> Game:
        found = paddock.title(title)
        who = Seats(tuple(seats.split(",")))
        game = set_up(found, who, options, 1, 3)
        race(game, who, 3, self.said.append, self.ask)
        return game


def test_LC_3_1_a_typed_number_is_the_card_of_that_number() -> None:
    """«12» is the card 12, not line 12 of the list."""
    for answer in ("12", "#2", "3"):
        terminal = Terminal(answer)
        game = terminal.race("lacorsa", "me,rookie,rookie,rookie")
        lines = [line.split(maxsplit=2) for line in terminal.said if re.match(r"  \S.* #\d+ ", line)]
        first = next(entry for entry in game.log if entry.by == 0)
        written = str(game.title.text.move(game.setup, first.what))
        assert written == (lines[1][0] if answer == "#2" else answer)
        assert [line[1] for line in lines[:3]] == ["#1", "#2", "#3"]


def test_what_is_refused_is_asked_again() -> None:
    terminal = Terminal("nothing", "", "99", "#0", "pass r7", "r10; r20", "Pass")
    terminal.race("rasant", "me,rookie")
    asked = [i for i, line in enumerate(terminal.said) if line == "Move: "]
    answers = [terminal.said[i + 1 : j] for i, j in pairwise(asked[:7])]
    assert [lines[0].partition(" ")[0] for lines in answers] == [
        "“nothing”",
        "“”",
        "Write",
        "Write",
        "“pass",
        "RA-2.2",
    ]
    assert all(len(lines) == 1 for lines in answers)
    assert re.fullmatch(
        r"“nothing” is no move here: write one of the list, such as \w\d+ or #1. .*", answers[0][0]
    )


def test_a_number_of_the_list_needs_no_sign_and_letters_no_capitals() -> None:
    """Where no move is written as a number, and the whole list is shown."""
    terminal = Terminal("2", "K 90", "help")
    game = terminal.race("rasant", "me,rookie")
    lines = [line.split() for line in terminal.said if re.search(r" #\d+ ", line)]
    first = next(entry for entry in game.log if entry.by == 0)
    assert str(game.title.text.move(game.setup, first.what)) == lines[1][0]
    assert "Write a move as the first column shows it, or its number, such as #1." in terminal.said
    assert not any("Moves can be joined" in line for line in terminal.said)


def test_the_list_says_each_move_as_it_is_typed() -> None:
    """Typing the notation of a line plays what the line says. The last card plays by itself, and says why."""
    terminal = Terminal()
    game = terminal.race("rasant", "me,rookie")
    lines = [line for line in terminal.said if re.search(r" #1 ", line)]
    moves = [str(game.title.text.move(game.setup, e.what)) for e in game.log if e.by == 0]
    assert [line.split("#")[0].strip() for line in lines] == moves[:-1]
    assert [line for line in terminal.said if line.endswith(ONLY)] == [f"  Player 1: one card is left{ONLY}"]


@pytest.mark.parametrize(("players", "where"), [(2, "usa-west"), (5, "usa")])
def test_a_decision_fits_24_lines(players: int, where: str) -> None:
    """In The Great Race, whose map is larger: it is cut around the half-track, and plans are not listed."""
    terminal = Terminal()
    seats = ",".join(["me"] + ["rookie"] * (players - 1))
    terminal.race("great_race", seats, map=where, max_turns=3, leaders=True)
    screens = "\n".join(terminal.said).split("\n\n")[1:]
    decisions = [lines for screen in screens if "Move: " in (lines := screen.splitlines())]
    fit = [lines[: lines.index("Move: ") + 1] for lines in decisions]
    assert len(fit) > 10
    for lines in fit:
        assert sum(max(1, math.ceil(len(line) / 80)) for line in lines) <= 24, "\n".join(lines)
    assert any("plan … : " in line for lines in fit for line in lines)
    for lines in fit:
        assert any("^" in line or "all5" in line for line in lines), "\n".join(lines)


def test_a_plan_is_typed_as_its_numbers() -> None:
    terminal = Terminal("#1", "?", "1-2-1-1")
    game = terminal.race("great_race", "me,rookie", max_turns=1)
    plans = [str(game.title.text.move(game.setup, entry.what)) for entry in game.log if entry.by == 0]
    assert "plan 1-2-1-1" in plans
    explained = [line for line in terminal.said if line.startswith("  plan 1-2-1-1 ")]
    first, below = explained[0].split("\n")
    assert first == "  plan 1-2-1-1  #32  1 on Pathfinder, 2 on Mechanics, 1 on Security, 1 on"
    assert below == 21 * " " + "Funding"


def test_two_people_share_a_terminal() -> None:
    """The keyboard is passed on for another person, who then reads what happened since their last turn."""
    terminal = Terminal()
    game = terminal.race("rasant", "me,me,rookie")
    over = [words for words in terminal.asked if "Pass the keyboard" in words]
    assert over[0] != over[1] and all(a != b for a, b in pairwise(over))
    story = game.story_for(0)
    assert set(terminal.told()) == set(story)
    assert set(over) == {f"Pass the keyboard to Player {n}, then press Enter. " for n in (1, 2)}


def test_one_person_hears_every_line_once() -> None:
    terminal = Terminal()
    game = terminal.race("lacorsa", "rookie,me,rookie,rookie")
    assert terminal.told() == game.story_for(game.options.eyes(1))


def test_who_has_no_rank_has_a_dash_in_the_scorepad() -> None:
    lines = [Standing(1, 1, 3, (3,), (1, 0)), Standing(0, 0, 0, (0,), (0, 0))]
    console = Console(width=60, record=True)
    (pad,) = _pads("Skipper", lines, ["Ana", "Ben"], 60)
    console.print(pad)
    rows = [re.findall(r"\w+|–", line) for line in console.export_text().splitlines()]
    assert rows[-3:-1] == [["1", "Ben", "3", "3"], ["–", "Ana", "0", "0"]]


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("rounds", [1, 5, 12, 40])
def test_a_scorepad_keeps_every_word_and_number_whole(width: int, rounds: int) -> None:
    names = ["Maximiliane Featherstonehaugh", "Bartholomew Cholmondeley", "Ana", "Wilhelmina"]
    scores = [tuple(100 * (who + 1) + n for n in range(rounds)) for who in range(4)]
    lines = [Standing(who, 1, sum(scores[who]), scores[who], (0,)) for who in range(4)]
    console = Console(width=width, record=True, soft_wrap=True)
    for pad in _pads("Driver", lines, names, width):
        console.print(pad)
    said = console.export_text()
    assert max(map(len, said.splitlines())) <= width and "…" not in said
    found = Counter(re.findall(r"[A-Za-z0-9]+", said))
    for words in (*names, "Driver Total", *(" ".join(map(str, row)) for row in scores)):
        for word in words.split():
            assert found[word], word
    assert all(found[str(line.total)] == 1 for line in lines if rounds > 1)


def test_results_of_a_match_keep_every_word_whole() -> None:
    played = paddock.match("rasant", ["club", "rookie"], 4, options={"players": 2}, processes=1)
    assert results(played, 100) == [str(played)]
    console = Console(width=60, record=True, markup=False, highlight=False)
    for part in results(played, 60):
        console.print(part)
    said = console.export_text()
    assert max(map(len, said.splitlines())) <= 60 and "…" not in said
    assert set(str(played).split()) <= set(re.sub("[┃│]", " ", said).split())
