"""The Great Race: cards against others, how they are cancelled, and Kate's theft (GR-10, GR-11.5)."""

from __future__ import annotations

from paddock.games.great_race.rules import reasons, state
from paddock.games.great_race.rules.crew import ask, drop, may_react, react, seat_after
from paddock.games.great_race.rules.driving import harm, levels
from paddock.games.great_race.rules.hands import move_hidden
from paddock.games.great_race.rules.land import loose_tiles, remove_tile
from paddock.games.great_race.rules.state import Setup, State
from paddock.kernel import rule, tell


@rule
def why_not_target(s: State, g: Setup, action: int, seat: int, target: int) -> int:
    """GR-10.23 why this is no target: an opponent is, GR-9.1 in the race, GR-5.13 who has what is taken."""
    if target >= g.players:
        return reasons.NO_SUCH_PLAYER
    if target == seat:
        return reasons.NOT_YOURSELF
    if s.place[target]:
        return reasons.HAS_FINISHED
    if action == state.SABOTAGE:
        stock = levels(s, target)
    elif action == state.RANSOMING:
        stock = s.money[target]
    elif action == state.SIPHONING:
        stock = s.petrol[target]
    else:
        stock = s.cards[target]
    return reasons.LEGAL if stock > 0 else reasons.NOTHING_TO_LOSE


@rule
def any_target(s: State, g: Setup, action: int, seat: int) -> int:
    """GR-5.13 whether this action has a target."""
    for target in range(g.players):
        if why_not_target(s, g, action, seat, target) == reasons.LEGAL:
            return 1
    return 0


@rule
def begin_on_target(s: State, action: int) -> int:
    """GR-10.22 the target is named first."""
    s.action = action
    return ask(s, state.TARGET, s.turn)


@rule
def begin_on_tiles(s: State, action: int) -> int:
    """GR-10.22 the tiles are named first; GR-6.6 also the one of a cleared way."""
    s.action = action
    return ask(s, state.SPOT, s.turn)


@rule
def name_target(s: State, g: Setup, target: int) -> int:
    """GR-10.22 the target is named first. Return whether somebody must answer."""
    s.target = target
    tell(s, state.TARGETED, s.turn, target, s.card)
    if s.action == state.STEALING:
        if s.money[target] >= g.theft_price:  # GR-11.7
            return ask(s, state.RANSOM_STAGE, target)
        return theft_on(s)
    if s.action == state.SABOTAGE:
        s.left = g.saboteur if levels(s, target) > g.saboteur else levels(s, target)  # GR-10.27
        return split_on(s, g)
    return open_window(s, g)


@rule
def split(s: State, g: Setup, gauge: int) -> int:
    """GR-10.2 a level of sabotage is named. Return whether somebody must answer."""
    if gauge == state.ENGINE:
        s.split_engine += 1
    else:
        s.split_chassis += 1
    s.left -= 1
    return split_on(s, g)


@rule
def split_on(s: State, g: Setup) -> int:
    """GR-10.2 the next level of sabotage, as long as there is a choice; then the target may cancel."""
    engine = s.engine[s.target] - s.split_engine
    if s.left > 0 and engine > 0 and s.chassis[s.target] > s.split_chassis:
        return ask(s, state.SPLIT, s.turn)
    if engine > 0:
        s.split_engine += s.left
    else:
        s.split_chassis += s.left
    s.left = 0
    return open_window(s, g)


@rule
def name_spot(s: State, g: Setup, space: int) -> int:
    """GR-6.6 the tile is removed; GR-10.1, GR-10.6 two are named. Return whether somebody must answer.

    GR-10.30 the two of a Con Artist may be of the same kind.
    """
    if s.action == state.CLEARING:
        remove_tile(s, space)
        s.action = state.IDLE
        return 0
    if s.first_spot == state.OFF:
        s.first_spot = space
        if loose_tiles(s, g, 2) == 2:
            return 1
    else:
        s.second_spot = space
    return open_window(s, g)


@rule
def on_tiles(s: State) -> int:
    """GR-10.20 whether the card under way is played on tiles: then every opponent may cancel it."""
    return int(s.action in (state.HUNTING, state.SWAPPING))


@rule
def open_window(s: State, g: Setup) -> int:
    """GR-10.20 who may cancel: the target, or for tiles all opponents in turn order."""
    if s.action == state.SEARCHING and g.customs_danger == 0:
        return effect(s, g)
    if on_tiles(s):
        return window_on(s, g, seat_after(s, g, s.turn))
    return window_on(s, g, s.target)


