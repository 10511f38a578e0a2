"""Skerries: what a link of a chain costs, and ready chains: every hex in reach with its cheapest way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush

from paddock.core.i18n import _, mark
from paddock.core.title import Chain, Seen
from skerries.cards import surprises
from skerries.chart import hex_name
from skerries.sailing import SAIL, STOP, Setup, State, takes


def cost(seen: Seen, seat: int, move: int) -> Mapping[str, int]:
    """SK-2.3 the wind that a move costs: only steps cost any."""
    s: State = seen.state
    g: Setup = seen.setup
    return {mark("wind"): takes(g, g.beside[s.at[seat], move], s.piloted)} if move < STOP else {}


def ready(seen: Seen, seat: int) -> Sequence[Chain]:
    """SK-2.3 the cheapest way to each hex within reach, nearest first.

    A way ends where a step draws a card or arrives, because what follows is not known.
    """
    s: State = seen.state
    g: Setup = seen.setup
    if s.phase != SAIL or s.turn != seat:
        return []
    ways: dict[int, Chain] = {}
    open: list[tuple[int, tuple[int, ...], int]] = [(0, (), s.at[seat])]
    while open:
        wind, moves, hex = heappop(open)
        if hex in ways:
            continue
        ways[hex] = Chain(moves, _("To {hex}").format(hex=hex_name(hex, g.columns)), {"wind": wind})
        if moves and surprises(s, g, hex):
            continue
        for way in range(6):
            to = g.beside[hex, way]
            if to >= 0 and wind + takes(g, to, s.piloted) <= s.wind:
                heappush(open, (wind + takes(g, to, s.piloted), (*moves, way), to))
    return [chain for chain in ways.values() if chain.moves]
