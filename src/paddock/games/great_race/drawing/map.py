"""The Great Race: the map of a view as an SVG: land, tiles, lanes, half-tracks, ways, the progress track."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from math import cos, hypot, sin

from paddock.core.i18n import _, pgettext, plural
from paddock.games.great_race.drawing.land import SKYLINES
from paddock.games.great_race.drawing.pieces import (
    COARSE,
    CREAM,
    FINE,
    FONT,
    GOLD,
    HIGH,
    INK,
    LAND,
    NS,
    PAINTS,
    PURPLE,
    RED,
    SEA,
    SHALLOW,
    SHORE,
    R,
    edge,
    fitted,
    hexagon,
    line,
    moved,
    n,
    path,
    text,
    use,
)
from paddock.games.great_race.words.names import TILES, tile_facts, tile_name
from paddock.games.great_race.words.places import label
from paddock.games.great_race.words.view import LaneView, Space, View
from paddock.parts.drawing import aria, still

FRAME = 8.0  # clear of the edge of the drawing
ASIDE = 16.0  # between the frame and the first column
ABOVE = 17.0  # between the frame and the first row: the small flag of a city there
BELOW = 17.0  # below the last row: the pennant of a city there
TRACK = 42.0  # height of the progress track below the map
COAST = f"l{n(-R / 2)} {n(HIGH / 2)}h{n(-R)}l{n(-R / 2)} {n(-HIGH / 2)} {n(R / 2)} {n(-HIGH / 2)}h{n(R)}z"
Point = tuple[float, float]
GLOW = "#ffc933"
NOTHING: Mapping[int, str] = {}
FREE: Mapping[str, int] = {}


def middle(space: Space) -> tuple[float, float]:
    """Where a space lies in the drawing of the map."""
    return _x(space.column), _y(space.column, space.row)


def stand(space: Space) -> tuple[float, float]:
    """Where a half-track that is alone on a space stands."""
    (x, y), ((dx, dy),) = middle(space), PLACES[1]
    return x + dx, y + dy


def _x(column: int) -> float:
    return FRAME + ASIDE + R + 1.5 * R * column


def _y(column: int, row: int) -> float:
    return FRAME + ABOVE + HIGH * (row + (1 if column % 2 else 0.5))


def size(view: View) -> tuple[float, float]:
    """Width and height of the map."""
    lowest = max(2 * space.row + space.column % 2 for space in view.spaces)
    width = 2 * (FRAME + ASIDE + R) + 1.5 * R * (view.columns - 1)
    return width, 2 * FRAME + ABOVE + HIGH * (lowest / 2 + 1) + BELOW + TRACK


def board(
    view: View,
    route: Sequence[int] = (),
    ghost: tuple[str, int] | None = None,
    moves: Mapping[int, str] = NOTHING,
    *,
    labels: Mapping[int, str] = NOTHING,
    cost: Mapping[str, int] = FREE,
    glow: int | None = None,
    calm: bool = False,
) -> str:
    """The map as one can use it. It refers to ``sprite``.

    - ``route``: spaces in the order in which they are entered, the start of the drive first, drawn as a line;
      ``cost`` is what it costs (petrol, damage, danger, francs, as ``chains.cost`` has them), written at its
      end.
    - ``ghost``: a tile's name in notation and the space where it is about to lie.
    - ``moves``: space → the notation that a click on it adds to the chain (or sends). These spaces are
      buttons with ``data-move``; a way of several links (with «;») looks like a destination, a single link
      like a next step. ``labels`` names them in words: space → sentence; without one, the space is described.
    - ``glow``: the one of them that a lesson suggests.
    - ``calm``: the sea ends with the map and has no waves, which take longest to turn into a picture.

    Ids that stay: ``gr-s<space>`` for spaces, ``gr-car-<number>`` for half-tracks, ``gr-far-<number>`` for
    tokens on the progress track, ``gr-way``, ``gr-ghost``.
    """
    width, height = size(view)
    spaces = [_space(view, space, moves, labels, space.space == glow) for space in view.spaces]
    land = "".join(drawn for space, drawn in zip(view.spaces, spaces, strict=True) if not space.city)
    cities = "".join(drawn for space, drawn in zip(view.spaces, spaces, strict=True) if space.city)
    lanes = "".join(_lane(view, lane) for lane in view.lanes)
    fares = "".join(_fares(view))
    names = "".join(_city(space, width) for space in view.spaces if space.city)
    name = _("Map: {n} spaces, {tiles}, {crews}").format(
        n=len(view.spaces),
        tiles=plural("{n} tile", "{n} tiles", sum(bool(space.tile) for space in view.spaces)),
        crews=plural("{n} half-track", "{n} half-tracks", len(view.teams)),
    )
    role = f'role="group" aria-label="{escape(name)}"' if moves else aria(name)
    length, align = ("is-long", "xMidYMin") if view.columns > 24 else ("is-short", "xMidYMid")
    return (
        f'<svg {NS} class="gr-map {length}" viewBox="0 0 {n(width)} {n(height)}" '
        f'preserveAspectRatio="{align}" {role} font-family="{FONT}"><g>'
        f'{still("gr-sea", _sea(view, width, height, calm))}<g>{land}</g><g pointer-events="none">'
        f'{still("gr-lanes", lanes)}</g><g>{cities}</g><g pointer-events="none">{fares}'
        f"{still('gr-names', names)}"
        f"{_ghost(view, ghost)}{_route(view, route)}{''.join(_crews(view))}{_bill(view, route, cost)}"
        f"{_track(view, width, height)}</g></g></svg>"
    )


def map_svg(view: View, *, calm: bool = False) -> str:
    """The map with its tiles, lanes, half-tracks and the progress track. It refers to ``sprite``."""
    return board(view, calm=calm)


def overview(view: View) -> str:
    """The whole map, small and without words: land, cities, the ends of the race, half-tracks. It refers to
    the shore of a large one on the same page."""
    width, height = size(view)
    cities = [space for space in view.spaces if space.city]
    dots = "".join(
        line(
            "".join(f"M{x:.0f} {y:.0f}h0" for x, y in map(middle, some)),
            colour,
            30,
            ' stroke-linecap="square"',
        )
        for some, colour in ((cities, INK), ([space for space in cities if space.end], PURPLE))
    )
    places_of_crews = [
        (middle(hex), team.seat) for hex in view.spaces for team in view.teams if team.space == hex.space
    ]
    cars = "".join(
        f'<circle cx="{n(x)}" cy="{n(y)}" r="34" fill="{PAINTS[seat]}"{edge(CREAM, 9)}/>'
        for (x, y), seat in places_of_crews
    )
    return (
        f'<svg {NS} viewBox="0 0 {n(width)} {n(height - TRACK)}" aria-hidden="true">'
        f'<use href="#gr-coast" stroke="{LAND}" stroke-width="42"/>{dots}{cars}</svg>'
    )


# ---- the sea ------------------------------------------------------------------------------------


def _sea(view: View, width: float, height: float, calm: bool) -> str:
    """The sea with waves and a compass rose, and the shore. The sea is larger than the map, so that it fills
    a frame of any shape; not so a ``calm`` one."""
    rose = _widest(tuple((space.column, space.row) for space in view.spaces), width, height - TRACK)
    shore = _shore([middle(space) for space in view.spaces])
    margin = 0 if calm else 2000
    sea = f"M{-margin} {-margin}H{n(width + margin)}V{n(height + margin)}H{-margin}Z"
    return (
        path(sea, SEA)
        + ("" if calm else path(sea, "url(#gr-waves)"))
        + (moved(*rose[:2], _great_rose(), rose[2] / 68) if rose[2] >= 30 else "")
        + f'<g stroke="{SHALLOW}" stroke-width="22">'
        + f'<path id="gr-coast" d="{shore}" fill="none" stroke-linejoin="round"/></g>'
        + f'<use href="#gr-coast" stroke="{SHORE}" stroke-width="9"/>'
    )


def _shore(middles: Iterable[Point]) -> str:
    """The outlines of all spaces, column by column. Each begins a step away from the one before:
    compressed, that takes a fifth of the bytes of absolute places."""
    parts, corner = [], (0.0, 0.0)
    for x, y in sorted((round(x + R, 1), round(y, 1)) for x, y in middles):
        parts.append(f"m{n(x - corner[0])} {n(y - corner[1])}{COAST}")
        corner = x, y
    return "".join(parts)


@lru_cache(maxsize=32)
def _widest(spaces: tuple[tuple[int, int], ...], width: float, height: float) -> tuple[float, float, float]:
    """The middle of the widest circle of open sea, and its radius, 62 at most."""
    centres = [(_x(column), _y(column, row)) for column, row in spaces]
    best = (0.0, 0.0, 0.0)
    for x in range(30, int(width) - 30, 12):
        near_line = [(x - a, b) for a, b in centres if abs(x - a) < 62 + 34]  # no other space limits a circle
        for y in range(30, int(height) - 30, 12):
            r = min(62.0, x - 18, width - 18 - x, y - 18, height - 18 - y)
            for dx, b in near_line:
                if r <= best[2]:  # smaller than another one, whatever else is near
                    break
                r = min(r, hypot(dx, y - b) - 34)
            if r > best[2]:
                best = (float(x), float(y), r)
    return best


def _great_rose() -> str:
    """A large compass rose, of radius 60."""
    a, b = 9.0, 26.0
    light = f"M0-56L{a:g} {-a:g}L56 0L{a:g} {a:g}L0 56L{-a:g} {a:g}L-56 0L{-a:g} {-a:g}Z"
    dark = f"M0 0V-56L{a:g} {-a:g}ZM0 0H56L{a:g} {a:g}ZM0 0V56L{-a:g} {a:g}ZM0 0H-56L{-a:g} {-a:g}Z"
    small = (
        f"M0 0L{-a / 2:g} {-a:g}L{-b:g} {-b:g}L{-a:g} {-a / 2:g}ZM0 0L{a / 2:g} {-a:g}L{b:g} {-b:g}"
        f"L{a:g} {-a / 2:g}Z"
    )
    small += (
        f"M0 0L{a / 2:g} {a:g}L{b:g} {b:g}L{a:g} {a / 2:g}ZM0 0L{-a / 2:g} {a:g}L{-b:g} {b:g}L{-a:g}"
        f" {a / 2:g}Z"
    )
    ring = "M0-36A36 36 0 1 1 0 36A36 36 0 1 1 0-36Z"
    return (
        line(ring, CREAM, 1.6, ' opacity=".8"')
        + line(ring, CREAM, 5, ' stroke-dasharray="1.4 8.02" opacity=".8"')
        + path(small, GOLD, edge(INK, 1))
        + path(light, CREAM, edge(INK, 1.2))
        + path(dark, INK)
        + text(0, -60, 15, _("N"), CREAM, bold=True)
    )


# ---- spaces -------------------------------------------------------------------------------------


def _space(view: View, space: Space, moves: Mapping[int, str], labels: Mapping[int, str], glows: bool) -> str:
    """A space; one that can be chosen is a button with a ring."""
    x, y = middle(space)
    words = labels.get(space.space) or space_words(view, space)
    move = moves.get(space.space)
    if move is None:
        drawn = use(_symbol(space), x, y)
        return f'<g id="gr-s{space.space}"><title>{escape(words)}</title>{drawn}</g>'
    drawn = f'<use href="#gr-{_symbol(space)}"/>'
    if glows:
        drawn += moved(0, 0, line(hexagon(R - 8), GLOW, 13), attributes=' class="gr-glow"')
    kind = "far" if ";" in move else "near"
    classes = " is-suggested" if glows else ""
    if glows:
        words = _("{words} (suggested)").format(words=words)
    return (
        f'<g id="gr-s{space.space}" class="gr-go is-{kind}{classes}" transform="translate({n(x)} {n(y)})" '
        f'role="button" tabindex="0" data-move="{escape(move)}" aria-label="{escape(words)}">'
        f'{drawn}<use href="#gr-{kind}"/></g>'
    )


def _symbol(space: Space) -> str:
    """The name of its symbol in the sprite."""
    if space.city:
        return f"{'end' if space.end else 'city'}{space.space % len(SKYLINES)}"
    if not space.tile:
        return space.land if space.land == "risk" else f"land{_wash(space)}"
    return f"{space.tile}-risk" if space.land == "risk" else space.tile


def _wash(space: Space) -> int:
    """Which of the grounds of unknown land a space has: regions, with a few spaces of their own."""
    if (7 * space.column + 5 * space.row) % 11 == 0:
        return 0
    wave = sin(0.55 * space.column + 0.4) + cos(1.15 * space.row - 0.35 * space.column)
    return 1 if wave > 0.55 else 2 if wave < -0.45 else 0


def space_words(view: View, space: Space) -> str:
    """A space in words: «East of Reno: Canyon, 2 petrol, 1 damage, stop»."""
    if space.city:
        cards = plural("{n} card", "{n} cards", space.cards)
        words = _("{city}, {cards}").format(city=space.city, cards=cards)
        ends = {"start": _("the start"), "destination": _("the destination")}
        return _(", ").join([words, ends[space.end]]) if space.end else words
    place = label(space.where)
    if space.land == "risk":
        place = _("{name}, risk zone").format(name=place)
    return _("{place}: {what}").format(place=place, what=tile_words(view, space.tile, space.land == "risk"))


def tile_words(view: View, name: str, risk: bool = False) -> str:
    """A tile in words: «Canyon, 2 petrol, 1 damage, stop»; unknown land for none."""
    if not name:
        return _("unknown land")
    kind = TILES.index(name)
    tile = view.tiles[kind]
    facts = tile_facts(tile.petrol + int(risk), tile.damage, tile.danger, tile.stop)
    return _(", ").join([tile_name(kind), *facts])


def _city(space: Space, width: float) -> str:
    """The name of a city and its number of cards; at the ends of the race a pennant. A small drawing has its
    two letters and a mark for each card."""
    x, y = middle(space)
    end, goal = space.end != "", space.end == "destination"
    ground, ink = (PURPLE, CREAM) if end else (CREAM, INK)
    size_ = fitted(space.city, 10.5, 92)
    half = max(19.0, 0.31 * size_ * len(space.city) + 5)
    name_x = min(max(x, FRAME + half + 1), width - FRAME - half - 1)
    name = path(f"M{n(-half)}-6.6H{n(half)}V6.6H{n(-half)}Z", ground, edge(INK, 1.2)) + text(
        0, 3.8, size_, space.city, ink, bold=True
    )
    cards = "" if goal or not space.cards else moved(x + 13, y - 13, _number(space.cards))
    pips = (
        ""
        if goal
        else "".join(
            f"M{n(x - 5.2 * space.cards + 10.4 * i + 1.2)} {n(y + 9)}h8v9h-8Z" for i in range(space.cards)
        )
    )
    fine = moved(name_x, y + 11, name) + cards
    coarse = text(x, y + 5, 20, space.name, ink, bold=True) + (
        path(pips, RED, edge(CREAM, 1)) if pips else ""
    )
    flag = ""
    if end:
        word = pgettext("on the map", "FINISH") if goal else pgettext("on the map", "START")
        flag = moved(name_x, y + 26, _pennant(word, goal), 1, FINE) + moved(x, y - 25, _flag(goal), 1, COARSE)
    return f"<g{FINE}>{fine}</g><g{COARSE}>{coarse}</g>{flag}"


def _number(cards: int) -> str:
    """The number of cards that a city gives, on a card with another behind it."""
    return (
        path("M-4-9H8V6H-4Z", RED, edge(CREAM, 1))
        + path("M-7-7H5V8H-7Z", RED, edge(CREAM, 1.4))
        + text(-1, 5, 12.5, str(cards), CREAM, bold=True)
    )


def _pennant(word: str, goal: bool) -> str:
    return path("M-25-9H25L20 0L25 9H-25L-20 0Z", PURPLE, edge(CREAM, 1.6)) + text(
        0, 4, fitted(word, 11, 34), word, CREAM, bold=True
    )


def _flag(goal: bool) -> str:
    """A small flag: of checks for the destination, with an arrow for the start."""
    if not goal:
        return path("M-11-9H3L12 0L3 9H-11Z", PURPLE, edge(CREAM, 2.4))
    checks = "M-12-9h6v6h-6ZM0-9h6v6h-6ZM-6-3h6v6h-6ZM6-3h6v6h-6ZM-12 3h6v6h-6ZM0 3h6v6h-6Z"
    return (
        path("M-12-9H12V9H-12Z", CREAM, edge(CREAM, 4))
        + path("M-12-9H12V9H-12Z", CREAM, edge(INK, 1.4))
        + path(checks, INK)
    )


# ---- lanes --------------------------------------------------------------------------------------


def _arc(view: View, lane: LaneView) -> tuple[tuple[float, float], ...]:
    """The ends of a lane's arc, and between them the point that bends it."""
    (ax, ay), (bx, by) = (middle(view.spaces[end]) for end in lane.ends)
    bend = 0.22
    return (ax, ay), ((ax + bx) / 2 + bend * (by - ay), (ay + by) / 2 - bend * (bx - ax)), (bx, by)