@rule
def window_on(s: State, g: Setup, seat: int) -> int:
    """GR-10.21, GR-10.22 ask the next who could react, from ``seat`` on; after the last comes the effect."""
    if on_tiles(s):
        while seat != s.turn:
            if s.place[seat] == 0 and may_react(s, seat) == 1:
                return ask(s, state.CANCEL, seat)
            seat = seat_after(s, g, seat)
    elif seat == s.target and may_react(s, seat) == 1:
        return ask(s, state.CANCEL, seat)
    return effect(s, g)


@rule
def answer_card(s: State, g: Setup, seat: int, move: int) -> int:
    """GR-10.20 the card is cancelled, or not by this seat. Return whether somebody must answer."""
    if move == state.DECLINE:
        if on_tiles(s):
            return window_on(s, g, seat_after(s, g, seat))
        return effect(s, g)
    react(s, seat, move)
    tell(s, state.CANCELLED, seat, s.card)
    s.action = state.IDLE
    return 0


@rule
def effect(s: State, g: Setup) -> int:
    """GR-10 carry out the card that nobody has cancelled. Return whether somebody must answer."""
    action = s.action
    target = s.target
    if action == state.SEARCHING:
        s.left = g.customs
        return search_on(s)
    s.action = state.IDLE
    if action == state.HUNTING:
        remove_tile(s, s.first_spot)
        if s.second_spot != state.OFF:
            remove_tile(s, s.second_spot)
    elif action == state.SWAPPING:
        kind = s.tile[s.first_spot]
        s.tile[s.first_spot] = s.tile[s.second_spot]
        s.tile[s.second_spot] = kind
        tell(s, state.SWAPPED, s.turn, s.first_spot, s.second_spot)
    elif action == state.SABOTAGE:
        if s.split_engine > 0:
            harm(s, target, state.ENGINE, s.split_engine)
        if s.split_chassis > 0:
            harm(s, target, state.CHASSIS, s.split_chassis)
    elif action == state.RANSOMING:
        francs = g.ransom if s.money[target] > g.ransom else s.money[target]
        s.money[target] -= francs
        tell(s, state.LOST_MONEY, target, francs)
    else:  # siphoning
        petrol = g.siphon if s.petrol[target] > g.siphon else s.petrol[target]
        s.petrol[target] -= petrol
        tell(s, state.LOST_PETROL, target, petrol)
    return 0


@rule
def search_on(s: State) -> int:
    """GR-10.18 the target discards the next of two cards, if it has one. Return whether it must answer."""
    if s.left > 0 and s.cards[s.target] > 0:
        return ask(s, state.CUSTOMS_DISCARD, s.target)
    s.left = 0
    s.action = state.IDLE
    return 0


@rule
def search(s: State, seat: int, kind: int) -> int:
    """GR-10.28 the target discards a card of its choice. Return whether somebody must answer."""
    drop(s, seat, kind)
    s.left -= 1
    return search_on(s)


@rule
def answer_theft(s: State, g: Setup, victim: int, move: int) -> int:
    """GR-11.5 the victim pays 20 F to the thief, or a card is stolen. Return whether chance must answer."""
    if move == state.PAY:
        s.money[victim] -= g.theft_price
        s.money[s.turn] += g.theft_price
        tell(s, state.PAID_OFF, victim, s.turn, g.theft_price)
        s.action = state.IDLE
        return 0
    return theft_on(s)


@rule
def theft_on(s: State) -> int:
    """GR-11.5 a random card of the victim; GR-11.9 unless it has none any more."""
    if s.cards[s.target] > 0:
        return ask(s, state.THEFT, s.turn)
    s.action = state.IDLE
    return 0


@rule
def steal(s: State, g: Setup, kind: int) -> None:
    """GR-3.4 the card changes hands; only thief and victim see which one it is."""
    move_hidden(s, g, s.turn, s.target, kind)
    tell(s, state.STOLE, s.turn, s.target, kind, 1 << s.turn | 1 << s.target)
    s.action = state.IDLE


@rule
def action_of(card: int) -> int:
    """GR-10 what a card against others does."""
    if card == state.SABOTEUR:
        return state.SABOTAGE
    if card == state.RANSOM:
        return state.RANSOMING
    if card == state.SIPHONER:
        return state.SIPHONING
    if card == state.CUSTOMS:
        return state.SEARCHING
    return state.IDLE
