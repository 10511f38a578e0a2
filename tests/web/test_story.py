"""The story on the page: its newest part first, each part below its heading."""

from __future__ import annotations

import random

import pytest

import paddock
from paddock.core.game import Game
from paddock.web.model import MOST_STORY, Scene
from paddock.web.position import story


def whole(game: Game, names: list[str]) -> list[str]:
    """Return the whole story in the order in which it happened."""
    parts: list[
        list[list[str]]
    ] = []  # for each round: the lines before any heading, then each heading with its lines
    for item in game.events:
        while len(parts) <= item.round:
            parts.append([[]])
        for event in item.events:
            if text := game.title.text.line(game.setup, event, names):
                if game.title.page.is_heading(event):
                    parts[item.round].append([text])
                else:
                    parts[item.round][-1].append(text)
    out = []
    for n in reversed(range(len(parts))):
        out.append(f"{game.title.round_name.capitalize()} {n + 1}")
        for heading, *lines in reversed(parts[n][1:]):
            out += [heading, *reversed(lines)]
        if parts[n][0]:
            out += [game.title.page.OPENING, *reversed(parts[n][0])]
    return out


def test_line_numbers_follow_the_order_of_events() -> None:
    """The race comes first, then qualifying, then the cards that were revealed there."""
    game = paddock.start("lacorsa", seed=3)
    game.names = ("0", "1", "2", "3")
    for _ in range(8):
        seat = game.deciders[0]
        game.play(seat, next(iter(game.legal(seat))))
    lines = sorted(story(Scene(game.seen(0), game.events), 0), key=lambda line: line.n)
    assert [line.text for line in lines][:3] == ["Race 1", "Qualifying", "0 (1) reveals 1."]
    assert len({line.n for line in lines}) == len(lines)


@pytest.mark.parametrize(("name", "rounds"), [("lacorsa", "races"), ("rasant", "games")])
def test_each_part_stands_below_its_heading(name: str, rounds: str) -> None:
    game = paddock.start(name, seed=3, **{rounds: 2})
    names = game.seen(0).seat_names
    choose = random.Random(3)
    shown: list[str] = []
    while not game.over:
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(list(game.legal(seat))))
        shown = [line.text for line in story(Scene(game.seen(0), game.events), 0)]
        assert shown == whole(game, names)[: len(shown)]
    assert len(shown) > MOST_STORY / 2
