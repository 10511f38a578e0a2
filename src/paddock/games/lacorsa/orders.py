"""LACORSA: standing orders, for the race in which they are given.

In notation: ``defend 7``, ``defend 7+R``, ``defend R`` and ``discard lowest``.
"""

from __future__ import annotations

from paddock.core.errors import BadMove
from paddock.core.game import Seen
from paddock.core.i18n import _
from paddock.core.orders import Dropped, Order
from paddock.games.lacorsa.rules import CHALLENGE, DISCARD, KINDS, PLAYS, REDLINE, ROAD, State
from paddock.games.lacorsa.text import Move, cards_of, parse_move, play_words

LOWEST = "discard lowest"
DEFEND = "defend "


def describe(seen: Seen, seat: int) -> list[Order]:
    """LC-5.1 to defend with any play of the hand, LC-6.3 to discard its lowest card; while cars race."""
    if not _racing(seen.state) or not seen.state.cards[seat]:
        return []
    plays = [play for play in range(PLAYS) if _held(seen, seat, play)]
    plays.sort(key=lambda play: (cards_of(play)[0] == REDLINE, cards_of(play)[0], len(cards_of(play))))
    return [parse(LOWEST), *(parse(f"{DEFEND}{_notation(play)}") for play in plays)]


def parse(text: str) -> Order:
    """The order of a text; raises ``BadMove``."""
    words = " ".join(text.split())
    if words == LOWEST:
        return Order(LOWEST, _("Discard the lowest card whenever the road is free; Redlines last"))
    play = _play(words)
    if play is None:
        raise BadMove(
            _("«{text}» is no order: write «defend 7», «defend 7+R» or «discard lowest»").format(
                text=words[:32]
            )
        )
    return Order(
        f"{DEFEND}{_notation(play)}", _("Defend with {cards} when challenged").format(cards=play_words(play))
    )


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """The move that the order makes now; None where it waits; ``Dropped`` where it no longer fits."""
    s: State = seen.state
    if not _racing(s):
        return Dropped(_("the race for which it was given is over"))
    if not s.cards[seat]:
        return Dropped(_("the hand is empty"))
    asked = seat in seen.deciders
    if text == LOWEST:
        return DISCARD + _lowest(s, seat) if asked and s.phase == ROAD else None
    play = _play(text)
    if play is None or not _held(seen, seat, play):
        words = text if play is None else play_words(play)
        return Dropped(_("the hand no longer holds {cards}").format(cards=words))
    return play if asked and s.phase == CHALLENGE and s.order[s.turn] != seat else None


def _racing(s: State) -> bool:
    return s.phase in (CHALLENGE, ROAD)


def _play(words: str) -> int | None:
    """The play of «defend …»; None for anything else."""
    if not words.startswith(DEFEND):
        return None
    try:
        move = parse_move(words.removeprefix(DEFEND))
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
