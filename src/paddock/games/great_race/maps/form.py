"""The Great Race: maps as text. ``docs/maps.md`` describes the format.

``Reader`` parses a text and collects every fault in it. ``map_word`` writes a map as one word: «/» between
the lines, «_» for spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paddock.core.errors import brief
from paddock.core.i18n import Sentence, Word, mark
from paddock.games.great_race.maps.board import (
    BLANKS,
    CITIES,
    CITY,
    COLUMNS,
    LANES,
    NAME,
    NONE,
    ROWS,
    SPACES,
    TOKENS,
    City,
    Lane,
    Map,
)
from paddock.games.great_race.maps.tiles import KINDS, MOST, SETS, WORDS

PARTS = ("title", "note", "west", "east", "tokens", "tiles", "grid", "cities", "lanes")
OPTIONAL = ("note", "tokens", "lanes")
TITLE, NOTE = 40, 400  # the most letters
MOST_FAULTS = 20  # nobody reads more, and a text that is no map at all has thousands
_SHOWN = 8  # spaces that a fault names

_HEAD = re.compile(r"([A-Za-z]+)\s*:(.*)")
_CITY = re.compile(r"([A-Z]{2}) (.+) (\S+)")
_LANE = re.compile(r"([A-Z]{2}) ([A-Z]{2}) (sea|air) (\S+)")
_TILES = re.compile(r"(\S+) (\S+)")

Line = tuple[int, str]  # its number from 1, and what it says


@dataclass(frozen=True)
class MapFault:
    """What is wrong in a map: the line (0: no single one), and what to do."""

    line: int
    reason: Sentence

    def __str__(self) -> str:
        if not self.line:
            return str(self.reason)
        return str(Sentence("line {n}: {reason}", n=self.line, reason=self.reason))


def _lines(text: str) -> Iterator[Line]:
    """The lines of a file or a word that say something, without comments and needless spaces."""
    if len(text.splitlines()) < 2:
        text = text.replace("/", "\n").replace("_", " ")
    for number, line in enumerate(text.splitlines(), 1):
        if words := " ".join(line.partition(";")[0].split()):
            yield number, words


class _Enough(Exception):
    """More than ``MOST_FAULTS`` faults are found."""


class Reader:
    """Reads one text. ``map`` is the map, or None where ``faults`` says what is wrong.

    Reading stops after ``MOST_FAULTS`` faults, and one more fault says so.
    """

    def __init__(self, text: str) -> None:
        self.faults: list[MapFault] = []
        self.map: Map | None = None
        self._heads: dict[str, int] = {}  # part → line of its heading
        self._parts: dict[str, list[Line]] = {}
        self._column: dict[str, int] = {}  # of the code of every city on the grid
        try:
            read_map = self._read(text)
            self.map = None if self.faults else read_map
        except _Enough:
            last_fault = MapFault(0, Sentence("there are more faults: correct these first"))
            self.faults = [*self.faults, last_fault]
        self.faults.sort(key=lambda fault: (not fault.line, fault.line))

    def _read(self, text: str) -> Map:
        """Read the map, and note its faults."""
        self._split(text)
        before = len(self.faults)
        grid = self._grid()
        sound = len(self.faults) == before and bool(grid)
        cities = self._cities()
        west, east = self._end("west", 0), self._end("east", len(grid[0]) - 1 if sound else None)
        map_read = Map(
            title=self._text("title", TITLE),
            note=self._text("note", NOTE),
            grid=grid,
            cities=cities,
            west=west,
            east=east,
            tokens=self._tokens(west, east),
            lanes=self._lanes(),
            tiles=self._tiles(),
        )
        if sound:
            self._ways(map_read)
        return map_read

    def _fault(self, line: int, template: str, **words: Word) -> None:
        """Add a fault, which is translated when it is shown; raise ``_Enough`` if there are too many."""
        if len(self.faults) == MOST_FAULTS:
            raise _Enough
        self.faults.append(MapFault(line, Sentence(template, **words)))

    def _split(self, text: str) -> None:
        """Find the parts; a heading is followed by the first line of its part, or by nothing."""
        body: list[Line] | None = None
        for line, words in _lines(text):
            if not (head := _HEAD.match(words)):
                if body is None:
                    self._fault(line, mark("begin with a heading: one of {heads}"), heads=_heads(PARTS))
                    body = []
                body.append((line, words))
                continue
            name, value = head[1].lower(), head[2].strip()
            body = []
            if name not in PARTS:
                self._fault(
                    line,
                    mark("there is no heading “{name}:”; they are {heads}"),
                    name=brief(name),
                    heads=_heads(PARTS),
                )
            elif name in self._heads:
                self._fault(
                    line, mark("“{name}:” stands in line {first} already"), name=name, first=self._heads[name]
                )
            else:
                self._parts[name] = body
            self._heads.setdefault(name, line)
            if value:
                body.append((line, value))
        for name in PARTS:
            if name not in OPTIONAL and not self._parts.get(name):
                self._fault(
                    self._heads.get(name, 0), mark("“{name}:” is missing or empty: write it"), name=name
                )

    def _part_lines(self, name: str) -> list[Line]:
        return self._parts.get(name, [])

    def _codes(self, name: str) -> list[Line]:
        """The words of a part, each with its line."""
        return [(line, word) for line, text in self._part_lines(name) for word in text.split()]

    def _text(self, name: str, most: int) -> str:
        """Return the words of a heading; note a fault if they are too long or have other characters."""
        words = " ".join(text for _line, text in self._part_lines(name))
        if words and not _plain(words, most):
            self._fault(
                self._heads[name],
                mark("write at most {most} letters, without “/” and “_”"),
                most=most,
            )
        return words

    def _grid(self) -> tuple[tuple[str, ...], ...]:
        """The rows of the grid."""
        rows: list[tuple[str, ...]] = []
        for line, text in self._part_lines("grid"):
            cells = _cells(text)
            for cell in dict.fromkeys(cells):
                if cell not in BLANKS and cell != NONE and not re.fullmatch("[A-Z]{2}", cell):
                    self._fault(
                        line,
                        mark(
                            "“{cell}” is no space: write .. for land, ## for a risk zone, ~~ where there is "
                            "no space, or the two capital letters of a city"
                        ),
                        cell=brief(cell),
                    )  # fmt: skip
            rows.append(cells)
        if not rows:
            return ()
        width = len(rows[0])
        spaces = sum(cell != NONE for cells in rows for cell in cells)
        if len(rows) > ROWS or not 2 <= width <= COLUMNS or spaces > SPACES:
            self._fault(
                self._heads["grid"],
                mark(
                    "a map has at most {rows} rows, 2 to {columns} columns and at most {most} spaces; this "
                    "one has {n} rows, {width} columns and {spaces} spaces (GR-1.1)"
                ),
                rows=ROWS, columns=COLUMNS, most=SPACES, n=len(rows), width=width, spaces=spaces,
            )  # fmt: skip
        for (line, _text), cells in zip(self._part_lines("grid"), rows, strict=True):
            if len(cells) != width:
                self._fault(
                    line,
                    mark("this row has {n} spaces, the first one has {width}: make them equal"),
                    n=len(cells), width=width,
                )  # fmt: skip
        return tuple(rows)

    def _cities(self) -> tuple[City, ...]:
        """The cities; every code on the grid has one line, and every line has its code on the grid."""
        on_grid: dict[str, list[tuple[int, int]]] = {}
        for line, text in self._part_lines("grid"):
            for column, cell in enumerate(_cells(text)):
                if re.fullmatch("[A-Z]{2}", cell):
                    on_grid.setdefault(cell, []).append((line, column))
        cities: dict[str, City] = {}
        names: set[str] = set()
        for line, text in self._part_lines("cities"):
            form = _CITY.fullmatch(text)
            if not form:
                self._fault(
                    line,
                    mark(
                        "write a city as its code, its name and the number of its cards: “SF San Francisco 1”"
                    ),
                )
                continue
            code, name, number = form.groups()
            if code in cities:
                self._fault(line, mark("{code} is there twice: give each city a code of its own"), code=code)
            elif name in names:
                self._fault(
                    line, mark("{name} is there twice: give each city a name of its own"), name=brief(name)
                )
            if not _plain(name, NAME):
                self._fault(
                    line, mark("a city's name has at most {most} letters, without “/” and “_”"), most=NAME
                )
            if not re.fullmatch("[0-3]", number):
                self._fault(
                    line, mark("a city gives 0 to 3 cards, not {number} (GR-7.8)"), number=brief(number)
                )
                number = "0"
            if code not in on_grid:
                self._fault(line, mark("{code} is not on the grid: write it there too"), code=code)
            if code not in cities:
                cities[code] = City(code, name, int(number))
                names.add(name)
        for code, places in on_grid.items():
            self._column[code] = places[0][1]
            if code not in cities:
                self._fault(
                    places[0][0],
                    mark("{code} has no line under “cities:”: write “{code} Name 1” there"),
                    code=code,
                )
            for line, _column in places[1:]:
                self._fault(line, mark("{code} is on the grid twice: a city has one space"), code=code)
        if len(cities) > CITIES:
            self._fault(
                self._heads["cities"],
                mark("a map has at most {most} cities, not {n}"),
                most=CITIES,
                n=len(cities),
            )
        return tuple(cities.values())

    def _known_codes(self, name: str, most: int) -> tuple[str, ...]:
        """The codes of a part: cities on the grid, each once, at most so many."""
        codes: list[str] = []
        for line, code in self._codes(name):
            if code not in self._column:
                self._fault(
                    line,
                    mark("there is no city {code} on the grid: name cities by their codes"),
                    code=brief(code),
                )
            elif code in codes:
                self._fault(line, mark("{code} is there twice: name it once"), code=code)
            else:
                codes.append(code)
        if len(codes) > most:
            self._fault(
                self._heads[name], mark("name at most {most} cities, not {n}"), most=most, n=len(codes)
            )
        return tuple(codes)

    def _end(self, name: str, column: int | None) -> tuple[str, ...]:
        """GR-1.11 the cities of an end lie in an outer column, so progress ends where the map does."""
        codes = self._known_codes(name, TOKENS)
        for code in codes:
            if column is not None and self._column[code] != column:
                self._fault(
                    self._heads[name],
                    mark(
                        "{code} lies in column {n}: the cities of “{name}:” lie in column {column} (GR-1.11)"
                    ),
                    code=code, n=self._column[code], name=name, column=column,
                )  # fmt: skip
        return codes

    def _tokens(self, west: Sequence[str], east: Sequence[str]) -> tuple[str, ...]:
        """GR-1.7 the cities with a city token: on a half map its middle cities."""
        middle = tuple(west if len(west) > 1 else east if len(east) > 1 else ())
        codes = self._known_codes("tokens", TOKENS)
        line = self._heads.get("tokens", 0)
        if len(west) > 1 and len(east) > 1:
            self._fault(
                self._heads["east"], mark("one end at least is a single purple city: name one city (GR-1.1)")
            )
        elif middle and codes and set(codes) != set(middle):
            self._fault(
                line,
                mark("on a half map the middle cities have the tokens: write “tokens: {codes}” (GR-1.7)"),
                codes=" ".join(middle),
            )
        elif not middle:
            for code in codes:
                if code in (*west, *east):
                    self._fault(line, mark("{code} is an end: it has no city token (GR-1.7)"), code=code)
        return middle or codes

    def _lanes(self) -> tuple[Lane, ...]:
        """GR-7.9 lanes, each for both directions."""
        lanes: dict[frozenset[str], Lane] = {}
        for line, text in self._part_lines("lanes"):
            form = _LANE.fullmatch(text)
            if not form:
                self._fault(line, mark("write a lane as two codes, sea or air, and its fare: “SE SF sea 60”"))
                continue
            start, end, kind, fare = form.groups()
            for code in (start, end):
                if code not in self._column:
                    self._fault(
                        line,
                        mark("there is no city {code} on the grid: name cities by their codes"),
                        code=code,
                    )
            if start == end:
                self._fault(line, mark("a lane joins two different cities"))
            elif frozenset((start, end)) in lanes:
                self._fault(
                    line,
                    mark("{one} and {other} have a lane already: it serves both directions"),
                    one=start, other=end,
                )  # fmt: skip
            if not re.fullmatch("[1-9][0-9]?0", fare):
                self._fault(
                    line, mark("a fare is 10, 20, … 990 francs, not {fare} (GR-7.9)"), fare=brief(fare)
                )
                continue
            lanes.setdefault(frozenset((start, end)), Lane(start, end, kind == "air", int(fare)))
        if len(lanes) > LANES:
            self._fault(
                self._heads["lanes"],
                mark("a map has at most {most} lanes, not {n}"),
                most=LANES,
                n=len(lanes),
            )
        return tuple(lanes.values())

    def _tiles(self) -> tuple[int, ...]:
        """GR-1.6 the tiles of each kind: those of a shipped set, or as they are counted."""
        words = [
            (line, " ".join(part.split()))
            for line, text in self._part_lines("tiles")
            for part in text.split(",")
        ]
        if len(words) == 1 and words[0][1] in SETS:
            return SETS[words[0][1]]
        first_set, second_set = SETS
        counts: dict[str, int] = {}
        for line, part in words:
            form = _TILES.fullmatch(part)
            if not form or form[1] not in WORDS:
                self._fault(
                    line,
                    mark(
                        "“{part}” is no tile: write {one} or {other}, or kinds and how many, as in “mud 14”; "
                        "the kinds are {kinds}"
                    ),
                    part=brief(part), one=first_set, other=second_set, kinds=", ".join(WORDS),
                )  # fmt: skip
            elif form[1] in counts:
                self._fault(line, mark("{kind} is there twice: write how many in all"), kind=form[1])
            elif not re.fullmatch("0|[1-9][0-9]?", form[2]):
                self._fault(
                    line,
                    mark("there are 0 to {most} tiles of a kind, not {n} (GR-1.6)"),
                    most=MOST, n=brief(form[2]),
                )  # fmt: skip
                counts[form[1]] = 0
            else:
                counts[form[1]] = int(form[2])
        return tuple(counts.get(kind.word, 0) for kind in KINDS)

    def _ways(self, map_read: Map) -> None:
        """Every space can be reached over land, with the tiles that there are; no two cities touch."""
        lines = [line for line, _text in self._part_lines("grid")]
        cities = [space for space in range(len(map_read.spaces)) if map_read.land(space) == CITY]
        for space in cities:
            for neighbour in map_read.beside(space):
                if neighbour in cities and neighbour > space:
                    self._fault(
                        lines[map_read.spaces[space][1]],
                        mark("{one} and {other} are neighbours: leave a space between two cities"),
                        one=map_read.name(space), other=map_read.name(neighbour),
                    )  # fmt: skip
        if not (map_read.west and map_read.east):
            return
        start = map_read.space(map_read.west[0])
        reached = map_read.reach(start)
        if lost := [map_read.name(space) for space in range(len(map_read.spaces)) if space not in reached]:
            others_words = Sentence(" and {n} more", n=len(lost) - _SHOWN) if len(lost) > _SHOWN else ""
            self._fault(
                self._heads["grid"],
                mark("no way over land leads from {start} to {spaces}{more}: join all spaces"),
                start=map_read.name(start), spaces=", ".join(lost[:_SHOWN]), more=others_words,
            )  # fmt: skip
            return
        need = max(
            map_read.reach(map_read.space(western))[map_read.space(eastern)]
            for western in map_read.west
            for eastern in map_read.east
        )
        if self._part_lines("tiles") and sum(map_read.tiles) < need:
            self._fault(
                self._heads["tiles"],
                mark(
                    "the way from end to end takes up to {need} tiles, and there are {n}: add some (GR-1.9)"
                ),
                need=need, n=sum(map_read.tiles),
            )  # fmt: skip


def _cells(text: str) -> tuple[str, ...]:
    """The cells of a row of the grid, two letters each."""
    return tuple(word[i : i + 2] for word in text.split() for i in range(0, len(word), 2))


def _plain(words: str, most: int) -> bool:
    """Whether a text can stand in a word and in the Setup."""
    return len(words) <= most and words.isprintable() and max(words) < "\u8000" and not set(words) & set("/_")


def _heads(names: Sequence[str]) -> str:
    return ", ".join(f"{name}:" for name in names)


def map_text(map: Map) -> str:
    """The map as a file; ``Reader`` reads it back."""
    set_name = next((name for name, counts in SETS.items() if counts == map.tiles), "")
    counts = [f"{kind.word} {n}" for kind, n in zip(KINDS, map.tiles, strict=True) if n]
    full = len(map.west) == len(map.east) == 1
    lines = [
        f"title: {map.title}",
        *([f"note: {map.note}"] if map.note else []),
        f"west: {' '.join(map.west)}",
        f"east: {' '.join(map.east)}",
        *([f"tokens: {' '.join(map.tokens)}"] if full and map.tokens else []),
        *([f"tiles: {set_name}"] if set_name else ["tiles:", *counts]),
        "",
        "grid:",
        *(" ".join(row) for row in map.grid),
        "",
        "cities:",
        *(f"{city.code} {city.name} {city.number}" for city in map.cities),
    ]
    if map.lanes:
        lines += ["", "lanes:"]
        lines += [f"{lane.one} {lane.other} {'air' if lane.air else 'sea'} {lane.fare}" for lane in map.lanes]
    return "\n".join(lines) + "\n"


def map_word(map: Map) -> str:
    """The map as one word; ``Reader`` reads it back."""
    lines = [line for line in map_text(map).splitlines() if line]
    first = lines.index("grid:") + 1
    for i in range(first, first + len(map.grid)):
        lines[i] = lines[i].replace(" ", "")
    return "/".join(lines).replace(" ", "_")
