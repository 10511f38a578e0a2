"""LACORSA: bots with hand-written heuristics. They see what their driver sees, and count cards.

*Club* weighs every legal move by what it may win now and by what the cards that stay in the hand
may still win before the race ends. The unit is one place gained for good.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from paddock.core.game import ChanceSource
from paddock.core.title import Seen
from paddock.games.lacorsa import state
from paddock.games.lacorsa.race import worth
from paddock.games.lacorsa.state import EXTEND, KINDS, QUALIFY, REDLINE, ROAD, Setup, State
from paddock.games.lacorsa.text import move_of

HIGHEST = 14  # 12 with a Redline (LC-5.1)
SAMPLES = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a pile, from its lowest cards up


@dataclass(frozen=True)
class Style:
    """The taste of a driver: no small change of it did better in thousands of races against itself."""

    late: float = 0.15  # how much less a place is worth for each lap still to come
    front: float = 0.8  # how much more a place at the front is fought for than one at the back
    grid: float = 1.2  # worth of starting in front
    shield: float = 0.37  # worth of an empty space behind the car
    close: float = 0.28  # worth of closing up to the car ahead
    fights: float = 1.0  # good cards that a lap to come will ask for
    extends: float = 1.2  # Extend cards that a lap to come can use
    defends: float = 0.9  # cards that a car loses in a lap by having another behind it
    spare: float = 0.001  # worth of a pip that no fight is foreseen for
    redline: float = 0.02  # the same of a Redline
    turn: float = 0.15  # worth of the turn that a stop costs


@dataclass(frozen=True)
class Outlook:
    """Values computed once for a decision."""

    seen: Seen
    seat: int
    laps: int  # still to come after this one
    held: tuple[float, ...]  # chance that a play of this worth is not beaten by another car's
    against: tuple[float, ...]  # what a place gained from this car is worth: less from a friend
    style: Style

    @property
    def hand(self) -> list[int]:
        """A copy: the cards of each kind."""
        return [self.s.hand[self.seat, kind] for kind in range(KINDS)]

    @property
    def s(self) -> State:
        return self.seen.state  # type: ignore[no-any-return]

    @property
    def g(self) -> Setup:
        return self.seen.setup  # type: ignore[no-any-return]

    @property
    def weight(self) -> float:
        """The discount on a place gained now, as an early one is easily lost again."""
        return 1 / (1 + self.style.late * self.laps)


class Club:
    """A club racer: spends, saves, defends, and knows when the race will end."""

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """The legal move of most worth; one of them by lot where several are equal."""
        s: State = seen.state
        stop = drawn(s, seen.setup, seat) if s.phase == state.PIT_DRAW else 0
        laps = laps_to_come(s, seen.setup, self.style, stop)
        outlook = Outlook(seen, seat, laps, chances(seen, seat), rivalry(seen, seat), self.style)
        values = {id: value(outlook, id) for id in legal}
        most = max(values.values())
        best = [id for id, value in values.items() if value > most - 1e-9]
        return best[rng.below(len(best))]


BOTS = {"club": Club}


def value(outlook: Outlook, id: int) -> float:
    """What a move may win at once, and what the cards then held may win later."""
    hand = outlook.hand
    if id == state.PIT:
        return stopping(outlook)
    if id in (state.STAY, state.ATTACK):
        return attack(outlook, hand)
    if id >= state.STOP:
        if id >= state.TAKE:
            hand[id - state.TAKE] += 1
        return later(outlook, hand)
    return now(outlook, id) + later(outlook, without(hand, id))


def without(hand: Sequence[int], id: int) -> list[int]:
    """The hand without the cards that a move costs."""
    chosen, left = move_of(id), list(hand)
    left[chosen.card] -= 1
    left[REDLINE] -= chosen.redline
    return left


def now(outlook: Outlook, id: int) -> float:
    """What a move may win at once."""
    if outlook.s.phase == QUALIFY:
        return qualifying(outlook, worth(id))
    if outlook.s.phase != ROAD:
        return fight(outlook, id)
    return extending(outlook, id) if id >= EXTEND else 0.0


def qualifying(outlook: Outlook, value: int) -> float:
    """The front is worth a good card: who leads plays against one car, who follows against two."""
    rivals = outlook.g.cars - 1
    chance = (outlook.held[value] + lower(outlook.held, value)) / 2  # a tie is settled by lot (LC-3.4)
    return outlook.style.grid * math.pow(rivals, 0.75) * chance


def fight(outlook: Outlook, play: int) -> float:
    """A challenge is about one place; a tie is the defender's (LC-5.2), or an accident."""
    s, held, strength = outlook.s, outlook.held, worth(play)
    attacks = s.order[s.turn] == outlook.seat
    place = outlook.weight * stake(outlook, s.running - s.turn - 1)
    place *= outlook.against[opponent(s, outlook.seat)]
    if outlook.seen.options.players == outlook.g.cars:  # a driver of two cars loses by it
        place *= 1 + outlook.style.front * (s.turn / (s.running - 1) - 0.5)
    gain = place * (lower(held, strength) if attacks else held[strength])
    if outlook.g.incidents and (play == REDLINE or play >= KINDS):
        tie = held[strength] - lower(held, strength)
        gain -= tie * (accident(outlook, s.running - s.turn - (not attacks)) - place / 6 * attacks)
    return gain