def _lane(view: View, lane: LaneView) -> str:
    """A lane as an arc: by sea in long dashes, by air in dots."""
    (ax, ay), (mx, my), (bx, by) = _arc(view, lane)
    dash = "0 7" if lane.air else "9 5.5"
    arc = f"M{n(ax)} {n(ay)}Q{n(mx)} {n(my)} {n(bx)} {n(by)}"
    return line(arc, CREAM, 6.5, ' opacity=".85"') + line(
        arc, PURPLE, 3.6 if lane.air else 2.8, f' stroke-dasharray="{dash}" stroke-linecap="round"'
    )


PLANE = "M8 0L2.6-1.4L-1.4-7H-3.4L-1.6-1.4H-5L-7-3.6H-8.4L-7.4 0L-8.4 3.6H-7L-5 1.4H-1.6L-3.4 7H-1.4L2.6 1.4Z"
SHIP = "M-8 2H8L5.4 6.6H-5.6ZM-5-1.4H4.6V1H-5ZM-2.8-7H-.4V-2.4H-2.8ZM1.2-5.6H3.4V-2.4H1.2Z"


def _fares(view: View) -> list[str]:
    """The price of each lane on its arc, where it hides no city and no other price."""
    taken = [middle(space) for space in view.spaces if space.city]
    costs = [middle(space) for space in view.spaces if space.tile]
    parts = []
    for lane in view.lanes:
        (ax, ay), (mx, my), (bx, by) = _arc(view, lane)
        points = [
            (
                (1 - t) ** 2 * ax + 2 * t * (1 - t) * mx + t * t * bx,
                (1 - t) ** 2 * ay + 2 * t * (1 - t) * my + t * t * by,
            )
            for t in (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75)
        ]
        x, y = max(points, key=lambda p: _room(p, taken, costs))
        taken.append((x, y))
        fare = str(lane.fare)
        fine = (
            path("M-20-8.4H20V8.4H-20Z", CREAM, edge(PURPLE, 1.8))
            + path(PLANE if lane.air else SHIP, PURPLE, ' transform="translate(-10.4 0) scale(.86)"')
            + text(8.6, 4.2, 11.5, fare, INK, bold=True)
        )
        coarse = path("M-15-10H15V10H-15Z", CREAM, edge(PURPLE, 2.4)) + text(
            0, 6.4, fitted(fare, 17, 28), fare, INK, bold=True
        )
        parts.append(moved(x, y, f"<g{FINE}>{fine}</g><g{COARSE}>{coarse}</g>"))
    return parts


