"""LACORSA: how a move, a refusal, a log line and a status are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paddock.core.errors import BadMove, IllegalMove
from paddock.core.game import Seen
from paddock.core.i18n import _
from paddock.games.lacorsa import refusals, rules
from paddock.games.lacorsa.position import PHASES, parse_position, position
from paddock.games.lacorsa.rules import DISCARD, EXTEND, KINDS, LOT, REDLINE, TWO_REDLINES, Setup, State

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
    "status",
]


@dataclass(frozen=True)
class Move:
    """A move of LACORSA; ``str()`` is its notation: ``7``, ``12+R``, ``x7``, ``^2``."""

    action: str  # "commit", "discard" or "extend"
    card: int  # 0 is the Redline, else the rank
    redline: bool = False  # with a Redline besides

    @property
    def id(self) -> int:
        """The move's number in the kernel."""
        if self.action == "extend":
            return EXTEND + self.card - 1
        play = self.card
        if self.redline:
            play = TWO_REDLINES if self.card == REDLINE else self.card + 12
        return play + (DISCARD if self.action == "discard" else 0)

    def __str__(self) -> str:
        mark = {"commit": "", "discard": "x", "extend": "^"}[self.action]
        return f"{mark}{card(self.card)}{'+R' if self.redline else ''}"


def card(kind: int) -> str:
    """A card in notation: ``R`` or the rank."""
    return "R" if kind == REDLINE else str(kind)


def cards_of(play: int) -> tuple[int, ...]:
    """The kinds that a play puts down."""
    if play < KINDS:
        return (play,)
    return (REDLINE, REDLINE) if play == TWO_REDLINES else (play - 12, REDLINE)


def move(id: int) -> Move:
    """The typed move of a kernel id."""
    if id >= EXTEND:
        return Move("extend", id - EXTEND + 1)
    kinds = cards_of(id % DISCARD)
    return Move("discard" if id >= DISCARD else "commit", kinds[0], len(kinds) == 2)


_MOVE = re.compile(r"([x^]?)(R|1[0-2]|[1-9])(\+R)?")


def parse_move(text: str) -> Move:
    """The move of a notation; raises ``BadMove``, or ``IllegalMove`` for an extend that no car can make."""
    found = _MOVE.fullmatch(text.strip())
    if not found:
        raise BadMove(
            _(
                "«{text}» is no move: write 7, 12+R or R to commit, x7 or x7+R to discard, ^2 to extend"
            ).format(text=text.strip())
        )
    mark, name, redline = found.groups()
    kind = REDLINE if name == "R" else int(name)
    if mark == "^":
        if redline:
            raise IllegalMove("LC-6.4", _("a Redline cannot be added to an extend"))
        if not 1 <= kind <= 3:
            raise IllegalMove("LC-6.1", _("only a 1, 2 or 3 extends: {card} does not").format(card=name))
    return Move({"": "commit", "x": "discard", "^": "extend"}[mark], kind, bool(redline))


_REFUSALS: dict[int, tuple[str, str]] = {
    refusals.NOT_HELD: ("LC-1.4", "the hand holds no {card}"),
    refusals.NO_REDLINE: ("LC-3.1", "the hand holds no Redline to add"),
    refusals.TWO_REDLINES_REFUSED: ("LC-3.5", "two Redlines are never one play"),
    refusals.ONE_REDLINE_HELD: ("LC-3.5", "the hand does not hold two Redlines"),
    refusals.QUALIFYING: ("LC-3.1", "in qualifying every car commits a card"),
    refusals.MUST_CHALLENGE: ("LC-4.3", "a car is directly ahead: it must be challenged"),
    refusals.DEFENDING: ("LC-5.1", "the defender commits a card"),
    refusals.ROAD_IS_FREE: ("LC-4.3", "no car is directly ahead: extend or discard"),
    refusals.LEADER_EXTENDS_3: ("LC-6.2", "the leader cannot extend with a 3"),
}


def refusal(code: int, move_id: int) -> tuple[str, str]:
    """(clause, sentence) of a code of ``why``."""
    clause, sentence = _REFUSALS[code]
    return clause, _(sentence).format(card=card(move(move_id).card))


def face(kind: int) -> str:
    """A card in a sentence."""
    return _("Redline") if kind == REDLINE else str(kind)


def play_words(play: int) -> str:
    """A play in a sentence: «9 + Redline»."""
    return " + ".join(face(kind) for kind in cards_of(play))


def label(seen: Seen, seat: int, move_id: int) -> str:
    """What a button says: the move with its consequence."""
    chosen = move(move_id)
    if chosen.action == "extend":
        return _("Extend with the {card}: one space forward").format(card=face(chosen.card))
    words = play_words(move_id % DISCARD)
    if chosen.action == "discard":
        return _("Discard {cards}: stay here, turn over").format(cards=words)
    return _("Commit {cards}: worth {value}").format(cards=words, value=rules.worth(move_id))


