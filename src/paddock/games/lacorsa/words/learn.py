"""LACORSA: the guided first race. Every card and every move of the others is written here.

What is said about a decision follows from the rules and the two positions: see ``Tried``.
"""

from __future__ import annotations

from paddock.core.course import Idea, Tried, Verdict
from paddock.core.i18n import Sentence, mark
from paddock.core.title import Seen
from paddock.games.lacorsa.rulebook import Options
from paddock.games.lacorsa.rules.race import worth
from paddock.games.lacorsa.rules.state import KINDS, REDLINE
from paddock.games.lacorsa.words.text import Move, move_of
from paddock.games.lacorsa.words.view import Car, View, view

OPTIONS = {"drivers": 4, "races": 1}
_USUAL = Options()
SEATS = ("me", "rookie", "rookie", "rookie")
NAMES = ("Driver", "Bruno", "Carla", "Dario")
MINUTES = 3
GOAL = mark(
    "The driver whose car is in front when the race ends wins. Cards do it all, and each is played only once."
)
INTRO = mark(
    "One race at a real table, decision by decision. At first, the card to play glows. Then you decide: "
    "the lesson says what your choice costs, and you can take it back."
)
SUMMARY = (
    mark("How qualifying sets the grid, and what a high card costs."),
    mark("How to challenge the car ahead, and to defend: a tie goes to the defender."),
    mark("When to extend and when to discard, and what a Redline adds."),
    mark("How the last lap comes, and how the race ends."),
)

_HANDS = (
    "1 1 2 3 3 8 8 8 9 9 10 11 R",
    "1 1 3 6 7 7 7 9 10 10 11 12 R",
    "2 3 4 5 6 6 7 8 9 11 12 12 R",
    "2 2 4 4 4 5 5 5 6 10 11 12 R",
)
OPENING = "; ".join(f"-: {hand}" for hand in _HANDS)  # dealt hand after hand (LC-1.2)
LEARNER, RIVAL = 0, 1  # seats: the rival is directly behind in the end
HIGH = 8  # a card that wins against most others


# What the learner sees


def _learner_car(shown: View) -> Car:
    return shown.cars[LEARNER]


def _hand(seen: Seen) -> list[int]:
    """Return the ranks in the learner's hand, in order; a Redline is 0."""
    return [card.kind for card in _learner_car(view(seen)).hand or ()]


def _played(tried: Tried) -> tuple[Move, Move]:
    return move_of(tried.move.id), move_of(tried.better.id)


def _cards(move: Move) -> list[int]:
    return [move.card, *[REDLINE] * move.redline]


def _rival_value(tried: Tried) -> int:
    """Return the value of the other card of a challenge: it lies in the discard pile now."""
    before, after, own_cards = view(tried.before), view(tried.after), _cards(_played(tried)[0])
    new = [after.discard[kind] - before.discard[kind] - own_cards.count(kind) for kind in range(KINDS)]
    return sum(n * (kind or _USUAL.redline_bonus) for kind, n in enumerate(new))


def _won(tried: Tried) -> bool:
    """Whether the learner has passed as the challenger, or held off as the defender."""
    before, after = view(tried.before), view(tried.after)
    return _learner_car(after).place < _learner_car(before).place + (before.turn != LEARNER)


# What the learner decides


def _lowest_high(seen: Seen) -> str:
    return str(next(kind for kind in _hand(seen) if kind >= HIGH))


def _extends_as_leader(seen: Seen) -> bool:
    """LC-6.2 the leader needs a 1 or a 2."""
    return any(kind in (1, 2) for kind in _hand(seen))


def _lowest(seen: Seen) -> int:
    return next(kind for kind in _hand(seen) if kind)


def _close_or_away(seen: Seen) -> str:
    """Get away where a card for it is left; else discard the lowest card."""
    return f"{'^' if _extends_as_leader(seen) else 'x'}{_lowest(seen)}"


def _away(seen: Seen) -> bool:
    """Whether no car is directly behind the learner."""
    return view(seen).cars[RIVAL].gap > 0


def _last_card(seen: Seen) -> str:
    return f"{'x' if _away(seen) else ''}{_hand(seen)[0]}"


# What is said of it


