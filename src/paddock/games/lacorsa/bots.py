"""LACORSA: bots with hand-written sense. They see what their driver sees and count cards.

*Club* weighs every legal move by what it may win now and by what the cards that stay in the
hand may still win before the race ends. Worths are in places: 1 is one place for sure, for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paddock.core.game import ChanceSource, Seen
from paddock.games.lacorsa.rules import (
    CHALLENGE,
    DISCARD,
    EXTEND,
    KINDS,
    PLAYS,
    QUALIFY,
    REDLINE,
    TWO_REDLINES,
    worth,
)

HIGHEST = 14  # 12 with a Redline

import json, os
P = dict(sharp=0.5, late=0.35, grid=0.5, shield=0.25, close=0.1, fights=1.5, roadf=1.0, redl=1.0, low=0.01, usage=0.9,hurry=0.0,noise=0.0,spread=0.5)
P.update(json.loads(os.environ.get("CLUB", "{}")))


@dataclass(frozen=True)
class Table:
    """What the bot works out once for a decision."""

    seat: int
    laps: int  # that are still to come after this one
    beats: list[float]  # chance that a play of this worth is higher than another car's
    holds: list[float]  # the same, or equal: the defender's chance
    gain: list[float]  # what it is worth to be one place further up, by place


class Club:
    """A club racer: spends, saves, defends, and knows when the race will end."""

    def __init__(self, **over):
        self.p = {**P, **over}

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The legal move of most worth; equal ones by lot."""
        p = self.p
        s, g = seen.state, seen.setup
        laps = laps_left(p, s, g)
        beats, holds = chances(p, s, g, seen)
        gain = stakes(p, g, laps)
        best, chosen, ties = -1e9, legal[0], 0
        hand = [s.hand[seat, k] for k in range(KINDS)]
        for move in legal:
            now = self.now(seen, seat, move, laps, beats, holds, gain)
            left = hand[:]
            for kind in cards(move):
                left[kind] -= 1
            value = now + later(p, left, laps, holds)
            if p["noise"]:
                value += p["noise"] * rng.below(1000) / 1000
            if value > best:
                best, chosen = value, move
        return chosen

    def now(self, seen, seat, move, laps, beats, holds, gain):
        p = self.p
        s, g = seen.state, seen.setup
        weight = 1 / (1 + p["late"] * laps)
        if s.phase == QUALIFY:
            return p["grid"] * (g.cars - 1) ** p["spread"] * (beats[worth(move)] + holds[worth(move)]) / 2
        i = place_index(s, g, seat)
        if s.phase == CHALLENGE:
            attacking = s.turn == i
            other = s.order[i + 1] if attacking else s.order[i - 1]
            owners = seen.options.owners
            if owners[other] == owners[seat]:
                return 0.0
            ahead = g.cars - i if attacking else g.cars - i + 1  # my place if attacking, challenger's
            return weight * gain[ahead - 1] * (beats if attacking else holds)[worth(move)]
        value = 0.0
        if move >= EXTEND:
            if i > 0 and s.gap[i - 1] == 0:
                value += p["shield"] * (1 if i+1 == g.cars else 0.7)
            elif i > 0 and s.gap[i-1] == 1:
                value += p["shield"] * 0.3
            if i + 1 < g.cars:
                value += p["close"] * (1 if s.gap[i] == 1 else 0.5)
        return value * weight


def cards(move):
    if move >= EXTEND:
        return (move - EXTEND + 1,)
    play = move % DISCARD
    if play == TWO_REDLINES:
        return (0, 0)
    return (play,) if play < KINDS else (play - 12, REDLINE)


def place_index(s, g, seat):
    for i in range(g.cars):
        if s.order[i] == seat:
            return i
    return 0


def laps_left(p, s, g):
    if s.last:
        return 0
    laps = 99
    if s.phase == QUALIFY:
        return max(0, int((s.cards[0] - 1) / (1.5+p["usage"])))
    for i in range(g.cars):
        use = 1.0
        if i > 0 and s.gap[i - 1] == 0:
            use += p["usage"]
        if 0 < i < g.cars - 1 and s.gap[i] == 0 and s.gap[i-1] == 0:
            use += 0.3
        c = s.cards[s.order[i]] 
        laps = min(laps, int((c - (use if i>=s.turn else 0)) / use + 0.999))
    return max(0, laps)


def chances(p, s, g, seen):
    pool = []
    for k in range(KINDS):
        n = g.deck[k] - s.discard[k]
        for seat in range(g.cars):
            if seen.eyes >> seat & 1:
                n -= s.hand[seat, k]
        pool.append(max(0, n))
    total = sum(pool) or 1
    red = min(0.5, 4 * pool[0] / total) * 0.5  # chance that a Redline is added
    below = [0.0] * (HIGHEST + 3)
    acc = 0
    cum = [0.0] * (HIGHEST + 3)
    for v in range(HIGHEST + 3):
        if v < KINDS:
            acc += pool[v]
        cum[v] = acc / total
    le = [0.0] * (HIGHEST + 1)
    for v in range(HIGHEST + 1):
        a = (1 - red) * cum[v] + red * (cum[v - 2] if v >= 2 else 0)
        le[v] = (1 - p["sharp"]) * a + p["sharp"] * a * a
    beats = [0.0] + le[:-1]
    return beats, le


def stakes(p, g, laps):
    n = g.cars
    top = max(1, g.points[0] - g.points[n - 1])
    mean = 1.0
    out = [0.0]
    for place in range(1, n):
        direct = (g.points[place - 1] - g.points[place]) / top * (n - 1)
        share = 1 / (1 + laps)
        out.append(share * direct + (1 - share) * mean + 0.05)
    return out


def later(p, hand, laps, holds):
    """What the best cards left may win in the fights to come"""
    worths = []
    for k in range(KINDS - 1, 0, -1):
        worths += [k] * hand[k]
    red = hand[0]
    value = 0.0
    n = 0
    f = p["fights"]
    for j in range(int(f * laps)):
        if n >= len(worths):
            break
        lap = int(j / f)  # from the end
        v = worths[n]
        if n < red:
            v += 2
        value += holds[v] / (1 + p["late"] * lap)
        n += 1
    roads = int(laps * p["roadf"])
    ext = hand[1] + hand[2] + 0.7 * hand[3]
    value += p["shield"] * 0.5 * min(roads, ext) / (1 + p["late"] * laps / 2)
    value += sum(hand[k] * k for k in range(KINDS)) * p["low"] * 0.1 + hand[0] * p["low"]*p["redl"]
    return value