def _room(at: Point, taken: Sequence[Point], tiles: Sequence[Point]) -> tuple[bool, int, float]:
    """How good a place is for a price: far from all that is taken, and not on the costs of tiles."""
    x, y = at
    # a price and a name are broad, so what is beside is nearer than what is above
    clearance = min(hypot((x - a) / 2, y - b) for a, b in taken)
    hidden = sum(abs(x - a) < 34 and -8 < y - b < 28 for a, b in tiles)
    return clearance > 18, -hidden, clearance


# ---- ways and ghosts ----------------------------------------------------------------------------


def _ghost(view: View, ghost: tuple[str, int] | None) -> str:
    """A tile that is about to be placed."""
    if ghost is None:
        return ""
    name, place = ghost
    space = view.spaces[place]
    x, y = middle(space)
    symbol = f"{name}-risk" if space.land == "risk" else name
    rim = line(hexagon(R + 1), CREAM, 4.4) + line(hexagon(R + 1), RED, 2.6, ' stroke-dasharray="7 4"')
    tile = use(symbol, x, y, ' opacity=".82"')
    return f'<g id="gr-ghost" class="gr-ghost">{tile}{moved(x, y, rim)}</g>'


def _route(view: View, route: Sequence[int]) -> str:
    """A route over these spaces, its steps numbered."""
    if not route:
        return ""
    points = [middle(view.spaces[space]) for space in route]
    stroke = "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points)
    stops = "".join(
        moved(
            x,
            y - 15,
            path("M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z", RED, edge(CREAM, 2))
            + text(0, 4.4, 12.5, str(i), CREAM, bold=True),
        )
        for i, (x, y) in enumerate(points)
        if i
    )
    drawn = (
        line(stroke, CREAM, 9, ' stroke-linejoin="round" stroke-linecap="round"')
        + line(stroke, RED, 5, ' stroke-linejoin="round" stroke-linecap="round"')
        + "".join(_heads(points))
        + stops
    )
    return f'<g id="gr-way" class="gr-way">{drawn}</g>'


