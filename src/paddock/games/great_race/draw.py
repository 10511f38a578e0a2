"""The Great Race: what a view looks like: the map, the dashboards, the poster and the podium, as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import hypot

from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.games.great_race.pieces import (
    CREAM,
    GROUNDS,
    HIGH,
    INK,
    NS,
    ON_PAINTS,
    PAINTS,
    PURPLE,
    RED,
    SEA,
    SERIF,
    TEXT,
    R,
    gauge,
    half_track,
    hexagon,
    sign,
    sprite,
    text,
)
from paddock.games.great_race.rulebook import TITLE, Options
from paddock.games.great_race.state import State
from paddock.games.great_race.tiles import KINDS
from paddock.games.great_race.view import Lane, Space, Team, View
from paddock.games.great_race.view import view as view_of
from paddock.games.great_race.words import BOX_NAMES, LEADERS, card_name, leader_name, tile_facts, tile_name
from paddock.games.great_race.words import CARDS as CARD_WORDS
from paddock.games.great_race.words import TILES as TILE_WORDS
from paddock.parts import drawing as parts
from paddock.parts.drawing import aria, podium_says, short, standalone

__all__ = [
    "Finisher",
    "board",
    "box",
    "card",
    "dashboard",
    "drawn_map",
    "gauges",
    "leader",
    "map_svg",
    "mark",
    "panel",
    "podium",
    "poster",
    "sprite",
    "svg",
    "tile",
]

MARGIN = 20.0  # above and below the map: the flag of a city in the top row needs it
ASIDE = 34.0  # on the left and on the right, for the names of cities
TRACK = 46.0  # height of the progress track below the map


@dataclass(frozen=True)
class Finisher(parts.Finisher):
    """A crew on the podium; its points are prestige, and its place is 0 if it has not finished."""

    seat: int


def middle(space: Space) -> tuple[float, float]:
    """Where a space lies in the drawing of the map."""
    x = _middle_of(space.column)
    y = MARGIN + HIGH / 2 + HIGH * space.row + (HIGH / 2 if space.column % 2 else 0)
    return x, y


def _middle_of(column: int) -> float:
    return ASIDE + R + 1.5 * R * column


def size(view: View) -> tuple[float, float]:
    """Width and height of the map."""
    rows = 1 + max(space.row for space in view.spaces)
    wide = 2 * ASIDE + 2 * R + 1.5 * R * (view.columns - 1)
    return wide, 2 * MARGIN + HIGH * (rows + 0.5) + TRACK


def map_svg(view: View) -> str:
    """The map with its tiles, lanes, half-tracks and the progress track. It refers to ``sprite``."""
    return board(view)


def board(
    view: View,
    way: Sequence[int] = (),
    ghost: tuple[str, int] | None = None,
    moves: Mapping[int, str] = {},
    *,
    labels: Mapping[int, str] = {},
    cost: Mapping[str, int] = {},
) -> str:
    """The map as one can use it. It refers to ``sprite``.

    - ``way``: spaces in the order in which they are entered, the start of the drive first, drawn as a route;
      ``cost`` is what it costs (petrol, damage, danger, francs, as ``chains.cost`` has them), written at its
      end.
    - ``ghost``: a tile's name in notation and the space where it is about to lie.
    - ``moves``: space → the notation that a click on it adds to the chain (or sends). These spaces are
      buttons with ``data-move``; a way of several links (with «;») looks like a destination, a single link
      like a next step. ``labels`` names them in words: space → sentence; without one, the space is described.

    Ids that stay: ``gr-s<space>`` for spaces, ``gr-crew<seat>`` for half-tracks, ``gr-token<seat>`` for
    tokens on the progress track, ``gr-way``, ``gr-ghost``.
    """
    wide, high = size(view)
    land = "".join(_space(view, space) for space in view.spaces if not space.city)
    cities = "".join(_space(view, space) for space in view.spaces if space.city)
    lanes = "".join(_lane(view, lane) for lane in view.lanes)
    labels = "".join(_city(space) for space in view.spaces if space.city)
    fares = "".join(_fares(view))
    crews = "".join(_crews(view))
    name = _("Map: {n} spaces, {tiles}, {crews}").format(
        n=len(view.spaces),
        tiles=plural("{n} tile", "{n} tiles", sum(bool(space.tile) for space in view.spaces)),
        crews=plural("{n} half-track", "{n} half-tracks", len(view.teams)),
    )
    return (
        f'<svg {NS} class="gr-map" viewBox="0 0 {wide:g} {high:.1f}" {aria(name)} font-family="{SERIF}">'
        f'<rect width="{wide:g}" height="{high:.1f}" rx="6" fill="{SEA}"/>'
        f"<g>{land}</g><g>{lanes}</g><g>{cities}</g><g>{labels}</g><g>{fares}</g><g>{crews}</g>"
        f"{_track(view, wide, high)}</svg>"
    )


def _space(view: View, space: Space) -> str:
    x, y = middle(space)
    kind = space.tile or ("end" if space.end else space.land)
    title = f"<title>{escape(space_words(view, space))}</title>"
    dark = ""
    if space.tile and space.land == "risk":  # the tile of a risk zone costs one more
        dark = (
            f'<path d="{hexagon(R - 1)}" transform="translate({x:g} {y:.2f})" fill="none" stroke="{INK}" '
            'stroke-width="3.4" stroke-dasharray="5 3"/>'
        )
    return f'<g id="gr-s{space.space}">{title}<use href="#gr-{kind}" x="{x:g}" y="{y:.2f}"/>{dark}</g>'


def space_words(view: View, space: Space) -> str:
    """A space in words: «7d: Canyon, 2 petrol, 1 damage, stop»."""
    if space.city:
        cards = plural("{n} card", "{n} cards", space.cards)
        words = _("{city}, {cards}").format(city=space.city, cards=cards)
        ends = {"start": _("the start"), "destination": _("the destination")}
        return _(", ").join([words, ends[space.end]]) if space.end else words
    where = _("{name}, risk zone") if space.land == "risk" else "{name}"
    return _("{place}: {what}").format(
        place=where.format(name=space.name), what=tile_words(view, space.tile, space.land == "risk")
    )


def tile_words(view: View, name: str, risk: bool = False) -> str:
    """A tile in words: «Canyon, 2 petrol, 1 damage, stop»; unknown land for none."""
    if not name:
        return _("unknown land")
    kind = TILE_WORDS.index(name)
    tile = view.tiles[kind]
    facts = tile_facts(tile.petrol + int(risk), tile.damage, tile.danger, tile.stop)
    return _(", ").join([tile_name(kind), *facts])


def _arc(view: View, lane: Lane) -> tuple[tuple[float, float], ...]:
    """The ends of a lane's arc, and between them the point that bends it."""
    (ax, ay), (bx, by) = (middle(view.spaces[end]) for end in lane.ends)
    bend = 0.22
    return (ax, ay), ((ax + bx) / 2 + bend * (by - ay), (ay + by) / 2 - bend * (bx - ax)), (bx, by)


