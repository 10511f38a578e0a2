"""Rasant: the line and the deal (RA-2), rounds (RA-3), overtaking (RA-4) and drawing up to the end (RA-5)."""

from __future__ import annotations

from paddock.games.rasant.rules import refusals, state
from paddock.games.rasant.rules.hands import holds_colour, spend, take
from paddock.games.rasant.rules.state import Setup, State
from paddock.kernel import CHANCE, HIDDEN, TELL, rule, tell


@rule
def left_of(g: Setup, player: int) -> int:
    """RA-3.3 return the next player clockwise."""
    player += 1
    if player == g.players:
        player = 0
    return player


@rule
def lined_up(s: State, g: Setup) -> None:
    """RA-2.1 the line is complete; RA-2.2 a dealer is drawn if there is none yet."""
    s.lined = state.CARS
    s.phase = state.DEALERS
    if s.dealer != HIDDEN:
        deals(s, g, s.dealer)


@rule
def deals(s: State, g: Setup, dealer: int) -> None:
    """RA-2.2 begin the deal, on the left of the dealer."""
    s.dealer = dealer
    s.drawing = left_of(g, dealer)
    s.phase = state.DEAL


@rule
def deal(s: State, g: Setup, kind: int) -> None:
    """RA-2.2 deal the next card, hand after hand; RA-3.1 the player left of the dealer leads."""
    take(s, s.drawing, kind)
    if s.reserve == 0:  # RA-5.2
        tell(s, state.RESERVE_EMPTY)
    if s.cards[s.drawing] == g.dealt:
        if s.drawing == s.dealer:
            begin_round(s, g, left_of(g, s.dealer))
        else:
            s.drawing = left_of(g, s.drawing)


