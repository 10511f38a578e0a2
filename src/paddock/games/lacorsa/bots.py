"""LACORSA: bots with hand-written sense. They see what their driver sees, and count cards.

*Club* weighs every legal move by what it may win now and by what the cards that stay in the hand
may still win before the race ends. The unit is one place gained for good.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.game import ChanceSource, Seen
from paddock.games.lacorsa.rules import EXTEND, KINDS, QUALIFY, REDLINE, ROAD, Setup, State, worth
from paddock.games.lacorsa.text import move

HIGHEST = 14  # 12 with a Redline (LC-5.1)


@dataclass(frozen=True)
class Style:
    """The taste of a driver: no small change of it did better in thousands of races against itself."""

    late: float = 0.15  # how much less a place is worth for each lap still to come
    grid: float = 1.2  # worth of starting in front
    shield: float = 0.37  # worth of an empty space behind the car
    close: float = 0.28  # worth of closing up to the car ahead
    fights: float = 1.0  # good cards that a lap to come will ask for
    extends: float = 1.2  # Extend cards that a lap to come can use
    defends: float = 0.9  # cards that a car loses in a lap by having another behind it
    spare: float = 0.001  # worth of a pip that no fight is foreseen for
    redline: float = 0.02  # the same of a Redline


@dataclass(frozen=True)
class Outlook:
    """What is worked out once for a decision."""

    seen: Seen
    seat: int
    laps: int  # still to come after this one
    held: tuple[float, ...]  # chance that a play of this worth is not beaten by another car's
    style: Style

    @property
    def s(self) -> State:
        return self.seen.state  # type: ignore[no-any-return]

    @property
    def g(self) -> Setup:
        return self.seen.setup  # type: ignore[no-any-return]

    @property
    def weight(self) -> float:
        """A place gained early is easily lost again."""
        return 1 / (1 + self.style.late * self.laps)


class Club:
    """A club racer: spends, saves, defends, and knows when the race will end."""

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The legal move of most worth; one of them by lot where several are equal."""
        s: State = seen.state
        laps = laps_to_come(s, seen.setup, self.style)
        outlook = Outlook(seen, seat, laps, chances(seen), self.style)
        values = {}
        for id in legal:
            hand = [s.hand[seat, kind] for kind in range(KINDS)]
            for kind in cards(id):
                hand[kind] -= 1
            values[id] = now(outlook, id) + later(outlook, hand)
        most = max(values.values())
        best = [id for id, value in values.items() if value > most - 1e-9]
        return best[rng.below(len(best))]


BOTS = {"club": Club}


def cards(id: int) -> tuple[int, ...]:
    """The cards that a move costs."""
    chosen = move(id)
    return (chosen.card, REDLINE) if chosen.redline else (chosen.card,)


def now(outlook: Outlook, id: int) -> float:
    """What a move may win at once."""
    if outlook.s.phase == QUALIFY:
        return qualifying(outlook, worth(id))
    if outlook.s.phase != ROAD:
        return fight(outlook, worth(id))
    return extending(outlook) if id >= EXTEND else 0.0


def qualifying(outlook: Outlook, value: int) -> float:
    """The front is worth a good card: who leads plays against one car, who follows against two."""
    rivals = outlook.g.cars - 1
    chance = (outlook.held[value] + lower(outlook.held, value)) / 2  # a tie is settled by lot (LC-3.4)
    return outlook.style.grid * math.pow(rivals, 0.75) * chance


def fight(outlook: Outlook, value: int) -> float:
    """A challenge is about one place; a tie is the defender's (LC-5.2).

    Between two cars of one driver nobody gains (LC-5.6): each throws its least card away. A team
    mate's place is worth half to the team.
    """
    s, options = outlook.s, outlook.seen.options
    attacks = s.order[s.turn] == outlook.seat
    other = s.order[s.turn + 1] if attacks else s.order[s.turn]
    mine, theirs = options.owners[outlook.seat], options.owners[other]
    if mine == theirs:
        return 0.0
    half = 0.5 if options.teams and options.teams[mine] == options.teams[theirs] else 1.0
    chance = lower(outlook.held, value) if attacks else outlook.held[value]
    return half * chance * outlook.weight * stake(outlook, outlook.g.cars - s.turn - 1)


