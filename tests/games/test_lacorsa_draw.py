"""The drawings of LACORSA: well formed, stable, honest about gaps, silent about hands."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from paddock.games.lacorsa.drawing import draw
from paddock.games.lacorsa.words.view import Car, Card, View

HAND = (Card(1), Card(7), Card(12), Card(0))


def a_view(
    gaps: tuple[int, ...] = (0, 0, 2, 0), *, order: tuple[int, ...] | None = None, **changes: object
) -> View:
    """A race in the middle of a lap; ``gaps`` from the leader to the back."""
    order = tuple(range(len(gaps))) if order is None else order
    cars = tuple(
        Car(
            seat=seat,
            driver=seat,
            name=f"Driver {seat}",
            team=None,
            striped=False,
            place=order.index(seat) + 1 if order else 0,
            gap=gaps[order.index(seat)] if order else 0,
            cards=len(HAND),
            committed=False,
            deciding=False,
            hand=HAND if seat == 0 else None,
            commit=None,
        )
        for seat in range(len(gaps))
    )
    view = View(
        race=1,
        races=7,
        lap=2 if order else 0,
        phase="road" if order else "qualify",
        last_lap=False,
        turn=order[-1] if order else None,
        defender=None,
        passes=0,
        order=order,
        cars=cars,
        discard=(0,) * 13,
        deck=(4,) * 13,
        aside=0,
        points=(9, 6, 4, 3, 2, 1),
    )
    return replace(view, **changes)


def with_car(view: View, seat: int, **changes: object) -> View:
    cars = list(view.cars)
    cars[seat] = replace(cars[seat], **changes)
    return replace(view, cars=tuple(cars))


TWELVE = a_view((0, 1, 2, 1, 4, 2, 3, 1, 1, 2, 12, 1))
STOPS = replace(TWELVE, pit_stops=True, cars=tuple(replace(car, pitted=True) for car in TWELVE.cars))
EMPTY = replace(a_view(order=()), phase="over", retired=(3, 1, 0, 2))
DRAWINGS = {
    "strip": draw.strip(a_view()),
    "pits": draw.strip(a_view(order=())),
    "twelve": draw.strip(TWELVE),
    "stops": draw.strip(STOPS),
    "over": draw.strip(a_view(phase="over", turn=None)),
    "empty": draw.strip(EMPTY),
    "die": draw.die(5),
    "sign": draw.sign("pit"),
    "svg": draw.svg(a_view()),
    "sprite": draw.sprite(),
    "card": draw.card(Card(9)),
    "back": draw.card_back(),
    "car": draw.car(3),
    "poster": draw.poster(),
    "wordmark": draw.wordmark(),
    "podium": draw.podium([draw.Finisher(1, "Ana", 38, ((1, 0), (2, 1), (7, 2)))]),
}


def spoken_gaps(svg: str) -> list[int]:
    return [int(n) for n in re.findall(r'aria-label="(\d+) empty space', svg)]


def where(svg: str, car: int) -> tuple[float, float, float]:
    found = re.search(rf'id="s-car-{car}"[^>]*translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)', svg)
    assert found
    return float(found[1]), float(found[2]), float(found[3])


@pytest.mark.parametrize("name", ["strip", "pits", "twelve", "stops", "over"])
def test_text_on_the_road_is_large_enough(name: str) -> None:
    assert all(float(size) >= 20 for size in re.findall(r'font-size="([\d.]+)"', DRAWINGS[name]))


def test_a_name_is_escaped() -> None:
    view = with_car(a_view(), 0, name='<b>"&')
    assert "<b>" not in draw.strip(view)
    ElementTree.fromstring(draw.strip(view))
    ElementTree.fromstring(draw.podium([draw.Finisher(1, '<b>"&', 0, ((1, 0),))], heading="<i>"))


def test_the_strip_says_nothing_of_a_hand_or_a_commitment() -> None:
    view = with_car(a_view(), 0, committed=True, commit="12+R")
    blind = with_car(view, 0, hand=None, commit=None)
    assert draw.strip(view) == draw.strip(blind)


def test_the_drawing_for_a_notebook_shows_the_hands_that_its_eyes_see() -> None:
    view = a_view()
    blind = with_car(view, 0, hand=None)
    names = [draw.card_name(card) for card in HAND]
    assert re.findall(r'<svg x=[^>]* aria-label="([^"]*)"', draw.svg(view)) == names
    assert "lc-face" not in draw.svg(blind)
    assert draw.svg(with_car(view, 0, hand=())) == draw.svg(blind)


def test_the_leader_is_on_the_right() -> None:
    svg = draw.strip(a_view((0, 1, 0, 3), order=(2, 0, 3, 1)))
    places = [where(svg, seat + 1)[0] for seat in (2, 0, 3, 1)]
    assert places == sorted(places, reverse=True)


def test_a_space_is_as_long_as_any_other_where_nothing_is_cut() -> None:
    svg = draw.strip(a_view((0, 0, 2, 1)))
    x = [where(svg, car)[0] for car in (1, 2, 3, 4)]
    space = x[0] - x[1]
    assert x[1] - x[2] == pytest.approx(3 * space, abs=0.3)
    assert x[2] - x[3] == pytest.approx(2 * space, abs=0.3)
    assert spoken_gaps(svg) == [1, 2]  # from the back


def test_every_gap_is_said_however_much_is_cut() -> None:
    assert spoken_gaps(DRAWINGS["twelve"]) == [1, 12, 2, 1, 1, 3, 2, 4, 1, 2, 1]


@pytest.mark.parametrize("view", [TWELVE, STOPS, a_view((0, 60, 0, 0)), a_view((0,) * 12), a_view((0, 0))])
def test_all_cars_fit_and_none_touches_another(view: View) -> None:
    svg = draw.strip(view)
    spots = sorted(where(svg, c.seat + 1) for c in view.cars)
    half = spots[0][2] * 54
    assert spots[0][0] - half >= 0
    width = re.search(r'viewBox="0 \d+ (\d+)', svg)
    assert width and spots[-1][0] + half <= int(width[1])
    assert all(b[0] - a[0] >= 2 * half for a, b in pairwise(spots))


def test_where_twelve_have_gaps_the_cars_get_the_room() -> None:
    gap = where(DRAWINGS["twelve"], 1)[0] - where(DRAWINGS["twelve"], 2)[0]
    car = 108 * where(DRAWINGS["twelve"], 1)[2]
    assert car > 80
    assert gap < 2.1 * car


def test_a_retired_car_is_off_the_road() -> None:
    """LX-3.6"""
    view = a_view((0, 1, 2), order=(2, 0, 1))
    out = replace(a_view(order=()).cars[3], retired=1)
    svg = draw.strip(replace(view, cars=(*view.cars, out), retired=(3,)))
    assert spoken_gaps(svg) == [2, 1]
    assert 'id="s-car-4"' not in svg
    assert "no car is left" in DRAWINGS["empty"]


def test_a_die_has_as_many_pips_as_it_says() -> None:
    """LX-2.3"""
    for face in range(1, 7):
        assert draw.die(face).count("<circle") == face
        assert f'aria-label="die: {face}"' in draw.die(face)


def test_elements_keep_their_order_when_cars_pass() -> None:
    def ids(view: View) -> list[str]:
        return re.findall(r'id="(s-[^"]+)"', draw.strip(view))

    assert ids(a_view(order=(0, 1, 2, 3))) == ids(a_view(order=(3, 1, 0, 2)))


def test_whose_turn_and_who_is_challenged_is_said() -> None:
    svg = draw.strip(a_view((0, 0, 2, 0), phase="challenge", turn=1, defender=0))
    assert re.search(r'id="s-car-2"[^>]*its turn', svg)
    assert re.search(r'id="s-car-1"[^>]*challenged', svg)
    assert where(svg, 2)[1] != where(svg, 1)[1] != where(svg, 3)[1]  # the pair pulls out of line


def test_committed_and_choosing_are_said() -> None:
    view = with_car(with_car(a_view(order=()), 0, committed=True), 1, deciding=True)
    svg = draw.strip(view)
    assert re.search(r'id="s-car-1"[^>]*committed', svg)
    assert re.search(r'id="s-car-2"[^>]*choosing', svg)


def test_many_cars_in_the_pits_are_on_two_lanes_of_a_phone() -> None:
    svg = draw.compact(a_view((0,) * 12, order=()))
    spots = re.findall(
        r'id="p-car-\d+"[^>]*translate\(([\d.]+) (\d+)\)"><g transform="scale\(([\d.]+)\)', svg
    )
    lanes: dict[str, list[float]] = {}
    for x, lane, scale in spots:
        lanes.setdefault(lane, []).append(float(x))
        assert 108 * float(scale) > 45 and 54 * float(scale) < float(x) < 360 - 54 * float(scale)
    assert [len(lane) for lane in lanes.values()] == [6, 6]
    for lane in map(sorted, lanes.values()):
        assert all(b - a > 108 * float(spots[0][2]) for a, b in itertools.pairwise(lane))


def test_a_partial_grid_is_still_the_pits() -> None:
    view = a_view(order=())
    assert draw.strip(replace(view, order=(1,), phase="tied")) == draw.strip(replace(view, phase="tied"))


def grey(colour: str) -> float:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * r + 0.587 * g + 0.114 * b


def test_twelve_liveries_are_told_apart_without_colour() -> None:
    assert len(draw.LIVERIES) == 12
    assert len({coat.pattern for coat in draw.LIVERIES}) == 12
    assert all(abs(grey(coat.body) - grey(coat.second)) > 60 for coat in draw.LIVERIES)


def test_the_second_car_of_a_pair_wears_its_partners_colours_with_stripes() -> None:
    assert draw.livery(4, 3) == draw.livery(3) == draw.livery(8, 3)
    assert draw.livery(4) != draw.livery(3)
    assert draw.car_label(4, 3) == "car 4, green, striped"
    assert draw.car_label(8, 3) == "car 8, green, striped"


def test_partners_as_named_are_drawn_in_the_colours_of_the_first() -> None:
    """LC-2.2 such a car is no symbol of the sprite: it is drawn where it stands."""
    first, second = draw.livery(3), draw.livery(6)
    assert "#lc-car-6" not in draw.car(6, 3)
    assert first.body in draw.car(6, 3) and second.body not in draw.car(6, 3)
    team = with_car(a_view((0,) * 6), 5, striped=True, wears=3)
    assert "car 6, Driver 5, green, striped" in draw.strip(team)
    assert f'fill="{first.body}"' in draw.strip(team)


def test_the_kinds_have_the_rulebooks_names() -> None:
    """LC-1.1"""
    names = [draw.kind_name(kind) for kind in range(13)]
    assert names == ["Redline", "Extend", "Extend", "Drafting Extend", *["Standard"] * 8, "Champion"]
    assert 'aria-label="9, Standard"' in draw.card(Card(9))
    assert "aria-label" not in draw.card(Card(9), named=False)


def test_svg_stands_alone() -> None:
    svg = draw.svg(a_view())
    assert "var(" not in svg
    used = set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg))
    assert used <= set(re.findall(r' id="([^"]+)"', svg))


def test_a_page_with_the_sprite_has_every_symbol() -> None:
    page = draw.sprite() + draw.strip(a_view()) + draw.card_back()
    page += "".join(draw.card(Card(kind)) for kind in range(13)) + "".join(
        draw.car(n, wears) for n in range(1, 13) for wears in range(n)
    )
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r' id="([^"]+)"', page))


def test_a_shared_place_stands_on_a_step_of_the_same_height() -> None:
    shared = [draw.Finisher(1, "Ana", 30, ((1, 0),)), draw.Finisher(1, "Bo", 30, ((2, 0),))]
    svg = draw.podium(shared)
    assert len(re.findall(r'height="150"', svg)) == 2
    assert "1. Bo, 30 points" in svg