def _lane(view: View, lane: Lane) -> str:
    """A lane as an arc: by sea in long dashes, by air in dots."""
    (ax, ay), (mx, my), (bx, by) = _arc(view, lane)
    dash = "1 6" if lane.air else "9 5"
    arc = f"M{ax:g} {ay:.1f}Q{mx:.1f} {my:.1f} {bx:g} {by:.1f}"
    return (
        f'<path d="{arc}" fill="none" stroke="{CREAM}" stroke-width="5" stroke-opacity=".75"/>'
        f'<path d="{arc}" fill="none" stroke="{PURPLE}" stroke-width="2.6" stroke-dasharray="{dash}" '
        'stroke-linecap="round"/>'
    )


def _fares(view: View) -> list[str]:
    """The price of each lane on its arc, where it hides no city and no other price."""
    taken = [middle(space) for space in view.spaces if space.city]
    parts = []
    for lane in view.lanes:
        (ax, ay), (mx, my), (bx, by) = _arc(view, lane)
        points = [
            (
                (1 - t) ** 2 * ax + 2 * t * (1 - t) * mx + t * t * bx,
                (1 - t) ** 2 * ay + 2 * t * (1 - t) * my + t * t * by,
            )
            for t in (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7)
        ]
        # a price and a name are broad, so what is beside is nearer than what is above
        x, y = max(points, key=lambda p: min(hypot((p[0] - x) / 2, p[1] - y) for x, y in taken))
        taken.append((x, y))
        kind = "✈" if lane.air else "⚓"
        parts.append(
            f'<g transform="translate({x:.1f} {y:.1f})"><rect x="-21" y="-8" width="42" height="16" rx="8" '
            f'fill="{CREAM}" stroke="{PURPLE}" stroke-width="1.4"/>'
            + text(0, 4, 11, f"{kind} {lane.fare}", INK, bold=True)
            + "</g>"
        )
    return parts


