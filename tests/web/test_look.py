"""The themes: contrast in light and dark mode; nothing inline or from other hosts."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from paddock.core.title import file_in
from paddock.features import FEATURES

STATIC = files("paddock.web") / "static"
SHEETS = ("paddock.css", "components.css", "table.css", "home.css", "replay.css", "watch.css")
OWN = [file for feature in FEATURES for name, file in feature.static if name.endswith(".css")]
HOUSE = "".join(file.read_text("utf-8") for file in (*(STATIC / name for name in SHEETS), *OWN))
TITLES = {
    name: (file_in(f"paddock.games.{name}", "web") / "style.css").read_text("utf-8")
    for name in ("lacorsa", "rasant", "great_race")
}


def tokens(css: str, theme: int) -> dict[str, str]:
    """Return the colours of the first rule of a style sheet; ``theme`` 0 is light, 1 is dark."""
    rule = re.search(r"(?::root|\[data-title[^{]*) \{(.*?)\n\}", css, re.S)
    assert rule
    found = re.findall(r"(--[\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));", rule[1])
    return {name: single or (light, dark)[theme] for name, light, dark, single in found}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


TEXT = [
    ("--ink", "--paper"), ("--ink", "--raised"), ("--ink-2", "--paper"), ("--ink-2", "--raised"),
    ("--ink-2", "--hair"), ("--accent", "--paper"), ("--accent", "--raised"), ("--on-field", "--field"),
    ("--on-field", "--bold"), ("--paper", "--ink"),
]  # fmt: skip
GRAPHICS = [("--line", "--paper"), ("--line", "--raised")]
OWN_TEXT = {
    "lacorsa": [
        ("--lc-light", "--field"), ("--lc-light", "--lc-road"), ("--lc-face-ink", "--lc-face"),
        ("--lc-light", "--lc-extend"), ("--lc-face-ink", "--on-field"),
    ],
    "rasant": [
        ("--rs-light", "--rs-sign"), ("--rs-light", "--rs-verge"), ("--rs-light", "--rs-red"),
        ("--rs-light", "--rs-green"), ("--rs-light", "--rs-blue"), ("--rs-light", "--rs-black"),
        ("--rs-verge", "--rs-yellow"),
    ],
    "great_race": [("--gr-text", "--paper"), ("--gr-text", "--raised")],
}  # fmt: skip
OWN_GRAPHICS = {
    "lacorsa": [("--lc-light", "--lc-shade")],
    "rasant": [("--rs-verge", "--rs-road")],
    "great_race": [("--on-field", "--gr-sea"), ("--gr-snow", "--gr-peak")],  # numbers of the scale, peaks
}
PAIRS = [
    (title, *pair, least)
    for title in TITLES
    for pairs, least in ((TEXT + OWN_TEXT[title], 4.5), (GRAPHICS + OWN_GRAPHICS[title], 3.0))
    for pair in pairs
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("title", "front", "ground", "least"), PAIRS)
def test_contrast(theme: int, title: str, front: str, ground: str, least: float) -> None:
    colours = tokens(HOUSE, theme) | tokens(TITLES[title], theme)
    assert contrast(colours[front], colours[ground]) >= least


@pytest.mark.parametrize("css", [HOUSE, *TITLES.values()], ids=["paddock", *TITLES])
def test_nothing_is_fetched(css: str) -> None:
    assert "@import" not in css
    assert "url(" not in css


def test_templates_have_no_inline_style_or_script() -> None:
    folders = [
        files("paddock.web") / "templates",
        *(feature.templates for feature in FEATURES if feature.templates.is_dir()),
        *(file_in(f"paddock.games.{name}", "web") for name in TITLES),
    ]
    templates = [entry for folder in folders for entry in folder.iterdir() if entry.name.endswith(".html")]
    assert len(templates) > 45
    for entry in templates:
        text = entry.read_text("utf-8")
        assert not re.search(r"\sstyle=|\son[a-z]+=|<style|<script>", text), entry.name


WORDS = r"lacorsa|rasant|redline|\bdrivers?\b|\bdriving\b|\bwho drives\b|overtak"


def test_shared_code_names_no_title() -> None:
    shared = [
        entry
        for package in ("paddock.web", *(feature.package for feature in FEATURES))
        for folder in ("", "static", "templates")
        if (files(package) / folder).is_dir()
        for entry in (files(package) / folder).iterdir()
        if entry.name.endswith((".html", ".js", ".py", ".css"))
    ]
    assert len(shared) > 40
    for entry in shared:
        text = re.sub(
            r"examples=\[.*?\]", "", entry.read_text("utf-8")
        )  # examples in the API's description may
        assert not re.search(WORDS, text, re.I), (entry.name, re.search(WORDS, text, re.I))
