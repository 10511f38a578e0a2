"""Skerries: a race's state as words, and back to a state.

``phase=sail day=2 turn=1 wind=4 spent=harbour,pilot victim=- boats=a1,c4,- …``: skippers are numbered from 1,
hexes named by column and row. ``places=0,1,0`` of the boats that have arrived; ``hands=gp|a|-`` by the first
letters of the cards; ``known=2>1:g``: skipper 2 knows that skipper 1 holds a gust (SK-4.4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from paddock.core.errors import BadPosition, brief
from paddock.core.i18n import _, mark
from skerries.chart import HARBOUR, LIGHT, SKERRY, hex_name
from skerries.sailing import (
    ASKED,
    DRAW,
    HAND,
    KINDS,
    OVER,
    ROLL,
    SEATS,
    THEFT,
    Setup,
    State,
)

CARDS = (mark("gust"), mark("pilot"), mark("anchor"))  # notation, and the words that pages translate
PHASES = ("roll", "sail", "asked", "draw", "theft", "over")
ONE_EACH = mark("SK-5.1 the boats that arrive take the places from 1 on, one each")
SPENT = ("harbour", "pilot", "robbery")  # what can happen once in a turn, in this order
NONE = "-"
MOST_WIND = 18  # a six, and five gusts


def position(s: State, g: Setup) -> str:
    """The state as ``name=value`` words, always in the same order."""
    seats = range(g.skippers)
    spent = [word for word, done in zip(SPENT, (s.drew, s.piloted, s.robbed), strict=True) if done]
    known = [
        f"{knower + 1}>{holder + 1}:{cards}"
        for knower in seats
        for holder in seats
        if (cards := _letters([s.known[SEATS * knower + holder, kind] for kind in range(KINDS)]))
    ]
    words = {
        "phase": PHASES[s.phase],
        "day": str(s.day),
        "turn": str(s.turn + 1),
        "wind": str(s.wind),
        "spent": ",".join(spent),
        "victim": str(s.victim + 1) if s.phase in (ASKED, THEFT) else "",
        "boats": ",".join(hex_name(s.at[seat], g.columns) for seat in seats),
        "places": ",".join(str(s.place[seat]) for seat in seats),
        "hands": "|".join(_letters([s.held[seat, kind] for kind in range(KINDS)]) or NONE for seat in seats),
        "known": ",".join(known),
        "open": _letters([s.open[kind] for kind in range(KINDS)]),
    }
    return " ".join(f"{name}={text or NONE}" for name, text in words.items())


def _letters(counts: Sequence[int]) -> str:
    return "".join(CARDS[kind][0] * count for kind, count in enumerate(counts))


def parse_position(words: dict[str, str], g: Setup) -> State:
    """Return the state of such words. Raises ``BadPosition`` with every fault."""
    faults = [_("«{name}=» is missing").format(name=name) for name in _READERS if name not in words]
    faults += [
        _("there is no field «{name}»; the fields are {fields}").format(
            name=brief(name), fields=", ".join(_READERS)
        )
        for name in words
        if name not in _READERS
    ]
    s = State()
    for name, read in _READERS.items():
        try:
            read(s, g, words.get(name, ""))
        except ValueError as error:
            if name in words:
                faults.append(f"{name}={brief(words[name])}: {error}")
    if not faults:
        faults = _faults(s, g)
    if faults:
        raise BadPosition(faults)
    return s


def result_fault(places: Sequence[int], scores: Sequence[int], g: Setup) -> str:
    """SK-5.1, SK-5.3 arrived boats have the places from 1 on, and three of them score."""
    arrived = sorted(place for place in places if place)
    if arrived != list(range(1, len(arrived) + 1)):
        return _(ONE_EACH)
    if list(scores) != [4 - place if place else 0 for place in places]:
        return _("SK-5.3 the first three places score 3, 2 and 1")
    return ""


def _number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"\d{1,3}", text, re.ASCII) or not least <= int(text) <= most:
        raise ValueError(_("write a number from {least} to {most}").format(least=least, most=most))
    return int(text)


def _each(text: str, g: Setup, separator: str = ",") -> list[str]:
    parts = text.split(separator)
    if len(parts) != g.skippers:
        sentence = _("write one for each of the {n} skippers, separated by {separator}")
        raise ValueError(sentence.format(n=g.skippers, separator=separator))
    return parts


def _cards(text: str) -> list[int]:
    """The number of cards of each kind in some letters."""
    if text == NONE:
        return [0] * KINDS
    counts = [text.count(card[0]) for card in CARDS]
    if not text or _letters(counts) != text:
        raise ValueError(_("write cards by their letters, g before p before a, as in ggpa, or -"))
    return counts


def _hex(text: str, g: Setup) -> int:
    hexes = {hex_name(hex, g.columns): hex for hex in range(g.hexes) if g.land[hex] != SKERRY}
    if text not in hexes:
        raise ValueError(_("«{hex}» is no hex for a boat (SK-1.1)").format(hex=brief(text)))
    return hexes[text]


def _read_phase(s: State, g: Setup, text: str) -> None:
    if text not in PHASES[:OVER]:
        raise ValueError(_("write one of {words}").format(words=", ".join(PHASES[:OVER])))
    s.phase = PHASES.index(text)


def _read_day(s: State, g: Setup, text: str) -> None:
    s.day = _number(text, 1, g.days)


def _read_turn(s: State, g: Setup, text: str) -> None:
    s.turn = _number(text, 1, g.skippers) - 1


def _read_wind(s: State, g: Setup, text: str) -> None:
    s.wind = _number(text, 0, MOST_WIND)


def _read_spent(s: State, g: Setup, text: str) -> None:
    spent = [] if text == NONE else text.split(",")
    if spent != [word for word in SPENT if word in spent]:
        sentence = _("write which of {words} this turn has used, in this order, or -")
        raise ValueError(sentence.format(words=", ".join(SPENT)))
    s.drew, s.piloted, s.robbed = (int(word in spent) for word in SPENT)


def _read_victim(s: State, g: Setup, text: str) -> None:
    if (text != NONE) != (s.phase in (ASKED, THEFT)):
        raise ValueError(_("SK-4.2 write who is being robbed in the phases asked and theft, else -"))
    s.victim = 0 if text == NONE else _number(text, 1, g.skippers) - 1


def _read_boats(s: State, g: Setup, text: str) -> None:
    for seat, hex in enumerate(_each(text, g)):
        s.at[seat] = _hex(hex, g)
    for seat in range(g.skippers, SEATS):
        s.at[seat] = g.quay


def _read_places(s: State, g: Setup, text: str) -> None:
    for seat, place in enumerate(_each(text, g)):
        s.place[seat] = _number(place, 0, g.skippers)
        s.arrived += s.place[seat] > 0


def _read_hands(s: State, g: Setup, text: str) -> None:
    for seat, cards in enumerate(_each(text, g, "|")):
        for kind, count in enumerate(_cards(cards)):
            s.held[seat, kind] = count
            s.cards[seat] += count


def _read_known(s: State, g: Setup, text: str) -> None:
    for part in [] if text == NONE else text.split(","):
        found = re.fullmatch(f"([1-{g.skippers}])>([1-{g.skippers}]):([gpa]+)", part)
        if not found or found[1] == found[2]:
            raise ValueError(_("write what is remembered as in 2>1:g, or - (SK-4.4)"))
        for kind, count in enumerate(_cards(found[3])):
            s.known[SEATS * (int(found[1]) - 1) + int(found[2]) - 1, kind] = count


def _read_open(s: State, g: Setup, text: str) -> None:
    for kind, count in enumerate(_cards(text)):
        s.open[kind] = count


_READERS: dict[str, Callable[[State, Setup, str], None]] = {
    "phase": _read_phase,
    "day": _read_day,
    "turn": _read_turn,
    "wind": _read_wind,
    "spent": _read_spent,
    "victim": _read_victim,
    "boats": _read_boats,
    "places": _read_places,
    "hands": _read_hands,
    "known": _read_known,
    "open": _read_open,
}


def _faults(s: State, g: Setup) -> list[str]:
    """Return why a well-formed state is impossible, a sentence each. The deck is the rest of the cards."""
    faults = []
    seats = range(g.skippers)
    for kind, card in enumerate(CARDS):
        s.deck[kind] = g.copies - s.open[kind] - sum(s.held[seat, kind] for seat in seats)
        s.left += s.deck[kind]
        if s.deck[kind] < 0:
            fault = _("SK-1.3 there are no more than {n} cards of this kind: {card}")
            faults.append(fault.format(n=g.copies, card=card))
        for seat in seats:
            known = sum(s.known[SEATS * knower + seat, kind] for knower in seats)
            if known > s.held[seat, kind]:
                fault = _("SK-4.4 skipper {n} does not hold what others remember: {card}")
                faults.append(fault.format(n=seat + 1, card=card))
    for seat in seats:
        if s.cards[seat] > HAND:
            fault = _("SK-3.1 skipper {n} holds more than {most} cards")
            faults.append(fault.format(n=seat + 1, most=HAND))
        if (g.land[s.at[seat]] == LIGHT) != (s.place[seat] > 0):
            fault = _("SK-5.1 skipper {n} has a place if and only if the boat lies in a light")
            faults.append(fault.format(n=seat + 1))
    if sorted(s.place[seat] for seat in seats if s.place[seat]) != list(range(1, s.arrived + 1)):
        faults.append(_(ONE_EACH))
    if s.place[s.turn]:
        faults.append(_("SK-2.1 it is the turn of a boat that has not arrived"))
    if s.phase == ROLL and (s.wind or s.drew or s.piloted or s.robbed):
        faults.append(_("SK-2.2 a turn begins with a roll: before it there is no wind and nothing is spent"))
    if s.phase in (ASKED, THEFT) and not (
        s.robbed and s.victim != s.turn and s.at[s.victim] == s.at[s.turn] and s.cards[s.victim]
    ):
        faults.append(_("SK-4.1 who is robbed lies in the same hex and holds cards, and a robbery is spent"))
    if s.phase in (ASKED, THEFT) and s.cards[s.turn] >= HAND:
        faults.append(_("SK-4.1 who robs holds fewer than three cards"))
    in_harbour = g.land[s.at[s.turn]] == HARBOUR
    if s.phase == DRAW and not (s.drew and in_harbour and s.left and s.cards[s.turn] < HAND):
        faults.append(
            _("SK-3.1 a card is drawn in a harbour, from a deck that has one, into a hand with room")
        )
    return faults
