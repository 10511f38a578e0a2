"""Rasant: the guided first game. The deck is short; all cards and moves of the others are written here.

What is said about a decision follows from the rules and the two positions: see ``Tried``.
"""

from __future__ import annotations

from collections.abc import Callable

from paddock.core.course import Idea, Tried, Verdict
from paddock.core.i18n import Sentence, Word, mark
from paddock.core.title import Seen
from paddock.games.rasant.deck import deck_words, kind_of, read_deck
from paddock.games.rasant.rulebook import HAND, LEAST_PLAYERS, MOST_PLAYERS, Options
from paddock.games.rasant.words.text import COLOUR_WORDS, Move, move_of
from paddock.games.rasant.words.view import BLACK, Card, View, card, view

SEATS = ("me", "rookie", "rookie")
NAMES = ("Player", "Bruno", "Carla")
MINUTES = 3
GOAL = mark("The most points win. Nobody owns a car: whoever wins a round moves cars, for a point each.")
INTRO = mark(
    "One game at a real table, with a short deck. At first, the card to play glows. "
    "Then you decide: the lesson says what your choice costs, and you can take it back."
)
SUMMARY = (
    mark("Whose cars they are, and what the winner of a round moves and scores."),
    mark("When to raise and when to pass, and who leads next."),
    mark("What the black car, the black cards and the 130 do."),
    mark("What changes when the reserve is empty, and how the game ends."),
)

_HANDS = ("g50 g100 r120 k90 y20 b60", "g70 y120 b110 r110 r20 g40", "y110 y90 b50 k30 g10 r40")
_RESERVE = ("g130 b20 b30", "k60 g20", "k120")  # drawn after the first three rounds
_DECK = deck_words(tuple(sorted(kind_of(card) for part in (*_HANDS, *_RESERVE) for card in part.split())))
OPTIONS = {"players": 3, "games": 1, "line": "kggbbygbrryyr", "deck": _DECK}
OPENING = f"-: 3; -: {' '.join(_HANDS)}"  # Carla deals, hand after hand (RA-2.2)
LEARNER = 0
FASTEST = 130  # no card is higher


# What the learner sees


def _hand(seen: Seen) -> list[Card]:
    return list(view(seen).players[LEARNER].hand or ())


def _higher(seen: Seen, own_card: Card) -> int:
    """Return how many cards that the learner cannot see are higher: of its colour, or black (RA-3.3)."""
    shown = view(seen)
    return sum(
        n
        - shown.discard[kind]
        - (shown.top is not None and shown.top.kind == kind)
        - _copies_held(seen, kind)
        for kind, n in enumerate(shown.deck)
        if card(kind).colour in (own_card.colour, BLACK) and card(kind).speed > own_card.speed
    )


def _copies_held(seen: Seen, kind: int) -> int:
    return sum(own_card.kind == kind for own_card in _hand(seen))


def _points(shown: View, colour: int) -> Sentence:
    n = shown.wins[colour].points
    return Sentence("1 point") if n == 1 else Sentence("{n} points", n=n)


def _colour(colour: int) -> Sentence:
    return Sentence(COLOUR_WORDS[colour])


def _card_words(own_card: Card) -> Sentence:
    return Sentence("{colour} {speed}", colour=_colour(own_card.colour), speed=own_card.speed)


def _card_notation(own_card: Card) -> str:
    return str(Move(False, own_card.kind))


def _moves(tried: Tried) -> tuple[Move, Move]:
    return move_of(tried.move.id), move_of(tried.better.id)


def _card_of(move: Move) -> Card:
    assert move.card is not None  # the lesson's passes all cost a card, where they are judged
    return card(move.card)


# What the learner decides


def _safest_lead(seen: Seen) -> str:
    """Lead the card that nothing beats, and of several the one that scores most."""
    shown = view(seen)
    return _card_notation(
        max(
            _coloured(seen),
            key=lambda own_card: (-_higher(seen, own_card), shown.wins[own_card.colour].points),
        )
    )


def _highest_lead(seen: Seen) -> str:
    return _card_notation(max(_coloured(seen), key=lambda own_card: own_card.speed))


def _weakest(seen: Seen) -> str:
    """Discard the coloured card that most cards beat."""
    return f"pass {_card_notation(max(_coloured(seen), key=lambda own_card: _higher(seen, own_card)))}"


