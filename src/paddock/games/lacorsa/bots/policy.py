"""LACORSA: the hand-written bot *Club*, in the kernel's subset with floats, so that it also runs compiled.

It sees what its driver sees, and counts cards. It values every legal move by what it may win now, and by what
the remaining cards may win before the race ends. The unit is one place gained for good.

The functions share a part of ``out`` behind the legal moves: the hand that they value (``HAND``), the laps to
come (``LAPS``), and the chances in a challenge (``CHANCE_OF``).
"""

from __future__ import annotations

import math

from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.large_grid import to_draw
from paddock.games.lacorsa.rules.race import worth
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.kernel import Row, below, rule

# Weights, tuned in thousands of races of the bot against itself
LATE = 0.15  # how much each lap to come reduces the value of a place
FRONT = 0.8  # how much more a place at the front is worth than one at the back
GRID = 1.2  # value of starting in front
SHIELD = 0.37  # value of an empty space behind the car
CLOSE = 0.28  # value of closing up to the car ahead
EXTENDS = 1.2  # Extend cards that can be used per lap to come
DEFENDS = 0.9  # cards per lap that a car loses if another is directly behind it
SPARE = 0.001  # value of each point of a card that is not needed to fight
REDLINES = 0.02  # the same for a Redline
TURN = 0.15  # value of the turn that a stop costs

# How much a place on the grid is worth, by the number of rivals
RIVALS = tuple(math.pow(rivals, 0.75) for rivals in range(state.CARS))
SAMPLES = (0.1, 0.3, 0.5, 0.7, 0.9)  # positions in a pile sorted from its lowest card
NEVER = -math.inf
EQUAL = 1e-9  # values that differ by less are equal

# Places in ``out``
MOST_MOVES = 30  # legal at the same time
HAND = MOST_MOVES + 1  # how many cards of each kind
LAPS = HAND + state.KINDS  # to come after this one
WHOLE = LAPS + 1  # the number that stands for certainty in ``CHANCE_OF``
MOST_BY = 4  # by which a challenger must win (LC-5.2)
# By value: the chance that another car's play is not higher; before it MOST_BY times 0, after it certainty
CHANCE_OF = WHOLE + 1 + MOST_BY


@rule
def policy(s: State, g: Setup, seat: int, out: Row, n: int, rng: Row) -> int:
    """Return the legal move with the highest value; a random one of those that are equal."""
    return out[below(rng, best_moves(s, g, seat, out, n))]


@rule
def best_moves(s: State, g: Setup, seat: int, out: Row, n: int) -> int:
    """Write the best of the ``n`` legal moves in ``out`` to its start, in the same order; return how many."""
    for kind in range(state.KINDS):
        out[HAND + kind] = s.hand[seat, kind]
    out[LAPS] = laps_to_come(s, g, to_draw(s, g, seat) if s.phase == state.PIT_DRAW else 0)
    weigh_cards(s, g, seat, out)
    best = 0
    top = NEVER
    for i in range(n):
        move = out[i]
        value = value_of(s, g, seat, out, move)
        if value > top + EQUAL:
            best = 0
        if value > top - EQUAL:
            out[best] = move
            best += 1
            top = max(top, value)
    return best


@rule
def value_of(s: State, g: Setup, seat: int, out: Row, move: int) -> float:
    """Return what a move may win now, plus what the remaining cards may win later."""
    if move == state.PIT:
        return stopping(s, g, seat, out)
    if move in (state.STAY, state.ATTACK):
        return attack(s, g, seat, out)
    if move == state.STOP:
        return later(g, out)
    if move >= state.TAKE:
        out[HAND + move - state.TAKE] += 1
        value = later(g, out)
        out[HAND + move - state.TAKE] -= 1
        return value
    play = move - state.EXTEND + 1 if move >= state.EXTEND else move % state.DISCARD
    hold(out, play, -1)
    value = later(g, out)
    if s.phase == state.QUALIFY:
        value += qualifying(g, out, worth(g, play))
    elif s.phase != state.ROAD:
        value += fight(s, g, seat, out, play)
    elif move >= state.EXTEND:
        value += extending(s, g, seat, out, play)
    hold(out, play, 1)
    return value