def _city(space: Space) -> str:
    """The name of a city, where it hides no tile beside, and its number of cards."""
    x, y = middle(space)
    halo = f' stroke="{CREAM}" stroke-width="3" paint-order="stroke"'
    chip = (
        f'<g transform="translate({x + 13:g} {y - 13:.1f})"><rect x="-6" y="-8" width="12" height="16" '
        f'rx="2" fill="{RED}" stroke="{CREAM}" stroke-width="1.4"/>'
        + text(0, 4.4, 12, str(space.cards), CREAM, bold=True)
        + "</g>"
        if space.cards and space.end != "destination"
        else ""
    )
    flag = ""
    if space.end:
        word = _("START") if space.end == "start" else _("FINISH")
        flag = (
            f'<g transform="translate({x:g} {y - 29:.1f})"><path d="M-22-9H22L17 0L22 9H-22Z" '
            f'fill="{PURPLE}" stroke="{CREAM}" stroke-width="1.4"/>'
            + text(-1, 4, 10.5, word, CREAM, bold=True)
            + "</g>"
        )
    return text(x, y + 7, 11, space.city, INK, bold=True, more=halo) + chip + flag


def _crews(view: View) -> list[str]:
    """The half-tracks, those on one space side by side."""
    parts = []
    for space in view.spaces:
        here = [team for team in view.teams if team.space == space.space]
        x, y = middle(space)
        for i, team in enumerate(here):
            aside = 15 * (i - (len(here) - 1) / 2)
            down = (21 if space.city else 13) + 5 * (i % 2)  # below the name of a city
            words = _("{name} in {place}").format(name=team.name, place=space.city or space.name)
            parts.append(
                f'<g id="gr-crew{team.seat}" {aria(words)} '
                f'transform="translate({x + aside:g} {y + down:.1f}) scale(.82)">'
                f'<use href="#gr-crew-{team.seat}"/></g>'
            )
    return parts


def _track(view: View, wide: float, high: float) -> str:
    """The progress track: a stack of tokens for each distance from the start, the earliest at the bottom."""
    starts = [space.column for space in view.spaces if space.end == "start"]
    if not starts:
        return ""
    top = high - TRACK
    parts = [f'<rect y="{top:.1f}" width="{wide:g}" height="{TRACK:g}" fill="{INK}" fill-opacity=".82"/>']
    for column in range(view.columns):
        x = _middle_of(column)
        far = abs(column - starts[0])
        parts.append(f'<path d="M{x:g} {high - 15:.1f}v-4" stroke="{CREAM}" stroke-width="1.4"/>')
        if far % 3 == 0:
            parts.append(text(x, high - 4, 10.5, str(far), CREAM))
    for progress in {team.progress for team in view.teams}:
        stack = [seat for seat in view.stack if view.teams[seat].progress == progress]
        way = 1 if starts[0] == min(space.column for space in view.spaces) else -1
        x = _middle_of(starts[0] + way * progress)
        for i, seat in enumerate(stack):
            parts.append(
                f'<g transform="translate({x:g} {high - 24 - 7 * i:.1f})"><rect x="-11" y="-5" width="22" '
                f'height="10" rx="3" fill="{PAINTS[seat]}" stroke="{CREAM}" stroke-width="1.2"/>'
                + text(0, 3.6, 9.5, str(seat + 1), ON_PAINTS[seat], bold=True)
                + "</g>"
            )
    return "".join(parts)


# ---- the dashboard ------------------------------------------------------------------------------


def dashboard(team: Team) -> str:
    """A crew's dashboard: three gauges, money, assistants and cards."""
    boxes = team.assistants or (0, 0, 0, 0)
    crew = "".join(
        f'<g transform="translate({306 + 74 * box} 30)">'
        f'<rect x="-33" y="-22" width="66" height="62" rx="6" fill="{CREAM}" '
        f'stroke="{INK}" stroke-width="1.6"/>'
        + text(0, 34, 10.5, _(BOX_NAMES[box]), INK)
        + "".join(_assistant(-23 + 9 * i, 2) for i in range(boxes[box]))
        + "</g>"
        for box in range(4)
    )
    cards = plural("{n} card", "{n} cards", team.cards)
    facts = _("{francs} F · {cards}").format(francs=team.money, cards=cards)
    words = _("{name}: petrol {petrol}, engine {engine}, chassis {chassis}, {francs} F, {cards}").format(
        name=team.name,
        petrol=team.petrol,
        engine=team.engine,
        chassis=team.chassis,
        francs=team.money,
        cards=cards,
    )
    most = max(team.gauge_max, team.petrol, team.engine, team.chassis)
    return (
        f'<svg {NS} class="gr-dashboard" viewBox="0 0 570 130" {aria(words)} font-family="{SERIF}">'
        f'<g transform="translate(16 20)">{sign(team.seat, PAINTS[team.seat], ON_PAINTS[team.seat])}</g>'
        + gauge(_("petrol"), team.petrol, most, 70, 46)
        + gauge(_("engine"), team.engine, most, 150, 46)
        + gauge(_("chassis"), team.chassis, most, 230, 46)
        + crew
        + text(417, 96, 18, team.name, TEXT)
        + text(417, 120, 18, facts, TEXT, bold=True)
        + "</svg>"
    )