@rule
def cars_of(s: State, colour: int) -> int:
    """Return how many cars of a colour are in the line."""
    n = 0
    for i in range(1, s.lined):
        n += int(s.line[i] // 3 == colour)
    return n


@rule
def join(s: State, g: Setup, colour: int) -> None:
    """RA-2.1 add a car of this colour to the line."""
    s.line[s.lined] = 3 * colour + cars_of(s, colour)
    s.lined += 1
    if s.lined == state.CARS:
        lined_up(s, g)


@rule
def refill(s: State, g: Setup, kind: int) -> None:
    """RA-5.1 draw the next card after an overtaking."""
    take(s, s.drawing, kind)
    tell(s, state.DREW, s.drawing, 1)
    if s.reserve == 0:
        tell(s, state.RESERVE_EMPTY)
    find_drawer(s, g)


@rule
def find_drawer(s: State, g: Setup) -> None:
    """RA-5.1, RA-5.6 find who draws next: from the winner clockwise, each draws up to a full hand."""
    s.waiting = 1 << CHANCE
    while s.reserve > 0:
        if s.cards[s.drawing] < g.hand:
            s.phase = state.DRAW
            return
        s.drawing = left_of(g, s.drawing)
        if s.drawing == s.best:
            break
    begin_round(s, g, s.leader)


@rule
def begin_round(s: State, g: Setup, leader: int) -> None:
    """RA-3.1 begin a round; RA-5.3, RA-5.7 or end the game if nobody can lead."""
    s.colour = state.NO_COLOUR
    s.top = state.EMPTY
    s.passed = 0
    s.first = 0
    s.leader = leader
    coloured = 0
    for player in range(g.players):
        coloured |= holds_colour(s, player)
    if not coloured:
        s.phase = state.OVER
        s.waiting = 0
        for player in range(g.players):
            s.black[player] = s.cards[player]  # the end proves it
            if TELL:
                tell(s, state.FINISHED, player, place_of(s, g, player))
        return
    s.phase = state.ROUND
    tell(s, state.LEADS, leader)
    ask(s, g, leader)


@rule
def place_of(s: State, g: Setup, player: int) -> int:
    """RA-5.4 return the place, from 1; a tie is shared."""
    place = 1
    for other in range(g.players):
        if s.score[other] > s.score[player]:
            place += 1
    return place


@rule
def ask(s: State, g: Setup, player: int) -> int:
    """RA-3.3 ask the next player in the round; RA-3.10 an empty hand passes by itself.

    Returns 1 if such passes end the round, which is possible only after a card is led.
    """
    while True:
        while (s.passed >> player) & 1:
            player = left_of(g, player)
        if s.colour == state.NO_COLOUR:
            s.leader = player  # RA-3.8
        if s.cards[player] > 0:
            s.waiting = 1 << player
            return 0
        leave(s, player, state.EMPTY)
        if round_over(s, g):
            return 1


@rule
def leave(s: State, player: int, discarded: int) -> None:
    """RA-3.3 the player leaves the round; RA-3.1 the first to do so leads the next one."""
    s.passed |= 1 << player
    if s.first == 0:
        s.first = player + 1
    tell(s, state.PASSED, player, discarded)


@rule
def round_over(s: State, g: Setup) -> int:
    """RA-3.4 return 1 if a card is led and all players but one (by option, all) have passed."""
    if s.colour == state.NO_COLOUR:  # RA-3.7
        return 0
    left = ((1 << g.players) - 1) & ~s.passed
    if not g.to_the_last:
        left &= left - 1  # ignore one of them
    return int(left == 0)


@rule
def is_higher(s: State, g: Setup, kind: int) -> int:
    """RA-3.3 return whether a card is higher than the highest of the round, by as much as it must be."""
    by = g.black_by if kind >= state.BLACK else g.raise_by
    return int(kind % state.SPEEDS >= s.top % state.SPEEDS + by)


@rule
def ends(g: Setup, kind: int) -> int:
    """RA-3.4 return whether a card ends the round at once, as a 130 does."""
    return int(kind % state.SPEEDS >= g.ends_from)


@rule
def why_not_play(s: State, g: Setup, kind: int) -> int:
    """RA-3.2 a coloured card is led; RA-3.3 then follow higher cards, of its colour or black."""
    if s.colour == state.NO_COLOUR:
        return refusals.LEADS_BLACK if kind >= state.BLACK else refusals.LEGAL
    if kind < state.BLACK and kind // state.SPEEDS != s.colour:
        return refusals.OTHER_COLOUR
    return refusals.LEGAL if is_higher(s, g, kind) else refusals.NOT_HIGHER


@rule
def why_not_pass(s: State, g: Setup, player: int, move: int) -> int:
    """RA-3.2 a leader passes only without a coloured card; RA-5.2 without a reserve, passing costs a card."""
    if s.colour == state.NO_COLOUR and holds_colour(s, player):
        return refusals.MUST_LEAD
    if s.reserve > 0 or g.pass_cost == 0:
        return refusals.KEEPS_CARDS if move >= state.DISCARD else refusals.LEGAL
    return refusals.MUST_DISCARD if move == state.PASS else refusals.LEGAL


@rule
def played_as(kind: int) -> int:
    """Return where a played card is counted: by suit, and in it by band of speeds."""
    return kind // state.SPEEDS * state.BANDS + kind % state.SPEEDS // state.BAND


@rule
def play(s: State, g: Setup, player: int, kind: int) -> None:
    """RA-3.2 the lead sets the colour; RA-3.3 a raise is the highest card; RA-3.4 a 130 ends the round."""
    if s.colour == state.NO_COLOUR:
        s.colour = kind // state.SPEEDS
        tell(s, state.LED, player, kind)
    else:
        tell(s, state.RAISED, player, kind)
    s.top = kind
    s.best = player
    spend(s, player, kind)
    s.past[player, state.PLAYED + played_as(kind)] += 1
    if ends(g, kind) or round_over(s, g) or ask(s, g, left_of(g, player)):
        overtake(s, g)


@rule
def pass_on(s: State, g: Setup, player: int, move: int) -> None:
    """RA-3.3 pass; RA-5.2 if the reserve is empty, discard a card; RA-3.9 the last player does not."""
    discarded = state.EMPTY
    if move >= state.DISCARD:
        discarded = move - state.DISCARD
        spend(s, player, discarded)
        s.past[player, state.DISCARDED + discarded // state.SPEEDS] += 1
    leave(s, player, discarded)
    if s.colour == state.NO_COLOUR:
        s.black[player] = s.cards[player]  # RA-3.2 a leader passes only without a coloured card
    else:
        s.past[player, state.PASSES + s.colour] += 1
        s.past[player, state.REFUSED + s.colour] = 1 + s.top % state.SPEEDS
    if round_over(s, g) or ask(s, g, left_of(g, player)):
        overtake(s, g)


@rule
def points_of(g: Setup, moved: int, black: int) -> int:
    """RA-4.2 a point for each car; the black car counts nothing, but doubles the points of the others."""
    if black:
        return (moved - 1) * g.car_points * g.black_factor + g.black_points
    return moved * g.car_points


@rule
def overtake(s: State, g: Setup) -> None:
    """RA-4.1 move the rearmost car of the colour and all cars behind it to the front, in reverse order.

    RA-3.5, RA-4.4 the player of the highest card must do it; RA-4.3 a round has no black colour.
    """
    i = state.CARS - 1
    while s.line[i] // 3 != s.colour:
        i -= 1
    moved = state.CARS - i
    black = 0
    for j in range(i, state.CARS):
        black |= int(s.line[j] == state.BLACK_CAR)
    # Reverse the whole line, then the overtaken cars again.
    reverse(s, 0, state.CARS - 1)
    reverse(s, moved, state.CARS - 1)
    points = points_of(g, moved, black)
    s.score[s.best] += points
    tell(s, state.WON, s.best, s.colour, points)
    tell(s, state.MOVED, moved, black)
    if s.first > 0:
        s.leader = s.first - 1
    else:
        s.leader = left_of(g, s.best)  # RA-3.6
    s.drawing = s.best
    find_drawer(s, g)


@rule
def reverse(s: State, first: int, last: int) -> None:
    """Reverse a part of the line."""
    while first < last:
        car = s.line[first]
        s.line[first] = s.line[last]
        s.line[last] = car
        first += 1
        last -= 1
