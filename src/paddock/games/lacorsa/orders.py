"""LACORSA: standing orders, for the race in which they are given.

In notation: ``defend 7``, ``defend 7+R``, ``defend R`` and ``discard lowest``; on a Large Grid also
``stay out`` and ``stop after drafting``.
"""

from __future__ import annotations

from paddock.core.errors import BadMove
from paddock.core.i18n import _
from paddock.core.title import Dropped, Order, Seen
from paddock.games.lacorsa.state import (
    CHALLENGE,
    DEAL,
    DISCARD,
    DRAFT,
    KINDS,
    OVER,
    PITS,
    PLAYS,
    QUALIFY,
    REDLINE,
    ROAD,
    STAY,
    STOP,
    TIED,
    Setup,
    State,
)
from paddock.games.lacorsa.text import Move, cards_of, play_words, read_move

LOWEST = "discard lowest"
DEFEND = "defend "
STAY_OUT = "stay out"
STOP_BEHIND = "stop after drafting"
_LABELS = {
    LOWEST: "Discard the lowest card whenever the road is free; Redlines last",
    STAY_OUT: "Stay out and challenge, wherever a stop could be made instead",
    STOP_BEHIND: "Stop behind the car that a 3 closes up on",
}


def describe(seen: Seen, seat: int) -> list[Order]:
    """LC-5.1 to defend with any play of the hand, LC-6.3 to discard its lowest card, LX-2.0 to stay out,
    LX-5.1 to stop; while the car races."""
    s, g = seen.state, seen.setup
    if _gone(s, seat):
        return []
    texts = [LOWEST]
    if _may_stop(s, g, seat):
        texts.append(STAY_OUT)
    if g.drafting:
        texts.append(STOP_BEHIND)
    plays = [play for play in range(PLAYS) if _held(seen, seat, play)]
    plays.sort(key=lambda play: (cards_of(play)[0] == REDLINE, cards_of(play)[0], len(cards_of(play))))
    return [parse(text) for text in (*texts, *(f"{DEFEND}{_notation(play)}" for play in plays))]


def parse(text: str) -> Order:
    """The order of a text; raises ``BadMove``."""
    words = " ".join(text.split())
    if words in _LABELS:
        return Order(words, _(_LABELS[words]))
    play = _play(words)
    if play is None:
        raise BadMove(
            _(
                "«{text}» is no order: write «defend 7», «defend 7+R» or «discard lowest», "
                "and on a Large Grid «stay out» or «stop after drafting»"
            ).format(text=words[:32])
        )
    return Order(
        f"{DEFEND}{_notation(play)}", _("Defend with {cards} when challenged").format(cards=play_words(play))
    )


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """The move that the order makes now; None where it waits; ``Dropped`` where it no longer fits."""
    s: State = seen.state
    g: Setup = seen.setup
    if reason := _gone(s, seat):
        return Dropped(reason)
    asked = seat in seen.deciders
    if text == LOWEST:
        return DISCARD + _lowest(s, seat) if asked and s.phase == ROAD else None
    if text == STAY_OUT:
        if not _may_stop(s, g, seat):
            return Dropped(_("LX-2.0 the car has made its stop"))
        return STAY if asked and s.phase == PITS else None
    if text == STOP_BEHIND:
        return STOP if asked and s.phase == DRAFT else None
    play = _play(text)
    if play is None or not _held(seen, seat, play):
        words = text if play is None else play_words(play)
        return Dropped(_("the hand no longer holds {cards}").format(cards=words))
    return play if asked and s.phase == CHALLENGE and s.order[s.turn] != seat else None


def _gone(s: State, seat: int) -> str:
    """Why no order fits the car any more; empty while it races."""
    if s.phase in (DEAL, QUALIFY, TIED, OVER):
        return _("the race for which it was given is over")
    if s.out[seat]:
        return _("LX-3.6 the car has retired")
    if not s.cards[seat]:
        return _("the hand is empty")
    return ""


def _may_stop(s: State, g: Setup, seat: int) -> bool:
    """LX-2.0 whether the car may still make its stop in this race."""
    return bool(g.pit) and (s.lap == 1 or bool(s.stops >> seat & 1))


def _play(words: str) -> int | None:
    """The play of «defend …»; None for anything else."""
    if not words.startswith(DEFEND):
        return None
    try:
        move = read_move(words.removeprefix(DEFEND))
    except ValueError:
        return None
    return move.id if move.action == "commit" else None


def _notation(play: int) -> str:
    kinds = cards_of(play)
    return str(Move("commit", kinds[0], len(kinds) == 2))


def _held(seen: Seen, seat: int, play: int) -> bool:
    """LC-3.5 whether the hand holds the cards, and they are one play."""
    hand, kinds = seen.state.hand, cards_of(play)
    if kinds == (REDLINE, REDLINE):
        return bool(seen.setup.void) and hand[seat, REDLINE] > 1
    return all(hand[seat, kind] for kind in kinds)


def _lowest(s: State, seat: int) -> int:
    """The lowest rank in the hand; a Redline where nothing else is left."""
    return next((kind for kind in range(1, KINDS) if s.hand[seat, kind]), REDLINE)