def _assistant(x: float, y: float) -> str:
    """A small figure with a cap."""
    return (
        f'<g transform="translate({x:g} {y:g})"><circle cy="-9" r="4" fill="{INK}"/>'
        f'<path d="M-5-10H6M-4.6 8V1A4.6 4.6 0 0 1 4.6 1V8Z" fill="{INK}" stroke="{INK}"/></g>'
    )


def gauges(team: Team) -> str:
    """A dashboard on one line for a phone (360 by 44): sign, three gauges, money, assistants, cards."""
    return dashboard(team)


def panel(team: Team) -> str:
    """The dashboard of the reader's own crew: gauges, banknotes, and the boxes of assistants with both uses
    of each in words."""
    return dashboard(team)


def mark(seat: int) -> str:
    """A seat's sign as a small drawing, hidden from screen readers: a name stands beside it."""
    return (
        f'<svg {NS} class="gr-mark" viewBox="-16 -16 32 32" {aria("", named=False)} font-family="{SERIF}">'
        f"{sign(seat, PAINTS[seat], ON_PAINTS[seat])}</svg>"
    )


def tile(name: str) -> str:
    """A tile as a drawing of its own; ``name`` is its notation. It refers to ``sprite``."""
    kind = KINDS[TILE_WORDS.index(name)]
    facts = tile_facts(kind.petrol, kind.damage, kind.danger, kind.stop)
    words = _(", ").join([_(kind.name), *facts])
    return f'<svg {NS} class="gr-tile" viewBox="-25 -22 50 44" {aria(words)}><use href="#gr-{name}"/></svg>'


def box(n: int) -> str:
    """The sign of a box for assistants, in the order of ``words.BOX_NAMES``; hidden from screen readers."""
    return f'<svg {NS} class="gr-box" viewBox="-16 -16 32 32" {aria("", named=False)}></svg>'


def leader(word: str) -> str:
    """A leader's portrait (100 by 124); ``word`` is their notation."""
    name = leader_name(LEADERS.index(word))
    return f'<svg {NS} class="gr-leader" viewBox="0 0 100 124" {aria(name)}></svg>'


def card(word: str) -> str:
    """A resource card face up; ``word`` is its notation."""
    name = card_name(CARD_WORDS.index(word))
    lines = name.split(" ", 1)
    words = "".join(text(50, 58 + 17 * i, 15, line, INK, bold=True) for i, line in enumerate(lines))
    return (
        f'<svg {NS} class="gr-card" viewBox="0 0 100 124" {aria(name)} font-family="{SERIF}">'
        f'<rect x="2" y="2" width="96" height="120" rx="9" fill="{CREAM}" stroke="{INK}" stroke-width="3"/>'
        f'<path d="M2 98H98V113A9 9 0 0 1 89 122H11A9 9 0 0 1 2 113Z" fill="{GROUNDS[2]}"/>'
        f'<path d="M10 22H90M10 26H90" stroke="{RED}" stroke-width="2"/>{words}</svg>'
    )


# ---- pictures of the whole ----------------------------------------------------------------------


