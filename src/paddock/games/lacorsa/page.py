"""LACORSA: what its pages show beyond the view: a hand as choices, the last reveal, the scorepad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paddock.core.errors import IllegalMove
from paddock.core.game import Seen, Told
from paddock.core.i18n import _
from paddock.core.series import Standing, standings
from paddock.games.lacorsa import refusals, rules, text
from paddock.games.lacorsa.draw import Finisher
from paddock.games.lacorsa.rules import REDLINE, ROAD
from paddock.games.lacorsa.view import SUITS, Car, Card, View

Event = tuple[int, int, int, int]
PLUS = "+R"  # what the Redline adds to the notation of a move


@dataclass(frozen=True)
class Choice:
    """A card of the hand that can be chosen: the move it makes by itself, and its face."""

    move: str
    card: Card


@dataclass(frozen=True)
class Group:
    """The cards with which one thing can be done; where there are none, ``why`` and the clause say so."""

    title: str
    hint: str
    cards: tuple[Choice, ...]
    why: str
    clause: str


@dataclass(frozen=True)
class Redline:
    """The Redline that can go with a card."""

    label: str
    hint: str


@dataclass(frozen=True)
class Play:
    """What one car turned up."""

    seat: int
    cards: tuple[Card, ...]
    value: str
    won: str


@dataclass(frozen=True)
class Reveal:
    """The plays that were turned up last, and what came of them."""

    mark: int  # the entry of the log that told it
    title: str
    text: str
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Row:
    """A line of a scorepad; ``points`` has None for a race to come."""

    name: str
    cars: tuple[Car, ...]
    points: tuple[int | None, ...]
    total: int
    rank: int
    leads: bool


@dataclass(frozen=True)
class Pad:
    """A table of points."""

    caption: str
    head: str
    races: int
    rows: tuple[Row, ...]


def together(seen: Seen) -> bool:
    """Whether all who decide now are revealed together (LC-3.1, LC-5.1)."""
    return bool(seen.state.phase != ROAD)


def question(seen: Seen, seat: int) -> str:
    """What is asked of the car, in a few words."""
    s = seen.state
    if s.phase == rules.QUALIFY:
        return _("Your card for qualifying")
    if s.phase == ROAD:
        return _("The road is free: extend or discard")
    attacker, defender = s.order[s.turn], s.order[s.turn + 1]
    if seat == attacker:
        return _("You challenge {name}").format(name=seen.seat_name(defender))
    return _("You defend against {name}").format(name=seen.seat_name(attacker))


def idle(seen: Seen) -> str:
    """What the button says before a card is chosen."""
    return _("Choose a card")


def groups(seen: Seen, seat: int, hand: Sequence[Card]) -> list[Group]:
    """The hand, by what can be done with its cards."""
    s = seen.state
    if s.phase != ROAD:
        hint = _("Face down. The highest value starts in front.") if s.phase == rules.QUALIFY else ""
        return [Group(_("Choose a card"), hint, tuple(Choice(text.card(c.kind), c) for c in hand), "", "")]
    leads = s.turn == seen.options.seats - 1
    extends = tuple(Choice(f"^{c.kind}", c) for c in hand if 1 <= c.kind <= (2 if leads else 3))
    why, clause = _("You hold no 1, 2 or 3."), "LC-6.1"
    if leads and any(c.kind == 3 for c in hand):
        why, clause = _("The leader cannot extend with a 3, and you hold no 1 or 2."), "LC-6.2"
    discards = tuple(Choice(f"x{text.card(c.kind)}", c) for c in hand)
    return [
        Group(_("Extend: one space forward"), "", extends, why, clause),
        Group(_("Or discard: stay here"), "", discards, "", ""),
    ]


def redline(seen: Seen, seat: int) -> Redline | None:
    """The Redline that the car can add to a card; None where it holds none beside another card."""
    s = seen.state
    if not s.hand[seat, REDLINE] or s.cards[seat] < 2:
        return None
    if s.phase == ROAD:
        return Redline(_("Discard a Redline too"), _("two cards at once"))
    return Redline(_("Add a Redline"), _("+2, and it is spent"))


def refused(seen: Seen, seat: int, moves: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Why these choices, with or without a Redline, are no legal moves: notation → (sentence, clause)."""
    legal = {str(text.move(id)) for id in seen.legal(seat)}
    out = {}
    for notation in (*moves, *(f"{move}{PLUS}" for move in moves)):
        if notation in legal:
            continue
        try:
            id = text.parse_move(notation).id
            clause, sentence = text.refusal(refusals.why(seen.state, seen.setup, seat, id), id)
        except IllegalMove as error:
            clause, sentence = error.clause, error.reason
        out[notation] = (sentence, clause)
    return out


