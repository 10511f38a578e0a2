"""LACORSA: bots with hand-written heuristics. They see what their driver sees, and count cards.

*Club* values every legal move by what it may win now, and by what the remaining cards may win before the race
ends. The unit is one place gained for good.
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
SAMPLES = (0.1, 0.3, 0.5, 0.7, 0.9)  # positions in a pile sorted from its lowest card


@dataclass(frozen=True)
class Style:
    """The bot's weights, tuned in thousands of races against itself."""

    late: float = 0.15  # how much each lap to come reduces the value of a place
    front: float = 0.8  # how much more a place at the front is worth than one at the back
    grid: float = 1.2  # value of starting in front
    shield: float = 0.37  # value of an empty space behind the car
    close: float = 0.28  # value of closing up to the car ahead
    fights: float = 1.0  # good cards needed per lap to come
    extends: float = 1.2  # Extend cards that can be used per lap to come
    defends: float = 0.9  # cards per lap that a car loses if another is directly behind it
    spare: float = 0.001  # value of each point of a card that is not needed to fight
    redline: float = 0.02  # the same for a Redline
    turn: float = 0.15  # value of the turn that a stop costs


@dataclass(frozen=True)
class Outlook:
    """Values computed once for a decision."""

    seen: Seen
    seat: int
    laps: int  # to come after this one
    held: tuple[float, ...]  # by value: the chance that another car's play is not higher
    against: tuple[float, ...]  # by car: how much a place gained from it counts; less for a team mate
    style: Style

    @property
    def hand(self) -> list[int]:
        """A new list: how many cards of each kind the hand has."""
        return [self.s.hand[self.seat, kind] for kind in range(KINDS)]

    @property
    def s(self) -> State:
        return self.seen.state  # type: ignore[no-any-return]  # a Seen of this title

    @property
    def g(self) -> Setup:
        return self.seen.setup  # type: ignore[no-any-return]  # a Seen of this title

    @property
    def weight(self) -> float:
        """The weight of a place gained now: less early in the race, when it is easily lost again."""
        return 1 / (1 + self.style.late * self.laps)


class Club:
    """The bot of the level *Club*."""

    def __init__(self, style: Style | None = None) -> None:
        self.style = style or Style()

    def choose(self, seen: Seen, seat: int, legal: Sequence[int], rng: ChanceSource) -> int:
        """Return the legal move with the highest value; a random one of those that are equal."""
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
    """Return what a move may win now, plus what the remaining cards may win later."""
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
    """Return the hand without the cards of a move."""
    chosen, left = move_of(id), list(hand)
    left[chosen.card] -= 1
    left[REDLINE] -= chosen.redline
    return left


def now(outlook: Outlook, id: int) -> float:
    """Return what a move may win now."""
    if outlook.s.phase == QUALIFY:
        return qualifying(outlook, worth(id))
    if outlook.s.phase != ROAD:
        return fight(outlook, id)
    return extending(outlook, id) if id >= EXTEND else 0.0


def qualifying(outlook: Outlook, value: int) -> float:
    """Return the value of a play in qualifying: the leader has one neighbour to fight, others two."""
    rivals = outlook.g.cars - 1
    chance = (outlook.held[value] + lower(outlook.held, value)) / 2  # a tie is broken at random (LC-3.4)
    return outlook.style.grid * math.pow(rivals, 0.75) * chance


def fight(outlook: Outlook, play: int) -> float:
    """Return the value of a play in a challenge, which is about one place; LC-5.2 the defender wins ties."""
    s, held, strength = outlook.s, outlook.held, worth(play)
    attacks = s.order[s.turn] == outlook.seat
    place = outlook.weight * stake(outlook, s.running - s.turn - 1)
    place *= outlook.against[opponent(s, outlook.seat)]
    if outlook.seen.options.players == outlook.g.cars:  # with two cars per driver this made the bot weaker
        place *= 1 + outlook.style.front * (s.turn / (s.running - 1) - 0.5)
    gain = place * (lower(held, strength) if attacks else held[strength])
    if outlook.g.incidents and (play == REDLINE or play >= KINDS):
        tie = held[strength] - lower(held, strength)
        gain -= tie * (accident(outlook, s.running - s.turn - (not attacks)) - place / 6 * attacks)
    return gain