def accident(outlook: Outlook, place: int) -> float:
    """What a car in this place loses by an accident, a sixth for each face of the die: by two it
    retires for good (LX-3.1), one costs it all places (LX-3.2), and one a single place (LX-3.3)."""
    stakes = [stake(outlook, p) for p in range(place, outlook.s.running)]
    return (2 * sum(stakes) + outlook.weight * (sum(stakes) + sum(stakes[:1]))) / 6


def attack(outlook: Outlook, hand: Sequence[int]) -> float:
    """The best that a challenge of the car ahead offers."""
    plays = [kind for kind in range(KINDS) if hand[kind]]
    if hand[REDLINE]:
        plays += [kind + 12 for kind in plays if kind]
    return max(fight(outlook, play) + later(outlook, without(hand, play)) for play in plays)


def stopping(outlook: Outlook) -> float:
    """LX-2 what the cards of a stop may win later, less what the die may cost; nothing in the last lap."""
    s, g, hand = outlook.s, outlook.g, outlook.hand
    if s.last:
        return -math.inf
    n = drawn(s, g, outlook.seat)
    after = replace(outlook, laps=laps_to_come(s, g, outlook.style, n))
    pile = [kind for kind in range(KINDS) for _ in range(s.discard[kind])]
    draws = [pile[-n:]]  # the best of it, or five even samples, which stand for chance
    if not g.choose:
        draws = [[pile[int((i + first) * len(pile) / n)] for i in range(n)] for first in SAMPLES]
    hands = [[hand[kind] + draw.count(kind) for kind in range(KINDS)] for draw in draws]
    return sum(later(after, cards) for cards in hands) / len(hands) - falling(outlook) - outlook.style.turn


def drawn(s: State, g: Setup, car: int) -> int:
    """The cards that a stop still brings (LX-2.1, LX-2.2)."""
    return g.cards - s.cards[car] if g.refill else 1


def falling(outlook: Outlook) -> float:
    """LX-2.3 what a stop costs: a first space by four faces of the die, a second one by two of them."""
    s, i = outlook.s, outlook.s.turn
    cost, fallen = 0.0, 0
    for chance in (2 / 3, 1 / 3):
        if i > 0 and s.gap[i - 1] == fallen:
            cost += chance * stake(outlook, s.running - i)
            i, fallen = i - 1, 0
        else:
            cost += chance * outlook.style.close / 2
            fallen += 1
    return cost * outlook.weight


