"""LACORSA: notation and sentences for moves, refusals, events and the status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paddock.core.errors import BadMove, IllegalMove, brief
from paddock.core.i18n import _, language, mark, pgettext, plural
from paddock.core.log import Event
from paddock.core.title import Seen
from paddock.core.wording import nth
from paddock.games.lacorsa.rules import race, refusals, state
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.games.lacorsa.words.position import parse_position, position, result_fault, shown

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


MOST_NAMED = 4  # maximum number of names in a status line
_WORDS = {
    "pit": state.PIT,
    "stay": state.STAY,
    "attack": state.ATTACK,
    "stop": state.STOP,
}  # moves without a card
_WORD_OF = {id: word for word, id in _WORDS.items()}
_MARKS = {"commit": "", "discard": "x", "extend": "^", "take": "take "}


@dataclass(frozen=True)
class Move:
    """A move of LACORSA; ``str()`` is its notation: ``7``, ``12+R``, ``x7``, ``^2``, ``pit``, ``take 7``."""

    action: str  # "commit", "discard", "extend", "take", "pit", "stay", "attack" or "stop"
    card: int = 0  # the rank; 0 for the Redline, and for a move without a card
    redline: bool = False  # whether a Redline is added

    @property
    def id(self) -> int:
        """The id of the move in the kernel."""
        if self.action in _WORDS:
            return _WORDS[self.action]
        if self.action == "take":
            return state.TAKE + self.card
        if self.action == "extend":
            return state.EXTEND + self.card - 1
        play = self.card
        if self.redline:
            play = state.TWO_REDLINES if self.card == state.REDLINE else self.card + state.WITH_REDLINE
        return play + (state.DISCARD if self.action == "discard" else 0)

    def __str__(self) -> str:
        if self.action in _WORDS:
            return self.action
        mark = _MARKS[self.action]
        return f"{mark}{card(self.card)}{'+R' if self.redline else ''}"


def card(kind: int) -> str:
    """Return a card in notation: ``R`` or the rank."""
    return "R" if kind == state.REDLINE else str(kind)


def cards_of(play: int) -> tuple[int, ...]:
    """Return the kinds of the cards of a play."""
    if play < state.KINDS:
        return (play,)
    return (
        (state.REDLINE, state.REDLINE)
        if play == state.TWO_REDLINES
        else (play - state.WITH_REDLINE, state.REDLINE)
    )


def move(g: Setup, id: int) -> Move:
    """Return the typed move with this id."""
    return move_of(id)


@lru_cache(256)
def move_of(id: int) -> Move:
    """Return the typed move with this id."""
    if id in _WORD_OF:
        return Move(_WORD_OF[id])
    if id >= state.TAKE:
        return Move("take", id - state.TAKE)
    if id >= state.EXTEND:
        return Move("extend", id - state.EXTEND + 1)
    kinds = cards_of(id % state.DISCARD)
    return Move("discard" if id >= state.DISCARD else "commit", kinds[0], len(kinds) == 2)


_MOVE = re.compile(r"([x^]?|take )(R|1[0-2]|[1-9])(\+R)?")


def parse_move(g: Setup, text: str) -> Move:
    """Parse a move in notation; raise what ``read_move`` raises."""
    return read_move(text)


def read_move(text: str) -> Move:
    """Parse a move in notation; raise ``BadMove``, or ``IllegalMove`` for an extend that is never legal."""
    if text.strip() in _WORDS:
        return Move(text.strip())
    match = _MOVE.fullmatch(text.strip())
    if not match or (match[1] == "take " and match[3]):
        raise BadMove(
            _(
                "“{text}” is not a move: write 7, 12+R or R to commit, x7 or x7+R to discard, ^2 to extend, "
                "and on a Large Grid pit or stay, take 7, attack or stop"
            ).format(text=brief(text))
        )
    mark, name, redline = match.groups()
    kind = state.REDLINE if name == "R" else int(name)
    if mark == "take ":
        return Move("take", kind)
    if mark == "^":
        if redline:
            raise IllegalMove("LC-6.4", _("a Redline cannot be added to an extend"))
        if not 1 <= kind <= 3:
            raise IllegalMove("LC-6.1", _("only a 1, 2 or 3 extends: {card} does not").format(card=name))
    return Move({"": "commit", "x": "discard", "^": "extend"}[mark], kind, bool(redline))


_PLAYED_AS = {"extend": "LC-6.1", "discard": "LC-6.3"}  # the clauses of plays on a free road


def refusal(s: State, g: Setup, seat: int, code: int, move_id: int) -> tuple[str, str]:
    """Return (clause, sentence) for a code of ``why``."""
    clause, sentence = refusals.REASONS[code]
    chosen = move_of(move_id)
    if code in (refusals.NOT_HELD, refusals.NO_REDLINE):
        clause = _PLAYED_AS.get(chosen.action, "LC-3.1" if s.phase == state.QUALIFY else "LC-5.1")
    elif code == refusals.ROAD_IS_FREE and race.can_pit(s, g, seat):
        sentence = mark("no car is directly ahead: extend, discard or pit")
    elif code == refusals.TOO_EARLY and g.pit_lap != 2:
        return clause, _("cars can pit from lap {lap} on").format(lap=g.pit_lap)
    elif code == refusals.TURN_BEGUN and g.late:
        sentence = mark("a car can pit only at the start of its own turn, or after a pass in it")
    return clause, _(sentence).format(card=card(chosen.card))


def spaces(n: int) -> str:
    """Return a number of spaces in words."""
    return plural("{n} space", "{n} spaces", n)


def face(kind: int) -> str:
    """Return the name of a card in a sentence."""
    return _("Redline") if kind == state.REDLINE else str(kind)


def play_words(play: int) -> str:
    """Return the name of a play in a sentence: «9 + Redline»."""
    return " + ".join(face(kind) for kind in cards_of(play))


def label(seen: Seen, seat: int, move_id: int) -> str:
    """Return the text of a button: the move and its consequence."""
    chosen = move_of(move_id)
    if chosen.action in _WORDS or chosen.action == "take":
        return _label_large(seen, chosen)
    g: Setup = seen.setup
    if chosen.action == "extend" and g.extend_spaces > 1:
        return _("Extend with the {card}: up to {spaces} forward").format(
            card=face(chosen.card), spaces=spaces(g.extend_spaces)
        )
    return _label_of(move_id, race.worth(g, move_id) if chosen.action == "commit" else 0, language.get())


@lru_cache(1024)
def _label_of(move_id: int, value: int, _language: str) -> str:
    """Return the text of a button for a move that plays cards: it is the same in each position."""
    chosen = move_of(move_id)
    if chosen.action == "extend":
        return _("Extend with the {card}: one space forward").format(card=face(chosen.card))
    words = play_words(move_id % state.DISCARD)
    if chosen.action == "discard":
        return _("Discard {cards}: stay here, turn ends").format(cards=words)
    return _("Commit {cards}: worth {value}").format(cards=words, value=value)


def _label_large(seen: Seen, chosen: Move) -> str:
    """Return the text of a button for a move of the expansion."""
    s, g = seen.state, seen.setup
    if chosen.action == "take":
        return _("Take the {card} from the discard pile").format(card=face(chosen.card))
    if chosen.action == "pit":
        most = max(g.pit_low, g.pit_middle)
        words = plural(
            "Pit: draw {n} card, roll a die to lose 0 to {most} spaces, turn ends",
            "Pit: draw {n} cards, roll a die to lose 0 to {most} spaces, turn ends",
            g.pit_cards, most=str(most),
        )  # fmt: skip
        if g.refill:
            words = _("Pit: refill the hand, roll a die to lose 0 to {most} spaces, turn ends").format(
                most=most
            )
        elif g.pit_cards == 1:
            words = _("Pit: draw a card, roll a die to lose 0 to {most} spaces, turn ends").format(most=most)
        return words
    other = seen.seat_name(s.order[s.turn + 1])
    if chosen.action == "stay":
        return _("Stay out: challenge {name}").format(name=other)
    if chosen.action == "attack":
        return _("Challenge {name} after drafting").format(name=other)
    return _("Stop behind {name}: turn ends").format(name=other)


def status(seen: Seen) -> str:
    """Return one line that says who must decide what."""
    s, g = shown(seen), seen.setup
    names = [seen.seat_name(seat) for seat in range(seen.options.seats)]
    if s.phase == state.DEAL:
        return _("The cards are being dealt.")
    if s.phase == state.QUALIFY:
        return _("Qualifying: every car commits a card. Waiting for {awaited}.").format(
            awaited=_awaited(seen, names)
        )
    if s.phase == state.TIED:
        return _("Qualifying: a random draw breaks the tie.")
    if s.phase == state.OVER:
        if not s.running:
            return _("The race is over: no car has finished.")
        return _("The race is over: {name} wins.").format(name=names[s.order[s.running - 1]])
    attacker = names[s.order[s.turn]]
    if s.phase in _STATUS:
        ahead = names[s.order[s.turn + 1]] if s.turn + 1 < s.running else ""
        return _(_STATUS[s.phase]).format(lap=s.lap, name=attacker, other=ahead)
    if s.phase == state.ROAD and race.can_pit(s, g, s.order[s.turn]):
        return _("Lap {lap}: {name} has a free road: extend, discard or pit.").format(
            lap=s.lap, name=attacker
        )
    if s.phase == state.ROAD:
        return _("Lap {lap}: {name} has a free road: extend or discard.").format(lap=s.lap, name=attacker)
    awaited = _(", ").join(names[seat] for seat in seen.deciders)
    return _("Lap {lap}: {attacker} challenges {defender}. Waiting for {awaited}.").format(
        lap=s.lap, attacker=attacker, defender=names[s.order[s.turn + 1]], awaited=awaited
    )


def _awaited(seen: Seen, names: Sequence[str]) -> str:
    """Return the names of the cars that must decide, or their number if they are many."""
    cars = seen.deciders
    if len(cars) <= MOST_NAMED:
        return _(", ").join(names[seat] for seat in cars)
    if len(cars) == len(names):
        return plural("all {n} car", "all {n} cars", len(cars))
    return _("{n} of {of} cars").format(n=len(cars), of=len(names))


_STATUS = {
    state.PITS: mark("Lap {lap}: {name} may pit, or stay out and challenge {other}."),
    state.PIT_DRAW: mark("Lap {lap}: {name} is in the pits and draws from the discard pile."),
    state.PIT_DIE: mark("Lap {lap}: {name} is in the pits: a die decides what the stop costs."),
    state.INCIDENT: mark("Lap {lap}: {name} and {other} touch: {other} rolls a die."),
    state.DRAFT: mark("Lap {lap}: {name} has closed the gap to {other}: challenge or stop."),
}


def board(seen: Seen) -> list[str]:
    """Return the cars by place, the discard pile and the visible hands as lines for a terminal."""
    s, g = shown(seen), seen.setup
    if s is not seen.state:  # only the result is known
        classified = [s.order[i] for i in reversed(range(s.running))]
        names = enumerate(map(seen.seat_name, classified), 1)
        return [_("{place:2}. {name}").format(place=place, name=name) for place, name in names]
    lines = []
    for place in range(1, s.placed - (g.cars - s.running) + 1):
        i = s.running - place
        # Translators: at the end of a line about a car: empty spaces
        gap = _(" {n} empty ahead").format(n=s.gap[i]) if place > 1 and s.gap[i] else ""
        cards = plural("{n} card", "{n} cards", s.cards[s.order[i]])
        words = {"name": seen.seat_name(s.order[i]), "cards": cards, "gap": gap}
        lines.append(_("{place:2}. {name}: {cards}{gap}").format(place=place, **words))
    for rank in range(g.cars - s.running, 0, -1):
        lines.append(_(" –. {name}: retired").format(name=seen.seat_name(list(s.out).index(rank))))
    pile = " ".join(f"{card(k)}×{s.discard[k]}" for k in range(state.KINDS) if s.discard[k])
    lines.append(_("Discard pile: {pile}").format(pile=pile or "–"))
    for seat in range(g.cars):
        if seen.eyes >> seat & 1:
            hand = " ".join(
                card(k) for k in (*range(1, state.KINDS), state.REDLINE) for _i in range(s.hand[seat, k])
            )
            lines.append(_("Hand of {name}: {hand}").format(name=seen.seat_name(seat), hand=hand or "–"))
        elif any(s.known[seat, k] for k in range(state.KINDS)):
            known = " ".join(
                card(k) for k in (*range(1, state.KINDS), state.REDLINE) for _i in range(s.known[seat, k])
            )
            lines.append(_("Known cards of {name}: {hand}").format(name=seen.seat_name(seat), hand=known))
    return lines


def line(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Return the sentence for an event, or an empty text. ``names`` are the names of the seats."""
    return sentence(event, names)