def _heads(points: Sequence[tuple[float, float]]) -> Iterable[str]:
    """An arrow in the midst of each step."""
    for (ax, ay), (bx, by) in pairwise(points):
        length = hypot(bx - ax, by - ay) or 1
        dx, dy = 6.5 * (bx - ax) / length, 6.5 * (by - ay) / length
        x, y = (ax + bx) / 2, (ay + by) / 2
        head = (
            f"M{n(x + dx)} {n(y + dy)}L{n(x - dx - dy)} {n(y - dy + dx)}L{n(x - dx + dy)} {n(y - dy - dx)}Z"
        )
        yield path(head, RED, edge(CREAM, 1.6))


def _bill(view: View, route: Sequence[int], cost: Mapping[str, int]) -> str:
    """What a way costs, on a plate beside its end that hides little of it."""
    petrol, francs = cost.get("petrol", 0), cost.get("francs", 0)
    damage, danger = cost.get("damage", 0), cost.get("danger", 0)
    signs = [("drop", petrol), ("bolt", damage), ("warning", danger)]
    parts, x = "", 6.0
    for name, number in signs:
        if number:
            parts += use(name, x + 6, 0) + text(x + 20, 5.6, 16, str(number), INK, bold=True)
            x += 32
    if francs:
        words = _("{n} F").format(n=francs)
        parts += text(x + 5 * len(words), 5.6, 16, words, INK, bold=True)
        x += 10 * len(words) + 6
    if not parts or not route:
        return ""
    width, height = size(view)
    points = [middle(view.spaces[space]) for space in route]
    ex, ey = points[-1]
    places = [
        (
            min(max(ex + dx - x / 2, FRAME + 2), width - FRAME - x - 2),
            min(max(ey + dy, 26), height - TRACK - 22),
        )
        for dx, dy in ((0, -44), (0, 42), (x / 2 + 30, 0), (-x / 2 - 30, 0), (0, -66), (0, 64))
    ]

    def hides(place: Point) -> int:
        return sum(place[0] - 20 < a < place[0] + x + 20 and abs(place[1] + 6 - b) < 30 for a, b in points)

    plate = path(f"M0-13H{n(x)}V13H0Z", CREAM, edge(RED, 2.6))
    return moved(*min(places, key=hides), plate + parts, attributes=' id="gr-bill"')


