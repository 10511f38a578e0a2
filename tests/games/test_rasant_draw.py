"""The drawings of Rasant: well formed, stable, told apart without colour, silent about hands."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from paddock.core.i18n import language, languages
from paddock.games.rasant.drawing import draw, line
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules.setup import setup
from paddock.games.rasant.words.view import Car, Card, PlayerView, View, win_in

USUAL = setup(Options())
HAND = (Card(5, 0, 60), Card(20, 1, 80), Card(60, 4, 90))


def a_line(letters: str) -> tuple[Car, ...]:
    """The cars from the front, as in ``krgb…``."""
    cars, count = [], dict.fromkeys(range(5), 0)
    for letter in letters:
        colour = "rgbyk".index(letter)
        cars.append(Car(12 if colour == 4 else 3 * colour + count[colour], colour))
        count[colour] += 1
    return tuple(cars)


def a_view(letters: str = "yrgrgbyrkgybb", **changes: object) -> View:
    """A round of red that Bo has raised to 70."""
    line = a_line(letters)
    ids = tuple(car.id for car in line)
    players = tuple(
        PlayerView(seat, name, 10 + seat, 10 + seat, 3, 0, False, False, False, seat == 1, seat == 0, hand)
        for seat, name, hand in ((0, "Ana", HAND), (1, "Bo", None), (2, "Cy", None))
    )
    view = View(
        game=1,
        games=2,
        phase="round",
        line=line,
        colour=0,
        top=Card(6, 0, 70),
        best=1,
        leader=2,
        first_to_pass=None,
        to_the_last=False,
        wins=tuple(win_in(USUAL, ids, colour) for colour in range(4)) if len(ids) == 13 else (),
        players=players,
        reserve=12,
        raise_by=10,
        black_by=10,
        black_factor=2,
        black_points=0,
        car_points=1,
        pass_cost=1,
        discard=(0,) * 65,
        deck=(1,) * 65,
    )
    return replace(view, **changes)


def led(view: View) -> View:
    return replace(view, colour=None, top=None, best=None)


FINISHERS = [draw.Finisher(1, "Ana", 38, 0), draw.Finisher(2, "Bo", 21, 1), draw.Finisher(3, "Cy", 1, 2)]
DRAWINGS = {
    "strip": draw.strip(a_view()),
    "leading": draw.strip(led(a_view())),
    "drawn up": draw.strip(led(a_view("krg", phase="line", leader=None))),
    "over": draw.strip(led(a_view(phase="over", leader=None))),
    "svg": draw.svg(a_view()),
    "sprite": draw.sprite(),
    "card": draw.card(Card(6, 0, 70)),
    "black card": draw.card(Card(60, 4, 90)),
    "car": draw.car(2),
    "after": draw.after(a_view().wins[0]),
    "player": draw.player_mark(3),
    "poster": draw.poster(),
    "wordmark": draw.wordmark(),
    "podium": draw.podium(FINISHERS),
}


def where(svg: str, car: int) -> tuple[float, float]:
    """The middle of a car."""
    found = re.search(rf'id="car-{car}"[^>]*translate\(([-\d.]+) ([-\d.]+)\)', svg)
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("name", ["strip", "leading", "drawn up", "over", "svg"])
def test_text_on_the_road_is_large_enough(name: str) -> None:
    assert all(float(size) >= 20 for size in re.findall(r'font-size="([\d.]+)"', DRAWINGS[name]))


def test_a_name_is_escaped() -> None:
    view = a_view()
    players = tuple(replace(p, name='<b>"&') for p in view.players)
    for named in (replace(view, players=players), led(replace(view, players=players))):
        assert "<b>" not in draw.svg(named)
        ElementTree.fromstring(draw.svg(named))
    ElementTree.fromstring(draw.podium([draw.Finisher(1, '<b>"&', 0, 0)], heading="<i>"))


def test_the_strip_says_nothing_of_a_hand() -> None:
    view = a_view()
    blind = replace(view, players=tuple(replace(p, hand=None) for p in view.players))
    assert draw.strip(view) == draw.strip(blind)
    assert draw.svg(view) != draw.svg(blind)


def test_the_front_is_on_the_right_and_all_stand_in_one_lane() -> None:
    view = a_view()
    spots = [where(draw.strip(view), car.id) for car in view.line]
    assert [x for x, _y in spots] == sorted((x for x, _y in spots), reverse=True)
    assert all(y == pytest.approx(line.LANE, abs=0.2) for _x, y in spots)
    assert 0 < spots[-1][0] < spots[0][0] < line.WIDE


def test_elements_keep_their_order_when_cars_overtake() -> None:
    view = a_view()
    later = replace(view, line=view.wins[0].line)
    before, after = (re.findall(r'id="([^"]+)"', draw.strip(v)) for v in (view, later))
    assert before == after
    assert {f"car-{n}" for n in range(13)} <= set(after)


def test_the_land_goes_on_beyond_both_ends_of_the_line_and_the_sky_above_it() -> None:
    land = re.search(r'<symbol id="rs-land" viewBox="([-\d]+) ([-\d]+) (\d+)', draw.sprite())
    assert land
    first, top, wide = int(land[1]), int(land[2]), int(land[3])
    assert first <= -line.WIDE and first + wide >= 2 * line.WIDE and top <= -line.HIGH / 2
    assert f'<use href="#rs-land" x="{first}" width="{wide}" y="{top}"' in draw.strip(a_view())


def test_the_black_chip_keeps_an_edge_by_night() -> None:
    chips = re.findall(r'<symbol id="rs-chip-(\d)".*?stroke="([^"]+)"', draw.sprite())
    assert [edge == "currentColor" for _colour, edge in chips] == [False, False, False, False, True]


def test_a_podium_can_be_read_on_a_phone() -> None:
    """A quarter of it is lost there: 27 of its units are 15 px."""
    sizes = [float(size) for size in re.findall(r'<text[^>]*font-size="([\d.]+)"', DRAWINGS["podium"])]
    assert min(sizes) >= 27
    longest = draw.podium([draw.Finisher(1, "W" * 24, 5, 0)])
    assert min(float(size) for size in re.findall(r'<text[^>]*font-size="([\d.]+)"', longest)) >= 22


def test_each_win_says_what_it_moves_and_scores() -> None:
    """RA-4.1, RA-4.2"""
    svg = draw.strip(a_view())
    assert 'aria-label="red: 6 cars, 10 points, doubled"' in svg
    assert 'aria-label="green: 4 cars, 4 points"' in svg
    assert 'aria-label="blue: 1 car, 1 point"' in svg
    assert svg.count('stroke-dasharray="7 5"') == 3  # those that cannot win a round of red
    assert 'stroke-dasharray="7 5"' not in draw.strip(led(a_view()))


def test_the_line_after_a_win_is_told_from_the_front() -> None:
    """RA-4.1"""
    assert "from the front: blue, blue, yellow, green, black, red, yellow" in draw.after(a_view().wins[0])


def test_the_rearmost_car_of_each_colour_is_marked_and_said() -> None:
    assert draw.rears(a_line("yrgrgbyrkgybb")) == {0: 7, 1: 9, 2: 12, 3: 10}
    svg = draw.strip(a_view())
    assert svg.count(", the rearmost") == 4
    assert 'aria-label="8: red, the rearmost"' in svg


def test_the_round_and_its_highest_card_are_said() -> None:
    assert "Round of red: red 70 by Bo is the highest" in draw.strip(a_view())
    assert "Cy leads" in draw.strip(led(a_view()))


def test_colours_are_told_apart_without_colour() -> None:
    paints = draw.PAINTS
    for what in ("letter", "body", "pattern", "name"):
        assert len({getattr(paint, what) for paint in paints}) == 5
    faces = [draw.card(Card(0, colour, 50), named=False) for colour in range(5)]
    assert len({re.sub("#[0-9a-f]{6}", "", face) for face in faces}) == 5


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("paint", draw.PAINTS, ids=lambda paint: paint.name)
def test_lettering_on_a_paint_can_be_read(paint: draw.Paint) -> None:
    for ground in (paint.ground, paint.shade):
        bright, dark = sorted((luminance(paint.ink), luminance(ground)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) >= 4.5


def test_svg_stands_alone() -> None:
    svg = draw.svg(a_view())
    assert "var(" not in svg
    assert set(re.findall(r'href="#([^"]+)"', svg)) <= set(re.findall(r' id="([^"]+)"', svg))
    assert 'aria-label="black 90"' in svg
    assert "10 points" in svg


def test_a_page_with_the_sprite_has_every_symbol() -> None:
    page = draw.sprite() + draw.strip(a_view()) + draw.after(a_view().wins[0])
    page += "".join(draw.card(Card(13 * c + i, c, 10 * i + 10)) for c in range(5) for i in range(13))
    page += "".join(draw.car(colour) for colour in range(5))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r' id="([^"]+)"', page))


def test_a_shared_place_stands_on_a_step_of_the_same_height() -> None:
    svg = draw.podium([draw.Finisher(1, "Ana", 30, 0), draw.Finisher(1, "Bo", 30, 1)])
    assert len(re.findall(r'height="214"', svg)) == 2
    assert "1. Bo, 30 points" in svg


@pytest.mark.parametrize("code", languages())
def test_what_names_a_player_has_a_form_for_the_reader(code: str) -> None:
    token = language.set(code)
    view, lead = a_view(), led(a_view())
    for drawing in (draw.strip, draw.compact):
        assert "Bo" in texts(drawing(view)) and "Bo" not in texts(drawing(view, you=(1,)))
        assert "Cy" in texts(drawing(lead)) and "Cy" not in texts(drawing(lead, you=(2,)))
        assert not re.search(r"\b(von du|par tu|by me)\b", drawing(view, you=(1,)))
    assert "Bo" in line.highest_words(view) and "Bo" not in line.highest_words(view, (1,))
    language.reset(token)


def test_the_readers_own_card_is_in_the_right_case() -> None:
    assert "70 by you" in draw.compact(a_view(), you=(1,))
    assert ">You lead<" in draw.strip(led(a_view()), you=(2,))
    token = language.set("de")
    assert "70 von dir" in draw.strip(a_view(), you=(1,)) and "70 von Bo" in draw.strip(a_view())
    language.reset(token)


def texts(drawing: str) -> str:
    """The words that are drawn."""
    return " ".join(re.findall(r">([^<>]+)</text>", drawing))
