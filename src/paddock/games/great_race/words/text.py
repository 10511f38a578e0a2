"""The Great Race: sentences: what a button, the status line, an event and a refusal say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from paddock.core.i18n import _, mark, pgettext, plural, pmark
from paddock.core.log import Event
from paddock.core.title import Seen
from paddock.core.wording import nth
from paddock.core.words import CHANCE, HIDDEN
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.convoy import petrol_price
from paddock.games.great_race.rules.driving import damage_of, fare, payable
from paddock.games.great_race.rules.land import lane_to, petrol_for
from paddock.games.great_race.rules.repair import part_price
from paddock.games.great_race.rules.state import Setup, State
from paddock.games.great_race.words.chains import odds
from paddock.games.great_race.words.names import (
    LEADER_POWERS,
    card_effect,
    card_name,
    leader_name,
    plan_words,
    space_name,
    tile_facts,
    tile_name,
)
from paddock.games.great_race.words.notation import (
    Move,
    chance_heading,
    move,
    outcome,
    parse_move,
    parse_outcome,
)
from paddock.games.great_race.words.places import place_name, where
from paddock.games.great_race.words.position import parse_position, position, result_fault
from paddock.games.great_race.words.refusals import refusal
from paddock.games.great_race.words.view import CELL, MARGIN, Team, View, shown, view

__all__ = [
    "Move",
    "board",
    "chance_heading",
    "label",
    "line",
    "move",
    "outcome",
    "parse_move",
    "parse_outcome",
    "parse_position",
    "position",
    "refusal",
    "result_fault",
    "small",
    "status",
]


# ---- buttons ------------------------------------------------------------------------------------

_VERBS = {
    state.SCOUT: mark("Scout: draw two tiles and place them"),
    state.SUPPLY: mark("Supply: draw a card"),
    state.REPAIR: mark("Repair the engine and the chassis"),
    state.DRIVE: pmark("verb", "Drive"),
    state.CLEAR: mark("Clear the way: remove a tile"),
    state.COOK_CLEAR: mark("Clear the way with Cook's guard: remove a tile"),
    state.PASS: mark("Pass for the rest of the turn"),
    state.STEAL: mark("Red Kate steals a card"),
    state.COOK_GUARD: mark("Use Cook's guard: the danger is avoided"),
    state.GUARD: mark("Use a guard: the danger is avoided"),
    state.PAY: mark("Pay {francs} F: no card is stolen"),
    state.HALT: mark("Stop here"),
    state.DONE: mark("The repair is done"),
}


def label(seen: Seen, seat: int, move: int) -> str:
    """What a button says: the move, and what follows from it.

    The kinds of moves are told apart by their first ids (state.py), from the highest to the lowest.
    """
    s, g = seen.state, seen.setup
    if move in _VERBS:
        return _(_VERBS[move]).format(francs=g.theft_price)
    if move == state.FUND:
        n = s.assistants[seat, state.FUNDING]
        return _("Collect {francs} F of funding").format(francs=g.pays[n])
    if move == state.DECLINE:
        return _DECLINES[s.stage](s, g)
    if move in (state.ENGINE, state.CHASSIS):
        return _gauge_label(s, move)
    if move in (state.BUY_ENGINE, state.BUY_CHASSIS):
        price = part_price(s, g, seat)
        if move == state.BUY_ENGINE:
            return _("Buy a level of the engine for {francs} F").format(francs=price)
        return _("Buy a level of the chassis for {francs} F").format(francs=price)
    if move > state.BUY:
        levels = move - state.BUY
        francs = levels * petrol_price(s, g, seat)
        return _("Buy {levels} petrol for {francs} F").format(levels=levels, francs=francs)
    if move >= state.LEADER:
        leader = move - state.LEADER
        return _("{leader}: {power}").format(leader=leader_name(leader), power=_(LEADER_POWERS[leader]))
    if move >= state.PLAN:
        return plan_words(g, move - state.PLAN)
    if move >= state.TILE:
        words = _("Choose {tile}") if s.stage == state.PICK_TILE else _("Place next: {tile}")
        return words.format(tile=tile_words(g, move - state.TILE))
    if move >= state.SEAT:
        words = _("Steal from {rival}") if s.action == state.STEALING else _("Aim at {rival}")
        return words.format(rival=seen.seat_name(move - state.SEAT))
    if move >= state.DROP_CARD:
        return pgettext("verb", "Discard {card}").format(card=card_name(move - state.DROP_CARD))
    if move >= state.TAKE_CARD:
        return _with_effect(g, _("Take {card}: {effect}"), move - state.TAKE_CARD)
    if move >= state.PLAY:
        return _with_effect(g, pgettext("verb", "Play {card}: {effect}"), move - state.PLAY)
    return _space_label(s, g, seat, move - state.SPACE)


def _with_effect(g: Setup, sentence: str, card: int) -> str:
    return sentence.format(card=card_name(card), effect=card_effect(g, card))


def _no_help(s: State, g: Setup) -> str:
    """GR-7.5 without any help the tile is paid for, or the vehicle turns back."""
    if not payable(s, g, s.asked, s.entering, 1):
        return _("Turn back: you cannot pay for the tile")
    petrol, damage = petrol_for(s, g, s.entering), damage_of(s, g, s.entering, 1)
    if not damage:
        return _("Pay {petrol} petrol and go on").format(petrol=petrol)
    return _("Pay {petrol} petrol, take {damage} damage and go on").format(petrol=petrol, damage=damage)


_DECLINES: dict[int, Callable[[State, Setup], str]] = {
    state.CANCEL: lambda s, g: _("Let {card} happen").format(card=card_name(s.card)),
    state.RANSOM_STAGE: lambda s, g: _("Let Red Kate steal a card"),
    state.DANGER: lambda s, g: _("Face the danger: {n} more damage").format(n=g.danger_damage),
    state.ARRIVAL: _no_help,
    state.STOP_SIGN: lambda s, g: _("Stop here"),
}


def _gauge_label(s: State, move: int) -> str:
    """Return the label of a gauge: what happens to it in this stage."""
    engine = move == state.ENGINE
    if s.stage == state.TOOLBOX_LEVEL:
        return _("Repair a level of the engine") if engine else _("Repair a level of the chassis")
    if s.stage == state.SPLIT:
        return _("Sabotage the engine") if engine else _("Sabotage the chassis")
    return _("The engine takes the damage") if engine else _("The chassis takes the damage")


def _space_label(s: State, g: Setup, seat: int, space: int) -> str:
    """Return the label of a space: what a choice of it does in this stage."""
    place = place_name(g, space)
    tile = s.tile[space]
    if s.stage == state.PLACE_SPACE:
        return _("Place it on {place}").format(place=place)
    if s.stage == state.SPOT:
        words = {"tile": tile_name(tile), "place": place}
        if s.action == state.SWAPPING:
            return _("Swap {tile} on {place}").format(**words)
        return _("Remove {tile} on {place}").format(**words)
    if g.land[space] == state.CITY:
        lane = lane_to(g, s.at[seat], space)
        if lane != state.OFF:
            francs = fare(s, g, lane, 0)
            return _("Take the lane to {place} for {francs} F").format(place=place, francs=francs)
        return _("Drive to {place}").format(place=place)
    if tile == state.BLANK:
        share = round(100 * odds(s, g, seat, space).payable)
        return _("Explore {where}: you can pay for {n} % of the tiles").format(where=where(g, space), n=share)
    return _("Drive over {tile} to {place}").format(tile=tile_name(tile), place=place)


def tile_words(g: Setup, tile: int) -> str:
    """A tile with what it costs: «Canyon (2 petrol, 1 damage, stop)»."""
    facts = tile_facts(
        g.tile_petrol[tile], g.tile_damage[tile], bool(g.tile_danger[tile]), bool(g.tile_stop[tile])
    )
    return _("{tile} ({facts})").format(tile=tile_name(tile), facts=_(", ").join(facts))


# ---- the status line ----------------------------------------------------------------------------

_QUESTIONS = {
    state.CHOOSE_LEADER: mark("{name} chooses a leader."),
    state.TAKE: mark("{name} takes a card at the bivouac."),
    state.ACT: mark("It is {name}'s turn: petrol, cards, then an assistant or a pass."),
    state.TARGET: mark("{name} chooses a rival."),
    state.SPLIT: mark("{name} chooses what is sabotaged."),
    state.SPOT: mark("{name} chooses a tile."),
    state.CANCEL: mark("{rival} plays {card}. {name} may avoid it."),
    state.RANSOM_STAGE: mark("{name} may pay Red Kate {francs} F."),
    state.KEEP: mark("{name} chooses the cards to keep."),
    state.PICK_TILE: mark("{name} chooses the tiles to place."),
    state.PLACE_TILE: mark("{name} chooses the tile to place next."),
    state.PLACE_SPACE: mark("{name} places a tile: {tile}."),
    state.MEND: mark("{name} repairs the half-track."),
    state.TOOLBOX_LEVEL: mark("{name} uses a toolbox."),
    state.STEP: mark("{name} drives."),
    state.ARRIVAL: mark("{name} has found {tile}."),
    state.DANGER: mark("{name} meets a danger: {tile}."),
    state.DAMAGE: mark("{name} chooses what takes the damage."),
    state.STOP_SIGN: mark("{name} is at a stop sign."),
    state.DISCARD: mark("{name} holds too many cards and must discard one."),
    state.CUSTOMS_DISCARD: mark("Customs: {name} discards a card."),
}
_LOTS = {
    state.DRAW_FIRST: mark("The first player is drawn."),
    state.DRAW_END: mark("The city at the other end is drawn."),
    state.DRAW_NUMBER: mark("The city tokens are placed."),
    state.DEAL: mark("Cards are laid out for the bivouac."),
    state.THEFT: mark("Red Kate steals a card."),
    state.DRAW_CARD: mark("A card is drawn."),
    state.DRAW_TILE: mark("A tile is drawn."),
}


def status(seen: Seen) -> str:
    """One line that says who must decide what."""
    s: State = shown(seen)
    g: Setup = seen.setup
    if s.phase == state.OVER:
        return _finish(view(seen))
    return _decision_words(s, g, seen)


def _decision_words(s: State, g: Setup, seen: Seen) -> str:
    """Say what is being decided."""
    if s.stage in _LOTS:
        return _(_LOTS[s.stage])
    if s.stage == state.PLANS_STAGE:
        names = [seen.seat_name(seat) for seat in seen.deciders if seat != CHANCE and not s.plan[seat]]
        return _("The assistants are placed in secret. Still planning: {names}.").format(
            names=_(", ").join(names)
        )
    tile = state.BLANK
    if s.stage == state.PLACE_SPACE:
        tile = s.picked
    elif s.entering != state.OFF:
        tile = s.tile[s.entering]
    return _(_QUESTIONS[s.stage]).format(
        name=seen.seat_name(s.asked),
        rival=seen.seat_name(s.turn),
        card=card_name(s.card) if s.card != state.NO_CARD else "",
        tile=tile_name(tile) if tile != state.BLANK else "",
        francs=seen.setup.theft_price,
    )


def _finish(shown: View) -> str:
    """Say who has won, if anybody."""
    winner = next((team for team in shown.teams if team.rank == 1), None)
    if winner is None:
        return _("The race is over: nobody has reached the destination.")
    return _("The race is over: {name} wins with {points}.").format(
        name=winner.name, points=_points(winner.prestige)
    )


def _points(n: int) -> str:
    return plural("{n} point of prestige", "{n} points of prestige", n)


# ---- the terminal -------------------------------------------------------------------------------


def board(seen: Seen) -> list[str]:
    """The map, the half-tracks and what the eyes know of the cards, for a terminal."""
    shown = view(seen)
    signs = _(
        "A number is the petrol of a tile, - a damage, ! danger, = stop. .. is unknown land, "
        "## a risk zone, ^ a half-track on the space above, * the destination."
    )
    return [*shown.chart, signs, "", *_crews(shown)]


def small(seen: Seen, seat: int, width: int, height: int) -> list[str]:
    """The board in so many lines: of the map, the part around the seat's half-track, at least 3 rows."""
    s, now, g = shown(seen), view(seen), seen.setup
    crews = [_crew(team, team.name[:20], space_name(g, s.at[team.seat])) for team in now.teams]
    lines_below = crews + _cards_in_sight(now)
    columns_shown = max(5, (width - MARGIN) // CELL)
    high = max(
        3, (height - len(lines_below) - 2) // 2
    )  # rows have two lines; half a row more, and the numbers
    left = max(0, min(g.column[s.at[seat]] - columns_shown // 2, g.columns - columns_shown))
    top = max(0, min(g.row[s.at[seat]] - high // 2, len(now.chart) // 2 - 1 - high))
    head, *lines = (
        line[:MARGIN] + line[MARGIN + CELL * left :][: CELL * columns_shown] for line in now.chart
    )
    lines = [head, *lines[2 * top : 2 * (top + high) + 1]]
    return [*(line.rstrip() for line in lines), *lines_below]


def _crew(team: Team, name: str, place: str) -> str:
    """Return a line about a crew, with its gauges, money and cards."""
    words = _("{n} {name}: {place}, petrol {petrol}, engine {engine}, chassis {chassis}, {money} F, {cards}")
    return words.format(
        n=team.seat + 1,
        name=name,
        place=place,
        petrol=team.petrol,
        engine=team.engine,
        chassis=team.chassis,
        money=team.money,
        cards=plural("{n} card", "{n} cards", team.cards),
    )


def _crews(shown: View) -> list[str]:
    """A line or two for each crew, then the cards that the eyes know."""
    lines = []
    for team in shown.teams:
        lines.append(_crew(team, team.name, team.place_name))
        facts = []
        if team.leader:
            facts.append(team.leader)
        if team.assistants is not None and any(team.assistants):
            facts.append(_("assistants {boxes}").format(boxes="-".join(map(str, team.assistants))))
        if team.known:
            facts.append(_("known cards: {cards}").format(cards=_words_counted(team.known)))
        if team.arrival:
            facts.append(_("arrived {place}").format(place=team.arrival))
        if facts:
            lines.append("  " + _("; ").join(facts))
    lines.append(
        _("Deck: {n}. Discard pile: {cards}").format(n=shown.deck, cards=_words_counted(shown.discard))
    )
    return [*lines, *_cards_in_sight(shown)]


def _cards_in_sight(shown: View) -> list[str]:
    """Lines for the bivouac, the tiles that were drawn, and the hands that the eyes see."""
    lines = []
    if shown.market:
        lines.append(_("Bivouac: {cards}").format(cards=_words_counted(shown.market)))
    if shown.drawn_tiles:
        lines.append(_("Tiles drawn: {tiles}").format(tiles=_words_counted(shown.drawn_tiles)))
    for team in shown.teams:
        if team.hand is not None:
            lines.append(_("Hand of {name}: {hand}").format(name=team.name, hand=_words_counted(team.hand)))
        if team.drawn:
            lines.append(pgettext("cards", "Drawn: {cards}").format(cards=_words_counted(team.drawn)))
    return lines


def _words_counted(names: Sequence[str]) -> str:
    """Cards or tiles in notation, equal ones counted: «2 jerrycan, militia»."""
    parts = [f"{n} {name}" if n > 1 else name for name, n in Counter(names).items()]
    return _(", ").join(parts) or "–"


# ---- events -------------------------------------------------------------------------------------


def line(g: Setup, event: Event, names: Sequence[str]) -> str:
    """The sentence of an event, or an empty text. ``names`` are the names of the seats."""
    write = _LINES.get(event.code)
    return write(g, event, names) if write else ""


Line = Callable[[Setup, Event, Sequence[str]], str]


def _used(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Say that an assistant or a leader was used."""
    words = {
        state.SCOUT: _("{name} scouts."),
        state.SUPPLY: _("{name} sends for supplies."),
        state.REPAIR: _("{name}'s mechanic repairs."),
        state.DRIVE: _("{name}'s pilot drives."),
        state.CLEAR: _("{name}'s guard clears the way."),
        state.COOK_CLEAR: _("{name}: Cook's guard clears the way."),
        state.STEAL: _("{name}: Red Kate goes stealing."),
    }
    return words[event.b].format(name=names[event.a])


def _targeted(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Say whom a card or Red Kate is aimed at."""
    if event.c == state.NO_CARD:
        return _("{name} picks {rival} as Red Kate's victim.").format(
            name=names[event.a], rival=names[event.b]
        )
    return _("{name} aims {card} at {rival}.").format(
        name=names[event.a], rival=names[event.b], card=card_name(event.c)
    )


def _drew(g: Setup, event: Event, names: Sequence[str]) -> str:
    if event.b == HIDDEN:
        return _("{name} draws a card.").format(name=names[event.a])
    return _("{name} draws a card: {card}.").format(name=names[event.a], card=card_name(event.b))


def _kept(g: Setup, event: Event, names: Sequence[str]) -> str:
    if event.b == HIDDEN:
        return _("{name} keeps a card.").format(name=names[event.a])
    return _("{name} keeps {card}.").format(name=names[event.a], card=card_name(event.b))


def _stole(g: Setup, event: Event, names: Sequence[str]) -> str:
    words = {"name": names[event.a], "rival": names[event.b]}
    if event.c == HIDDEN:
        return _("{name} steals a card from {rival}.").format(**words)
    return _("{name} steals {card} from {rival}.").format(card=card_name(event.c), **words)


def _guarded(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Say who avoids a danger: a guard, Cook's guard or a Militia."""
    words = {
        state.GUARD: _("{name}'s guard avoids the danger."),
        state.COOK_GUARD: _("{name}: Cook's guard avoids the danger."),
    }.get(event.b, _("{name}'s Militia avoids the danger."))
    return words.format(name=names[event.a])


def _mended(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Say which gauge was repaired, and for how much."""
    words = {"name": names[event.a], "francs": event.c}
    if event.b == state.ENGINE:
        sentence = (
            _("{name} repairs the engine for {francs} F.") if event.c else _("{name} repairs the engine.")
        )
    else:
        sentence = (
            _("{name} repairs the chassis for {francs} F.") if event.c else _("{name} repairs the chassis.")
        )
    return sentence.format(**words)


def _harmed(g: Setup, event: Event, names: Sequence[str]) -> str:
    levels = plural("{n} level", "{n} levels", event.c)
    if event.b == state.ENGINE:
        return _("{name}'s engine loses {levels}.").format(name=names[event.a], levels=levels)
    return _("{name}'s chassis loses {levels}.").format(name=names[event.a], levels=levels)


def _removed(g: Setup, event: Event, names: Sequence[str]) -> str:
    words = {"name": names[event.a], "tile": tile_name(event.c)}
    if event.b == state.OFF:  # one that a Topographer has drawn
        return _("{name} leaves out {tile}: it is out of the game.").format(**words)
    return _("{name} removes {tile} from {place}.").format(place=place_name(g, event.b), **words)


def _ordered(g: Setup, event: Event, names: Sequence[str]) -> str:
    words = {"name": names[event.a], "place": event.b, "francs": event.c}
    if event.c:
        return _("{name} is number {place} in the turn order and gets {francs} F.").format(**words)
    return _("{name} is number {place} in the turn order.").format(**words)


def _ended(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Say which place a crew has at the end."""
    if not event.b:
        return _("{name} has not reached the destination.").format(name=names[event.a])
    return _("{name} finishes {rank} with {points}.").format(
        name=names[event.a],
        rank=nth(event.b),
        points=_points(event.c),
    )


_LINES: dict[int, Line] = {
    state.GOES_FIRST: lambda g, e, names: _("{name} goes first.").format(name=names[e.a]),
    state.DESTINATION: lambda g, e, names: _("The race goes from {start} to {finish}.").format(
        start=place_name(g, e.b), finish=place_name(g, e.a)
    ),
    state.NUMBERED: lambda g, e, names: _("{place} gives {cards}.").format(
        place=place_name(g, e.a), cards=plural("{n} card", "{n} cards", e.b)
    ),
    state.LED_BY: lambda g, e, names: _("{name} is led by {leader}.").format(
        name=names[e.a], leader=leader_name(e.b)
    ),
    state.TURN: lambda g, e, names: pgettext("of all crews", "Turn {n}").format(n=e.a),
    state.DEALT: lambda g, e, names: _("At the bivouac: {card}.").format(card=card_name(e.a)),
    state.TOOK: lambda g, e, names: _("{name} takes {card}.").format(name=names[e.a], card=card_name(e.b)),
    state.PLANNED: lambda g, e, names: _("{name}'s assistants: {plan}.").format(
        name=names[e.a], plan=plan_words(g, e.b)
    ),
    state.BOUGHT: lambda g, e, names: _("{name} buys {levels} petrol for {francs} F.").format(
        name=names[e.a], levels=e.b, francs=e.c
    ),
    state.PLAYED: lambda g, e, names: _("{name} plays {card}.").format(name=names[e.a], card=card_name(e.b)),
    state.TARGETED: _targeted,
    state.PASSED: lambda g, e, names: pgettext("make no more moves", "{name} passes.").format(
        name=names[e.a]
    ),
    state.USED: _used,
    state.FUNDED: lambda g, e, names: _("{name} collects {francs} F of funding.").format(
        name=names[e.a], francs=e.c
    ),
    state.FILLED: lambda g, e, names: _("{name} gets {levels} petrol.").format(name=names[e.a], levels=e.b),
    state.EARNED: lambda g, e, names: _("{name} gets {francs} F.").format(name=names[e.a], francs=e.b),
    state.DREW: _drew,
    state.KEPT: _kept,
    state.DISCARDED: lambda g, e, names: _("{name} discards {card}.").format(
        name=names[e.a], card=card_name(e.b)
    ),
    state.SHUFFLED: lambda g, e, names: _("The discard pile is shuffled into a new deck."),
    state.DREW_TILE: lambda g, e, names: _("{name} draws a tile: {tile}.").format(
        name=names[e.a], tile=tile_words(g, e.b)
    ),
    state.PLACED: lambda g, e, names: _("{name} places {tile} on {place}.").format(
        name=names[e.a], tile=tile_name(e.b), place=place_name(g, e.c)
    ),
    state.RETURNED_TILE: lambda g, e, names: _("{tile} fits nowhere and goes back into the bag.").format(
        tile=tile_name(e.a)
    ),
    state.REMOVED: _removed,
    state.SWAPPED: lambda g, e, names: _("{name} swaps the tiles on {place} and {other}.").format(
        name=names[e.a], place=place_name(g, e.b), other=place_name(g, e.c)
    ),
    state.MENDED: _mended,
    state.DROVE: lambda g, e, names: _("{name} drives to {place} for {petrol} petrol.").format(
        name=names[e.a], place=place_name(g, e.b), petrol=e.c
    ),
    state.FLEW: lambda g, e, names: _("{name} takes the lane to {place} for {francs} F.").format(
        name=names[e.a], place=place_name(g, e.b), francs=e.c
    ),
    state.EXPLORED: lambda g, e, names: _("{name} explores {place}: {tile}.").format(
        name=names[e.a], place=place_name(g, e.b), tile=tile_words(g, e.c)
    ),
    state.TURNED_BACK: lambda g, e, names: _("{name} turns back to {place}.").format(
        name=names[e.a], place=place_name(g, e.b)
    ),
    state.GUARDED: _guarded,
    state.HARMED: _harmed,
    state.BROKE_DOWN: lambda g, e, names: _("{name} has broken down.").format(name=names[e.a]),
    state.STOPPED: lambda g, e, names: _("{name} stops at the sign.").format(name=names[e.a]),
    state.HALTED: lambda g, e, names: _("{name} halts.").format(name=names[e.a]),
    state.CANCELLED: lambda g, e, names: _("{name} foils {card}.").format(
        name=names[e.a], card=card_name(e.b)
    ),
    state.LOST_PETROL: lambda g, e, names: _("{name} loses {levels} petrol.").format(
        name=names[e.a], levels=e.b
    ),
    state.LOST_MONEY: lambda g, e, names: _("{name} loses {francs} F.").format(name=names[e.a], francs=e.b),
    state.PAID_OFF: lambda g, e, names: _("{name} pays {rival} {francs} F.").format(
        name=names[e.a], rival=names[e.b], francs=e.c
    ),
    state.STOLE: _stole,
    state.ARRIVED: lambda g, e, names: _("{name} arrives {place} at the destination.").format(
        name=names[e.a], place=nth(e.b)
    ),
    state.ORDERED: _ordered,
    state.ENDED: _ended,
}
