"""What a notebook shows: drawings with the hands that were asked for, and tables of moves."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

import paddock
from paddock.core.notebook import Drawn, table

TITLES = ("lacorsa", "rasant", "great_race")


def with_hands(name: str) -> paddock.Game:
    """A game in which every seat has cards."""
    game = paddock.start(name, seed=7)
    while not all(map(hand, everybody(game))):
        for seat in game.deciders:
            game.play(seat, game.legal(seat)[0])
    return game


def everybody(game: paddock.Game) -> list[Any]:
    """What each seat sees of the seats in the title's view."""
    word = {"lacorsa": "cars", "rasant": "players", "great_race": "teams"}[game.title.name]
    return [getattr(game.view(seat), word) for seat in range(game.options.seats)]


def hand(seats: Any) -> Any:
    """The visible hand among the seats of a view."""
    return next((one.hand for one in seats if one.hand), None)


@pytest.mark.parametrize("name", TITLES)
def test_a_game_shows_no_hand_and_a_view_those_of_its_seats(name: str) -> None:
    game = with_hands(name)
    spectator = game._repr_svg_()
    assert spectator == game.seen(0)._repr_svg_() == game.view()._repr_svg_()
    first, second, both = (game.view(seats)._repr_svg_() for seats in (0, 1, (0, 1)))
    assert first == game.seen(1)._repr_svg_()
    drawings = {spectator, first, second, both}
    assert len(drawings) == 4
    for drawing in drawings:
        ElementTree.fromstring(drawing)


@pytest.mark.parametrize("name", TITLES)
def test_a_notebook_saves_no_hand_of_a_game(name: str) -> None:
    """IPython takes the text from the bundle too, in place of ``repr``, which has the hands."""
    game = with_hands(name)
    bundle = game._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["image/svg+xml"] == game._repr_svg_()
    assert bundle["text/plain"].startswith("\n".join(game.title.text.board(game.seen(0))))
    assert "Hand of" not in bundle["text/plain"]
    assert "Hand of" in game.seen(1)._repr_mimebundle_()["text/plain"]


def test_legal_moves_are_a_table_of_notation_and_label() -> None:
    game = paddock.start("lacorsa", seed=7)
    moves, seen = game.legal(0), game.seen(1)
    page = ElementTree.fromstring(moves._repr_html_())
    rows = [[cell.text for cell in row] for row in page.iter("tr")]
    assert rows[0] == ["Move", "What it does"]
    assert rows[1:] == [[str(move), game.title.text.label(seen, 0, move.id)] for move in moves]


def test_names_are_escaped_in_tables() -> None:
    assert '<td style="text-align:left">&lt;b&gt;&amp;</td>' in table(["<i>"], [["<b>&"]])
    assert "<i>" not in table(["<i>"], [["<b>&"]])


def test_a_view_of_a_title_without_drawings_has_none() -> None:
    class View(Drawn):
        pass

    View.__module__ = "paddock.core.view"
    assert View()._repr_svg_() is None