def extending(outlook: Outlook) -> float:
    """An extend opens a gap that the car behind must close before it can challenge (LC-4.3), and
    brings a car within reach of the one ahead."""
    s, style, i = outlook.s, outlook.style, outlook.s.turn
    value = 0.0
    leads = i == outlook.g.cars - 1
    if i > 0 and s.gap[i - 1] < 2:
        value += style.shield * (0.3 if s.gap[i - 1] else 1.0 if leads else 0.7)
    if not leads:
        value += style.close * (1.0 if s.gap[i] == 1 else 0.5)
    return value * outlook.weight


def later(outlook: Outlook, hand: Sequence[int]) -> float:
    """What the cards left in the hand may win until the race ends (LC-7.1); then they are waste paper.

    The best ones fight, a Redline to each as far as they go and the very best in the last lap,
    where it counts most; 1, 2 and 3 are kept for extending.
    """
    style, laps = outlook.style, outlook.laps
    best = [kind for kind in range(KINDS - 1, REDLINE, -1) for _ in range(hand[kind])]
    value = 0.0
    for i in range(min(len(best), int(style.fights * laps))):
        strength = best[i] + (2 if i < hand[REDLINE] else 0)
        value += outlook.held[strength] / (1 + style.late * int(i / style.fights))
    extends = min(hand[1] + hand[2] + 0.7 * hand[3], style.extends * laps)  # no 3 for the leader (LC-6.2)
    value += extends * style.shield / 2 / (1 + style.late * laps / 2)
    return value + style.spare * sum(best) + style.redline * hand[REDLINE]


def laps_to_come(s: State, g: Setup, style: Style) -> int:
    """How many laps come after this one: the first hand that is empty ends the race (LC-7.1).

    A car plays a card a lap, most of another one where it has a car directly behind it, and
    some more where it is also at the heels of one.
    """
    if s.last:
        return 0
    if s.phase == QUALIFY:
        return int((g.cards - 1) / (1.5 + style.defends))
    laps = float(g.cards)
    for i in range(g.cars):
        chased = i > 0 and s.gap[i - 1] == 0
        chases = i < g.cars - 1 and s.gap[i] == 0
        rate = 1 + style.defends * chased + 0.3 * (chased and chases)
        left = s.cards[s.order[i]] - (rate if i >= s.turn else 0)
        laps = min(laps, left / rate)
    return max(0, int(laps + 0.999))


def chances(seen: Seen) -> tuple[float, ...]:
    """For each worth, how likely another car's play is not higher, by counting the unseen cards.

    The others are taken to play the better of two cards, and a Redline now and then.
    """
    s, g = seen.state, seen.setup
    unseen = [g.deck[kind] - s.discard[kind] for kind in range(KINDS)]
    for seat in range(g.cars):
        if seen.eyes >> seat & 1:
            for kind in range(KINDS):
                unseen[kind] -= s.hand[seat, kind]
    total = sum(unseen) or 1
    redlines = min(0.5, 4 * unseen[REDLINE] / total) / 2
    plain = [sum(unseen[: value + 1]) / total for value in range(HIGHEST + 1)]
    raised = [0.0, 0.0, *plain]
    return tuple(
        ((1 - redlines) * plain[value] + redlines * raised[value]) ** 2 for value in range(HIGHEST + 1)
    )


def lower(held: Sequence[float], value: int) -> float:
    """How likely another car's play is lower."""
    return held[value - 1] if value else 0.0


def stake(outlook: Outlook, place: int) -> float:
    """What it is worth to stand in ``place`` rather than one behind: its points, the more so the
    nearer the end; before that, every place is a step on the way to the front."""
    g = outlook.g
    spread = max(1, g.points[0] - g.points[g.cars - 1])
    points: float = (g.points[place - 1] - g.points[place]) * (g.cars - 1) / spread
    sure = 1 / (1 + outlook.laps)
    return sure * points + (1 - sure) + 0.05
