"""The Great Race: its drawings: what a map shows and offers, sizes, dashboards, cards, the podium."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot
from xml.etree import ElementTree

import pytest
from tests.games.great_race_help import races, seen, states

from paddock.games.great_race.drawing import draw
from paddock.games.great_race.drawing import map as draw_map
from paddock.games.great_race.drawing.pieces import HOODS, ON_PAINTS, PAINTS, SIGNS
from paddock.games.great_race.maps import SHIPPED, read_map
from paddock.games.great_race.maps.tiles import KINDS
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.words import view
from paddock.games.great_race.words.names import BOX_NAMES, CARDS, LEADERS, TILES
from paddock.games.great_race.words.view import View

LARGEST_UPDATE = 12_000  # bytes, compressed: of the 20,000 of an update, most are for the map
LARGEST_SPRITE = 12_000


def late(name: str, players: int) -> View:
    """A race in which much of the map is known."""
    options = TITLE.options.read({"map": name, "players": players})
    for s, g in states(random.Random(name), options):
        if s.stage == state.STEP and sum(s.tile[i] >= 0 for i in range(g.spaces)) > 15:
            return view.view(seen(options, s, g, 1 << s.turn))
    raise AssertionError(name)


@pytest.mark.parametrize(("name", "players"), [("usa-west", 5), ("asia", 5)])
def test_the_map_is_small(name: str, players: int) -> None:
    drawing = draw.board(late(name, players))
    assert len(gzip.compress(drawing.encode())) < LARGEST_UPDATE
    assert len(gzip.compress(draw.sprite().encode())) < LARGEST_SPRITE


@pytest.mark.parametrize("name", SHIPPED)
def test_every_symbol_of_a_drawing_is_in_the_sprite(name: str) -> None:
    shown = late(name, 4)
    at = shown.teams[0].space
    spaces = [space.space for space in shown.spaces]
    cost = {"petrol": 1, "damage": 1, "danger": 1, "francs": 30}
    drawing = draw.board(shown, (at, 3), ("canyon", 2), dict.fromkeys(spaces, "x; y"), cost=cost)
    symbols = set(re.findall(r'<(?:g|path) id="gr-([^"]+)"', draw.sprite() + drawing))
    used = set(re.findall(r'href="#gr-([^"]+)"', drawing + draw.board(shown, moves={1: "x"})))
    assert used <= symbols
    assert {"near", "far"} <= used
    ids = re.findall(r' id="([^"]+)"', drawing + draw.sprite())
    assert len(ids) == len(set(ids))


def test_what_can_be_chosen_is_a_button_with_a_name() -> None:
    shown = late("usa-west", 4)
    city = next(space.space for space in shown.spaces if space.city)
    drawing = draw.board(shown, moves={city: "space SF", 5: "a; b"}, labels={city: "Fly <there>"})
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "group"
    buttons = {one.get("id"): one for one in root.iter() if one.get("role") == "button"}
    assert set(buttons) == {f"gr-s{city}", "gr-s5"}
    one, far = buttons[f"gr-s{city}"], buttons["gr-s5"]
    assert (one.get("data-move"), one.get("aria-label"), one.get("tabindex")) == (
        "space SF",
        "Fly <there>",
        "0",
    )
    assert far.get("aria-label") == draw.space_words(shown, shown.spaces[5])
    assert "is-far" in (far.get("class") or "")
    assert "is-near" in (one.get("class") or "")
    assert ElementTree.fromstring(draw.board(shown)).get("role") == "img"


def test_a_way_a_ghost_and_a_bill_are_drawn_only_where_they_are_given() -> None:
    shown = late("usa-west", 4)
    plain = draw.board(shown)
    for id in ("gr-way", "gr-ghost", "gr-bill"):
        assert f'id="{id}"' not in plain
    chosen = draw.board(shown, (0, 1, 2), ("mud", 7), cost={"petrol": 2, "francs": 40})
    for id in ("gr-way", "gr-ghost", "gr-bill"):
        assert chosen.count(f'id="{id}"') == 1
    assert ">40 F<" in chosen


def test_half_tracks_on_one_space_and_tokens_of_one_stack_stand_apart() -> None:
    options = TITLE.options.read({"players": 5})
    s, g = next((s, g) for s, g in states(random.Random(1), options) if s.phase == state.PLANNING)
    drawing = draw.board(view.view(seen(options, s, g, 1)))
    for kind in ("car", "far"):
        places = re.findall(rf'id="gr-{kind}-\d"[^>]*transform="([^"]+)"', drawing)
        assert len(places) == len(set(places)) == 5


def test_every_drawing_is_well_formed_and_named() -> None:
    options, s, g = next((o, s, g) for o, s, g in races(20) if s.phase == state.CONVOY)
    shown = view.view(seen(options, s, g, 1))
    drawings = [
        *map(draw.card, CARDS), *map(draw.leader, LEADERS), *map(draw.tile, TILES),
        draw.poster(), draw.wordmark(),
        *map(draw.gauges, shown.teams), *map(draw.dashboard, shown.teams),
        *(draw.panel(team, shown.pays) for team in shown.teams),
        *(draw.gauges(replace(team, assistants=None, money=0, cards=0)) for team in shown.teams),
    ]  # fmt: skip
    for drawing in drawings:
        assert ElementTree.fromstring(drawing).get("aria-label")
    for hidden in (*map(draw.box, range(len(BOX_NAMES))), *map(draw.mark, range(5))):
        assert ElementTree.fromstring(hidden).get("aria-hidden") == "true"
    assert len(set(map(draw.card, CARDS))) == len(CARDS)
    assert len({draw.tile(kind.word) for kind in KINDS}) == len(KINDS)
    ElementTree.fromstring(draw.sprite())


def test_a_dashboard_says_what_it_shows() -> None:
    shown = late("asia-west", 3)
    team = replace(shown.teams[0], name="A & B", petrol=2, money=170, assistants=(2, 0, 1, 2))
    for drawing in (draw.gauges(team), draw.panel(team, (10, 20, 40, 70, 110)), draw.dashboard(team)):
        label = ElementTree.fromstring(drawing).get("aria-label") or ""
        assert label.startswith("A & B: petrol 2, ")
        assert "170 F" in label
        assert "2 on Pathfinder" in label


def luminance(colour: str) -> float:
    red, green, blue = ((int(colour[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_half_tracks_differ_in_greyscale_and_their_numbers_are_legible() -> None:
    greys = sorted(map(luminance, PAINTS))
    assert all((b + 0.05) / (a + 0.05) > 1.2 for a, b in pairwise(greys))
    for paint, ink in zip(PAINTS, ON_PAINTS, strict=True):
        dark, light = sorted(map(luminance, (paint, ink)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5
    assert len(set(SIGNS)) == len(set(HOODS)) == 5


def test_banknotes_are_the_sum() -> None:
    for francs in range(0, 500, 10):
        assert sum(value for value, _paper in draw.notes(francs)) == francs


def test_the_podium_shows_where_prestige_comes_from() -> None:
    one = draw.Finisher(1, "Anna", 27, 0, (5, 6, 7, 9))
    shown, hidden = draw.podium([one]), draw.podium([replace(one, parts=())])
    for points in one.parts:
        assert f">{points}<" in shown
        assert f">{points}<" not in hidden


def widest(spaces: Sequence[tuple[int, int]], wide: float, high: float) -> tuple[float, float, float]:
    """The widest circle of open sea: the first of all places with the largest radius, 62 at most."""
    at = [(draw_map._x(column), draw_map._y(column, row)) for column, row in spaces]
    places = [
        (
            float(x),
            float(y),
            min(
                62.0, x - 18, wide - 18 - x, y - 18, high - 18 - y, *(hypot(x - a, y - b) - 34 for a, b in at)
            ),
        )
        for x in range(30, int(wide) - 30, 12)
        for y in range(30, int(high) - 30, 12)
    ]
    return max([(0.0, 0.0, 0.0), *places], key=lambda place: place[2])


def test_the_rose_of_a_new_map_is_placed_in_the_widest_sea_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh page of a full map once took a fifth of a second, most of it for this."""
    measured = 0

    def counted(x: float, y: float) -> float:
        nonlocal measured
        measured += 1
        return hypot(x, y)

    for name, most in (("usa-west", 10_000), ("asia", 40_000)):
        spaces = read_map(name).spaces[:-3]  # no page has shown this map yet
        wide, high = 48 + 1.5 * draw_map.R * max(spaces)[0], 30 * draw_map.HIGH / 2
        want = widest(spaces, wide, high)
        monkeypatch.setattr(draw_map, "hypot", counted)
        measured = 0
        assert draw_map._widest(spaces, wide, high) == want
        assert measured < most
        monkeypatch.undo()
