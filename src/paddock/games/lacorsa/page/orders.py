"""LACORSA: standing orders. An order lasts until the end of the race.

Notation: ``defend 7``, ``defend 7+R``, ``defend R`` and ``discard lowest``; on a Large Grid also ``stay out``
and ``stop after drafting``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from paddock.core.errors import BadMove
from paddock.core.i18n import Sentence, _, language, mark
from paddock.core.title import Dropped, Order, Seen
from paddock.games.lacorsa.rules import state
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.games.lacorsa.words.text import Move, cards_of, play_words, read_move

LOWEST = "discard lowest"
DEFEND = "defend "
STAY_OUT = "stay out"
STOP_BEHIND = "stop after drafting"
_LABELS = {
    LOWEST: mark("Discard the lowest card whenever the road is free, Redlines last"),
    STAY_OUT: mark("Stay out and challenge whenever the car could pit instead"),
    STOP_BEHIND: mark("After a card that drafts, stop behind the car ahead"),
}


def describe(seen: Seen, seat: int) -> list[Order]:
    """Return the orders that the car can give now; none if it is not racing.

    LC-5.1 defend with a play of its hand, LC-6.3 discard its lowest card, LX-2.0 stay out, LX-5.1 stop.
    """
    s, g = seen.state, seen.setup
    if _gone(s, seat):
        return []
    texts = [LOWEST]
    if _may_stop(s, g, seat):
        texts.append(STAY_OUT)
    if g.drafting:
        texts.append(STOP_BEHIND)
    hand = tuple([s.hand[seat, kind] for kind in range(state.KINDS)])
    return list(_offered((*texts, *_defences_of(hand, bool(g.void))), language.get()))


def parse(text: str) -> Order:
    """Parse an order; raise ``BadMove``."""
    return _order(" ".join(text.split()), language.get())


@lru_cache(1024)
def _order(words: str, _language: str) -> Order:
    """Parse an order; raise ``BadMove``. ``_language`` is that of the label, for the cache."""
    if words in _LABELS:
        return Order(words, _(_LABELS[words]))
    play = _play(words)
    if play is None:
        raise BadMove(
            _(
                "“{text}” is not an order: write “defend 7”, “defend 7+R” or “discard lowest”, "
                "and on a Large Grid “stay out” or “stop after drafting”"
            ).format(text=words[:32])
        )
    return Order(
        f"{DEFEND}{_notation(play)}", _("Defend with {cards} when challenged").format(cards=play_words(play))
    )


@lru_cache(4096)
def _offered(texts: tuple[str, ...], _language: str) -> tuple[Order, ...]:
    return tuple(parse(text) for text in texts)


def answer(seen: Seen, seat: int, text: str) -> int | Dropped | None:
    """Return the move that the order makes now, None if it waits, ``Dropped`` if it is out of date."""
    s: State = seen.state
    g: Setup = seen.setup
    if reason := _gone(s, seat):
        return Dropped(reason)
    asked = seat in seen.deciders
    if text == LOWEST:
        return state.DISCARD + _lowest(s, seat) if asked and s.phase == state.ROAD else None
    if text == STAY_OUT:
        if not _may_stop(s, g, seat):
            return Dropped(Sentence("LX-2.0 the car has made its stop"))
        return state.STAY if asked and s.phase == state.PITS else None
    if text == STOP_BEHIND:
        return state.STOP if asked and s.phase == state.DRAFT else None
    play = _play(text)
    if play is None or not _seat_holds(seen, seat, play):
        return Dropped(Sentence("the hand no longer holds these cards"))
    return play if asked and s.phase == state.CHALLENGE and s.order[s.turn] != seat else None


def _gone(s: State, seat: int) -> Sentence | None:
    """Return why no order fits the car any more; None while it races."""
    if s.phase in (state.DEAL, state.QUALIFY, state.TIED, state.OVER):
        return Sentence("the race for which it was given is over")
    if s.out[seat]:
        return Sentence("LX-3.6 the car has retired")
    if not s.cards[seat]:
        return Sentence("the hand is empty")
    return None


def _may_stop(s: State, g: Setup, seat: int) -> bool:
    """LX-2.0 return whether the car can still pit in this race."""
    return bool(g.pit) and (s.lap < g.pit_lap or bool(s.stops >> seat & 1))


def _play(words: str) -> int | None:
    """Return the play of «defend …»; None for any other order."""
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


@cache
def _defences() -> list[tuple[int, str]]:
    """Return every play with its order, by rank, Redlines last."""

    def rank(play: int) -> tuple[bool, int, int]:
        cards = cards_of(play)
        return cards[0] == state.REDLINE, cards[0], len(cards)

    return [(play, f"{DEFEND}{_notation(play)}") for play in sorted(range(state.PLAYS), key=rank)]


@lru_cache(4096)
def _defences_of(hand: tuple[int, ...], void: bool) -> tuple[str, ...]:
    """Return the orders to defend with a play of this hand (cards of each kind)."""
    return tuple(text for play, text in _defences() if _holds(hand, void, play))


def _seat_holds(seen: Seen, seat: int, play: int) -> bool:
    """Return what ``_holds`` says of the hand of a seat."""
    hand = [seen.state.hand[seat, kind] for kind in range(state.KINDS)]
    return _holds(hand, bool(seen.setup.void), play)


def _holds(hand: Sequence[int], void: bool, play: int) -> bool:
    """LC-3.5 return whether the hand holds these cards and can play them together."""
    kinds = cards_of(play)
    if kinds == (state.REDLINE, state.REDLINE):
        return void and hand[state.REDLINE] > 1
    return all(hand[kind] for kind in kinds)


def _lowest(s: State, seat: int) -> int:
    """Return the lowest rank in the hand; the Redline if nothing else is left."""
    return next((kind for kind in range(1, state.KINDS) if s.hand[seat, kind]), state.REDLINE)