def _duel(tried: Tried) -> Sentence:
    """Tell a challenge: whose card was higher, and what follows."""
    own_value, rival_value = worth(tried.before.setup, tried.move.id), _rival_value(tried)
    attacks = view(tried.before).turn == LEARNER
    if own_value == rival_value:
        return Sentence("{n} against {n}: a tie goes to the defender, so you stay ahead.", n=own_value)
    if not _won(tried):
        return Sentence("{mine} loses to {theirs}.", mine=own_value, theirs=rival_value)
    if attacks and _learner_car(view(tried.after)).place == 1:
        return Sentence("{mine} beats {theirs}: you lead the race.", mine=own_value, theirs=rival_value)
    if attacks:
        return Sentence(
            "{mine} beats {theirs}: you pass, and your turn goes on.", mine=own_value, theirs=rival_value
        )
    return Sentence("{mine} beats {theirs}: you hold your place.", mine=own_value, theirs=rival_value)


def _first_duel(tried: Tried) -> Sentence:
    """Tell the first pass, and what is open and secret (LC-1.4)."""
    return Sentence(
        "{mine} beats {theirs}: you swap places. Played cards lie open; of those held, you see how many, "
        "not which.",
        mine=worth(tried.before.setup, tried.move.id),
        theirs=_rival_value(tried),
    )


def _play_words(move: Move) -> Sentence | str:
    """Return a play as the learner reads it on the cards: «8», «11 + Redline»."""
    if move.card == REDLINE:
        return Sentence("Redline")
    return Sentence("{rank} + Redline", rank=move.card) if move.redline else str(move.card)


def _lost(tried: Tried) -> Sentence:
    """Say why a challenge is lost, and what the better play does in it."""
    (chosen, better), rival_value = _played(tried), _rival_value(tried)
    words = {"mine": _play_words(chosen), "better": _play_words(better), "theirs": rival_value}
    if worth(tried.before.setup, tried.move.id) == rival_value:
        sentence = mark(
            "{theirs} against {theirs}: a tie goes to the defender. With the {better} you win this."
        )
    elif worth(tried.before.setup, tried.better.id) == rival_value and chosen.card == REDLINE:
        sentence = mark(
            "A Redline alone is {none} and loses to {theirs}. With the {better} you tie: the defender stays "
            "ahead."
        )
    elif worth(tried.before.setup, tried.better.id) == rival_value:
        sentence = mark("Your {mine} loses to {theirs}. With the {better} you tie: the defender stays ahead.")
    elif chosen.card == REDLINE:
        sentence = mark("A Redline alone is {none} and loses to {theirs}. With the {better} you win this.")
    else:
        sentence = mark("Your {mine} loses to {theirs}. With the {better} you win this.")
    return Sentence(sentence, **words, none=0)


def _judge_duel(tried: Tried) -> Verdict:
    """A challenge is lost, or won with more than was needed."""
    (chosen, better), rival_value = _played(tried), _rival_value(tried)
    words = {"mine": _play_words(chosen), "better": _play_words(better), "theirs": rival_value}
    if not _won(tried):
        return Verdict(_lost(tried), "mistake")
    if REDLINE in _cards(chosen) and REDLINE not in _cards(better):
        sentence = mark("You win, but the {better} alone wins too. Keep the Redline: you have only one.")
        return Verdict(Sentence(sentence, **words), "mistake")
    if chosen.card == max(_hand(tried.before)):
        sentence = mark(
            "You win, but the {better} wins too. The {mine} is your highest: keep it for the leader."
        )
        return Verdict(Sentence(sentence, **words), "mistake")
    sentence = mark("That works, but costs your {mine}: the {better} was enough, and no card comes back.")
    return Verdict(Sentence(sentence, **words))


def _why_not_in_duel(tried: Tried) -> Sentence:
    """Another card than the lesson's in its first challenges: lost, or won with more than was needed."""
    (chosen, better), rival_value = _played(tried), _rival_value(tried)
    if _won(tried) and not chosen.redline and chosen.card < better.card:
        return Sentence(
            "Your {mine} wins, too, but only as the answer was a {theirs}: a {better} beats more cards.",
            mine=chosen.card,
            theirs=rival_value,
            better=better.card,
        )
    verdict = _judge_duel(tried)
    if verdict.kind == "mistake":
        return verdict.text
    return Sentence(
        "Your {mine} wins, but so does the {better}, and no card comes back: keep the {mine}.",
        mine=chosen.card,
        better=better.card,
    )


