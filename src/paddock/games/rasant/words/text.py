"""Rasant: notation and sentences for moves, refusals, events and the status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from paddock.core.errors import BadMove, brief
from paddock.core.i18n import _, mark, pgettext, plural, pmark
from paddock.core.log import Event
from paddock.core.title import Seen
from paddock.core.wording import nth
from paddock.games.rasant.deck import COLOURS, card, kind_of
from paddock.games.rasant.rules import refusals, rules, state
from paddock.games.rasant.rules.state import DEALER, DISCARD, EMPTY, LINE, NO_COLOUR, PASS, Setup, State
from paddock.games.rasant.words.position import PHASES, parse_position, position, result_fault, shown
from paddock.games.rasant.words.view import Card, View, Win, view, win
from paddock.games.rasant.words.view import card as face

__all__ = [
    "Move",
    "board",
    "card_words",
    "chance_heading",
    "colour_name",
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

COLOUR_WORDS = (
    pmark("colour of cards", "red"),
    pmark("colour of cards", "green"),
    pmark("colour of cards", "blue"),
    pmark("colour of cards", "yellow"),
    pmark("colour of cards", "black"),
)


class Numbers(Protocol):
    """What sentences say of the numbers of the rules: a ``Setup`` and a ``View`` have them."""

    @property
    def black_factor(self) -> int:
        """RA-4.2 by which the black car multiplies points."""

    @property
    def black_points(self) -> int:
        """RA-4.2 that it counts itself."""

    @property
    def pass_cost(self) -> int:
        """RA-5.2 cards, once the reserve is empty."""


@dataclass(frozen=True)
class Move:
    """A move of Rasant; ``str()`` is its notation: ``r50``, ``pass``, ``pass r50``."""

    passes: bool
    card: int | None  # the kind that is played, or discarded by a pass

    @property
    def id(self) -> int:
        """The id of the move in the kernel."""
        if not self.passes:
            assert self.card is not None  # a play has a card
            return self.card
        return PASS if self.card is None else DISCARD + self.card

    def __str__(self) -> str:
        words = ["pass"] if self.passes else []
        return " ".join([*words, *([] if self.card is None else [card(self.card)])])


def move(g: Setup, id: int) -> Move:
    """Return the typed move with this id."""
    return move_of(id)


def move_of(id: int) -> Move:
    """Return the typed move with this id."""
    if id < PASS:
        return Move(False, id)
    return Move(True, None if id == PASS else id - DISCARD)


def parse_move(g: Setup, text: str) -> Move:
    """Parse a move in notation; raise ``BadMove``."""
    return read_move(text)


def read_move(text: str) -> Move:
    """Parse a move in notation; raise ``BadMove``."""
    match = re.fullmatch(r"(pass)?\s*(\S+)?", text.strip())
    if not match or not text.strip():
        raise BadMove(_("“{text}” is not a move: write r50, pass or pass r50").format(text=brief(text)))
    passes, name = match.groups()
    if name is None:
        return Move(True, None)
    try:
        return Move(bool(passes), kind_of(name))
    except ValueError as error:
        raise BadMove(str(error)) from None


def colour_name(colour: int) -> str:
    """Return the name of a colour: «red», «green», «blue», «yellow» or «black»."""
    return _(COLOUR_WORDS[colour])


def card_words(shown: Card | int) -> str:
    """Return the name of a card in a sentence: «red 50»."""
    shown = face(shown) if isinstance(shown, int) else shown
    # Translators: a card: “red 50”
    return _("{colour} {speed}").format(colour=colour_name(shown.colour), speed=shown.speed)


def refusal(s: State, g: Setup, seat: int, code: int, move_id: int) -> tuple[str, str]:
    """Return (clause, sentence) for a code of ``why``."""
    clause, sentence = refusals.REASONS[code]
    kind = move_of(move_id).card
    if code == refusals.NOT_HIGHER and kind is not None:
        by = 10 * (g.black_by if kind >= state.BLACK else g.raise_by)
        if by == 0:
            sentence = mark("the {card} is lower than the highest card of the round")
        elif by > 10:
            sentence = mark("the {card} is not higher than the highest card of the round by {by} or more")
        return clause, _(sentence).format(card=card_words(kind), by=by)
    if code == refusals.KEEPS_CARDS and not g.pass_cost:
        sentence = mark("a pass costs no card")
    return clause, _(sentence).format(card="" if kind is None else card_words(kind))


def _points(n: int) -> str:
    return plural("{n} point", "{n} points", n)


def win_words(win: Win) -> str:
    """Return what a win moves and scores: «5 cars, 8 points (doubled)»."""
    cars = plural("{n} car", "{n} cars", win.moved)
    points = _points(win.points)
    if win.factor == 2:
        return _("{cars}, {points} (doubled)").format(cars=cars, points=points)
    if win.factor > 1:
        return _("{cars}, {points} (×{n})").format(cars=cars, points=points, n=win.factor)
    return _("{cars}, {points}").format(cars=cars, points=points)


def label(seen: Seen, seat: int, move_id: int) -> str:
    """Return the text of a button: the move and its consequence."""
    s: State = seen.state
    chosen = move_of(move_id)
    leads = s.colour == NO_COLOUR
    colour = face(chosen.card).colour if leads and chosen.card is not None else s.colour
    wins = _wins(seen, seat, move_id)
    if chosen.passes:
        words = _pass_label(chosen, wins, first=s.first == 0)
    elif leads:
        words = _("Lead {card} and win at once: {win}") if wins else _("Lead {card}: a win moves {win}")
    else:
        words = _("Play {card} and win at once: {win}") if wins else _("Play {card}: a win moves {win}")
    return words.format(
        card="" if chosen.card is None else card_words(chosen.card),
        win="" if chosen.passes and not wins else win_words(win(s, seen.setup, colour)),
    )


def _pass_label(chosen: Move, wins: bool, first: bool) -> str:
    """RA-3.1 the first to pass leads the next round; RA-3.4 the last to pass may win this one."""
    if chosen.card is None:
        if wins:
            return _("Pass and win the round: {win}")
        if first:
            return _("Pass: out of this round, but lead the next")
        return _("Pass: out of this round")
    if wins:
        return _("Pass, discard {card} and win the round: {win}")
    if first:
        return _("Pass and discard {card}, but lead the next round")
    return _("Pass and discard {card}")


def _wins(seen: Seen, seat: int, move_id: int) -> bool:
    """Return whether the move ends the round and its player wins it. Everybody can know that."""
    s, events = seen.state.copy(), list[tuple[int, ...]]()
    s.events = events
    rules.apply(s, seen.setup, seat, move_id)
    return any(event[:2] == (state.WON, seat) for event in events)


def status(seen: Seen) -> str:
    """Return one line that says who must decide what."""
    s = shown(seen)
    phase = PHASES[s.phase]
    waits = {
        "line": _("The cars are being lined up."),
        "dealer": _("The dealer is drawn at random."),
        "deal": _("The cards are being dealt."),
        "draw": _("Players draw cards from the reserve."),
    }
    if phase in waits:
        return waits[phase]
    if phase == "over":
        return _winners(view(seen))
    asked = seen.names[seen.deciders[0]]
    if s.colour == NO_COLOUR:
        return _("{name} leads with any coloured card.").format(name=asked)
    words = {"colour": colour_name(s.colour).capitalize(), "top": card_words(s.top), "name": asked}
    if seen.deciders[0] == s.best:
        return _("{colour} round: {name} may raise the {top} once more, or pass.").format(**words)
    words["best"] = seen.names[s.best]
    return _("{colour} round: {best} is ahead with {top}. {name} may beat it, or pass.").format(**words)


def _winners(view_now: View) -> str:
    """Say who has won, and with how many points."""
    best_score = max(player.score for player in view_now.players)
    names = [player.name for player in view_now.players if player.score == best_score]
    if len(names) == 1:
        return _("The game is over: {name} wins with {points}.").format(
            name=names[0], points=_points(best_score)
        )
    shared = _("The game is over: {names} tie with {points}.")
    return shared.format(names=_(", ").join(names), points=_points(best_score))


def board(seen: Seen) -> list[str]:
    """Return the line, the wins, the players and the visible hands as lines for a terminal."""
    shown = view(seen)
    cars = " ".join(COLOURS[car.colour] for car in shown.line)
    if not cars:  # only the result is known
        scored = _("{name}: {points}")
        return [scored.format(name=p.name, points=_points(p.score)) for p in shown.players]
    lines = [_("The line, front first: {cars}").format(cars=cars)]
    if shown.wins:
        wins = (f"{COLOURS[win.colour]} {win_words(win)}" for win in shown.wins)
        lines.append(_("A win moves: {wins}").format(wins="; ".join(wins)))
    if shown.top and shown.colour is not None and shown.best is not None:
        lines.append(
            _("The round: {colour}, highest card {top} by {name}").format(
                colour=colour_name(shown.colour),
                top=card(shown.top.kind),
                name=shown.players[shown.best].name,
            )
        )
    for player in shown.players:
        marks = [_("{n} known black").format(n=player.black)] if player.black else []
        marks += [pgettext("make no more moves", "passed")] if player.passed else []
        lines.append(
            _("{name}: {points}, {cards}{marks}").format(
                name=player.name,
                points=_points(player.score),
                cards=plural("{n} card", "{n} cards", player.cards),
                marks="".join(_(", ") + m for m in marks),
            )
        )
    pile = " ".join(
        card(kind) + (f"×{count}" if count > 1 else "") for kind, count in enumerate(shown.discard) if count
    )
    lines.append(_("Reserve: {n}. Discard pile: {pile}").format(n=shown.reserve, pile=pile or "–"))
    for player in shown.players:
        if player.hand is not None:
            hand = " ".join(card(card_held.kind) for card_held in player.hand)
            lines.append(_("Hand of {name}: {hand}").format(name=player.name, hand=hand or "–"))
    return lines


def line(g: Setup, event: Event, names: Sequence[str]) -> str:
    """Return the sentence for an event, or an empty text. ``names`` are the names of the seats."""
    return sentence(event, names, g)


def sentence(event: Event, names: Sequence[str], g: Numbers) -> str:
    """Return the sentence for an event, or an empty text. ``names`` are the names of the players."""
    code, a, b, c, _eyes = event
    if code == state.MOVED:
        cars = plural("{n} car goes to the front", "{n} cars go to the front", a)
        if b:
            return _black_words(g).format(cars=cars, n=g.black_factor, points=_points(g.black_points))
        # Translators: {cars}: “3 cars go to the front”
        return _("{cars}.").format(cars=cars)
    if code == state.RESERVE_EMPTY:
        if not g.pass_cost:
            return _("The reserve is empty.")
        return _("The reserve is empty: from now on a pass costs a card.")
    if code == state.DREW:
        return ""
    name = names[a]
    if code == state.LEADS:
        return _("{name} leads the round.").format(name=name)
    if code == state.LED:
        return pgettext("play the first card of a round", "{name} leads {card}.").format(
            name=name, card=card_words(b)
        )
    if code == state.RAISED:
        return _("{name} plays {card}.").format(name=name, card=card_words(b))
    if code == state.PASSED:
        if b == EMPTY:
            return pgettext("make no more moves", "{name} passes.").format(name=name)
        return _("{name} passes and discards {card}.").format(name=name, card=card_words(b))
    if code == state.WON:
        points = _points(c)
        return _("{name} wins the round: {colour} overtakes, {points}.").format(
            name=name, colour=colour_name(b), points=points
        )
    return _("{name} finishes {place}.").format(name=name, place=nth(b))


def _black_words(g: Numbers) -> str:
    """RA-4.2 return the sentence for cars that move with the black one."""
    if g.black_points:
        if g.black_factor == 1:
            return _("{cars}, the black car among them: it counts {points}.")
        return _("{cars}, the black car among them: it multiplies the points by {n}, and counts {points}.")
    if g.black_factor == 1:
        return _("{cars}, the black car among them.")
    if g.black_factor == 2:
        return _("{cars}, the black car among them: it doubles the points.")
    return _("{cars}, the black car among them: it multiplies the points by {n}.")


def chance_heading(s: State, g: Setup) -> str:
    """Return what chance decides now, as in records.

    ``line``: the next car of the line. ``dealer``: who deals. ``deal 2``, ``draw 2``: a card for player 2.
    """
    if s.phase == state.LINING:
        return "line"
    if s.phase == state.DEALERS:
        return "dealer"
    return f"{'deal' if s.phase == state.DEAL else 'draw'} {s.drawing + 1}"


def outcome(g: Setup, id: int) -> str:
    """Return an outcome in notation: a card, the colour of the next car, or the number of the dealer."""
    if id < LINE:
        return card(id)
    return COLOURS[id - LINE] if id < DEALER else str(id - DEALER + 1)


def parse_outcome(g: Setup, heading: str, text: str) -> int:
    """Parse an outcome under ``heading``; return its id or raise ``BadMove``."""
    if heading == "line":
        if text not in tuple(COLOURS[:4]):
            raise BadMove(_("“{text}” is not a car: write r, g, b or y").format(text=text))
        return LINE + COLOURS.index(text)
    if heading == "dealer":
        if not re.fullmatch(f"[1-{state.PLAYERS}]", text):
            raise BadMove(_("“{text}” is not a player").format(text=text))
        return DEALER + int(text) - 1
    try:
        return kind_of(text)
    except ValueError as error:
        raise BadMove(str(error)) from None