def sentence(event: Event, names: Sequence[str]) -> str:
    """Return the sentence for an event, or an empty text. ``names`` are the names of the cars."""
    code, a, b, c, _eyes = event
    if code == state.LAP:
        return _("Lap {lap} begins.").format(lap=a)
    name = names[a]
    if code == state.REVEALED and b == c != state.REDLINE:
        return _("{name} reveals {cards}.").format(name=name, cards=play_words(b))
    if code == state.REVEALED:
        return _("{name} reveals {cards}: {value}.").format(name=name, cards=play_words(b), value=c)
    if code == state.DRAWN:
        return _("{name} wins the draw for place {place}.").format(name=name, place=b)
    if code == state.STARTS:
        return _("{name} starts from place {place}.").format(name=name, place=b)
    if code == state.PASSED:
        return pgettext("overtakes", "{name} passes {other}.").format(name=name, other=names[b])
    if code == state.HELD:
        return _("{other} holds off {name}.").format(name=name, other=names[b])
    if code == state.EXTENDED:
        return _("{name} extends with a {card}.").format(name=name, card=face(b))
    if code == state.DISCARDED:
        return _("{name} discards {cards}.").format(name=name, cards=play_words(b))
    if code == state.EMPTY:
        return _("{name} has no cards left: this is the last lap.").format(name=name)
    if code == state.SKIPPED:
        return _("{name} has no cards and loses the turn.").format(name=name)
    if code == state.FINISHED:
        return plural(
            "{name} finishes {place}: {n} point.",
            "{name} finishes {place}: {n} points.",
            c,
            name=name,
            place=nth(b),
        )
    return _line_large(code, name, b, c, names)


