"""Rasant: converts validated options to the kernel's ``Setup``."""

from __future__ import annotations

from paddock.core.rooms.setup import fill
from paddock.games.rasant.deck import COLOURS, read_deck
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules.state import Setup


def setup(options: Options) -> Setup:
    """Return the setup: options, the deck (RA-1.2), and the line if it is given (RA-2.1)."""
    g = Setup()
    fill(g, options)
    g.raise_by = options.raise_by // 10
    g.black_by = options.black_by // 10
    g.ends_from = options.ending_speed // 10 - 1
    g.to_the_last = int(options.round_end == "all")
    for kind in read_deck(options.deck):
        g.deck[kind] += 1
    if options.line != "shuffled":
        g.given = 1
        for i, letter in enumerate(options.line):
            g.line[i] = 3 * COLOURS.index(letter) + options.line[:i].count(letter)
    return g
