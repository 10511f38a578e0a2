"""What holds for every drawing of every title, as a page carries it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games import test_lacorsa_draw, test_rasant_draw

ALL = [
    pytest.param(svg, id=f"{title}-{name}")
    for title, drawings in (("lacorsa", test_lacorsa_draw.DRAWINGS), ("rasant", test_rasant_draw.DRAWINGS))
    for name, svg in drawings.items()
]
drawings = pytest.mark.parametrize("svg", ALL)


@drawings
def test_is_well_formed_and_names_each_id_once(svg: str) -> None:
    ids = [e.get("id") for e in ElementTree.fromstring(svg).iter() if e.get("id")]
    assert len(ids) == len(set(ids))


@drawings
def test_has_a_name_or_is_hidden(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") or root.get("aria-hidden") == "true"


@drawings
def test_has_no_style_attribute_and_fetches_nothing(svg: str) -> None:
    assert "style=" not in svg
    assert set(re.findall(r'href="(.)', svg)) <= {"#"}
