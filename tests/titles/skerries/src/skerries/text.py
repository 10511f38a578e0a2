"""Skerries: how a move, a refusal, a log line and a status are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _, mark, plural
from paddock.core.log import Event
from paddock.core.title import Seen
from paddock.core.words import HIDDEN
from skerries import refusals, sailing
from skerries.chart import HARBOUR, LIGHT, REEF, WAYS, hex_name
from skerries.position import CARDS, parse_position, position, result_fault
from skerries.sailing import DIE, DRAW, KINDS, PLAY, ROB, ROLL, STOP, YIELD, Setup, State
from skerries.view import View, view

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
    "status",
]

_WORDS = (*WAYS, "stop", *CARDS, "yield")  # of the moves below ROB
_COMPASS = (
    mark("east"),
    mark("north-east"),
    mark("north-west"),
    mark("west"),
    mark("south-west"),
    mark("south-east"),
)


@dataclass(frozen=True)
class Move:
    """A move of Skerries; ``str()`` is its notation: ``ne``, ``stop``, ``gust``, ``yield``, ``rob 2``."""

    id: int

    def __str__(self) -> str:
        return _WORDS[self.id] if self.id < ROB else f"rob {self.id - ROB + 1}"


def move(g: Setup, id: int) -> Move:
    """The typed move of a kernel id."""
    return Move(id)


def parse_move(g: Setup, text: str) -> Move:
    """Return the move of a notation. Raises ``BadMove``."""
    words = " ".join(text.split())
    if words in _WORDS:
        return Move(_WORDS.index(words))
    found = re.fullmatch(f"rob ([1-{sailing.SEATS}])", words)
    if not found:
        raise BadMove(
            _("«{text}» is not a move: write {words} or rob 2").format(
                text=brief(text), words=", ".join(_WORDS)
            )
        )
    return Move(ROB + int(found[1]) - 1)


_REFUSALS: dict[int, tuple[str, str]] = {
    refusals.ASKED_NOW: ("SK-4.2", mark("your boat is being robbed: drop anchor or yield")),
    refusals.NOT_ASKED: ("SK-4.2", mark("only a boat that is being robbed can do this")),
    refusals.NOT_HELD: ("SK-3.3", mark("the hand holds no {card}")),
    refusals.OFF_CHART: ("SK-2.3", mark("the chart ends there")),
    refusals.ON_ROCK: ("SK-2.3", mark("a skerry lies there")),
    refusals.NO_WIND: ("SK-2.3", mark("there is too little wind for this step")),
    refusals.ONE_PILOT: ("SK-3.4", mark("a pilot is already aboard in this turn")),
    refusals.ONCE_A_TURN: ("SK-4.1", mark("you have already robbed somebody in this turn")),
    refusals.HAND_FULL: ("SK-4.1", mark("the hand is full")),
    refusals.NOBODY_THERE: ("SK-4.1", mark("that boat is not in the same hex")),
    refusals.NO_CARDS: ("SK-4.1", mark("that skipper holds no cards")),
}


def refusal(s: State, g: Setup, seat: int, code: int, move: int) -> tuple[str, str]:
    """Return (clause, sentence) of a code of ``why``."""
    clause, sentence = _REFUSALS[code]
    return clause, _(sentence).format(card=_(CARDS[move - PLAY]) if PLAY <= move < YIELD else "")


def _place(g: Setup, hex: int) -> str:
    """A hex in a sentence: «the reef c4»."""
    words = {REEF: _("the reef {hex}"), HARBOUR: _("the harbour {hex}"), LIGHT: _("the light {hex}")}
    return words.get(g.land[hex], "{hex}").format(hex=hex_name(hex, g.columns))


def label(seen: Seen, seat: int, move: int) -> str:
    """The label of a move, with its consequence. Its cost is shown beside it (chains.py)."""
    s: State = seen.state
    g: Setup = seen.setup
    if move < STOP:
        place = _place(g, g.beside[s.at[seat], move])
        return _("Sail {way} to {place}").format(way=_(_COMPASS[move]), place=place)
    if move == STOP:
        return _("Stop: {wind} wind is lost").format(wind=s.wind) if s.wind else _("Stop")
    if move >= ROB:
        return _("Rob {name}").format(name=seen.names[move - ROB])
    return {
        PLAY + sailing.GUST: _("Play a gust: 2 more wind"),
        PLAY + sailing.PILOT: _("Take a pilot aboard: reefs take 1 wind in this turn"),
        PLAY + sailing.ANCHOR: _("Drop anchor: the robbery fails"),
        YIELD: _("Yield: lose a card, drawn blindly"),
    }[move]


def status(seen: Seen) -> str:
    """One line: who must decide, and what."""
    shown = view(seen)
    if shown.turn is None:
        return _finish(shown)
    words = {"name": shown.boats[shown.turn].name, "wind": shown.wind, "day": shown.day, "days": shown.days}
    if shown.victim is not None:
        words["victim"] = shown.boats[shown.victim].name
    sentence = {
        "roll": _("Day {day} of {days}: {name} waits for the wind."),
        "sail": _("Day {day} of {days}: {name} has {wind} wind."),
        "asked": _("{name} robs {victim}, who must answer."),
        "draw": _("{name} draws a card in the harbour."),
        "theft": _("{name} takes a card of {victim}."),
    }[shown.phase]
    return sentence.format(**words)


def _finish(shown: View) -> str:
    winners = [boat.name for boat in shown.boats if boat.place == 1]
    if not winners:
        return _("The race is over: nobody has reached the light.")
    return _("The race is over: {name} was first at the light.").format(name=winners[0])


def _named(cards: Sequence[str]) -> str:
    return " ".join(_(card) for card in cards) or "–"


def board(seen: Seen) -> list[str]:
    """The chart, the boats and what the eyes know of the cards, for a terminal."""
    shown = view(seen)
    lines = ["   " + "   ".join("abcdefghijkl"[: len(shown.chart[0])])]
    lines += [
        f"{number:2} {'' if number % 2 else '  '}{'   '.join(row)}"
        for number, row in enumerate(shown.chart, 1)
    ]
    for boat in shown.boats:
        where = (
            _("{name}: at {hex}").format(name=boat.name, hex=boat.hex)
            if boat.place is None
            else _("{name}: arrived, place {place}").format(name=boat.name, place=boat.place)
        )
        lines.append(
            _("{where}, {cards}").format(where=where, cards=plural("{n} card", "{n} cards", boat.cards))
        )
    open_cards = _named(shown.open)
    lines.append(_("Deck: {n}. Open cards: {cards}").format(n=shown.deck, cards=open_cards))
    for boat in shown.boats:
        if boat.hand is not None:
            lines.append(_("Hand of {name}: {hand}").format(name=boat.name, hand=_named(boat.hand)))
    for known in shown.memories:
        lines.append(
            _("{knower} knows that {holder} holds: {cards}").format(
                knower=shown.boats[known.knower].name,
                holder=shown.boats[known.holder].name,
                cards=_named(known.cards),
            )
        )
    return lines


def line(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Return the sentence of an event; ``names`` are those of the skippers."""
    code, a, b, c, _eyes = event
    if code == sailing.DAY:
        return _("Day {day}.").format(day=a)
    if code == sailing.SHUFFLED:
        return plural(
            "{n} open card is shuffled into a new deck.", "{n} open cards are shuffled into a new deck.", a
        )
    name = names[a]
    if code == sailing.ROLLED:
        return _("{name} has {wind} wind.").format(name=name, wind=b)
    if code == sailing.SAILED:
        return _("{name} sails to {place}.").format(name=name, place=_place(g, b))
    if code == sailing.ARRIVED:
        return _("{name} arrives in place {place}.").format(name=name, place=b)
    if code == sailing.STOPPED:
        return _("{name} stops.").format(name=name)
    if code == sailing.PLAYED:
        return _("{name} plays: {card}.").format(name=name, card=_(CARDS[b]))
    if code == sailing.DREW:
        if b == HIDDEN:
            return _("{name} draws a card.").format(name=name)
        return _("{name} draws a card: {card}.").format(name=name, card=_(CARDS[b]))
    if code == sailing.ROBS:
        return _("{name} robs {victim}.").format(name=name, victim=names[b])
    if code == sailing.YIELDED:
        return _("{name} yields.").format(name=name)
    if code == sailing.STOLE:
        words = {"name": name, "victim": names[b], "card": "" if c == HIDDEN else _(CARDS[c])}
        if c == HIDDEN:
            return _("{name} takes a card of {victim}.").format(**words)
        return _("{name} takes a card of {victim}: {card}.").format(**words)
    return _("{name} has not reached the light.").format(name=name)


def chance_heading(s: State, g: Setup) -> str:
    """What chance decides now, as records write it: ``wind 2``, ``draw 2``, ``theft 2 1`` (from 2 to 1)."""
    if s.phase == ROLL:
        return f"wind {s.turn + 1}"
    if s.phase == DRAW:
        return f"draw {s.turn + 1}"
    return f"theft {s.victim + 1} {s.turn + 1}"


def outcome(g: Setup, id: int) -> str:
    """An outcome in notation: a card, or the pips of the die."""
    return CARDS[id] if id < KINDS else str(id - DIE + 1)


def parse_outcome(g: Setup, heading: str, text: str) -> int:
    """Return the id of an outcome written under ``heading``. Raises ``BadMove``."""
    if heading.startswith("wind "):
        if not re.fullmatch("[1-6]", text):
            raise BadMove(_("«{text}» is not a roll: write 1 to 6").format(text=brief(text)))
        return DIE + int(text) - 1
    if text not in CARDS:
        raise BadMove(
            _("«{text}» is not a card: write {cards}").format(text=brief(text), cards=_(" or ").join(CARDS))
        )
    return CARDS.index(text)