def _line_large(code: int, name: str, b: int, c: int, names: Sequence[str]) -> str:
    """Return the sentence for an event of the expansion."""
    if code == state.PITTED:
        return _("{name} pits.").format(name=name)
    if code == state.STAYED:
        return _("{name} stays out and challenges {other}.").format(name=name, other=names[b])
    if code == state.DREW:
        return _("{name} draws the {card} from the discard pile.").format(name=name, card=face(b))
    if code == state.ROLLED:
        return _("{name} rolls a {face}.").format(name=name, face=b)
    if code == state.DROPPED and not b:
        return _("{name} loses no space in the pits.").format(name=name)
    if code == state.DROPPED:
        return plural("{name} drops back {n} space.", "{name} drops back {n} spaces.", b, name=name)
    if code == state.MOVED_UP:
        return _("{name} moves up one space.").format(name=name)
    if code == state.RETIRED:
        return _("{name} retires from the race.").format(name=name)
    other = names[b]
    if code == state.ACCIDENT:
        return _("{name} and {other} touch: accident.").format(name=name, other=other)
    if code == state.SPUN:
        return _("{name} and {other} spin and rejoin at the back.").format(name=name, other=other)
    if code == state.OFF and c > state.CARS:
        return _("{name} and {other} go off and stay where they are: nobody is directly behind.").format(
            name=name, other=other
        )
    if code == state.OFF and c:
        return _("{name} and {other} go off and rejoin behind {follower}.").format(
            name=name, other=other, follower=names[c - 1]
        )
    if code == state.OFF:
        return _("{name} and {other} go off: nobody is behind them.").format(name=name, other=other)
    if code == state.DRAFTS:
        return _("{name} drafts and challenges {other}.").format(name=name, other=other)
    return _("{name} stops behind {other}.").format(name=name, other=other)


