"""Skerries: what is true in every state."""

from __future__ import annotations

from paddock.kernel import rule
from skerries import sailing
from skerries.chart import LIGHT, SKERRY
from skerries.sailing import Setup, State

INVARIANTS = (
    "",
    "SK-1.3 every card is in the deck, in a hand or lies open",
    "SK-3.1 a hand is at most three cards, counted",
    "SK-4.4 what is remembered of a hand is in it",
    "SK-1.1 no boat lies on a skerry or off the chart",
    "SK-5.1 every boat that has arrived has a place of its own and lies in a light, and no other boat does",
    "SK-2.1 it is the turn of a boat that has not arrived, on one of the agreed days",
    "SK-2.3 the wind is not used beyond its end",
    "SK-4.1 another boat in the same hex is robbed, once, and it holds cards",
    "SK-3.1 a card is drawn from a deck that has one, into a hand with room",
    "SK-5.2 the race is over when all have arrived or the days are",
)

SAMPLES = {
    "chart": (
        "sisters",
        "narrows",
        "q.+/.x./h.l",
        "qhl",
        "q+l",
        "x.h.+l/.q.xhx/+.h.+l/x.x.h.",
    ),
}


MOST_WIND = 18  # a six, and five gusts


@rule
def broken(s: State, g: Setup) -> int:
    """Return the index in ``INVARIANTS`` of one that the state breaks; 0 if there is none."""
    left = 0
    for kind in range(sailing.KINDS):
        n = s.deck[kind] + s.open[kind]
        left += s.deck[kind]
        for seat in range(g.skippers):
            n += s.held[seat, kind]
            known = 0
            for knower in range(sailing.SEATS):
                known += s.known[sailing.SEATS * knower + seat, kind]
            if s.held[seat, kind] < 0 or known > s.held[seat, kind]:
                return 3
        if n != g.copies or s.deck[kind] < 0 or s.open[kind] < 0:
            return 1
    if s.left != left:
        return 1
    taken = 0
    for seat in range(g.skippers):
        n = 0
        for kind in range(sailing.KINDS):
            n += s.held[seat, kind]
        if n != s.cards[seat] or n > sailing.HAND:
            return 2
        if s.at[seat] < 0 or s.at[seat] >= g.hexes or g.land[s.at[seat]] == SKERRY:
            return 4
        in_light = g.land[s.at[seat]] == LIGHT
        if (s.place[seat] > 0) != in_light or s.place[seat] > s.arrived:
            return 5
        taken |= 1 << s.place[seat]
    if taken >> 1 != (1 << s.arrived) - 1:
        return 5
    for seat in range(g.skippers, sailing.SEATS):
        if s.at[seat] != g.quay or s.cards[seat] + s.place[seat] > 0:
            return 4
    if s.phase < 0 or s.phase > sailing.OVER:
        return 10
    if s.phase == sailing.OVER:
        return 0 if s.arrived == g.skippers or s.day == g.days + 1 else 10
    if s.day < 1 or s.day > g.days or s.turn < 0 or s.turn >= g.skippers or s.place[s.turn] > 0:
        return 6
    if s.wind < 0 or s.wind > MOST_WIND or (s.phase == sailing.ROLL and s.wind > 0):
        return 7
    if s.phase == sailing.ASKED or s.phase == sailing.THEFT:
        same_hex = s.at[s.victim] == s.at[s.turn]
        if s.victim == s.turn or not same_hex or s.cards[s.victim] == 0 or s.robbed == 0:
            return 8
    if s.phase == sailing.DRAW and (s.left == 0 or s.cards[s.turn] == sailing.HAND or s.drew == 0):
        return 9
    return 0