@rule
def hold(out: Row, play: int, n: int) -> None:
    """Add ``n`` times the cards of a play to the hand that is valued."""
    if play >= state.KINDS:
        out[HAND + state.REDLINE] += n
        play = (play - state.WITH_REDLINE) % state.KINDS
    out[HAND + play] += n


# Challenges


@rule
def qualifying(g: Setup, out: Row, value: int) -> float:
    """Return the value of a play in qualifying: the leader has one neighbour to fight, others two."""
    chance = (held(out, value) + lower(out, value)) / 2  # a tie is broken at random (LC-3.4)
    return GRID * RIVALS[g.cars - 1] * chance


@rule
def fight(s: State, g: Setup, seat: int, out: Row, play: int) -> float:
    """Return the value of a play in a challenge, which is about one place.

    LC-5.2 the challenger wins by ``win_by``, so that the defender wins ties.
    """
    strength = worth(g, play)
    attacks = int(s.order[s.turn] == seat)
    place = weight(out) * stake(s, g, out, s.running - s.turn - 1) * against(g, seat, opponent(s, seat))
    if g.owner[0] != g.owner[1]:  # with two cars per driver this made the bot weaker
        place *= 1 + FRONT * (s.turn / (s.running - 1) - 0.5)
    gain = place * held(out, strength - g.win_by if attacks else strength + g.win_by - 1)
    if g.incidents and (play == state.REDLINE or play >= state.KINDS):
        tie = held(out, strength) - lower(out, strength)
        saved = place * (7 - g.safe_face) / 6 * attacks  # LX-3.4
        gain -= tie * (accident(s, g, out, s.running - s.turn - 1 + attacks) - saved)
    return gain


@rule
def attack(s: State, g: Setup, seat: int, out: Row) -> float:
    """Return the value of the best play in a challenge of the car ahead."""
    best = NEVER
    for play in range(2 * state.KINDS - 1):
        kind = play if play < state.KINDS else play - state.WITH_REDLINE
        if out[HAND + kind] and (play < state.KINDS or out[HAND + state.REDLINE]):
            hold(out, play, -1)
            best = max(best, fight(s, g, seat, out, play) + later(g, out))
            hold(out, play, 1)
    return best


@rule
def accident(s: State, g: Setup, out: Row, place: int) -> float:
    """Return the expected loss of a car in this place in an accident.

    The car retires on two of the six faces of the die (LX-3.1), falls to the back on one (LX-3.2), and loses
    a place on one (LX-3.3), if nothing happens only on the others (LX-3.4).
    """
    stakes = 0.0
    first = stake(s, g, out, place) if place < s.running else 0.0
    for behind in range(place, s.running):
        stakes += stake(s, g, out, behind)
    retires = min(2, g.safe_face - 1)
    return (retires * stakes + weight(out) * ((g.safe_face > 4) * stakes + (g.safe_face > 5) * first)) / 6


@rule
def opponent(s: State, seat: int) -> int:
    """Return the other car of the challenge that ``seat`` is in, or may begin."""
    ahead = s.order[s.turn + 1]
    return s.order[s.turn] if ahead == seat else ahead


@rule
def against(g: Setup, seat: int, other: int) -> float:
    """Return how much a place gained from another car counts for the driver of ``seat``.

    Between two cars of one driver it counts nothing (LC-5.6), so each plays its lowest card. Between team
    mates it counts half (LC-2.2).
    """
    if g.owner[other] == g.owner[seat]:
        return 0.0
    return 0.5 if g.team[other] == g.team[seat] else 1.0


@rule
def stake(s: State, g: Setup, out: Row, place: int) -> float:
    """Return the value of ``place`` compared with the next one: by points near the end of the race; before
    that, the same for every place."""
    spread = max(1, g.points[0] - g.points[g.cars - 1])
    points = (g.points[place - 1] - g.points[place]) * (g.cars - 1) / spread
    sure = 1 / (1 + out[LAPS])
    return sure * points + (1 - sure) + 0.05


@rule
def weight(out: Row) -> float:
    """Return the weight of a place gained now: less early in the race, when it is easily lost again."""
    return 1 / (1 + LATE * out[LAPS])


# Pit stops and the free road


