"""The Great Race: what cards, tiles, spaces and leaders are called in notation and sentences.

A word of notation is one lower-case word, with hyphens; a city is its code in capitals; any other space is
the number of its column and the letter of its row: ``7d``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _, mark, message_of, pgettext, plural, pmark
from paddock.games.great_race.maps import tiles
from paddock.games.great_race.maps.board import hex_name
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import BOXES, CODE, NAME, OFF, PLANS, Setup
from paddock.kernel import Grid

CARD_NAMES = (
    mark("Trail Hunter"), mark("Saboteur"), mark("Repairman"), mark("Militia"), pmark("card", "Driver"),
    mark("Con Artist"), mark("Cartographer"), mark("Financial"), pmark("card", "Transport"),
    mark("Jerrycan"), mark("Refueling Station"), pmark("card", "Guide"), mark("Engine Parts"),
    mark("Chassis Parts"), mark("Toolbox"), mark("Tracker"), mark("Ransom"), mark("Siphoner"),
    pmark("card", "Customs"), mark("Topographer"),
)  # fmt: skip
_EFFECTS = {
    state.TRAIL_HUNTER: mark("removes two tiles from the board"),
    state.REPAIRMAN: mark("repairs, as a mechanic does"),
    state.MILITIA: mark("avoids a danger"),
    state.DRIVER: mark("drives, as a pilot does"),
    state.CON_ARTIST: mark("swaps two tiles on the board"),
    state.CARTOGRAPHER: mark("draws three tiles and places them"),
    state.FINANCIAL: mark("brings {financial} F"),
    state.TRANSPORT: mark("takes {transport} F off the fare of a lane"),
    state.GUIDE: mark("ignores a stop sign"),
    state.ENGINE_PARTS: mark("repairs one level of the engine"),
    state.CHASSIS_PARTS: mark("repairs one level of the chassis"),
    state.TRACKER: mark("draws three cards, of which you keep two"),
    state.RANSOM: mark("takes {ransom} F from a rival"),
    state.SIPHONER: mark("takes petrol from a rival"),
    state.TOPOGRAPHER: mark("draws four tiles, of which you place two"),
}


class CardNumbers(Protocol):
    """What the cards say of the numbers of the rules: a ``Setup`` and a ``View`` have them."""

    @property
    def saboteur(self) -> int:
        """GR-10.2 levels that a Saboteur takes."""

    @property
    def financial(self) -> int:
        """GR-10.8 francs."""

    @property
    def transport_worth(self) -> int:
        """GR-7.9 francs off a fare."""

    @property
    def jerrycan(self) -> int:
        """GR-10.10 levels of petrol."""

    @property
    def refueling(self) -> int:
        """GR-10.11 levels of petrol."""

    @property
    def toolbox(self) -> int:
        """GR-10.14 levels of engine and chassis."""

    @property
    def ransom(self) -> int:
        """GR-10.16 francs."""

    @property
    def customs(self) -> int:
        """GR-10.18 cards."""


def card_effect(g: CardNumbers, kind: int) -> str:
    """Return what a kind of card does, as a part of a sentence."""
    if kind == state.SABOTEUR:
        return plural(
            "takes {n} level off a rival's engine and chassis",
            "takes {n} levels off a rival's engine and chassis",
            g.saboteur,
        )
    if kind == state.JERRYCAN:
        return plural("adds {n} level of petrol", "adds {n} levels of petrol", g.jerrycan)
    if kind == state.REFUELING_STATION:
        return plural("adds {n} level of petrol", "adds {n} levels of petrol", g.refueling)
    if kind == state.TOOLBOX:
        return plural("repairs {n} level", "repairs {n} levels", g.toolbox)
    if kind == state.CUSTOMS:
        return plural("makes a rival discard {n} card", "makes a rival discard {n} cards", g.customs)
    return _(_EFFECTS[kind]).format(financial=g.financial, transport=g.transport_worth, ransom=g.ransom)


def card_number(g: CardNumbers, kind: int) -> str:
    """Return the number on the picture of a kind of card; empty where there is none."""
    levels = {
        state.JERRYCAN: g.jerrycan,
        state.REFUELING_STATION: g.refueling,
        state.TOOLBOX: g.toolbox,
    }
    if kind == state.FINANCIAL:
        return str(g.financial)
    return f"+{levels[kind]}" if kind in levels else ""


LEADER_NAMES = (
    mark("Dr Alexander Cook"), mark("Boris Obroutchev"), mark("Baron Von Dörfpeld"), mark("Li Jiaxiang"),
    mark("Red Kate"),
)  # fmt: skip
LEADER_POWERS = (
    mark("a free security guard each turn"),
    mark("starts with one level more on each gauge"),
    mark("draws three cards in a city and keeps its number"),
    mark("one more assistant on odd turns"),
    mark("steals a card once a turn"),
)
BOX_NAMES = (mark("Pathfinder"), mark("Mechanics"), mark("Security"), mark("Funding"))


CARDS = tuple(tiles.word_of(message_of(name)) for name in CARD_NAMES)
TILE_NAMES = tuple(kind.name for kind in tiles.KINDS)
TILES = tiles.WORDS
LEADERS = ("cook", "boris", "baron", "li", "kate")


def card_name(kind: int) -> str:
    """A card in a sentence: «Trail Hunter»."""
    return _(CARD_NAMES[kind])


def tile_name(kind: int) -> str:
    """A tile in a sentence: «Deep sand»."""
    return _(TILE_NAMES[kind])


def tile_facts(petrol: int, damage: int, danger: bool, stop: bool) -> list[str]:
    """What a tile costs: «2 petrol», «1 damage», «stop»."""
    facts = [_("{n} petrol").format(n=petrol)]
    if damage:
        facts.append(_("{n} damage").format(n=damage))
    if danger:
        facts.append(_("danger"))
    if stop:
        facts.append(pgettext("sign on a tile", "stop"))
    return facts


def leader_name(leader: int) -> str:
    """A leader in a sentence."""
    return _(LEADER_NAMES[leader])


def city_name(g: Setup, space: int) -> str:
    """The name of the city on this space."""
    return _letters(g.name, g.city[space], NAME)


def city_code(g: Setup, space: int) -> str:
    """The two letters of the city on this space."""
    return _letters(g.code, g.city[space], CODE)


def _letters(grid: Grid, city: int, most: int) -> str:
    """The text of a city, which a grid holds as code points with zeros after the end."""
    return "".join(chr(letter) for letter in line_of(grid, city, most) if letter)


def line_of(grid: Grid, i: int, width: int) -> list[int]:
    """A line of a grid as a list."""
    return [grid[i, j] for j in range(width)]


def each(names: Sequence[str], counts: Sequence[int]) -> tuple[str, ...]:
    """The name of every card or tile: of each kind as often as it is there."""
    return tuple(names[kind] for kind, count in enumerate(counts) for _i in range(count))


def space_name(g: Setup, space: int) -> str:
    """A space in notation: ``SF`` or ``7d``."""
    if g.city[space] != OFF:
        return city_code(g, space)
    return hex_name(g.column[space], g.row[space])


def space_of(g: Setup, name: str) -> int:
    """The space of a name; raises ``BadMove``."""
    for space in range(g.spaces):
        if space_name(g, space) == name:
            return space
    raise BadMove(
        _("“{text}” is no space of this map: write a city as SF, another space as 7d").format(
            text=brief(name)
        )
    )


def plan_word(g: Setup, plan: int) -> str:
    """A plan in notation: the assistants in each box, ``2-1-1-1``."""
    return "-".join(map(str, line_of(g.plan, plan, BOXES)))


def plan_of(g: Setup, word: str) -> int:
    """The plan of such a word; raises ``BadMove``."""
    if re.fullmatch("[0-6](-[0-6]){3}", word):
        boxes = [int(number) for number in word.split("-")]
        for plan in range(PLANS):
            if boxes == line_of(g.plan, plan, BOXES):
                return plan
    raise BadMove(
        _("“{text}” is no plan: write how many assistants go to Pathfinder, Mechanics, Security and Funding, "
          "as in 2-1-1-1").format(text=brief(word))
    )  # fmt: skip


def plan_words(g: Setup, plan: int) -> str:
    """A plan in a sentence: «2 on Pathfinder, 1 on Mechanics»."""
    return _(", ").join(
        _("{n} on {box}").format(n=g.plan[plan, box], box=_(BOX_NAMES[box]))
        for box in range(BOXES)
        if g.plan[plan, box]
    )