# ---- half-tracks and the progress track ---------------------------------------------------------

# Where half-tracks on one space stand, from its middle, by how many there are.
PLACES = (
    (),
    ((0, -9),),
    ((-11, -11), (11, -7)),
    ((0, -20), (-20, -8), (20, -8)),
    ((-12, -24), (12, -24), (-13, -6), (13, -6)),
    ((-22, -24), (0, -27), (22, -24), (-12, -6), (12, -6)),
)


def _crews(view: View) -> list[str]:
    """The half-tracks; small, their signs."""
    parts = []
    for space in view.spaces:
        teams = [team for team in view.teams if team.space == space.space]
        x, y = middle(space)
        for team, (dx, dy) in zip(teams, PLACES[len(teams)], strict=True):
            words = (_("{name} in {place}") if space.city else _("{name} {place}")).format(
                name=team.name, place=space.where
            )
            turn = use("turn") if team.seat == view.mover else ""
            large = 0.82 if len(teams) == 1 else 0.7 if len(teams) == 2 else 0.6
            piece = (
                f"{turn}<g{FINE}>{moved(0, 0, use(f'crew-{team.seat}'), large)}</g>"
                f"<g{COARSE}>{moved(0, -7, use(f'sign-{team.seat}'), 1.05 if len(teams) < 3 else 0.9)}</g>"
            )
            parts.append(
                f'<g id="gr-car-{team.seat + 1}" data-piece="{team.seat + 1}" data-flat="" data-roams="" '
                f'{aria(words)} transform="translate({n(x + dx)} {n(y + dy)})">{piece}</g>'
            )
    return parts