@rule
def stopping(s: State, g: Setup, seat: int, out: Row) -> float:
    """LX-2 return what the cards of a stop may win later, less what the stop costs; never in the last lap."""
    if s.last:
        return NEVER
    n = to_draw(s, g, seat)
    laps = out[LAPS]
    cost = falling(s, g, out) + TURN
    out[LAPS] = laps_to_come(s, g, n)
    pile = 0
    for kind in range(state.KINDS):
        pile += s.discard[kind]
    value = 0.0
    if g.choose:
        n = min(n, pile)
        value = with_cards(s, g, out, n, 0.5, pile - n, n)
    else:
        for first in SAMPLES:
            value += with_cards(s, g, out, n, first, 0, pile)
        value /= len(SAMPLES)
    out[LAPS] = laps
    return value - cost


@rule
def with_cards(s: State, g: Setup, out: Row, n: int, first: float, low: int, cards: int) -> float:
    """Return what the hand may win later with ``n`` more cards.

    They are spread evenly, from ``first`` on, over ``cards`` cards of the sorted discard pile that begin at
    ``low``.
    """
    for i in range(n):
        out[HAND + card_at(s, low + int((i + first) * cards / n))] += 1
    value = later(g, out)
    for i in range(n):
        out[HAND + card_at(s, low + int((i + first) * cards / n))] -= 1
    return value


@rule
def card_at(s: State, position: int) -> int:
    """Return the card at this position of the discard pile, sorted from its lowest card."""
    kind = 0
    while position >= s.discard[kind]:
        position -= s.discard[kind]
        kind += 1
    return kind


@rule
def falling(s: State, g: Setup, out: Row) -> float:
    """LX-2.3 return what the die costs: a first space on four faces, a second one on two of them.

    Two faces each cost ``pit_low`` and ``pit_middle`` spaces.
    """
    i = s.turn
    cost = 0.0
    fallen = 0
    for space in range(max(g.pit_low, g.pit_middle)):
        chance = 2 * ((g.pit_low > space) + (g.pit_middle > space)) / 6
        if i > 0 and s.gap[i - 1] == fallen:
            cost += chance * stake(s, g, out, s.running - i)
            i -= 1
            fallen = 0
        else:
            cost += chance * CLOSE / 2
            fallen += 1
    return cost * weight(out)


@rule
def extending(s: State, g: Setup, seat: int, out: Row, kind: int) -> float:
    """Return the value of an extend with a card that is not in the valued hand any more.

    The car behind must close the gap before it can challenge (LC-4.3), and the car ahead is nearer; after a 3
    the car may challenge at once (LX-5.1).
    """
    i = s.turn
    value = 0.0
    leads = i == s.running - 1
    if i > 0 and s.gap[i - 1] < 2:
        value += SHIELD * (0.3 if s.gap[i - 1] else 1.0 if leads else 0.7)
        value += SHIELD * 0.3 * (g.extend_spaces - 1)  # it takes the car behind longer to close the gap
    closes = not leads and s.gap[i] <= g.extend_spaces
    if not leads:
        value += CLOSE * (1.0 if closes else 0.5)
    value *= weight(out)
    drafted = (s.drafted >> seat) & 1  # LX-5.2
    if g.drafting and kind >= g.drafts_from and closes and s.cards[seat] > 1 and not drafted:
        value += max(0.0, attack(s, g, seat, out) - later(g, out))
    return value


# The rest of the race


@rule
def later(g: Setup, out: Row) -> float:
    """Return what the remaining cards may win until the end of the race, when they lose their value (LC-7.1).

    In each lap one good card fights, with a Redline while there are some; the very best one in the last lap,
    when it counts most. 1, 2 and 3 are for extending.
    """
    laps = out[LAPS]
    redlines = out[HAND + state.REDLINE]
    bonus = g.redline_bonus
    wins = 0.0
    spare = g.redline_alone * redlines
    fights = 0
    for kind in range(state.KINDS - 1, state.REDLINE, -1):
        cards = out[HAND + kind]
        spare += kind * cards
        for _ in range(min(cards, laps - fights)):
            strength = kind + bonus if fights < redlines else kind
            wins += out[CHANCE_OF + strength] / (1 + LATE * fights)
            fights += 1
    always = out[HAND + 1] + out[HAND + 2]
    behind = out[HAND + 3]  # no use for the leader (LC-6.2)
    if g.leader_extends != 2 or g.extend_cards != 3:  # else without loops, for speed
        always = 0
        behind = 0
        for kind in range(1, g.extend_cards + 1):
            if kind <= g.leader_extends:
                always += out[HAND + kind]
            else:
                behind += out[HAND + kind]
    extends = min(always + 0.7 * behind, EXTENDS * laps)
    value = wins / out[WHOLE] + extends * SHIELD / 2 / (1 + LATE * laps / 2)
    return value + SPARE * spare + REDLINES * redlines