def _black_or_weakest(seen: Seen) -> str:
    black = [own_card for own_card in _hand(seen) if own_card.colour == BLACK]
    return f"pass {_card_notation(black[0])}" if black else _weakest(seen)


def _coloured(seen: Seen) -> list[Card]:
    return [own_card for own_card in _hand(seen) if own_card.colour != BLACK]


def _raise(seen: Seen) -> str:
    """Raise with a black card, if there is one: a coloured one can lead."""
    top = view(seen).top
    assert top is not None
    fits = [
        own_card
        for own_card in _hand(seen)
        if own_card.speed > top.speed and own_card.colour in (top.colour, BLACK)
    ]
    return _card_notation(max(fits, key=lambda own_card: own_card.colour == BLACK))


# What is said of it


def _judge_lead(tried: Tried) -> Verdict:
    """A lead that can be beaten, or whose colour scores less."""
    shown, (chosen, better) = view(tried.before), map(_card_of, _moves(tried))
    words: dict[str, Word] = {"mine": _card_words(chosen), "better": _card_words(better)}
    higher = _higher(tried.before, chosen)
    if higher:
        for_one = mark("One card that you cannot see beats your {mine}, and none beats the {better}.")
        for_many = mark("{n} cards that you cannot see beat your {mine}, and none beats the {better}.")
        return Verdict(Sentence(for_one if higher == 1 else for_many, **words, n=higher), "mistake")
    sentence = mark("That works, but your {mine} scores {few}: your {better} would have scored {more}.")
    return Verdict(Sentence(sentence, **words, **_gains(shown, chosen, better)))


def _gains(shown: View, chosen: Card, better: Card) -> dict[str, Sentence]:
    return {"few": _points(shown, chosen.colour), "more": _points(shown, better.colour)}


def _judge_late_lead(tried: Tried) -> Verdict | None:
    """Judge a later lead as ``_judge_lead`` does. None if the card scores as much as the better one."""
    shown, (chosen, better) = view(tried.before), map(_card_of, _moves(tried))
    if _higher(tried.before, chosen):
        return _judge_lead(tried)
    if shown.wins[chosen.colour].points >= shown.wins[better.colour].points:
        return None
    words = {"mine": _card_words(chosen), "better": _card_words(better), **_gains(shown, chosen, better)}
    return Verdict(
        Sentence("Your {mine} scores only {few}: your {better} scores {more}.", **words), "mistake"
    )


def _why_not_late_lead(tried: Tried) -> Sentence:
    """A card that scores as much as the better one, and can be beaten more easily later."""
    chosen, better = map(_card_of, _moves(tried))
    return Sentence(
        "Your {mine} scores no less, but wait with it: the {better} is the faster card.",
        mine=_card_words(chosen),
        better=_card_words(better),
    )


def _why_not_first_lead(tried: Tried) -> Sentence:
    """A first lead that leaves no card to raise with, or whose colour scores less."""
    shown, (chosen, better) = view(tried.before), map(_card_of, _moves(tried))
    words: dict[str, Word] = {"mine": _card_words(chosen), "better": _card_words(better)}
    if chosen.colour == better.colour:
        return Sentence(
            "Then no card is left to raise with: lead the {better}, and keep the {mine} for it.", **words
        )
    return Sentence(
        "Your {mine} would score {few}, and a {better} {more}: that colour moves more cars.",
        **words,
        **_gains(shown, chosen, better),
    )


def _why_not_first_raise(tried: Tried) -> Sentence:
    """A pass, or a black card where a coloured one will do."""
    shown, (chosen, better) = view(tried.before), _moves(tried)
    assert shown.top is not None
    assert shown.colour is not None
    if chosen.passes:
        return Sentence(
            "Then Bruno scores the {points}: your {better} is higher than his {top}. Raise.",
            points=_points(shown, shown.colour),
            better=_card_words(_card_of(better)),
            top=shown.top.speed,
        )
    return Sentence(
        "Your {mine} is higher, too, but goes with every colour: keep it, and play the {better}.",
        mine=_card_words(_card_of(chosen)),
        better=_card_words(_card_of(better)),
    )


