"""Maps of The Great Race: the shipped ones, what is wrong with others, and the commands."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.titles import PRINTED_MAPS

from paddock import cli, title
from paddock.core import i18n
from paddock.core.errors import BadOption, PaddockError
from paddock.core.title import Preset
from paddock.games.great_race import maps
from paddock.games.great_race.maps import SHIPPED, check, read_map, source, summary, word
from paddock.games.great_race.maps.board import CITIES, CITY, COLUMNS, LAND, LANES, RISK, ROWS, SPACES, Map
from paddock.games.great_race.maps.form import MOST_FAULTS, map_text, map_word
from paddock.games.great_race.maps.tiles import WORDS
from paddock.games.great_race.rulebook import TITLE, Options

TINY = """\
title: Tiny      ; four columns
west: AA
east: BB CC
tiles:
mud 2
track 1, gravel 3
grid:
AA .. ## BB
.. ~~ .. ..
~~ ~~ .. CC
cities:
AA A Town 1
BB B'Town 0
CC Östra 3
lanes:
AA BB air 10
"""


def changed(old: str, new: str, text: str = TINY) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def steps(map: Map, start: int) -> dict[int, int]:
    """Steps over land to every space, space by space."""
    found = {start: 0}
    todo = [start]
    for space in todo:
        for beside in map.beside(space):
            if beside is not None and beside not in found:
                found[beside] = found[space] + 1
                todo.append(beside)
    return found


def test_shipped_maps_have_no_faults() -> None:
    assert {name: check(name) for name in SHIPPED} == {name: [] for name in SHIPPED}
    shipped = [file.name for file in files("paddock.games.great_race.maps").iterdir()]
    assert sorted(name for name in shipped if name.endswith(".map")) == sorted(f"{n}.map" for n in SHIPPED)


def test_the_maps_of_the_rulebook_in_figures() -> None:
    assert [summary(name) for name in PRINTED_MAPS] == [
        "USA-West: 19 columns, 111 spaces, 21 cities, 4 lanes, 100 tiles",
        "USA-East: 19 columns, 97 spaces, 17 cities, 7 lanes, 100 tiles",
        "Asia-West: 19 columns, 95 spaces, 19 cities, 6 lanes, 80 tiles",
        "Asia-East: 19 columns, 124 spaces, 22 cities, 5 lanes, 80 tiles",
        "USA: 37 columns, 201 spaces, 34 cities, 11 lanes, 100 tiles",
        "Asia: 37 columns, 212 spaces, 37 cities, 11 lanes, 80 tiles",
    ]


@pytest.mark.parametrize("name", ["usa", "asia"])
def test_a_full_map_is_its_halves_joined_at_the_middle_cities(name: str) -> None:
    west, east, full = read_map(f"{name}-west"), read_map(f"{name}-east"), read_map(name)
    assert [row[-1] for row in west.grid] == [row[0] for row in east.grid]
    assert full.grid == tuple((*one, *other[1:]) for one, other in zip(west.grid, east.grid, strict=True))
    assert set(full.cities) == set(west.cities) | set(east.cities)
    lanes = zip(full.lanes, west.lanes + east.lanes, strict=True)
    assert all(replace(one, fare=0) == replace(other, fare=0) for one, other in lanes)  # fares may differ
    assert (full.west, full.east) == (west.west, east.east)
    assert full.tokens == west.tokens == west.east == east.tokens == east.west
    assert full.tiles == west.tiles == east.tiles


@pytest.mark.parametrize("name", SHIPPED)
def test_ends_are_as_many_steps_apart_as_columns(name: str) -> None:
    map = read_map(name)
    for one, other in itertools.product(map.west, map.east):
        assert steps(map, map.space(one))[map.space(other)] == map.columns - 1


def test_hexes_have_flat_tops_and_odd_columns_lie_lower() -> None:
    map = read_map("usa-west")
    for space, beside in [
        ("4b", ["4a", "5a", "BO", "4c", "3b", "3a"]),  # an even column: its neighbours lie higher
        ("7d", ["SL", "8d", "8e", "PH", "6e", "6d"]),
    ]:
        assert [None if n is None else map.name(n) for n in map.beside(map.space(space))] == beside
    for space in range(len(map.spaces)):
        for way, beside in enumerate(map.beside(space)):
            assert beside is None or map.beside(beside)[(way + 3) % 6] == space


def test_spaces_have_names() -> None:
    map = read_map("usa-west")
    names = [map.name(space) for space in range(len(map.spaces))]
    assert len(set(names)) == len(names)
    assert [map.space(name) for name in names] == list(range(len(names)))
    assert [map.land(map.space(name)) for name in ("SF", "2a", "5a")] == [CITY, LAND, RISK]
    with pytest.raises(KeyError):
        map.space("0a")


def test_a_map_is_read_from_a_file_and_from_a_word() -> None:
    for name in SHIPPED:
        assert read_map(map_text(read_map(name))) == read_map(map_word(read_map(name))) == read_map(name)
        assert map_text(read_map(name)) == source(name)
    tiny = read_map(TINY)
    assert word(TINY) == (
        "title:_Tiny/west:_AA/east:_BB_CC/tiles:/track_1/gravel_3/mud_2/grid:/AA..##BB/..~~..../~~~~..CC/"
        "cities:/AA_A_Town_1/BB_B'Town_0/CC_Östra_3/lanes:/AA_BB_air_10"
    )
    assert read_map(word(TINY)) == tiny
    assert word(word(TINY)) == word(TINY)
    assert {kind: n for kind, n in zip(WORDS, tiny.tiles, strict=True) if n} == {
        "mud": 2, "track": 1, "gravel": 3,
    }  # fmt: skip
    assert tiny.tokens == ("BB", "CC")
    assert read_map(changed("title: Tiny", "note: so\nand so\ntitle: Tiny")).note == "so and so"
    assert read_map(TINY.replace("\n", "\r\n")) == tiny
    assert summary(word(TINY)) == "Tiny: 4 columns, 9 spaces, 3 cities, 1 lane, 6 tiles"


ROW = "AA .. ## BB\n"
FAULTS = [
    ("title: Tiny ", "titel: Tiny ", "line 1: there is no heading “titel:”; they are title:, note:, west:"),
    ("title: Tiny ", "titel: Tiny ", "“title:” is missing or empty: write it"),
    ("title: Tiny ", "title: A/B ", "line 1: write at most 40 letters, without “/” and “_”"),
    ("title: Tiny ", f"title: {'x' * 41} ", "line 1: write at most 40 letters"),
    ("title: Tiny ", "Tiny\ntitle: Tiny ", "line 1: begin with a heading: one of title:"),
    ("grid:\n", "title: Two\ngrid:\n", "line 7: “title:” stands in line 1 already"),
    ("## BB", "#x BB", "line 8: “#x” is no space: write .. for land"),
    ("## BB", "# BB", "line 8: “#” is no space"),
    ("## BB", "## bb", "line 8: “bb” is no space"),
    (".. ~~ .. ..", ".. ~~ ..", "line 9: this row has 3 spaces, the first one has 4: make them equal"),
    (ROW, ROW + "~~ ~~ ~~ ~~\n" * 24, "line 7: a map has at most 26 rows, 2 to 64 columns and at most 256 "),
    (ROW, ROW + "AA\n" * 30 + ROW, "line 7: a map has at most 26 rows"),
    ("BB B'Town 0\n", "", "line 8: BB has no line under “cities:”: write “BB Name 1” there"),
    ("## BB", "## DD", "line 13: BB is not on the grid: write it there too"),
    (".. ~~ .. ..", ".. ~~ .. AA", "line 9: AA is on the grid twice: a city has one space"),
    ("BB B'Town 0\n", "BB B'Town 0\nBB Beta 1\n", "line 14: BB is there twice"),
    ("BB B'Town", "BB A Town", "line 13: A Town is there twice: give each city a name of its own"),
    ("BB B'Town 0", "BB 0", "line 13: write a city as its code, its name and the number of its cards"),
    ("BB B'Town 0", "BB B'Town 4", "line 13: a city gives 0 to 3 cards, not 4 (GR-7.8)"),
    ("BB B'Town 0", "BB B'Town 12", "line 13: a city gives 0 to 3 cards, not 12 (GR-7.8)"),
    ("BB B'Town 0", "BB B_Town 0", "line 13: a city's name has at most 24 letters, without “/” and “_”"),
    ("BB B'Town 0", f"BB {'x' * 25} 0", "line 13: a city's name has at most 24 letters"),
    ("BB B'Town 0", "BB 𝔅 0", "line 13: a city's name has at most 24 letters"),
    ("west: AA", "west: XX", "line 2: there is no city XX on the grid: name cities by their codes"),
    ("west: AA", "west:", "line 2: “west:” is missing or empty: write it"),
    ("west: AA", "west: CC", "line 2: CC lies in column 3: the cities of “west:” lie in column 0 (GR-1.11)"),
    ("east: BB CC", "east: BB CC BB", "line 3: BB is there twice: name it once"),
    ("tiles:\n", "tokens: BB\ntiles:\n", "line 4: on a half map the middle cities have the tokens"),
    ("lanes:\n", "tokens: AA\nlanes:\n", "line 15: on a half map the middle cities have the tokens"),
    ("AA BB air 10", "AA XX air 10", "line 16: there is no city XX on the grid"),
    ("AA BB air 10", "AA AA air 10", "line 16: a lane joins two different cities"),
    ("AA BB air 10", "AA BB rail 10", "line 16: write a lane as two codes, sea or air, and its fare"),
    ("AA BB air 10", "AA BB air 10\nBB AA sea 20", "line 17: BB and AA have a lane already"),
    ("AA BB air 10", "AA BB air 15", "line 16: a fare is 10, 20, … 990 francs, not 15 (GR-7.9)"),
    ("AA BB air 10", "AA BB air 1000", "line 16: a fare is 10, 20, … 990 francs, not 1000 (GR-7.9)"),
    ("AA BB air 10", "AA BB air 0", "line 16: a fare is 10, 20, … 990 francs, not 0 (GR-7.9)"),
    ("mud 2", "clay 2", "line 5: “clay 2” is no tile: write us or asia, or kinds and how many"),
    ("mud 2", "mud -2", "line 5: there are 0 to 99 tiles of a kind, not -2 (GR-1.6)"),
    ("mud 2", "mud 100", "line 5: there are 0 to 99 tiles of a kind, not 100 (GR-1.6)"),
    ("mud 2", "mud 2\nmud 3", "line 6: mud is there twice: write how many in all"),
    ("mud 2\ntrack 1, gravel 3", "mud 2", "line 4: the way from end to end takes up to 3 "),
    (".. ~~ .. ..", ".. ~~ AA ..", "line 9: AA is on the grid twice"),
    (ROW, "AA ~~ ## BB\n", "line 7: no way over land leads from AA to 2a, 2b, 2c, BB, 3b, CC: "),
    (ROW + ".. ~~ .. ..", "AA .. ## BB\n.. ~~ .. CC", "line 8: BB and CC are neighbours: leave a space"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_every_fault_says_its_line_and_what_to_do(old: str, new: str, fault: str) -> None:
    assert check(TINY) == []
    found = check(changed(old, new))
    assert any(said.startswith(fault) for said in found), found


def many(cities: int, lanes: int) -> str:
    """A map of 4 rows and 64 columns with so many cities, apart from each other, and lanes."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    codes = [one + other for one in letters for other in letters][:cities]
    rows = [[".."] * 64 for _ in range(4)]
    for i, code in enumerate(codes[:-1]):
        rows[2 * (i % 2)][2 * (i // 2)] = code
    rows[2][63] = codes[-1]
    lines = ["title: Many", f"west: {codes[0]}", f"east: {codes[-1]}", "tiles: us", "grid:"]
    lines += [" ".join(row) for row in rows]
    lines += ["cities:", *(f"{code} City {code} 1" for code in codes), "lanes:"]
    lines += [f"{one} {other} sea 50" for one, other in list(itertools.combinations(codes, 2))[:lanes]]
    return "\n".join(lines)


def test_bounds_of_a_map() -> None:
    assert check(many(64, 24)) == []  # the most spaces, cities and lanes
    assert summary(many(64, 24)) == "Many: 64 columns, 256 spaces, 64 cities, 24 lanes, 100 tiles"
    assert check(many(64, 25)) == ["line 75: a map has at most 24 lanes, not 25"]
    assert "line 10: a map has at most 64 cities, not 65" in check(many(65, 24))


def test_a_full_map_names_its_tokens() -> None:
    one = changed("east: BB CC", "east: BB\ntokens: CC")
    assert read_map(one).tokens == ("CC",)
    assert read_map(map_word(read_map(one))) == read_map(one)
    assert read_map(changed("east: BB CC", "east: BB")).tokens == ()
    assert check(changed("east: BB CC", "east: BB\ntokens: BB")) == [
        "line 4: BB is an end: it has no city token (GR-1.7)"
    ]


def test_one_end_is_a_purple_city() -> None:
    both = changed("west: AA", "west: AA DD", changed("~~ ~~ .. CC", "DD .. .. CC"))
    both = changed("lanes:", "DD Delta 1\nlanes:", both)
    assert check(both) == ["line 3: one end at least is a single purple city: name one city (GR-1.1)"]


def test_all_faults_are_listed_in_the_order_of_the_lines() -> None:
    wrong = TINY.replace("mud 2", "mud x").replace("## BB", "xx BB").replace("Town 0", "Town 9")
    found = check(wrong.replace("air 10", "air 11").replace("title: Tiny", ""))
    assert [re.match(r"line \d+|", said)[0] for said in found] == [
        "line 5", "line 8", "line 13", "line 16", "",
    ]  # fmt: skip


NO_MAP = "x:/" * 16_000
CITY_LIST = changed("BB B'Town 0\n", "BB B'Town 0\n" + "ZZ Nowhere 9\n" * 3_700)


@pytest.mark.parametrize("text", [NO_MAP, CITY_LIST])
def test_reading_stops_after_twenty_faults_and_says_so(text: str) -> None:
    found = check(text)
    assert len(found) == MOST_FAULTS + 1 == 21
    assert found[-1] == "there are more faults: correct these first"
    with pytest.raises(BadOption) as wrong:
        Options.read({"map": text})
    (said,) = wrong.value.faults
    assert said.endswith(found[-1]) and len(said) < 6_000
    assert wrong.value.wrong == {"map"}


def test_twenty_faults_are_all() -> None:
    twenty = check(changed("BB B'Town 0\n", "BB B'Town 0\n" + "ZZ\n" * 20))
    assert len(twenty) == 20 and not any("more faults" in said for said in twenty)
    assert len(check(changed("BB B'Town 0\n", "BB B'Town 0\n" + "ZZ\n" * 21))) == 21


def test_a_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its faults too, and they are translated when they are shown."""
    read: list[str] = []

    class Counted(maps.Reader):
        def __init__(self, text: str) -> None:
            read.append(text)
            super().__init__(text)

    monkeypatch.setattr(maps, "Reader", Counted)
    fine, wrong = changed("Tiny", "Once"), changed("Town 0", "Town 7")
    for _ in range(3):
        assert read_map(fine).title == "Once"
        with pytest.raises(ValueError, match="not 7"):
            read_map(wrong)
        assert check(wrong) == ["line 13: a city gives 0 to 3 cards, not 7 (GR-7.8)"]
    assert read == [fine, wrong]
    monkeypatch.setattr(i18n, "_", "<{}>".format)
    assert check(wrong) == ["<line 13: <a city gives 0 to 3 cards, not 7 (GR-7.8)>>"]


@pytest.mark.parametrize("seed", range(20))
def test_nothing_that_people_write_is_too_much(seed: int) -> None:
    """A text with random damage is read, or refused with faults; what is read has a word of its own."""
    choose = random.Random(seed)
    for _ in range(50):
        letters = list(source(choose.choice([*SHIPPED])))
        for _ in range(choose.choice([1, 2, 5, 50])):
            place = choose.randrange(len(letters))
            letters[place] = choose.choice(
                ["", "\n", ":", "/", "_", ";", " ", "~", "X", "0", "..", letters[-1], "\u2028"]
            )
        text = "".join(letters)
        if not check(text):
            assert read_map(word(text)) == read_map(text)
            assert word(text).split() == [word(text)]


def test_a_map_is_an_option() -> None:
    assert Options.read({}).map == "usa-west"
    own = Options.read({"map": TINY, "finish": "cc"})
    assert own.map == word(TINY)
    assert own.finish == "CC"
    assert Options.read_text(own.text) == own
    assert own.short.startswith("players=4 races=1 map=~")
    known = own.data
    assert Options.read_text(own.short, find=known.get) == own
    with pytest.raises(BadOption, match="“atlantis” is no map: name one of usa-west, usa-east"):
        Options.read({"map": "atlantis"})
    with pytest.raises(BadOption, match="line 13: a city gives 0 to 3 cards, not 4") as wrong:
        Options.read({"map": TINY.replace("Town 0", "Town 4").replace("air 10", "air 11")})
    assert "line 16" in str(wrong.value)


def test_the_documentation_shows_a_map_without_faults() -> None:
    page = (Path(__file__).parents[2] / "docs" / "maps.md").read_text("utf-8")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert check(shown) == []
    assert summary(shown) == "The Long Bend: 4 columns, 9 spaces, 3 cities, 1 lane, 12 tiles"
    assert all(f"`{kind}`" in page for kind in WORDS)
    assert all(f"`{name}`" in page for name in SHIPPED)
    for bound in (
        f"{COLUMNS} columns",
        f"{ROWS} rows",
        f"{SPACES} spaces",
        f"{CITIES} cities",
        f"{LANES} lanes",
    ):
        assert bound in page


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Runs `paddock map` in an empty folder, with The Great Race among the titles."""
    monkeypatch.chdir(tmp_path)
    everything = {**cli.titles(), TITLE.name: TITLE}
    monkeypatch.setattr(cli, "titles", lambda: everything)
    monkeypatch.setattr(cli, "title", everything.__getitem__)

    def run(words: Sequence[str]) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(partial(cli.app, ["map", *words]))
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run


def test_commands_check_and_print_maps(command, tmp_path: Path) -> None:
    (tmp_path / "tiny.map").write_text(TINY, "utf-8")
    assert command(["check", "tiny.map"]) == (0, "Tiny: 4 columns, 9 spaces, 3 cities, 1 lane, 6 tiles\n", "")
    (tmp_path / "wrong.map").write_text(TINY.replace("Town 0", "Town 9").replace("air 10", "air 11"))
    code, out, _err = command(["check", "wrong.map", "--title", "great_race"])
    assert code == 1
    assert out.splitlines() == [
        "line 13: a city gives 0 to 3 cards, not 9 (GR-7.8)",
        "line 16: a fare is 10, 20, … 990 francs, not 11 (GR-7.9)",
    ]
    assert command(["show", "asia"]) == (0, source("asia"), "")
    code, out, err = command(["check", "none.map"])
    assert (code, out) == (2, "") and err.startswith("paddock: none.map: ")
    assert command(["check", "x", "--title", "lacorsa"]) == (2, "", "paddock: lacorsa has no maps\n")
    code, out, err = command(["draw", "wrong.map"])
    assert (code, out) == (2, "") and err.startswith("paddock: line 13: a city gives 0 to 3 cards, not 9")


def test_a_map_is_drawn(command, tmp_path: Path) -> None:
    (tmp_path / "tiny.map").write_text(TINY, "utf-8")
    assert command(["draw", "tiny.map"]) == (0, "Written: tiny.svg\n", "")
    assert command(["draw", "asia", "--out", "whole.svg"]) == (0, "Written: whole.svg\n", "")
    for name, map in (("tiny.svg", read_map(TINY)), ("whole.svg", read_map("asia"))):
        drawing = (tmp_path / name).read_text("utf-8")
        assert ElementTree.fromstring(drawing).tag.endswith("svg")
        assert all(escape(city.name) in drawing for city in map.cities)
        assert len(re.findall(r'<g id="gr-s\d', drawing)) == len(map.spaces)
        assert not re.search(r'<g id="gr-car-\d', drawing)  # nobody is there yet


def test_presets_are_options_that_fit() -> None:
    assert [preset.name for preset in TITLE.presets] == ["short", "leaders", "crossing", "crossing-leaders"]
    for preset in TITLE.presets:
        options = Options.read(preset.values)
        assert options.leaders is ("leaders" in preset.name)
        assert (read_map(options.map).columns == 37) is ("crossing" in preset.name)
    assert [preset.minutes for preset in TITLE.presets] == [45, 45, 95, 110]
    with pytest.raises(
        PaddockError, match="The Great Race has no preset “long”; the presets are short, leaders"
    ):
        TITLE.preset("long")


def test_a_race_of_a_preset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`paddock race --preset`: its options, unless -o says otherwise."""
    quick = Preset("quick", "Quick", "Two races.", 10, "races=2 extra_suits=1")
    lacorsa = replace(title("lacorsa"), presets=(quick,))
    monkeypatch.setattr(cli, "title", lambda name: lacorsa)
    for words, said in (([], "races=2 extra_suits=1"), (["-o", "extra_suits=0"], "races=2 extra_suits=0")):
        record = tmp_path / "race.txt"
        command = ["race", "lacorsa", "--preset", "quick", "--seats", "rookie,rookie,rookie,rookie"]
        run = partial(cli.app, [*command, *words, "--record", str(record)])
        with pytest.raises(SystemExit) as end:
            cli.main(run)
        assert end.value.code == 0
        assert all(word in record.read_text("utf-8").split() for word in said.split())
    with pytest.raises(PaddockError, match="LACORSA has no presets"):
        replace(lacorsa, presets=()).preset("quick")