@rule
def laps_to_come(s: State, g: Setup, stop: int) -> int:
    """Return how many laps come after this one: the first empty hand ends the race (LC-7.1).

    A car plays one card per lap, nearly two if another is directly behind it, and some more if it is also
    directly behind one. ``stop``: how many cards the car whose turn it is draws in the pits instead.
    """
    if s.last:
        return 0
    if s.phase == state.QUALIFY:
        return int((g.cards - 1) / (1.5 + DEFENDS))
    laps = float(g.cards)
    for i in range(s.running):
        rate = 1.0
        if i > 0 and s.gap[i - 1] == 0:
            rate += DEFENDS
            if i < s.running - 1 and s.gap[i] == 0:
                rate += 0.3
        left = float(s.cards[s.order[i]])
        if i == s.turn and stop:
            left += stop
        elif i >= s.turn:
            left -= rate
        laps = min(laps, left / rate)
    return max(0, int(laps + 0.999))


# Chances


@rule
def held(out: Row, value: int) -> float:
    """Return the chance that another car's play is not higher."""
    return out[CHANCE_OF + value] / out[WHOLE]


@rule
def lower(out: Row, value: int) -> float:
    """Return the chance that another car's play is lower."""
    return out[CHANCE_OF + value - 1] / out[WHOLE]


@rule
def weigh_cards(s: State, g: Setup, seat: int, out: Row) -> None:
    """Write to ``CHANCE_OF``, for each value, the chance that another car's play is not higher.

    It counts the unseen cards, and the known cards of the opponent (LX-2.1). It assumes that others play the
    better of two cards, sometimes with a Redline. The chances are whole numbers, with one denominator.
    """
    total = 0
    bonus = g.redline_bonus
    values = state.KINDS + bonus
    for kind in range(state.KINDS):
        total += g.deck[kind] - s.discard[kind]
        for car in range(g.cars):  # a hand that the driver does not see has no ``held``
            total -= s.hand[car, kind] if s.held[car] else s.known[car, kind]
        out[CHANCE_OF + kind] = total
    for value in range(state.KINDS, values):
        out[CHANCE_OF + value] = total
    whole = max(1, total)
    alone = out[CHANCE_OF + state.REDLINE]
    for value in range(g.redline_alone):  # LC-3.2
        out[CHANCE_OF + value] -= alone
    redlines = min(whole, 8 * alone)  # of four times as many plays
    raised = 4 * whole
    if s.phase != state.QUALIFY and s.turn + 1 < s.running:
        whole *= mix_in_known(s, g, opponent(s, seat), out, whole)
    for value in range(values - 1, bonus - 1, -1):
        chance = (raised - redlines) * out[CHANCE_OF + value] + redlines * out[CHANCE_OF + value - bonus]
        out[CHANCE_OF + value] = chance * chance
    for value in range(bonus):
        chance = (raised - redlines) * out[CHANCE_OF + value]
        out[CHANCE_OF + value] = chance * chance
    whole *= raised
    out[WHOLE] = whole * whole
    for beyond in range(MOST_BY):
        out[CHANCE_OF - 1 - beyond] = 0
        out[CHANCE_OF + values + beyond] = out[WHOLE]


@rule
def mix_in_known(s: State, g: Setup, car: int, out: Row, whole: int) -> int:
    """LX-2.1 add the known cards of a car to the chances; return the factor of the new denominator."""
    unknown = s.cards[car]
    for kind in range(state.KINDS):
        unknown -= s.known[car, kind]
    if unknown == s.cards[car]:
        return 1
    known = 0
    for value in range(state.KINDS + g.redline_bonus):
        if 0 < value < state.KINDS:
            known += s.known[car, value]
        if value == g.redline_alone:
            known += s.known[car, state.REDLINE]
        out[CHANCE_OF + value] = unknown * out[CHANCE_OF + value] + whole * known
    return s.cards[car]