def _why_not_in_qualifying(tried: Tried) -> Sentence:
    """A card that does better later, or a Redline that adds little."""
    chosen, better = _played(tried)
    if chosen.card == REDLINE:
        return Sentence(
            "A Redline alone counts {none}. Keep it: with a card, it adds {n}.",
            none=0,
            n=_USUAL.redline_bonus,
        )
    if chosen.redline:
        return Sentence(
            "That spends your only Redline: it adds {n}, so keep it for a close challenge.",
            n=_USUAL.redline_bonus,
        )
    if chosen.card < better.card:
        return Sentence(
            "Your {mine} starts last, as the {better} does, but low cards with a chevron are needed later.",
            mine=chosen.card,
            better=better.card,
        )
    return Sentence(
        "Your {mine} starts further ahead, but no card comes back, and challenges need it more.",
        mine=chosen.card,
    )


def _why_not_lose_so(tried: Tried) -> Sentence:
    """A challenge is won that costs a high card, or lost with more than the lowest."""
    (chosen, better), rival_value = _played(tried), _rival_value(tried)
    words = {"mine": _play_words(chosen), "better": better.card, "theirs": rival_value}
    if chosen.card == REDLINE:
        return Sentence(
            "A Redline alone counts {none} and loses: with a card, it adds {n}.",
            none=0,
            n=_USUAL.redline_bonus,
        )
    if chosen.redline and not _won(tried):
        return Sentence(
            "You lose all the same, and your Redline is gone: it adds {n} only once.", n=_USUAL.redline_bonus
        )
    if chosen.redline:
        return Sentence("You stay ahead, but your only Redline is gone: with a high card it wins more.")
    if _won(tried):
        sentence = mark("Your {mine} beats {theirs}, but is gone: save it for the fight for the lead.")
        return Sentence(sentence, **words)
    sentence = mark("Your {mine} loses, too, but the {better} is lower: to lose, your lowest card is enough.")
    return Sentence(sentence, **words)


def _judge_free(tried: Tried) -> Verdict:
    """On a free road: a 1 is spent where a 3 would do, or the car stays where it is."""
    chosen, better = _played(tried)
    if chosen.action == "discard":
        return Verdict(
            Sentence("You stay where you are, and what you discard is gone. Extend instead."), "mistake"
        )
    if not _extends_as_leader(tried.after):
        sentence = Sentence(
            "One space, but your last {card} is gone, and the leader cannot extend with a 3.",
            card=chosen.card,
        )
        return Verdict(sentence, "mistake")
    if better.card < 3:
        return Verdict(
            Sentence(
                "Your {mine} moves one space, as the {better} does.", mine=chosen.card, better=better.card
            ),
            "good",
        )
    return Verdict(
        Sentence(
            "That works, but leaves you fewer cards for the lead: the {better} was enough here.",
            better=better.card,
        )
    )


def _judge_end(tried: Tried) -> Verdict:
    """The rival is directly behind, with one card: the last card of the learner must hold against it."""
    (chosen, better), last_card = _played(tried), _hand(tried.after)[0]
    if chosen.card == max(_hand(tried.before)):
        extend = mark(
            "Then a {kept} is all that is left to hold {name} off. Extend with the {better} instead."
        )
        discard = mark("Then a {kept} is all that is left to hold {name} off. Discard the {better} instead.")
        words = extend if better.action == "extend" else discard
        sentence = Sentence(
            words,
            kept=last_card,
            name=NAMES[RIVAL],
            better=better.card,
        )
        return Verdict(sentence, "mistake")
    sentence = Sentence(
        "That works, but {name} stays directly behind you: your last card, the {kept}, must hold him off.",
        name=NAMES[RIVAL],
        kept=last_card,
    )
    return Verdict(sentence)


def _ask_end(seen: Seen) -> Sentence:
    """Ask for a card against a rival who is directly behind."""
    if _extends_as_leader(seen):
        return Sentence("{name} has closed the gap, and has one card left. What now?", name=NAMES[RIVAL])
    return Sentence(
        "{name} is directly behind you, with one card left. You cannot extend: discard. Which "
        "card do you keep?",
        name=NAMES[RIVAL],
    )


def _ask_last(seen: Seen) -> Sentence:
    """Ask for the last card, in a challenge or on a free road."""
    last = _hand(seen)[0]
    if _away(seen):
        return Sentence(
            "The last lap. Nobody is near, and you cannot extend with your {card}: discard it.", card=last
        )
    return Sentence(
        "The last lap: {name} challenges you, and you defend with your last card.", name=NAMES[RIVAL]
    )


