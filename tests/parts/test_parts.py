"""Parts that titles share: fields of positions, tables of points, refused choices, names of pictures."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import paddock
from paddock.parts import drawing, page, position
from paddock.parts.lanes import lanes


class Record:
    """A state of a test: what readers have read."""

    a = b = ""


def read(**words: str) -> Record:
    s = Record()
    readers = {
        "b": lambda s, g, text: setattr(s, "b", f"{s.a}{position.number(text, 5)}"),
        "a": lambda s, g, text: setattr(s, "a", position.word(text, ("x", "y"))),
        "not here": lambda s, g, text: setattr(s, "a", "read"),
    }
    position.read(s, None, words, readers, ("a", "b"))
    return s


def faults(**words: str) -> tuple[str, ...]:
    with pytest.raises(paddock.BadPosition) as error:
        read(**words)
    return error.value.faults


def test_fields_are_read_in_the_order_of_the_readers() -> None:
    s = read(a="x", b="3")
    assert (s.a, s.b) == ("x", "3")


def test_every_missing_and_unknown_field_is_named() -> None:
    assert faults(c="1", d="2") == (
        "“a=” is missing",
        "“b=” is missing",
        "there is no field “c”; the fields are a, b",
        "there is no field “d”; the fields are a, b",
    )


def test_every_malformed_field_is_named() -> None:
    assert faults(a="z", b="6") == ("b=6: write a number from 0 to 5", "a=z: write one of x, y")


def test_fields_are_written_with_a_dash_for_nothing() -> None:
    assert position.written({"a": 0, "b": "", "c": "x"}) == "a=0 b=- c=x"
    assert position.parts("-") == []
    assert position.parts("x|y", "|") == ["x", "y"]


@pytest.mark.parametrize("text", ["", "-", "x", "0", "5", "-1", "1.0", "12345", "02", "-0", "2\n", "²"])
def test_a_number_out_of_bounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write a number from 1 to 4$"):
        position.seat_of(text, 4)
    with pytest.raises(ValueError, match=r"write a number from 1 to 4, or -$"):
        position.number(text, 4, 1, or_none=True)


def test_seats_of_a_list_are_each_named_once() -> None:
    assert position.by_seat("2:a,1:b:c", 2) == [(1, "a"), (0, "b:c")]
    assert position.by_seat("-", 2) == []
    for text, fault in (
        ("1:a,1:b", "once"),
        ("1:a,01:b", "from 1 to 2"),
        ("3:a", "from 1 to 2"),
        ("1", "number:value"),
    ):
        with pytest.raises(ValueError, match=fault):
            position.by_seat(text, 2)


def test_a_row_has_a_place_for_every_round() -> None:
    row = page.row("Ana", (0,), (9, 4), 4, leads=True)
    assert row == page.Row("Ana", (0,), (9, 4, None, None), 13, True)


def test_refused_choices_are_those_that_are_not_legal() -> None:
    game = paddock.start("lacorsa", drivers=4, seed=1)
    seen = game.seen(1)
    legal = [str(move) for move in game.legal(0)]
    refused = page.refused(seen, 0, [*legal, "x7", "^9", "rubbish"])
    assert refused == {
        "x7": ("in qualifying every car commits a card", "LC-3.1"),
        "^9": ("only a 1, 2 or 3 extends: 9 does not", "LC-6.1"),
    }


def test_pictures_have_names() -> None:
    assert drawing.aria('a "b"') == 'role="img" aria-label="a &quot;b&quot;"'
    assert drawing.aria("a", named=False) == 'aria-hidden="true"'
    assert drawing.short("Anastasia", 5) == "Anas…" and drawing.short("Ana", 3) == "Ana"
    assert drawing.standalone('fill="var(--lc-road,#35312e)"') == 'fill="#35312e"'


def test_the_podium_is_said() -> None:
    ends = [drawing.Finisher(1, "Ana", 9), drawing.Finisher(2, "Bo", 1)]
    assert drawing.podium_says(ends, "") == "Podium: 1. Ana, 9 points; 2. Bo, 1 point"
    assert drawing.podium_says([], "Nobody finishes") == "Nobody finishes"


def test_an_empty_part_of_a_drawing_is_never_left_out() -> None:
    assert "data-still" in drawing.still("land", "<path/>")
    assert drawing.still("lanes", "") == '<g id="lanes"></g>'


def test_who_is_in_the_same_place_of_a_lane_is_drawn_beside_the_other() -> None:
    """Three lanes for two seats, both in the last one."""
    svg, rows = lanes("at", "length", lane="lane", lanes=3), []
    for at in ([4, 4], [4, 8]):
        view = SimpleNamespace(state={"at": at, "lane": [2, 2]}, setup={"length": 20}, names=["Ana", "Bo"])
        assert svg(view).count("<path ") == 3
        rows.append([int(y) for y in re.findall(r'cy="(\d+)"', svg(view))])
    assert rows == [[88, 85], [88, 88]]
