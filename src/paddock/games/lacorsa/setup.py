"""LACORSA: validated options as the kernel's ``Setup``."""

from __future__ import annotations

from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules import CARS, KINDS, Setup


def setup(options: Options) -> Setup:
    """LC-1.2 as many suits as cars, LC-1.3 and the extra ones; 13 cards to each car."""
    g = Setup()
    g.cars = options.seats
    g.cards = 13
    g.void = int(options.double_redline == "void")
    for kind in range(KINDS):
        g.deck[kind] = options.seats + options.extra_suits
    for place, points in enumerate(options.points[:CARS]):
        g.points[place] = points
    return g
