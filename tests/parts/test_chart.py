"""Charts of lines, and poster capitals drawn as strokes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from paddock.parts.alphabet import GLYPHS, outlined, plain
from paddock.parts.chart import APART, ChartLine, chart
from paddock.parts.drawing import poster


def line(name: str, *values: int | None) -> ChartLine:
    return ChartLine(name, "<circle r='9'/>", "#123456", "", values)


def labels(svg: str) -> list[float]:
    return [float(y) for y in re.findall(r"translate\(292 ([\d.]+)\)", svg)]


def test_labels_never_overlap_and_stay_in_the_drawing() -> None:
    drawn = chart("Points", "Player", ["0", "1"], [line(n, 0, 7) for n in "ABCDE"], places=False).svg
    root = ElementTree.fromstring(drawn)
    spots = sorted(labels(drawn))
    assert len(spots) == 5
    assert min(b - a for a, b in pairwise(spots)) >= APART - 0.1
    assert spots[0] > 0 and spots[-1] < float(root.get("viewBox", "").split()[3])


def test_a_line_that_ends_early_has_a_cross_and_comes_last() -> None:
    made = chart(
        "Places", "Car", ["grid", "1", "2"], [line("Out", 1, None, None), line("In", 2, 1, 1)], places=True
    )
    assert made.svg.index(">In<") < made.svg.index(">✕ Out<")
    assert made.rows == [("Out", "1", "–", "–"), ("In", "2", "1", "1")]
    assert made.head == ("Car", "grid", "1", "2")


@pytest.mark.parametrize(
    ("most", "numbers"), [(3, "0123"), (9, [0, 2, 4, 6, 8]), (400, [0, 100, 200, 300, 400])]
)
def test_points_of_any_size_have_numbers_beside_them(most: int, numbers: Sequence[int]) -> None:
    drawn = chart("Points", "Player", ["0", "1"], [line("A", 0, most)], places=False).svg
    assert re.findall(r'text-anchor="end"[^>]*>([^<]+)<', drawn) == [str(n) for n in numbers]


def test_names_are_escaped() -> None:
    drawn = chart("<b>", "Player", ["0"], [line("<script>", 1)], places=False).svg
    assert "<script" not in drawn and "<b>" not in drawn


def test_texts_become_strokes() -> None:
    drawn = outlined(
        '<svg><text x="9" y="9" font-size="20" fill="var(--a,#fff)">Zoë &amp; Łukasz</text></svg>'
    )
    assert "<text" not in drawn and "var(" not in drawn
    assert drawn.count("<path") == len("ZOE & LUKASZ")


def test_a_poster_of_words_is_escaped_and_can_be_outlined() -> None:
    assert "<B>" not in poster("The <b>", "#111111", "#eeeeee")
    drawn = outlined(poster("Zoë & Bee", "#111111", "#eeeeee"))
    assert drawn.count("<path") == len("ZOE&BEE") and "#eeeeee" in drawn


def test_words_without_letters_of_the_alphabet_are_left_out() -> None:
    assert plain("Zoë, 3!") == "ZOE, 3!"
    assert plain("日本語") == "" and plain("Ана") == ""
    assert outlined("<svg><text x='1'>日本語</text></svg>") == "<svg></svg>"
    assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") <= set(GLYPHS)
