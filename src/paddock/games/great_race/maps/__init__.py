"""The Great Race: the room ``maps``, and the shipped maps. ``docs/maps.md`` describes the format."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from paddock.core.errors import BadValue, brief
from paddock.core.i18n import _, mark, plural
from paddock.games.great_race.maps.board import Map
from paddock.games.great_race.maps.form import Reader, map_word

# What a player reads of each; the first six are those of the rulebook
SHIPPED = {
    "usa-west": (mark("USA, the west"), mark("San Francisco to a middle city.")),
    "usa-east": (mark("USA, the east"), mark("A middle city to New York.")),
    "asia-west": (mark("Asia, the west"), mark("Beirut to a middle city.")),
    "asia-east": (mark("Asia, the east"), mark("A middle city to Beijing.")),
    "usa": (mark("The whole USA"), mark("San Francisco to New York.")),
    "asia": (mark("All of Asia"), mark("Beirut to Beijing.")),
}


def source(name: str) -> str:
    """The file of a shipped map."""
    return files(__package__).joinpath(f"{name}.map").read_text("utf-8")


@lru_cache(maxsize=64)
def _reader(text: str) -> Reader:
    """Return a text as it was read, with or without faults: a page asks again for each of its options."""
    return Reader(source(text) if text in SHIPPED else text)


def check(text: str) -> list[str]:
    """Return the faults of a map as sentences, the first ones of many; none if it can be raced on."""
    return [str(fault) for fault in _reader(text).faults]


def read_map(text: str) -> Map:
    """Return the map of a name, a file or a word; raise ``ValueError`` with its faults."""
    if text not in SHIPPED and ":" not in text:
        advice = _("this is no map: a map has headings, such as “title:” and “grid:”")
        if not text.strip():
            advice = _("choose a file, or paste a map")
        raise BadValue(
            advice,
            write=_("“{text}” is no map: name one of {maps}, or give a file as map=@my.map").format(
                text=brief(text), maps=", ".join(SHIPPED)
            ),
        )
    reader = _reader(text)
    if reader.map is None:
        raise BadValue(*check(text))
    return reader.map


def word(text: str) -> str:
    """Return the option's word for a map: the name of a shipped one, else the whole map."""
    return text if text in SHIPPED else map_word(read_map(text))


def summary(text: str) -> str:
    """Return what a map has, in one line; raise ``ValueError`` with its faults."""
    map_read = read_map(text)
    parts = [
        plural("{n} column", "{n} columns", map_read.columns),
        plural("{n} space", "{n} spaces", len(map_read.spaces)),
        plural("{n} city", "{n} cities", len(map_read.cities)),
        plural("{n} lane", "{n} lanes", len(map_read.lanes)),
        plural("{n} tile", "{n} tiles", sum(map_read.tiles)),
    ]
    return _("{title}: {parts}").format(title=map_read.title, parts=_(", ").join(parts))