def svg(view: View) -> str:
    """The map and every dashboard as a drawing that stands alone, outside any page of ours."""
    wide, high = size(view)
    columns = max(2, int(wide // 440))
    rows = -(-len(view.teams) // columns)
    board = wide / columns
    row = board * 140 / 570  # a dashboard and the gap above it
    boards = "".join(
        _placed(dashboard(team), board * (i % columns), high + 10 + row * (i // columns), board, row - 10)
        for i, team in enumerate(view.teams)
    )
    whole = (
        f'<svg {NS} viewBox="0 0 {wide:g} {high + 10 + row * rows:.0f}" {aria(_("The Great Race"))}>'
        f'<rect width="100%" height="100%" fill="{CREAM}"/>{sprite()}'
        f"{_placed(map_svg(view), 0, 0, wide, high)}{boards}</svg>"
    )
    return standalone(whole)


def _placed(drawing: str, x: float, y: float, wide: float, high: float) -> str:
    """A drawing as a part of another one."""
    place = f'x="{x:g}" y="{y:.1f}" width="{wide:g}" height="{high:.1f}"'
    return drawing.replace(f"<svg {NS}", f"<svg {place}", 1)


def drawn_map(text: str) -> str:
    """A map before the race, as a drawing that stands alone; ``text`` is its name or its file."""
    options = Options.read({"map": text})
    g, s = TITLE.setup_of(options), State()
    TITLE.rules.start(s, g)
    seen = Seen(TITLE, options, g, s, 0, (), ("",) * options.players)
    return svg(replace(view_of(seen), teams=()))


def podium(finishers: Sequence[Finisher], *, heading: str = "") -> str:
    """The podium, for the table's last page."""
    top = sorted((f for f in finishers if f.place), key=lambda f: f.place)[:3]
    spots = {1: (300, 190), 2: (130, 240), 3: (470, 270)}
    parts = [f'<rect width="600" height="400" rx="8" fill="{GROUNDS[1]}"/>']
    parts.append(
        "".join(
            f'<path d="M300 400L{x} -60H{x + 60}Z" fill="{CREAM}" fill-opacity=".45"/>'
            for x in range(-420, 1020, 120)
        )
    )
    parts.append(text(300, 46, 32, heading or _("Podium"), INK, bold=True))
    for i, f in enumerate(top):
        x, y = spots[i + 1]
        parts.append(
            f'<path d="M{x - 78} {y}H{x + 78}V400H{x - 78}Z" fill="{INK}"/>'
            + text(x, y + 54, 44, str(f.place), CREAM, bold=True)
            + f'<g transform="translate({x} {y - 30}) scale(2.6)">{half_track(f.seat)}</g>'
            + text(x, y + 88, 19, short(f.name, 15), CREAM)
            + text(x, y + 114, 17, _("{n} prestige").format(n=f.points), CREAM)
        )
    name = aria(podium_says(top, heading))
    return (
        f'<svg {NS} class="gr-podium" viewBox="0 0 600 400" {name} font-family="{SERIF}">'
        f"{''.join(parts)}</svg>"
    )


# Rays of the sun, each between two directions.
RAYS = ((-1, -0.9, -0.7, -1), (-0.3, -1, 0.1, -1), (0.5, -1, 1, -0.9), (1, -0.4, 1, 0), (-1, -0.3, -1, 0.1))


def poster() -> str:
    """The title's poster for the home page."""
    rays = "".join(
        f'<path d="M196 150L{196 + 500 * dx} {150 + 500 * dy}L{196 + 500 * ex} {150 + 500 * ey}Z" '
        f'fill="{GROUNDS[1]}" fill-opacity=".75"/>'
        for dx, dy, ex, ey in RAYS
    )
    name = aria(_("Poster: a half-track climbs towards the sun over a map of hexes"))
    return (
        f'<svg {NS} class="gr-poster" viewBox="0 0 300 420" {name} font-family="{SERIF}">'
        f'<rect width="300" height="420" fill="#f0b95c"/>{rays}'
        f'<circle cx="196" cy="150" r="62" fill="{RED}"/>'
        f'<path d="M0 236L64 176L104 214L158 150L222 232L262 200L300 240V340H0Z" fill="#3d8a93"/>'
        f'<path d="M158 150L178 176L160 184L146 170ZM64 176L80 192L62 198L50 190Z" fill="{CREAM}"/>'
        f'<path d="M0 300C70 250 150 262 300 214V350H0Z" fill="#b9673a"/>'
        f'<path d="M0 336C90 280 190 300 300 262V380H0Z" fill="{INK}"/>'
        f'<g transform="translate(132 268) rotate(-14) scale(3.2)">{half_track(0)}</g>'
        f'<rect y="340" width="300" height="80" fill="{CREAM}"/>'
        + text(150, 374, 26, _("THE GREAT RACE"), INK, bold=True, more=' letter-spacing="1"')
        + text(150, 400, 14, _("BY HALF-TRACK ACROSS CONTINENTS"), RED, more=' letter-spacing=".5"')
        + "</svg>"
    )