def _track(view: View, width: float, height: float) -> str:
    """The progress track: a stack of tokens for each distance from the start, the earliest at the bottom."""
    starts = [space.column for space in view.spaces if space.end == "start"]
    if not starts:
        return ""
    foot = height - 24
    first = starts[0]
    left, right = _x(0) - 18, _x(view.columns - 1) + 18
    dark = "".join(
        f"M{n(_x(column) - 18)} {n(foot + 1.6)}h36v3.6h-36Z" for column in range(0, view.columns, 2)
    )
    parts = [
        path(f"M{n(left)} {n(foot)}H{n(right)}V{n(foot + 6.8)}H{n(left)}Z", CREAM, edge(INK, 1.4)),
        path(dark, INK),
    ]
    for column in range(view.columns):
        columns_away = abs(column - first)
        if columns_away % 5 == 0:
            parts.append(
                text(_x(column), height - 6, 11, str(columns_away), CREAM, bold=True, attributes=FINE)
            )
    direction = 1 if first == min(space.column for space in view.spaces) else -1
    for progress in sorted({team.progress for team in view.teams}):
        stack = [seat for seat in view.stack if view.teams[seat].progress == progress]
        step = min(13.6, 62 / len(stack))
        x = _x(first + direction * progress)
        for i, seat in enumerate(stack):
            token = use(f"token-{seat}")
            attributes = f' id="gr-far-{seat + 1}" data-piece="{seat + 1}" data-flat=""'
            parts.append(moved(x, foot - 7.6 - step * i, token, attributes=attributes))
    return "".join(parts)