def _tell_end(tried: Tried) -> Sentence:
    if _away(tried.after):
        return Sentence(
            "Out of reach! Dario has no card left: this lap is played to its end, then the race is over."
        )
    return Sentence("Dario has no card left: this lap is played to its end, then the race is over.")


def _tell_last(tried: Tried) -> Sentence:
    return _duel(tried) if not _away(tried.before) else Sentence("Nobody was near enough to challenge you.")


IDEAS = (
    Idea(
        mark(
            "Qualifying: all play a card in secret; the highest starts in front. Keep your best for "
            "fights: play only an 8."
        ),
        "8",
        mark("The others were higher: you start last. The car at the back begins each lap: you."),
        "2: 11; 3: 9; 4: 10",
        otherwise=_why_not_in_qualifying,
    ),
    Idea(
        mark(
            "Carla is directly ahead: you must challenge her. Both choose in secret, the "
            "higher card wins. Play a 9."
        ),
        "9",
        _first_duel,
        "3: 6",
        otherwise=_why_not_in_duel,
    ),
    Idea(
        mark("After a pass you go on. Now Dario is directly ahead: challenge him, too, with an 8."),
        "8",
        mark("8 beats 5. After two passes your turn is over. The next turn is that of the car ahead of you."),
        "4: 5; 2: ^1; 3: 5; 4: 5",
        otherwise=_why_not_in_duel,
    ),
    Idea(
        mark(
            "New lap: Carla failed, Dario challenges you. This place is not worth a high card: lose with a 1."
        ),
        "1",
        mark("He has passed you, so you get no turn in this lap. But you have kept your high cards."),
        "4: 5; 4: ^2; 2: ^1",
        otherwise=_why_not_lose_so,
    ),
    Idea(
        mark(
            "Now you decide. Carla challenges you: a good card holds her off, and a tie goes to the defender."
        ),
        _lowest_high,
        _duel,
        "3: 8",
        _judge_duel,
    ),
    Idea(
        mark(
            "Free space ahead: chevrons (1, 2, 3) extend by one; a double (3) not as leader. Which "
            "can you spare?"
        ),
        "^3",
        mark("One space, as with a 1, and your turn is over. The 1 and the 2 are left for when you lead."),
        "4: ^2; 2: x6+R; 3: ^2",
        _judge_free,
    ),
    Idea(
        mark(
            "Carla is directly behind. Leave a gap, and she cannot challenge you. Extend or discard: you "
            "cannot skip."
        ),
        "^3",
        mark("A gap is safety. Ahead of you, Dario challenges Bruno."),
        "2: 10; 4: 6; 2: x7; 3: ^3",
        _judge_free,
    ),
    Idea(
        mark("Dario is directly ahead: you must challenge. He likes to answer with low cards. Which card?"),
        _lowest_high,
        _duel,
        "4: 4",
        _judge_duel,
    ),
    Idea(
        Sentence(
            "Bruno may play a {top}, the highest. Your Redline adds {n} to a card, once (in "
            "qualifying, too); alone it is {none}.",
            top=KINDS - 1,
            n=_USUAL.redline_bonus,
            none=0,
        ),
        "11+R",
        _duel,
        "2: 12; 3: 12; 4: 11; 2: 7; 3: 11",
        _judge_duel,
    ),
    Idea(
        mark("You lead, with Carla directly behind. The leader extends with a 1 or 2 only. What do you do?"),
        _close_or_away,
        mark("One space clear. Behind you, they fight for places."),
        "2: 9; 4: 4; 2: 7; 3: 6; 2: ^3",
        _judge_free,
    ),
    Idea(
        _ask_end,
        _close_or_away,
        _tell_end,
        lambda seen, move: f"3: 7+R; 4: 12; 4: x4+R{'; 2: x10' if move.startswith('^') else ''}",
        _judge_end,
    ),
    Idea(
        _ask_last,
        _last_card,
        _tell_last,
        lambda seen, move: "" if _away(seen) else "2: 10",
        _judge_end,
    ),
)
LAST = Sentence(
    "The first {places} cars earn {points} points. Only the final place counts: passes, and cards left in "
    "hand, bring nothing. Nobody draws new cards during a race. A championship has {races} races, and the "
    "most points in all win.",
    places=len(_USUAL.points),
    points=", ".join(map(str, _USUAL.points)),
    races=_USUAL.races,
)