def _judge_raise(tried: Tried) -> Verdict:
    """A pass leaves the points to another; a raise may spend the only card that can lead."""
    shown, (chosen, better) = view(tried.before), _moves(tried)
    assert shown.colour is not None
    if chosen.passes:
        sentence = Sentence(
            "Then somebody else scores the {points}. Nobody has a card above your {better}: raise.",
            points=_points(shown, shown.colour),
            better=_card_words(_card_of(better)),
        )
        return Verdict(sentence, "mistake")
    sentence = Sentence(
        "You win, but no coloured card is left, and black cannot lead: raise with the {better} instead.",
        better=_card_words(_card_of(better)),
    )
    return Verdict(sentence, "mistake")


def _judge_discard(tried: Tried) -> Verdict:
    """A card is given away that would still win, or could still lead."""
    chosen, better = map(_card_of, _moves(tried))
    words: dict[str, Word] = {"mine": _card_words(chosen), "better": _card_words(better)}
    if chosen.colour == BLACK:
        praise = Sentence("Good, too: a black card raises in every colour, but it cannot lead a round.")
        return Verdict(praise, "good")
    if not _higher(tried.before, chosen):
        sentence = mark("Nobody has a card that beats your {mine}: keep it, and discard the {better}.")
        return Verdict(Sentence(sentence, **words), "mistake")
    if better.colour == BLACK:
        sentence = mark("That works, but your {mine} could have led a round, and the {better} cannot.")
        return Verdict(Sentence(sentence, **words))
    sentence = mark("That works, but your {mine} is harder to beat than your {better}: keep the better card.")
    return Verdict(Sentence(sentence, **words))


