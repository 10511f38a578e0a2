"""Skerries: the words of moves, log lines and status."""

from __future__ import annotations

from collections.abc import Sequence

from paddock.core.i18n import _, mark, pgettext, plural
from paddock.core.log import Event
from paddock.core.title import Seen
from paddock.core.words import HIDDEN
from skerries import sailing
from skerries.chart import HARBOUR, LIGHT, REEF, WAYS, hex_name
from skerries.sailing import DRAW, KINDS, PLAY, ROB, ROLL, STOP, YIELD, Setup, State
from skerries.view import CARDS, View, view

MOVES = (*WAYS, "stop", *CARDS, "yield", *(f"rob {n + 1}" for n in range(sailing.SEATS)))
OUTCOMES = (*CARDS, *(str(n + 1) for n in range(6)))
_COMPASS = (
    mark("east"),
    mark("north-east"),
    mark("north-west"),
    mark("west"),
    mark("south-west"),
    mark("south-east"),
)


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
        lost = _("Stop: {wind} wind is lost").format(wind=s.wind)
        return lost if s.wind else pgettext("verb", "Stop")
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


_EVENTS = {
    sailing.DAY: mark("Day {a}."),
    sailing.SHUFFLED: mark("The open cards are shuffled into a new deck: {a}."),
    sailing.ROLLED: mark("{name} has {b} wind."),
    sailing.SAILED: mark("{name} sails to {place}."),
    sailing.ARRIVED: mark("{name} arrives in place {b}."),
    sailing.STOPPED: mark("{name} stops."),
    sailing.PLAYED: mark("{name} plays: {card}."),
    sailing.DREW: mark("{name} draws a card: {card}."),
    sailing.ROBS: mark("{name} robs {other}."),
    sailing.YIELDED: mark("{name} yields."),
    sailing.STOLE: mark("{name} takes a card of {other}: {taken}."),
    sailing.ADRIFT: mark("{name} has not reached the light."),
}


def line(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Return the sentence of an event; ``names`` are those of the skippers."""
    code, a, b, c, _eyes = event
    if code == sailing.DREW and b == HIDDEN:
        return _("{name} draws a card.").format(name=names[a])
    if code == sailing.STOLE and c == HIDDEN:
        return _("{name} takes a card of {victim}.").format(name=names[a], victim=names[b])
    return _(_EVENTS[code]).format(
        name=names[a % len(names)],
        other=names[b % len(names)],
        card=_(CARDS[b % KINDS]),
        taken=_(CARDS[c % KINDS]),
        place=_place(g, b % g.hexes),
        a=a,
        b=b,
    )


def chance_heading(s: State, g: Setup) -> str:
    """What chance decides now, as records write it: ``wind 2``, ``draw 2``, ``theft 2 1`` (from 2 to 1)."""
    if s.phase == ROLL:
        return f"wind {s.turn + 1}"
    if s.phase == DRAW:
        return f"draw {s.turn + 1}"
    return f"theft {s.victim + 1} {s.turn + 1}"


def result_fault(places: Sequence[int], scores: Sequence[int], g: Setup) -> str:
    """SK-5.1, SK-5.3 arrived boats have the places from 1 on, and three of them score."""
    arrived = sorted(place for place in places if place)
    if arrived != list(range(1, len(arrived) + 1)):
        return _("SK-5.1 the boats that arrive take the places from 1 on, one each")
    if list(scores) != [4 - place if place else 0 for place in places]:
        return _("SK-5.3 the first three places score 3, 2 and 1")
    return ""
