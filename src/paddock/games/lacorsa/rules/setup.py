"""LACORSA: converts validated options to the kernel's ``Setup``."""

from __future__ import annotations

from paddock.core.rooms.setup import fill
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules.state import CARS, KINDS, REDLINE, Setup

# LX-1.2: (most cars, cards per hand, suits)
LARGE_GRID = ((4, 13, 6), (6, 14, 7), (8, 15, 10), (10, 15, 12), (11, 14, 12), (12, 13, 12))


def dealt(options: Options) -> tuple[int, int]:
    """Return (cards per hand, suits of the deck): LC-1.2 or LX-1.2, with the extra suits of LC-1.3."""
    suit = KINDS - 2 + options.redlines + options.champions
    cards, suits = options.hand, max(options.seats, -(-options.seats * options.hand // suit))
    if options.on("grid_hands"):
        cards, suits = next((hand, deck) for cars, hand, deck in LARGE_GRID if options.seats <= cars)
        cards -= options.grid_fewer
    return cards, suits + options.extra_suits


def setup(options: Options) -> Setup:
    """Return the setup: hands, deck, points by place, cars of drivers, parts of the expansion (LX-1.4)."""
    g = Setup()
    fill(g, options)
    g.cars = options.seats
    g.cards, suits = dealt(options)
    g.void = int(options.double_redline == "void")
    g.pit = int(options.on("pit_stops"))
    g.late = int(options.pit_timing == "turn")
    g.choose = int(options.pit_draw == "choose")
    g.refill = int(options.pit_refill)
    g.incidents = int(options.on("incidents"))
    g.adjacent = int(options.off_adjacent)
    g.drafting = int(options.on("special_drafting"))
    g.one_draft = int(options.one_draft)
    g.leader_extends = min(options.leader_extends, options.extend_cards)
    for kind in range(KINDS):
        g.deck[kind] = suits
    g.deck[REDLINE] *= options.redlines
    g.deck[KINDS - 1] *= options.champions
    for place, points in enumerate(options.points[:CARS]):
        g.points[place] = points
    for car, owner in enumerate(options.owners):
        g.owner[car] = owner
        g.team[car] = options.teams[owner] if options.teams else owner
    return g