def chance_heading(s: State, g: Setup) -> str:
    """Return what chance decides now, as in records.

    ``deal 1``: a card for car 1. ``lot 2``: which car gets place 2. ``pit 3``: a card from the discard pile
    for car 3. ``die 3``: the die of car 3, which is in the pits or defends in an accident.
    """
    if s.phase == state.DEAL:
        return f"deal {s.dealt // g.cards + 1}"
    if s.phase == state.TIED:
        return f"lot {s.placed + 1}"
    if s.phase == state.PIT_DRAW:
        return f"pit {s.order[s.turn] + 1}"
    return f"die {s.order[s.turn + (s.phase == state.INCIDENT)] + 1}"


def outcome(g: Setup, id: int) -> str:
    """Return an outcome in notation: a card, the number of the car that is drawn, or a face of the die."""
    if id < state.LOT:
        return card(id)
    return str(id - state.LOT + 1) if id < state.DIE else str(id - state.DIE + 1)


def parse_outcome(g: Setup, heading: str, text: str) -> int:
    """Parse an outcome under ``heading``; return its id or raise ``BadMove``."""
    if heading.startswith(("deal ", "pit ")):
        if text == "R":
            return state.REDLINE
        if re.fullmatch("1[0-2]|[1-9]", text):
            return int(text)
        raise BadMove(_("“{text}” is not a card: write R or 1 to 12").format(text=text))
    if heading.startswith("die "):
        if re.fullmatch("[1-6]", text):
            return state.DIE + int(text) - 1
        raise BadMove(_("“{text}” is not a face of the die: write 1 to 6").format(text=text))
    if re.fullmatch("[1-9][0-9]?", text) and int(text) <= state.CARS:
        return state.LOT + int(text) - 1
    raise BadMove(_("“{text}” is not a car").format(text=text))