def extending(outlook: Outlook, id: int) -> float:
    """An extend opens a gap that the car behind must close before it can challenge (LC-4.3), and
    brings a car within reach of the one ahead: at once with a 3 (LX-5.1)."""
    s, style, i = outlook.s, outlook.style, outlook.s.turn
    value = 0.0
    leads = i == s.running - 1
    if i > 0 and s.gap[i - 1] < 2:
        value += style.shield * (0.3 if s.gap[i - 1] else 1.0 if leads else 0.7)
    if not leads:
        value += style.close * (1.0 if s.gap[i] == 1 else 0.5)
    value *= outlook.weight
    drafts = outlook.g.drafting and id == EXTEND + 2 and s.gap[i] == 1 and s.cards[outlook.seat] > 1
    if drafts and not s.drafted >> outlook.seat & 1:
        hand = without(outlook.hand, id)
        value += max(0.0, attack(outlook, hand) - later(outlook, hand))
    return value


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


def laps_to_come(s: State, g: Setup, style: Style, stop: int = 0) -> int:
    """How many laps come after this one: the first hand that is empty ends the race (LC-7.1).

    A car plays a card a lap, most of another one where it has a car directly behind it, and
    some more where it is also at the heels of one. ``stop``: the cards that the car in turn draws in
    the pits instead.
    """
    if s.last:
        return 0
    if s.phase == QUALIFY:
        return int((g.cards - 1) / (1.5 + style.defends))
    laps = float(g.cards)
    for i in range(s.running):
        chased = i > 0 and s.gap[i - 1] == 0
        chases = i < s.running - 1 and s.gap[i] == 0
        rate = 1 + style.defends * chased + 0.3 * (chased and chases)
        left = s.cards[s.order[i]] - (rate if i >= s.turn else 0)
        if stop and i == s.turn:
            left += rate + stop
        laps = min(laps, left / rate)
    return max(0, int(laps + 0.999))


def opponent(s: State, seat: int) -> int:
    """The other car of the challenge that ``seat`` is in, or may choose."""
    other: int = s.order[s.turn + 1]
    return s.order[s.turn] if other == seat else other


def chances(seen: Seen, seat: int) -> tuple[float, ...]:
    """For each worth, how likely another car's play is not higher, by counting the unseen cards and
    those that the car met is known to hold (LX-2.1).

    The others are taken to play the better of two cards, and a Redline now and then.
    """
    s, g = seen.state, seen.setup
    unseen = [g.deck[kind] - s.discard[kind] for kind in range(KINDS)]
    for car in range(g.cars):
        shown = s.hand if seen.eyes >> car & 1 else s.known
        for kind in range(KINDS):
            unseen[kind] -= shown[car, kind]
    total = sum(unseen) or 1
    redlines = min(0.5, 4 * unseen[REDLINE] / total) / 2
    plain = [sum(unseen[: value + 1]) / total for value in range(HIGHEST + 1)]
    if s.phase != QUALIFY and s.turn + 1 < s.running:
        met = opponent(s, seat)
        known = [s.known[met, kind] for kind in range(KINDS)]
        if any(known):
            held, hidden = s.cards[met], s.cards[met] - sum(known)
            plain = [(hidden * chance + sum(known[: value + 1])) / held for value, chance in enumerate(plain)]
    raised = [0.0, 0.0, *plain]
    return tuple(
        ((1 - redlines) * plain[value] + redlines * raised[value]) ** 2 for value in range(HIGHEST + 1)
    )


def rivalry(seen: Seen, seat: int) -> tuple[float, ...]:
    """What a place gained from each car is worth to the driver of ``seat``.

    Between two cars of one driver nobody gains (LC-5.6): each throws its least card away. A team
    mate's place is worth half to the team (LC-2.2).
    """
    owners, teams = seen.options.owners, seen.options.teams
    mine = owners[seat]
    return tuple(
        0.0 if driver == mine else 0.5 if teams and teams[driver] == teams[mine] else 1.0 for driver in owners
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
