"""Rasant: why one move is better than another, in a sentence with numbers that this player can count."""

from __future__ import annotations

from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.games.rasant.rules.rounds import ends
from paddock.games.rasant.rules.rules import unseen
from paddock.games.rasant.rules.state import BLACK, KINDS, NO_COLOUR, SPEEDS, Setup, State
from paddock.games.rasant.words.text import card_words, move_of
from paddock.games.rasant.words.view import card as face
from paddock.games.rasant.words.view import win


def why(seen: Seen, seat: int, move: int, best: int) -> str:
    """Return why ``best`` is better than ``move``; empty where only later rounds tell."""
    s, g = seen.state.copy(), seen.setup
    unseen(s, g, seen.eyes)  # from here on, the deck has all unseen cards
    made, better = move_of(move), move_of(best)
    if better.passes and made.passes:
        return _discarded(s, g, made.card, better.card)
    if better.passes:
        assert made.card is not None  # a play has a card
        return _beaten(s, g, made.card)
    assert better.card is not None
    if made.passes:
        return _worth_it(s, g, better.card)
    assert made.card is not None
    return _played(s, g, made.card, better.card)


def higher(s: State, g: Setup, kind: int) -> int:
    """RA-3.3 return how many unseen cards beat a card: those of the round's colour and black, if faster."""
    if ends(g, kind):
        return 0
    colour = _colour(s, kind)
    return sum(
        s.deck[other]
        for other in range(KINDS)
        if other % SPEEDS >= kind % SPEEDS + (g.black_by if other >= BLACK else g.raise_by)
        and (other // SPEEDS == colour or other >= BLACK)
    )


def won(s: State, g: Setup, kind: int) -> int:
    """RA-4.2 return the points if a card wins the round now."""
    return win(s, g, _colour(s, kind)).points


def _colour(s: State, kind: int) -> int:
    """Return the colour of the round that a card leads or raises."""
    return int(kind // SPEEDS if s.colour == NO_COLOUR else s.colour)


def _words(kind: int) -> str:
    return card_words(face(kind))


def _played(s: State, g: Setup, made: int, better: int) -> str:
    """Compare two cards to play: by the points, then by how many cards beat them."""
    words = {"best": _words(better), "move": _words(made)}
    points = [won(s, g, kind) for kind in (better, made)]
    if points[0] > points[1]:
        return _("{best} is for +{more}, {move} for +{less}.").format(**words, more=points[0], less=points[1])
    beaten = [higher(s, g, kind) for kind in (better, made)]
    of = s.reserve
    if not of:
        return ""
    if beaten[0] < beaten[1]:
        sentence = _("{best} can be beaten by {few} of the {of} cards that you do not see, {move} by {many}.")
    elif beaten[0] == beaten[1]:
        sentence = _(
            "{best} and {move} can be beaten by the same {few} of the {of} cards that you do not see."
        )
    else:
        sentence = _(
            "{move} can be beaten by {many} of the {of} cards that you do not see, {best} by {few}: "
            "{move} is worth more later."
        )
    return sentence.format(**words, of=of, few=beaten[0], many=beaten[1])


def _beaten(s: State, g: Setup, made: int) -> str:
    """Say why a pass is better than a card."""
    beaten, of, points = higher(s, g, made), s.reserve, won(s, g, made)
    if not of:
        return ""
    return plural(
        "{n} of the {of} cards that you do not see beats {move}, for +{points}: keep it.",
        "{n} of the {of} cards that you do not see beat {move}, for +{points}: keep it.",
        beaten, of=str(of), move=_words(made), points=str(points),
    )  # fmt: skip


def _worth_it(s: State, g: Setup, better: int) -> str:
    """Say why a card is better than a pass."""
    beaten, of, points = higher(s, g, better), s.reserve, won(s, g, better)
    if not of:
        return _("The round is for +{points}, and nothing beats {best}.").format(
            points=points, best=_words(better)
        )
    return plural(
        "The round is for +{points}, and {n} of the {of} cards that you do not see beats {best}.",
        "The round is for +{points}, and {n} of the {of} cards that you do not see beat {best}.",
        beaten, of=str(of), best=_words(better), points=str(points),
    )  # fmt: skip


def _discarded(s: State, g: Setup, made: int | None, better: int | None) -> str:
    """RA-5.2 compare two cards to discard."""
    if made is None or better is None:
        return ""
    few, many, of = higher(s, g, made), higher(s, g, better), s.reserve
    if few >= many or not of:
        return ""
    return _(
        "{few} of the {of} cards that you do not see beat {move}, which you keep; {many} beat {best}."
    ).format(move=_words(made), best=_words(better), few=few, many=many, of=of)
