"""LACORSA: what its pages show besides the view: choices, the last reveal, the scorepad, the podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.log import Event, EventBatch
from paddock.core.pages import Account
from paddock.core.series import Standing, standings
from paddock.core.title import Seen
from paddock.core.wording import either, listed
from paddock.games.lacorsa.drawing.draw import Finisher
from paddock.games.lacorsa.page import account as accounts
from paddock.games.lacorsa.rules import large_grid, race, state
from paddock.games.lacorsa.rules.state import DRAFT, PIT, PIT_DRAW, PITS, REDLINE, ROAD
from paddock.games.lacorsa.words import text
from paddock.games.lacorsa.words.view import Car, Card, View, card
from paddock.parts import page as parts
from paddock.parts.page import Choice, Hand, Pad, Plus, Row, Way, names, row

PLUS = "+R"  # a move with a Redline in notation
START = mark("Start the race: deal the cards")
OPENING = mark("Qualifying")
SHORTCUTS = (
    ("1–9 0", mark("choose the card of this rank; 0 is the 10; 1 and 2 again: the 11 and the 12")),
    ("r", mark("add or remove a Redline, or choose it")),
    ("e d", mark("on a free road: extend or discard")),
    ("p", mark("choose to pit (Large Grid)")),
)


@dataclass(frozen=True)
class Play:
    """The cards that one car revealed or drew."""

    seat: int
    cards: tuple[Card, ...]
    value: str = ""
    won: str = ""  # what it gained, in a word
    lost: str = ""  # what it lost


@dataclass(frozen=True)
class Reveal:
    """What was revealed last, and its result."""

    mark: int  # the log entry of its last event
    title: str
    text: str
    plays: tuple[Play, ...]
    die: int | None = None  # the result of the die (LX-2.3, LX-3.0)
    roller: int | None = None  # the seat that rolled it
    moved: tuple[int, ...] = ()  # the seats that moved up a space


def ask(seen: Seen, seat: int, view: View) -> Hand[Choice[Card]]:
    """Return the decision of a car that must decide."""
    s, g = seen.state, seen.setup
    hand = view.cars[seat].hand or ()
    plus = _redline(seen, seat)
    hint, clause, uses = "", "", tuple[Way, ...]()
    signs: tuple[Choice[Card], ...] = ()
    if s.phase == ROAD:
        cards = _cards(hand, ("^", "x"), redline=plus.off)
        uses = (Way(pgettext("verb", "Extend"), "e"), Way(pgettext("verb", "Discard"), "d"))
        hint, clause = _road_says(seen, hand)
        if g.pit:
            may = bool(race.can_pit(s, g, seat))
            signs = (_pit(fits=may),)
            hint, clause = (_stop_says(seen), "") if may and not clause else (hint, clause)
    elif s.phase == PITS:
        cards = _cards(hand, ())
        signs = (_pit(), _sign("stay", _("Stay out")))
        hint = _stop_says(seen)
    elif s.phase == DRAFT:
        cards = _cards(hand, ())
        signs = (_sign("attack", pgettext("verb", "Challenge")), _sign("stop", _("Stop here")))
        hint = _("You have closed the gap: you may challenge in the same turn.")
    elif s.phase == PIT_DRAW:
        kinds = (*range(1, state.KINDS), REDLINE)
        cards = _cards([card(kind, g.redline_bonus) for kind in kinds if s.discard[kind]], ("take ",))
        hint = _take_says(seen, seat, hand)
    else:
        cards = _cards(hand, ("",), redline=plus.off)
        hint = _("Face down. The highest value starts in front.") if s.phase == state.QUALIFY else ""
    return Hand(
        _question(seen, seat),
        _("Choose a card") if s.phase not in (PITS, DRAFT) else _("Choose"),
        cards,
        signs,
        _refused(seen, seat, (*cards, *signs)),
        uses,
        plus if s.phase not in (PITS, PIT_DRAW, DRAFT) else None,
        hint,
        clause,
    )


def _cards(hand: Sequence[Card], uses: Sequence[str], *, redline: bool = True) -> tuple[Choice[Card], ...]:
    """Return the cards as choices: each with a move for each way. The first of equal cards has shortcuts.

    The keys are the last digit of the rank, and R for a Redline if that key has nothing else to do.
    """
    written = [text.card(card.kind) for card in hand]
    return tuple(
        Choice(
            name,
            tuple(f"{use}{rank}" for use in uses),
            card,
            keys="" if not uses or "-" in name else rank[-1] if card.kind else "r" * redline,
        )
        for name, rank, card in zip(names(written), written, hand, strict=True)
    )


def _sign(move: str, label: str, key: str = "", *, fits: bool = True) -> Choice[Card]:
    return Choice(move, (move,), None, label, key, fits)


def _question(seen: Seen, seat: int) -> str:
    """Return the question in a few words."""
    s, g = seen.state, seen.setup
    if s.phase == state.QUALIFY:
        return _("Your card for qualifying")
    if s.phase == ROAD and race.can_pit(s, g, seat):
        return _("The road is free: extend, discard or pit")
    if s.phase == ROAD:
        return _("The road is free: extend or discard")
    if s.phase == PIT_DRAW:
        return _("You are in the pits: take a card from the discard pile")
    attacker, defender = s.order[s.turn], s.order[s.turn + 1]
    if s.phase == PITS:
        return _("Pit, or stay out and challenge {name}?").format(name=seen.seat_name(defender))
    if s.phase == DRAFT:
        return _("You have closed the gap to {name}: challenge or stop?").format(
            name=seen.seat_name(defender)
        )
    if seat == attacker:
        return _("You challenge {name}").format(name=seen.seat_name(defender))
    return _("You defend against {name}").format(name=seen.seat_name(attacker))


def matters(seen: Seen, seat: int) -> str:
    """Return what matters in the decision of a car (LC-3.3, LC-5.2 to LC-5.5, LC-6, LX-2, LX-3.0)."""
    s = seen.state
    if s.phase == state.QUALIFY:
        return _(
            "The highest value starts in front. But the card is gone then, and the race needs high ones too."
        )
    stop = (
        _("A stop fills your hand, and a die may cost you spaces.")
        if seen.setup.refill
        else _("A stop brings a card, and a die may cost you spaces.")
    )
    if s.phase == ROAD:
        road = _("An extension gains a space and costs the card. A discard costs one as well: your worst.")
        return f"{road} {stop}" if race.can_pit(s, seen.setup, seat) else road
    if s.phase == PIT_DRAW:
        return _("Take what your hand lacks. Everybody sees it.")
    attacker, defender = s.order[s.turn], s.order[s.turn + 1]
    if s.phase == PITS:
        return f"{stop} " + _("A challenge costs a card.")
    rival = defender if seat == attacker else attacker
    cards = plural(
        "{name} holds {n} card.", "{name} holds {n} cards.", int(s.cards[rival]), name=seen.seat_name(rival)
    )
    if s.phase == DRAFT:
        return f"{cards} " + _("You need not challenge: you can keep your cards for the next lap.")
    if seen.setup.win_by != 1:
        duel = _win_says(seen.setup.win_by) + " " + _("Both cards are gone.")
    elif seat == attacker:
        duel = _(
            "A tie goes to the defender. Both cards are gone, and if you lose, so is the rest of your turn."
        )
    else:
        duel = _(
            "A tie is enough for you. Both cards are gone: win with as little as you can, or lose your worst."
        )
    accident = _("But a tie with a Redline is an accident.") if seen.setup.incidents else ""
    return f"{cards} {duel} {accident}".strip()


def _win_says(win_by: int) -> str:
    """Return when a challenger wins (LC-5.2)."""
    if not win_by:
        return _("A tie goes to the challenger.")
    return _("The challenger wins only with {n} more than the defender.").format(n=win_by)


def goes_on(seen: Seen, seat: int) -> bool:
    """LX-2.0, LX-5.1 whether a car has chosen to challenge, and now chooses the card for it."""
    s = seen.state
    return bool(s.phase == state.CHALLENGE and seat == s.order[s.turn])


def _pit(*, fits: bool = True) -> Choice[Card]:
    return _sign("pit", pgettext("verb", "Pit"), "p", fits=fits)


def _stop_says(seen: Seen) -> str:
    """Return what a stop gives and costs (LX-2.0 to LX-2.3)."""
    g = seen.setup
    if g.refill:
        cards = _("Pit: refill your hand from the discard pile.")
    elif g.pit_cards > 1:
        cards = (
            _("Pit: choose {n} cards from the discard pile.")
            if g.choose
            else _("Pit: draw {n} random cards from the discard pile.")
        ).format(n=g.pit_cards)
    elif g.choose:
        cards = _("Pit: choose a card from the discard pile.")
    else:
        cards = _("Pit: draw a random card from the discard pile.")
    return (
        cards
        + " "
        + _("Then a die: 1–2 loses {low}, 3–4 loses {middle}. Once per race.").format(
            low=text.spaces(g.pit_low), middle=text.spaces(g.pit_middle)
        )
    )


def _take_says(seen: Seen, seat: int, hand: Sequence[Card]) -> str:
    """Return how many cards the car takes from the discard pile, and its hand, which it cannot play now."""
    drawn = large_grid.to_draw(seen.state, seen.setup, seat)
    taken = plural(
        "Take {n} card. Everybody sees which.",
        "Take {n} cards, one after the other. Everybody sees which.",
        drawn,
    )
    cards = _(", ").join(text.card(card.kind) for card in hand)
    return f"{taken} " + (_("You hold {cards}.").format(cards=cards) if hand else _("You hold no cards."))


def _road_says(seen: Seen, hand: Sequence[Card]) -> tuple[str, str]:
    """Return why no card of the hand extends, with the clause; what extending does if one does."""
    s, g = seen.state, seen.setup
    highest = g.leader_extends if s.turn == s.running - 1 else g.extend_cards
    if any(1 <= card.kind <= highest for card in hand):
        if g.extend_spaces == 1:
            return _("Extend: one space forward. Discard: stay here."), ""
        forward = text.spaces(g.extend_spaces)
        return _("Extend: up to {spaces} forward. Discard: stay here.").format(spaces=forward), ""
    if not highest:
        return _("The leader cannot extend."), "LC-6.2"
    cards = either([str(kind) for kind in range(1, highest + 1)])
    if barred := [card.kind for card in hand if highest < card.kind <= g.extend_cards]:
        sentence = _("The leader cannot extend with a {card}, and you hold no {cards}.")
        return sentence.format(card=barred[0], cards=cards), "LC-6.2"
    return _("You hold no {cards}.").format(cards=cards), "LC-6.1"


def _redline(seen: Seen, seat: int) -> Plus:
    """Return the Redline that the car can add to a card. It is off without one, or without another card."""
    s = seen.state
    if not s.hand[seat, REDLINE] or s.cards[seat] < 2:
        return Plus(_("No Redline"), _("none to add"), PLUS, off=True)
    if s.phase == ROAD:
        return Plus(_("Discard a Redline too"), _("two cards at once"), PLUS, "r")
    return Plus(
        _("Add a Redline"), _("+{n}, and it is used up").format(n=seen.setup.redline_bonus), PLUS, "r"
    )


def _refused(seen: Seen, seat: int, choices: Sequence[Choice[Card]]) -> dict[str, tuple[str, str]]:
    """Why these choices, with or without a Redline, are not legal: notation → (sentence, clause)."""
    moves = dict.fromkeys(move for choice in choices for move in choice.moves)
    why = (_("a car that pits plays no card, and no Redline"), "LX-2.0")
    signs = {f"{move}{PLUS}": why for choice in choices if not choice.face for move in choice.moves}
    return parts.refused(seen, seat, (*moves, *(f"{move}{PLUS}" for move in moves))) | signs


def faces(seen: Seen, move: int) -> tuple[Card, ...]:
    """Return the cards of a move, to draw them."""
    kinds: tuple[int, ...] = ()
    if move >= state.TAKE:
        kinds = (move - state.TAKE,)
    elif PIT > move >= state.EXTEND:
        kinds = (move - state.EXTEND + 1,)
    elif move < PIT:
        kinds = text.cards_of(move % state.DISCARD)
    return tuple(card(kind, seen.setup.redline_bonus) for kind in kinds)


def subject(event: Event) -> int | None:
    """Return the seat that a line of the story is about."""
    return None if event[0] == state.LAP else event[1]


def is_heading(event: Event) -> bool:
    """Return whether a line begins a part of the story."""
    return event[0] == state.LAP


SOUNDS = {
    state.REVEALED: "reveal",
    state.DISCARDED: "card",
    state.EXTENDED: "card",
    state.PASSED: "engine",
    state.PITTED: "engine",
    state.ACCIDENT: "danger",
    state.SPUN: "danger",
    state.FINISHED: "finish",
}


def moves(batches: Sequence[EventBatch], view: View) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """Return the numbers of the cars that each event has moved."""
    return {
        (batch.entry, place): [tuple(seat + 1 for seat in _moving(event))]
        for batch in batches
        for place, event in enumerate(batch.events)
        if _moving(event)
    }


def _moving(event: Event) -> tuple[int, ...]:
    """Return the seats that an event moves; cars that pass each other or spin move together."""
    code, a, b, *_more = event
    if code in (state.PASSED, state.SPUN, state.OFF):
        return (a, b)
    if code in (state.STARTS, state.EXTENDED, state.MOVED_UP, state.RETIRED) or (code == state.DROPPED and b):
        return (a,)
    return ()


def reveal(batches: Sequence[EventBatch], names: Sequence[str], view: View, since: int) -> Reveal | None:
    """Return the last reveal since entry ``since``, and the winner if it ended the race; None without one."""
    for i in range(len(batches) - 1, -1, -1):
        if batches[i].entry < since:
            break
        if shown := _reveal_at(batches, i, names, view):
            won = (text.sentence(e, names) for e in batches[i].events if e[0] == state.FINISHED and e[2] == 1)
            return replace(shown, text=" ".join(filter(None, (shown.text, *won))))
    return None


def _reveal_at(batches: Sequence[EventBatch], i: int, names: Sequence[str], view: View) -> Reveal | None:
    """Return the reveal that ``batches[i]`` completes; None if it completes none."""
    codes = {event[0] for event in batches[i].events}
    if codes & {state.PITTED, state.DREW, state.ROLLED}:
        begins = i
        while not {event[0] for event in batches[begins].events} & {state.PITTED, state.ACCIDENT}:
            begins -= 1
        events = [event for batch in batches[begins : i + 1] for event in batch.events]
        describe = _stop_reveal if any(event[0] == state.PITTED for event in events) else _plays_reveal
        return describe(batches[i].entry, events, names, view)
    if state.REVEALED in codes:
        return _plays_reveal(batches[i].entry, batches[i].events, names, view)
    return next(
        filter(None, (_move_reveal(batches[i].entry, event, names, view) for event in batches[i].events)),
        None,
    )


def _move_reveal(mark: int, event: Event, names: Sequence[str], view: View) -> Reveal | None:
    """Return the reveal of a move on a free road; None for any other event."""
    code, seat, value, *_more = event
    if code in (state.EXTENDED, state.DISCARDED):
        kinds = (value,) if code == state.EXTENDED else text.cards_of(value)
        play = Play(seat, tuple(card(kind, view.redline_bonus) for kind in kinds))
        return Reveal(mark, _("The last move"), text.sentence(event, names), (play,))
    if code in (state.DRAFTS, state.STOPPED):
        drawn = (Card(3),) if view.drafts_from == 3 else ()  # else the event does not tell which card
        play = Play(seat, drawn, "", _("drafts") if code == state.DRAFTS else "")
        return Reveal(mark, _("Drafting"), text.sentence(event, names), (play,))
    return None


def _stop_reveal(mark: int, events: Sequence[Event], names: Sequence[str], view: View) -> Reveal:
    """Return a pit stop so far: the cards drawn, the die, the cars that moved up (LX-2.1 to LX-2.3)."""
    seat = next(e.a for e in events if e.code == state.PITTED)
    drawn = tuple(card(e.b, view.redline_bonus) for e in events if e.code == state.DREW)
    face = next((e.b for e in events if e.code == state.ROLLED), None)
    end = next(e for e in reversed(events) if e[0] in (state.DROPPED, state.DREW, state.PITTED))
    won = lost = ""
    if end[0] == state.DROPPED:
        won = "" if end[2] else _("loses nothing")
        lost = plural("loses {n} space", "loses {n} spaces", end[2]) if end[2] else ""
    moved = tuple(e.a for e in events if e.code == state.MOVED_UP)
    plays = (Play(seat, drawn, "", won, lost),)
    return Reveal(mark, _("Pit stop"), text.sentence(end, names), plays, face, seat, moved)


def _plays_reveal(mark: int, events: Sequence[Event], names: Sequence[str], view: View) -> Reveal:
    """Return the reveal of qualifying or of a challenge, with its accident if there was one (LX-3.0)."""
    shown = [e for e in events if e[0] == state.REVEALED]
    outcome = next((e for e in events if e[0] in (state.PASSED, state.HELD)), None)
    accident = next((e for e in events if e[0] == state.ACCIDENT), None)
    rolled = next((e for e in events if e[0] == state.ROLLED), None)
    won: dict[int, str] = {}
    lost: dict[int, str] = {}
    if outcome:
        code, attacker, defender, *_more = outcome
        won = (
            {attacker: pgettext("overtakes", "passes")}
            if code == state.PASSED
            else {defender: pgettext("keeps its place", "holds")}
        )
    for code, a, b, *_more in events:
        if code == state.RETIRED:
            lost[a] = _("retires")
        elif code in (state.SPUN, state.OFF):
            lost[a] = lost[b] = _("spins") if code == state.SPUN else _("goes off")
    plays = tuple(
        Play(
            seat,
            tuple(card(kind, view.redline_bonus) for kind in text.cards_of(play)),
            str(value),
            won.get(seat, ""),
            lost.get(seat, ""),
        )
        for _code, seat, play, value, _eyes in shown
    )
    die, roller = (rolled[2], rolled[1]) if rolled else (None, None)
    if accident:
        results = (state.RETIRED, state.SPUN, state.OFF, state.HELD)
        results_told = [accident, *(e for e in events if e[0] in results)]
        sentence = " ".join(text.sentence(event, names) for event in results_told)
        return Reveal(mark, _("Accident"), sentence, plays, die, roller)
    if not outcome:
        return Reveal(mark, _("Revealed in qualifying"), "", plays)
    sentence = text.sentence(outcome, names)
    if len({value for _code, _seat, _what, value, _eyes in shown}) == 1:
        tie = (
            _("A tie goes to the defender: {sentence}")
            if view.win_by
            else _("A tie goes to the challenger: {sentence}")
        )
        sentence = tie.format(sentence=sentence)
    return Reveal(mark, _("Revealed in the challenge"), sentence, plays)


def pads(seen: Seen, view: View) -> list[Pad[Car]]:
    """The drivers' table, and the teams' table if there are teams of several drivers (LC-2.3)."""
    tables = standings(seen.options, seen.rounds)
    owners, teams = seen.options.owners, seen.options.teams
    rows = [
        _row(seen, line, seen.names[line.who], [c for c in view.cars if owners[c.seat] == line.who])
        for line in tables.players
    ]
    races = seen.options.rounds
    out = [Pad(_("Drivers' championship"), pgettext("person", "Driver"), races, tuple(rows))]
    if len(set(teams)) < len(teams):
        rows = []
        for line in tables.teams:
            names = [seen.names[driver] for driver, team in enumerate(teams) if team == line.who]
            cars = [c for c in view.cars if teams[owners[c.seat]] == line.who]
            rows.append(_row(seen, line, _(" & ").join(names), cars))
        out.append(Pad(_("Teams' championship"), _("Team"), races, tuple(rows)))
    return out


def _row(seen: Seen, line: Standing, name: str, cars: Sequence[Car]) -> Row[Car]:
    leads = line.rank == 1 and any(line.places)
    return row(name, tuple(cars), line.rounds, seen.options.rounds, leads=leads)


def finishers(seen: Seen, view: View) -> list[Finisher]:
    """Return the drivers for the podium: those who have finished a race (LX-3.6)."""
    owners = seen.options.owners
    return [
        Finisher(
            line.rank,
            seen.names[line.who],
            line.total,
            tuple((car.seat + 1, car.wears) for car in view.cars if owners[car.seat] == line.who),
        )
        for line in standings(seen.options, seen.rounds).players
        if any(line.places)
    ]


def headline(winners: Sequence[str], rounds: int) -> str:
    """Return who has won the race or the championship; nobody if no car has finished (LX-3.6)."""
    if not winners:
        return _("Nobody finishes the race") if rounds == 1 else _("Nobody finishes a race")
    if len(winners) == 1:
        return (_("{name} wins the race") if rounds == 1 else _("{name} is champion")).format(name=winners[0])
    return _("{names} share the title").format(names=listed(winners))


def account(seen: Seen, batches: Sequence[EventBatch]) -> Account:
    """Return how the finished races went."""
    return accounts.account(seen, batches)


def standing(view: View, player: int) -> list[str]:
    """Return the lap, and the place of each car of a driver, in words."""
    if not view.lap:
        return [_("qualifying")]
    places = [str(car.place) for car in view.cars if car.driver == player and car.place]
    words = [_("place {places} of {n}").format(places=listed(places), n=len(view.cars))]
    return [_("lap {n}").format(n=view.lap), *(words if places else [_("retired")])]
