"""Small maps of The Great Race, drawn as text, as the ``Setup`` that oracle and engine read."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.games.great_race.rulebook import Options
from paddock.games.great_race.rules import state as k
from paddock.games.great_race.rules.setup import setup

from .great_race import DECK, FUNDS, PLANS

TILE_TABLE = [
    ("Track", 1, 0, 0, 0, 24, 15),
    ("Herd crossing", 1, 0, 0, 1, 4, 3),
    ("Outlaws", 1, 0, 1, 0, 6, 5),
    ("Gravel", 1, 1, 0, 0, 16, 13),
    ("Ambush gully", 1, 1, 1, 0, 3, 3),
    ("Mud", 2, 0, 0, 0, 14, 9),
    ("Ford", 2, 0, 0, 1, 3, 2),
    ("Raiders' hills", 2, 0, 1, 0, 4, 4),
    ("Hills", 2, 1, 0, 0, 12, 10),
    ("Canyon", 2, 1, 0, 1, 4, 3),
    ("Rebel valley", 2, 1, 1, 0, 1, 2),
    ("Warlord's gorge", 2, 1, 1, 1, 0, 1),
    ("Scree", 2, 2, 0, 0, 2, 2),
    ("Deep sand", 3, 0, 0, 0, 3, 2),
    ("Blizzard", 3, 0, 0, 1, 1, 1),
    ("High pass", 3, 1, 0, 0, 2, 3),
    ("Landslide", 3, 1, 1, 0, 0, 1),
    ("Avalanche", 3, 1, 1, 1, 1, 0),
    ("Glacier", 3, 2, 0, 0, 0, 1),
]
"""The kinds of tiles: name, petrol, damage, danger, stop, how many in the US set, in the Asia set."""


def chart(
    grid: str,
    numbers: dict[str, int] | None = None,
    lanes: Sequence[tuple[str, str, int]] = (),
    players: int = 2,
    ends: Sequence[str] = (),
    tokens: Sequence[str] = (),
    origin: str = "",
    goal: str = "",
    **options: int,
) -> tuple[k.Setup, dict[str, int]]:
    """Return a map drawn with two letters a space, and where its cities are.

    The grid is «odd-q»: odd columns sit half a cell lower. Space numbers go row by row, gaps left out.
    """
    g, as_written = k.Setup(), setup(Options.read({}))
    for row in Options.describe():
        if row.rulebook and hasattr(g, row.name):  # the others are in ``pays``
            setattr(g, row.name, getattr(as_written, row.name))
    g.pays = as_written.pays[:]
    rows = [line.split() for line in grid.strip().splitlines()]
    at: dict[tuple[int, int], int] = {}
    names: dict[str, int] = {}
    for r, row in enumerate(rows):
        for q, cell in enumerate(row):
            if cell == "~~":
                continue
            x = at[q, r] = len(at)
            g.column[x], g.row[x], g.city[x] = q, r, k.OFF
            g.land[x] = {"..": k.LAND, "##": k.RISK}.get(cell, k.CITY)
            if g.land[x] == k.CITY:
                g.city[x] = len(names)
                g.code[len(names), 0], g.code[len(names), 1] = ord(cell[0]), ord(cell[1])
                for i, letter in enumerate(cell):
                    g.name[len(names), i] = ord(letter)
                names[cell] = x
                g.number[x] = (numbers or {}).get(cell, 1)
    for (q, r), x in at.items():
        up = r - 1 if q % 2 == 0 else r  # the row of the upper neighbours in the columns beside
        ways = [(q, r - 1), (q, r + 1), (q - 1, up), (q - 1, up + 1), (q + 1, up), (q + 1, up + 1)]
        for way, place in enumerate(ways):
            g.beside[x, way] = at.get(place, k.OFF)
    g.players, g.spaces, g.columns = players, len(at), max(q for q, _ in at) + 1
    g.gauge_max, g.max_turns, g.siphon = 5, 60, 2
    g.origin = names.get(origin, k.OFF)
    g.goal = names.get(goal, k.OFF)
    g.n_ends, g.n_tokens, g.lanes = len(ends), len(tokens), len(lanes)
    for i, city in enumerate(ends):
        g.ends[i] = names[city]
    for i, city in enumerate(tokens):
        g.tokens[i] = names[city]
    for i, (a, b, fare) in enumerate(lanes):
        g.lane_from[i], g.lane_to[i], g.fare[i] = names[a], names[b], fare
    for kind, n in DECK.items():
        g.deck[kind] = n
    g.deck[k.TOPOGRAPHER] = 2 if options.get("leaders") else 0
    for kind, (_, petrol, damage, danger, stop, us, _asia) in enumerate(TILE_TABLE):
        g.tile_petrol[kind], g.tile_damage[kind] = petrol, damage
        g.tile_danger[kind], g.tile_stop[kind] = danger, stop
        g.bag[kind] = us
    for i, plan in enumerate(PLANS):
        for box, n in enumerate(plan):
            g.plan[i, box] = n
    for n, francs in FUNDS.items():
        g.pays[n] = francs
    for name, value in options.items():
        setattr(g, name, value)
    return g, names