def status(seen: Seen) -> str:
    """One line: whose decision it is and what is asked."""
    s = seen.state
    names = [seen.seat_name(seat) for seat in range(seen.options.seats)]
    if s.phase == rules.DEAL:
        return _("The cards are dealt.")
    if s.phase == rules.QUALIFY:
        awaited = ", ".join(names[seat] for seat in seen.deciders)
        return _("Qualifying: every car commits a card. Awaited: {awaited}.").format(awaited=awaited)
    if s.phase == rules.TIED:
        return _("Qualifying: a lot decides the tie.")
    if s.phase == rules.OVER:
        return _("The race is over: {name} wins.").format(name=names[s.order[seen.options.seats - 1]])
    attacker = names[s.order[s.turn]]
    if s.phase == rules.ROAD:
        return _("Lap {lap}: {name} has a free road: extend or discard.").format(lap=s.lap, name=attacker)
    awaited = ", ".join(names[seat] for seat in seen.deciders)
    return _("Lap {lap}: {attacker} challenges {defender}. Awaited: {awaited}.").format(
        lap=s.lap, attacker=attacker, defender=names[s.order[s.turn + 1]], awaited=awaited
    )


def board(seen: Seen) -> list[str]:
    """The timing tower, the discard pile and the hands of the eyes, for a terminal."""
    s, g = seen.state, seen.setup
    lines = []
    for place in range(1, s.placed + 1):
        i = g.cars - place
        gap = _(" {n} empty ahead").format(n=s.gap[i]) if place > 1 and s.gap[i] else ""
        name, count = seen.seat_name(s.order[i]), s.cards[s.order[i]]
        lines.append(
            _("{place:2}. {name}: {count} cards{gap}").format(place=place, name=name, count=count, gap=gap)
        )
    pile = " ".join(f"{card(k)}×{s.discard[k]}" for k in range(KINDS) if s.discard[k])
    lines.append(_("Discard pile: {pile}").format(pile=pile or "–"))
    for seat in range(g.cars):
        if seen.eyes >> seat & 1:
            hand = " ".join(card(k) for k in (*range(1, KINDS), REDLINE) for _i in range(s.hand[seat, k]))
            lines.append(_("Hand of {name}: {hand}").format(name=seen.seat_name(seat), hand=hand or "–"))
    return lines


def line(event: tuple[int, int, int, int], names: Sequence[str]) -> str:
    """The sentence of an event; empty for what needs none. ``names`` are those of the cars."""
    code, a, b, c = event
    if code == rules.LAP:
        return _("Lap {lap} begins at the back.").format(lap=a)
    name = names[a]
    if code == rules.REVEALED:
        return _("{name} turns up {cards}: {value}.").format(name=name, cards=play_words(b), value=c)
    if code == rules.DRAWN:
        return _("The lot for place {place} falls to {name}.").format(name=name, place=b)
    if code == rules.STARTS:
        return _("{name} starts from place {place}.").format(name=name, place=b)
    if code == rules.PASSED:
        return _("{name} passes {other}.").format(name=name, other=names[b])
    if code == rules.HELD:
        return _("{other} holds off {name}.").format(name=name, other=names[b])
    if code == rules.EXTENDED:
        return _("{name} extends with a {card}.").format(name=name, card=face(b))
    if code == rules.DISCARDED:
        return _("{name} discards {cards}.").format(name=name, cards=play_words(b))
    if code == rules.EMPTY:
        return _("{name} has played its last card: this is the last lap.").format(name=name)
    if code == rules.SKIPPED:
        return _("{name} has no cards: play passes ahead.").format(name=name)
    return _("{name} finishes in place {place}: points {points}.").format(name=name, place=b, points=c)


def chance_heading(s: State, g: Setup) -> str:
    """What chance decides now, as records write it: ``deal 1`` to car 1, ``lot 2`` for place 2."""
    return f"deal {s.dealt // g.cards + 1}" if s.phase == rules.DEAL else f"lot {s.placed + 1}"


def outcome(id: int) -> str:
    """An outcome in notation: a card dealt, or the number of the car that the lot falls to."""
    return card(id) if id < LOT else str(id - LOT + 1)


def parse_outcome(heading: str, text: str) -> int:
    """The id of an outcome written under ``heading``; raises ``BadMove``."""
    if heading.startswith("deal "):
        if text == "R":
            return REDLINE
        if re.fullmatch("1[0-2]|[1-9]", text):
            return int(text)
        raise BadMove(_("«{text}» is no card: write R or 1 to 12").format(text=text))
    if re.fullmatch("[1-9]", text) and int(text) <= rules.CARS:
        return LOT + int(text) - 1
    raise BadMove(_("«{text}» is no car").format(text=text))


def phase_name(phase: int) -> str:
    """The phase in a word, as positions and views write it."""
    return PHASES[phase]
