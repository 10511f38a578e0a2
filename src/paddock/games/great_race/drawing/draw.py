"""The Great Race: what a view looks like: maps, dashboards, cards, poster and podium, as SVG.

The drawings are made in ``draw_map``, ``draw_land``, ``draw_crews``, ``draw_cards`` and ``draw_posters``;
what they share is in ``pieces``.
"""

from __future__ import annotations

from dataclasses import replace

from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.games.great_race.drawing.cards import card, card_in, faces, leader, tile
from paddock.games.great_race.drawing.crews import abreast, box, dashboard, gauges, mark, notes, panel
from paddock.games.great_race.drawing.land import symbols, waves
from paddock.games.great_race.drawing.map import board, map_svg, overview, size, space_words, tile_words
from paddock.games.great_race.drawing.pieces import CREAM, FONT, INK, NS, R, coarse, hexagon
from paddock.games.great_race.drawing.posters import Finisher, podium, poster, wordmark
from paddock.games.great_race.rulebook import TITLE, Options
from paddock.games.great_race.rules.state import State
from paddock.games.great_race.words.view import View
from paddock.games.great_race.words.view import view as view_of
from paddock.parts.drawing import DrawnHand, aria, standalone, with_hands

__all__ = [
    "Finisher",
    "abreast",
    "board",
    "box",
    "card",
    "card_in",
    "dashboard",
    "drawn_map",
    "gauges",
    "leader",
    "map_svg",
    "mark",
    "notes",
    "overview",
    "panel",
    "picture",
    "podium",
    "poster",
    "space_words",
    "sprite",
    "svg",
    "tile",
    "tile_words",
    "wordmark",
]


def sprite() -> str:
    """The symbols that the drawings refer to. A page contains them once, outside what updates replace."""
    drawn = "".join(f'<g id="gr-{name}">{shape}</g>' for name, shape in (symbols() | faces()).items())
    return (
        f'<svg {NS} class="gr-sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>'
        f'<clipPath id="gr-inside"><path d="{hexagon(R - 0.8)}"/></clipPath>{waves()}{drawn}</defs></svg>'
    )


def svg(view: View) -> str:
    """The map, every dashboard and the visible hands as a drawing that stands alone, outside any page."""
    width, height = size(view)
    columns = max(2, int(width // 440))
    rows = -(-len(view.teams) // columns)
    board = width / columns
    row = board * 116 / 680  # a dashboard and the gap above it
    boards = "".join(
        _placed(dashboard(team), board * (i % columns), height + 10 + row * (i // columns), board, row - 10)
        for i, team in enumerate(view.teams)
    )
    whole = (
        f'<svg {NS} viewBox="0 0 {width:g} {height + 10 + row * rows:.0f}" {aria(_("The Great Race"))}>'
        f'<rect width="100%" height="100%" fill="{CREAM}"/>{sprite()}'
        f"{_placed(map_svg(view), 0, 0, width, height)}{boards}</svg>"
    )
    hands = [
        DrawnHand(f"{t.seat + 1} {t.name}", list(map(card_in(view), t.hand))) for t in view.teams if t.hand
    ]
    return standalone(with_hands(whole, hands, ground=CREAM, ink=INK, font=FONT))


def picture(view: View) -> str:
    """The map in its simpler form, for the small picture of a link."""
    map = map_svg(view, calm=True)
    head, end, remainder = map.partition("><g>")
    return standalone(coarse(f"{head}>{sprite()}{end[1:]}{remainder}"))


def _placed(drawing: str, x: float, y: float, width: float, height: float) -> str:
    """A drawing as a part of another one."""
    place = f'x="{x:g}" y="{y:.1f}" width="{width:g}" height="{height:.1f}"'
    return drawing.replace(f"<svg {NS}", f"<svg {place}", 1)


def drawn_map(text: str) -> str:
    """A map before the race, as a drawing that stands alone; ``text`` is its name or its file."""
    options = Options.read({"map": text})
    g, s = TITLE.setup_of(options), State()
    TITLE.rules.start(s, g)
    seen = Seen(TITLE, options, g, s, 0, (), ("",) * options.players)
    return svg(replace(view_of(seen), teams=()))