def _tell_win(tried: Tried) -> Sentence:
    """Tell a round that the learner wins with this card, and what it scores."""
    shown, chosen = view(tried.before), _card_of(_moves(tried)[0])
    colour = chosen.colour if shown.colour is None else shown.colour
    words: dict[str, Word] = {
        "mine": _card_words(chosen),
        "colour": _colour(colour),
        "points": _points(shown, colour),
    }
    win = shown.wins[colour]
    if win.black:
        scoring = win.moved - 1
        sentence = mark(
            "Nobody beats your {mine}. The black car counts nothing and doubles the rest: {n} × {factor} = "
            "{points}."
        )
        return Sentence(sentence, **words, n=scoring, factor=win.points // scoring)
    return Sentence("Nobody beats your {mine}: you move {colour}, for {points}.", **words)


def _tell_first_win(tried: Tried) -> Sentence:
    """Tell what the winner of a round moves (RA-4.1)."""
    shown, chosen = view(tried.before), _card_of(_moves(tried)[0])
    return Sentence(
        "You win: the rearmost {colour} car and all behind it go to the front, in reverse order, for "
        "{points}.",
        colour=_colour(chosen.colour),
        points=_points(shown, chosen.colour),
    )


def _tell_late_win(tried: Tried) -> Sentence:
    """Tell who leads after a 130 before which nobody has passed (RA-3.6)."""
    shown, chosen = view(tried.before), _card_of(_moves(tried)[0])
    if chosen.speed < FASTEST:
        return _tell_win(tried)
    return Sentence(
        "You move {colour}, for {points}. As nobody has passed, {name}, on your left, leads next.",
        colour=_colour(chosen.colour),
        points=_points(shown, chosen.colour),
        name=NAMES[1],
    )


def _tell_first_loss(tried: Tried) -> Sentence:
    """Tell what follows a round: all draw, and who leads (RA-3.1, RA-5.1)."""
    shown = view(tried.before)
    assert shown.colour is not None
    return Sentence(
        "{name} wins {points}. Then all draw up to {cards} cards, the winner first. You passed first: you "
        "lead.",
        name=NAMES[1],
        points=_points(shown, shown.colour),
        cards=HAND,
    )


def _tell_loss(who: str) -> Callable[[Tried], Sentence]:
    """Tell a round that another player wins after the learner has passed."""

    def tell(tried: Tried) -> Sentence:
        """Say what the winner of the round moves, and who leads next."""
        shown = view(tried.before)
        assert shown.colour is not None
        words: dict[str, Word] = {
            "name": who,
            "colour": _colour(shown.colour),
            "points": _points(shown, shown.colour),
        }
        if shown.first_to_pass is None:
            sentence = mark(
                "{name} moves {colour}, for {points}. Whoever passed first leads the next round: you."
            )
            return Sentence(sentence, **words)
        return Sentence("{name} moves {colour}, for {points}.", **words)

    return tell


def _ask_raise(seen: Seen) -> Sentence:
    """Ask for a raise or a pass, with what the round is worth."""
    shown = view(seen)
    assert shown.colour is not None
    return Sentence(
        "Bruno leads blue: {points}. You drew a {card}. The reserve is empty: a pass costs a card. Raise?",
        points=_points(shown, shown.colour),
        card=_card_words(max(_hand(seen), key=lambda own_card: (own_card.colour == BLACK, own_card.speed))),
    )


def _ask_lead(seen: Seen) -> Sentence:
    if any(own_card.speed == FASTEST for own_card in _hand(seen)):
        return Sentence("You lead. No card is higher than a 130: it ends a round at once. Which card?")
    return Sentence("You lead again. Which card?")


def _after_lead(seen: Seen, move: str) -> str:
    """The 130 ends a round at once (RA-3.6)."""
    passes = "" if move.endswith(str(FASTEST)) else "2: pass; 3: pass; "
    return f"{passes}-: {_RESERVE[2]}; 2: b110; 3: pass g10"


def _after_second_lead(seen: Seen, move: str) -> str:
    passes = "" if move.endswith(str(FASTEST)) else "2: pass k60; 3: pass k30; "
    return f"{passes}2: r110; 3: pass r40"


def _after_raise(seen: Seen, move: str) -> str:
    """The others still hold a black card each, unless they have had to discard it."""
    rivals_moves = "2: pass b30; 3: pass g20"
    leads = any(_card_notation(own_card) != move for own_card in _coloured(seen))
    return (
        f"{rivals_moves}; 2: pass k60; 3: pass k30"
        if leads and view(seen).players[1].cards > 1
        else rivals_moves
    )


IDEAS = (
    Idea(
        mark(
            "Lead a green 50: your card sets the colour. The winner must move the rearmost green car, and "
            "all behind it."
        ),
        "g50",
        mark(
            "Each in turn plays a higher green or black card, or passes and is out. The last one left wins."
        ),
        "2: g70; 3: pass",
        otherwise=_why_not_first_lead,
    ),
    Idea(
        mark("Bruno has raised to 70. Carla passed first, so she leads next. Raise: play your green 100."),
        "g100",
        _tell_first_win,
        f"2: pass; -: {_RESERVE[0]}; 3: y110",
        otherwise=_why_not_first_raise,
    ),
    Idea(
        mark(
            "Carla leads yellow 110. Black goes with every colour but cannot lead; your 90 is too low: pass."
        ),
        "pass",
        _tell_first_loss,
        f"2: y120; 3: pass; -: {_RESERVE[1]}",
    ),
    Idea(
        mark(
            "Now you decide. A leader passes only with no coloured card. Colours show their "
            "points: what can win?"
        ),
        _safest_lead,
        _tell_win,
        _after_lead,
        _judge_lead,
    ),
    Idea(_ask_raise, _raise, _tell_win, "2: pass r20; 3: y90", _judge_raise),
    Idea(
        mark("Carla leads yellow, and you have nothing above 90. Pass, and discard a card: which one?"),
        _weakest,
        _tell_loss("Carla"),
        "2: pass g40",
        _judge_discard,
    ),
    Idea(
        _ask_lead,
        _highest_lead,
        _tell_late_win,
        _after_second_lead,
        _judge_late_lead,
        otherwise=_why_not_late_lead,
    ),
    Idea(
        mark(
            "Bruno leads red, a 110: you can only pass. Black cannot lead, and few cards are left. "
            "Which goes?"
        ),
        _black_or_weakest,
        _tell_loss("Bruno"),
        "3: b50",
        _judge_discard,
    ),
    Idea(
        mark("The last cards. Carla leads blue with a 50. Raise, or pass?"),
        _raise,
        _tell_win,
        _after_raise,
        _judge_raise,
    ),
    Idea(
        mark("The others have no coloured card and cannot lead, so they pass. Lead your last card: it wins."),
        lambda seen: _card_notation(_hand(seen)[0]),
        _tell_win,
        judge=_judge_lead,
    ),
)
LAST = Sentence(
    "The game ends when nobody holds a coloured card to lead. Cards left in hand are worth nothing. A full "
    "game has {cards} cards, for {least} to {most} players.",
    cards=len(read_deck(Options().deck)),
    least=LEAST_PLAYERS,
    most=MOST_PLAYERS,
)