def faces(move: int, seat: int) -> tuple[Card, ...]:
    """The cards of a move, to be drawn."""
    if move >= rules.EXTEND:
        return (_card(seat, move - rules.EXTEND + 1),)
    return tuple(_card(seat, kind) for kind in text.cards_of(move % rules.DISCARD))


def _card(seat: int, kind: int) -> Card:
    return Card(kind, (seat + kind) % SUITS)  # as the hand shows the first of that kind


def subject(event: Event) -> int | None:
    """The seat that a line of the story is about."""
    return None if event[0] == rules.LAP else event[1]


def is_heading(event: Event) -> bool:
    """Whether a line begins a part of the story."""
    return event[0] == rules.LAP


def reveal(told: Sequence[Told], names: Sequence[str]) -> Reveal | None:
    """The last thing that cards were turned up for, among these; None where there is none."""
    for item in reversed(told):
        shown = [e for e in item.events if e[0] == rules.REVEALED]
        if shown:
            return _plays(item.entry, shown, item.events, names)
        for event in item.events:
            code, seat, what, _worth = event
            if code in (rules.EXTENDED, rules.DISCARDED):
                kinds = (what,) if code == rules.EXTENDED else text.cards_of(what)
                play = Play(seat, tuple(_card(seat, kind) for kind in kinds), "", "")
                return Reveal(item.entry, _("The last move"), text.line(event, names), (play,))
    return None


def _plays(mark: int, shown: Sequence[Event], events: Sequence[Event], names: Sequence[str]) -> Reveal:
    outcome = next((e for e in events if e[0] in (rules.PASSED, rules.HELD)), None)
    won: dict[int, str] = {}
    if outcome:
        code, attacker, defender, _passes = outcome
        won = {attacker: _("passes")} if code == rules.PASSED else {defender: _("holds")}
    plays = tuple(
        Play(seat, tuple(_card(seat, kind) for kind in text.cards_of(what)), str(value), won.get(seat, ""))
        for _code, seat, what, value in shown
    )
    if not outcome:
        return Reveal(mark, _("Turned up in qualifying"), "", plays)
    sentence = text.line(outcome, names)
    if len({value for _code, _seat, _what, value in shown}) == 1:
        sentence = _("A tie goes to the defender: {sentence}").format(sentence=sentence)
    return Reveal(mark, _("Turned up in the challenge"), sentence, plays)


def pads(seen: Seen, view: View) -> list[Pad]:
    """The drivers' table, and the teams' where teams of several drivers race (LC-2.3)."""
    tables = standings(seen.options, seen.rounds)
    owners, teams = seen.options.owners, seen.options.teams
    drivers = {
        row.who: (seen.names[row.who], tuple(c for c in view.cars if owners[c.seat] == row.who))
        for row in tables.players
    }
    races = seen.options.rounds
    out = [Pad(_("Drivers' championship"), _("Driver"), races, _rows(tables.players, drivers, races))]
    if len(set(teams)) < len(teams):
        grouped = {
            team: (
                _(" & ").join(seen.names[d] for d, of in enumerate(teams) if of == team),
                tuple(c for c in view.cars if teams[owners[c.seat]] == team),
            )
            for team in set(teams)
        }
        out.append(Pad(_("Teams' championship"), _("Team"), races, _rows(tables.teams, grouped, races)))
    return out


def _rows(
    table: Sequence[Standing], who: Mapping[int, tuple[str, tuple[Car, ...]]], races: int
) -> tuple[Row, ...]:
    return tuple(
        Row(
            who[row.who][0],
            who[row.who][1],
            (*row.rounds, *[None] * (races - len(row.rounds))),
            row.total,
            row.rank,
            bool(row.rounds) and row.rank == 1,
        )
        for row in table
    )


def finishers(seen: Seen, view: View) -> list[Finisher]:
    """Who stands on the podium after the last race."""
    out = []
    for pad in pads(seen, view)[:1]:
        for row in pad.rows:
            cars = tuple((car.seat + 1, car.striped) for car in row.cars)
            out.append(Finisher(row.rank, row.name, row.total, cars))
    return out