def accident(outlook: Outlook, place: int) -> float:
    """Return the expected loss of a car in this place in an accident.

    The car retires on two of the six faces of the die (LX-3.1), falls to the back on one (LX-3.2), and loses
    a place on one (LX-3.3).
    """
    stakes = [stake(outlook, p) for p in range(place, outlook.s.running)]
    return (2 * sum(stakes) + outlook.weight * (sum(stakes) + sum(stakes[:1]))) / 6


def attack(outlook: Outlook, hand: Sequence[int]) -> float:
    """Return the value of the best play in a challenge of the car ahead."""
    plays = [kind for kind in range(KINDS) if hand[kind]]
    if hand[REDLINE]:
        plays += [kind + 12 for kind in plays if kind]
    return max(fight(outlook, play) + later(outlook, without(hand, play)) for play in plays)


def stopping(outlook: Outlook) -> float:
    """LX-2 return what the cards of a stop may win later, less what the stop costs; never in the last lap."""
    s, g, hand = outlook.s, outlook.g, outlook.hand
    if s.last:
        return -math.inf
    n = drawn(s, g, outlook.seat)
    after = replace(outlook, laps=laps_to_come(s, g, outlook.style, n))
    pile = [kind for kind in range(KINDS) for _ in range(s.discard[kind])]
    draws = [pile[-n:]]  # the best cards, if the driver chooses; else five samples
    if not g.choose:
        draws = [[pile[int((i + first) * len(pile) / n)] for i in range(n)] for first in SAMPLES]
    hands = [[hand[kind] + draw.count(kind) for kind in range(KINDS)] for draw in draws]
    return sum(later(after, cards) for cards in hands) / len(hands) - falling(outlook) - outlook.style.turn


def drawn(s: State, g: Setup, car: int) -> int:
    """Return how many cards the stop still gives (LX-2.1, LX-2.2)."""
    return g.cards - s.cards[car] if g.refill else 1


def falling(outlook: Outlook) -> float:
    """LX-2.3 return what the die costs: a first space on four faces, a second one on two of them."""
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
    """Return the value of an extend.

    The car behind must close the gap before it can challenge (LC-4.3), and the car ahead is nearer; after a 3
    the car may challenge at once (LX-5.1).
    """
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
    """Return what the remaining cards may win until the end of the race, when they lose their value (LC-7.1).

    The best cards fight, each with a Redline while there are some, and the very best one in the last lap,
    when it counts most. 1, 2 and 3 are for extending.
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
    """Return how many laps come after this one: the first empty hand ends the race (LC-7.1).

    A car plays one card per lap, nearly two if another is directly behind it, and some more if it is also
    directly behind one. ``stop``: how many cards the car whose turn it is draws in the pits instead.
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
    """Return the other car of the challenge that ``seat`` is in, or may begin."""
    other: int = s.order[s.turn + 1]
    return s.order[s.turn] if other == seat else other


def chances(seen: Seen, seat: int) -> tuple[float, ...]:
    """Return, for each value, the chance that another car's play is not higher.

    It counts the unseen cards, and the known cards of the opponent (LX-2.1). It assumes that others play the
    better of two cards, sometimes with a Redline.
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
    """Return how much a place gained from each car counts for the driver of ``seat``.

    Between two cars of one driver it counts nothing (LC-5.6), so each plays its lowest card. Between team
    mates it counts half (LC-2.2).
    """
    owners, teams = seen.options.owners, seen.options.teams
    mine = owners[seat]
    return tuple(
        0.0 if driver == mine else 0.5 if teams and teams[driver] == teams[mine] else 1.0 for driver in owners
    )


def lower(held: Sequence[float], value: int) -> float:
    """Return the chance that another car's play is lower."""
    return held[value - 1] if value else 0.0


def stake(outlook: Outlook, place: int) -> float:
    """Return the value of ``place`` compared with the next one: by points near the end of the race; before
    that, the same for every place."""
    g = outlook.g
    spread = max(1, g.points[0] - g.points[g.cars - 1])
    points: float = (g.points[place - 1] - g.points[place]) * (g.cars - 1) / spread
    sure = 1 / (1 + outlook.laps)
    return sure * points + (1 - sure) + 0.05
