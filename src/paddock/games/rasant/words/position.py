"""Rasant: a state as ``name=value`` words, and back.

``phase=round cars=kr1g1b1… dealer=1 leader=2 turn=3 colour=r top=r50 best=2 passed=4 first=4
black=0,0,0,2 scores=0,8,0,0 hands=1:r10,k30|2:… discard=r50``

The line is written from the front, each car as a colour and a number. Players are numbered from 1. ``black``
has, for each hand, how many cards are known to be black (RA-3.2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from paddock.core.i18n import _
from paddock.core.title import Seen
from paddock.core.words import CHANCE, HIDDEN
from paddock.games.rasant.deck import COLOURS, SPEEDS, card, kind_of
from paddock.games.rasant.rules import state
from paddock.games.rasant.rules.hands import put_in
from paddock.games.rasant.rules.rounds import ends, left_of
from paddock.games.rasant.rules.rules import MAX_SCORE
from paddock.games.rasant.rules.state import Setup, State
from paddock.parts.position import NONE, Reader, check, number, parts, read, seat_of, word, written

PHASES = ("line", "dealer", "deal", "round", "draw", "over")


def _car(car: int) -> str:
    return "k" if car == state.BLACK_CAR else f"{COLOURS[car // 3]}{car % 3 + 1}"


def position(s: State, g: Setup) -> str:
    """Return the state as ``name=value`` words, always in the same order."""
    players = range(g.players)
    led = s.phase == state.ROUND and s.colour != state.NO_COLOUR
    rounds = s.phase in (state.ROUND, state.DRAW)
    passed = [player + 1 for player in players if s.phase == state.ROUND and s.passed >> player & 1]
    return written(
        {
            "phase": PHASES[s.phase],
            "cars": "".join(_car(s.line[i]) for i in range(s.lined)),
            "dealer": _player(s.dealer) if s.dealer != HIDDEN else NONE,
            "leader": _player(s.leader) if rounds else NONE,
            "turn": next((_player(player) for player in players if s.waiting == 1 << player), NONE),
            "colour": COLOURS[s.colour] if led else NONE,
            "top": card(s.top) if led else NONE,
            "best": _player(s.best) if led or s.phase == state.DRAW else NONE,
            "passed": ",".join(map(str, passed)),
            "first": str(s.first) if passed else NONE,
            "black": ",".join(str(s.black[player]) for player in players),
            "scores": ",".join(str(s.score[player]) for player in players),
            "hands": "|".join(
                f"{player + 1}:" + ",".join(card(s.hand[player, i]) for i in range(s.cards[player]))
                for player in players
            ),
            "discard": ",".join(card(kind) for kind in range(state.KINDS) for _n in range(s.discard[kind])),
        }
    )


def _player(player: int) -> str:
    return str(player + 1)


def parse_position(words: dict[str, str], g: Setup) -> State:
    """Parse ``name=value`` words into a state; raise ``BadPosition`` with every fault."""
    s = State()
    for player in range(state.PLAYERS):
        for i in range(state.HAND):
            s.hand[player, i] = state.EMPTY
    read(s, g, words, _READERS, tuple(_READERS))
    _fill(s, g)
    check(_faults(s, g, words))
    return s


def result_fault(places: Sequence[int], scores: Sequence[int], g: Setup) -> str:
    """Say why no game can end like this; empty if one can (RA-4.2, RA-5.5)."""
    if min(scores) < 0:
        return _("RA-4.2 no player has fewer than 0 points")
    if list(places) != [1 + sum(rival_score > score for rival_score in scores) for score in scores]:
        return _("RA-5.5 places must follow from the points")
    return ""


def shown(seen: Seen) -> State:
    """Return the state to show: that of ``seen``, or the end of a match of which only results are known."""
    s: State = seen.state
    if s.phase == state.OVER or len(seen.rounds) < seen.options.rounds:
        return s
    end = State()
    end.phase, end.dealer = state.OVER, HIDDEN
    for player, points in enumerate(seen.rounds[-1].scores):
        end.score[player] = points
        for i in range(state.HAND):
            end.hand[player, i] = state.EMPTY
    return end


def _one_of(text: str, g: Setup) -> int:
    """Return the player with this number; HIDDEN for «-»."""
    return HIDDEN if text == NONE else number(text, g.players, 1, or_none=True) - 1


def _read_phase(s: State, g: Setup, text: str) -> None:
    s.phase = PHASES.index(word(text, PHASES[: state.OVER]))


def _read_cars(s: State, g: Setup, text: str) -> None:
    """Set the line of cars."""
    cars = re.findall("k|[rgby][123]", text)
    if "".join(cars) != text or len(set(cars)) != len(cars) or text[:1] == NONE:
        raise ValueError(_("write cars as in kr1g1b1, each once (RA-1.1)"))
    for i, car in enumerate(cars):
        s.line[i] = state.BLACK_CAR if car == "k" else 3 * COLOURS.index(car[0]) + int(car[1]) - 1
    s.lined = len(cars)


def _read_dealer(s: State, g: Setup, text: str) -> None:
    s.dealer = _one_of(text, g)


def _read_leader(s: State, g: Setup, text: str) -> None:
    s.leader = max(0, _one_of(text, g))


def _read_turn(s: State, g: Setup, text: str) -> None:
    turn = _one_of(text, g)
    s.waiting = 1 << (CHANCE if turn == HIDDEN else turn)


def _read_colour(s: State, g: Setup, text: str) -> None:
    if text not in (*COLOURS[:4], NONE):
        raise ValueError(_("write r, g, b or y, or - before a card is led"))
    s.colour = state.NO_COLOUR if text == NONE else COLOURS.index(text)


def _read_top(s: State, g: Setup, text: str) -> None:
    s.top = state.EMPTY if text == NONE else kind_of(text)


def _read_best(s: State, g: Setup, text: str) -> None:
    s.best = max(0, _one_of(text, g))


def _read_passed(s: State, g: Setup, text: str) -> None:
    for part in parts(text):
        s.passed |= 1 << seat_of(part, g.players)


def _read_first(s: State, g: Setup, text: str) -> None:
    s.first = _one_of(text, g) + 1


def _each(text: str, g: Setup, most: int) -> list[int]:
    numbers = [number(part, most) for part in text.split(",")]
    if len(numbers) != g.players:
        raise ValueError(_("write a number for each of the {n} players").format(n=g.players))
    return numbers


def _read_black(s: State, g: Setup, text: str) -> None:
    for player, count in enumerate(_each(text, g, state.HAND)):
        s.black[player] = count


def _read_scores(s: State, g: Setup, text: str) -> None:
    for player, points in enumerate(_each(text, g, MAX_SCORE)):
        s.score[player] = points


def _read_hands(s: State, g: Setup, text: str) -> None:
    """Set the cards of every player."""
    hands = text.split("|")
    if [hand.partition(":")[0] for hand in hands] != [str(i + 1) for i in range(g.players)]:
        raise ValueError(_("write every hand as number:cards, in order, separated by |"))
    for player, hand in enumerate(hands):
        cards = hand.partition(":")[2]
        kinds = [kind_of(name) for name in cards.split(",")] if cards else []
        if len(kinds) > state.HAND:
            raise ValueError(_("a hand has at most {n} cards (RA-2.2)").format(n=state.HAND))
        for kind in kinds:
            put_in(s, player, kind)


def _read_discard(s: State, g: Setup, text: str) -> None:
    for name in parts(text):
        s.discard[kind_of(name)] += 1


_READERS: dict[str, Reader] = {
    "phase": _read_phase,
    "cars": _read_cars,
    "dealer": _read_dealer,
    "leader": _read_leader,
    "turn": _read_turn,
    "colour": _read_colour,
    "top": _read_top,
    "best": _read_best,
    "passed": _read_passed,
    "first": _read_first,
    "black": _read_black,
    "scores": _read_scores,
    "hands": _read_hands,
    "discard": _read_discard,
}


def _fill(s: State, g: Setup) -> None:
    """Set the fields of the state that follow from the written ones: the reserve, who gets the next card."""
    for kind in range(state.KINDS):
        copies_held = sum(s.hand[player, i] == kind for player in range(g.players) for i in range(state.HAND))
        s.deck[kind] = g.deck[kind] - s.discard[kind] - copies_held
        s.suits[kind // SPEEDS] += s.deck[kind]
        s.reserve += s.deck[kind]
    if s.phase in (state.DEAL, state.DRAW) and s.dealer != HIDDEN:
        s.drawing = s.best if s.phase == state.DRAW else left_of(g, s.dealer)
        full = g.hand if s.phase == state.DRAW else g.dealt
        for _n in range(g.players):
            if s.cards[s.drawing] >= full:
                s.drawing = left_of(g, s.drawing)


def _faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """Return why a state whose fields are well-formed is impossible: a sentence for each reason."""
    faults = [
        _("RA-1.2 the deck has only {n} of the card {card}").format(n=g.deck[kind], card=card(kind))
        for kind in range(state.KINDS)
        if s.deck[kind] < 0
    ]
    if s.line[0] != state.BLACK_CAR and s.phase <= state.DEAL:
        faults.append(_("RA-2.1 the black car starts at the front of the line"))
    if (s.lined < state.CARS) != (s.phase == state.LINING) or (s.phase == state.LINING and g.given):
        faults.append(_("RA-2.1 the line has 13 cars, or fewer while it is being drawn"))
    if (s.dealer == HIDDEN) != (s.phase == state.DEALERS) and s.phase != state.LINING:
        faults.append(_("RA-2.2 there is a dealer, except before one is drawn"))
    if s.phase <= state.DEAL and (words["scores"].strip("0,") or words["discard"] != NONE):
        faults.append(_("RA-2.3 a game begins without points and discards"))
    if (words["turn"] != NONE) != (s.phase == state.ROUND):
        faults.append(_("RA-3.3 name the player to move during a round, and nobody otherwise"))
    if (words["leader"] != NONE) != (s.phase in (state.ROUND, state.DRAW)):
        faults.append(_("RA-3.1 there is a leader during a round, and while cards are drawn"))
    if s.phase != state.ROUND and (s.passed or s.colour != state.NO_COLOUR or s.top != state.EMPTY):
        faults.append(_("RA-3.3 only a round has a colour, a highest card and passes"))
    if (words["first"] != NONE) != bool(s.passed) or (s.first and not s.passed >> s.first - 1 & 1):
        faults.append(_("RA-3.1 the first player to pass is one of those who passed"))
    for player in range(g.players):
        blacks = sum(state.BLACK <= s.hand[player, i] < state.EMPTY for i in range(state.HAND))
        if s.black[player] > blacks:
            sentence = _("RA-3.2 the hand of player {player} has {n} black cards")
            faults.append(sentence.format(player=player + 1, n=blacks))
    if faults:
        return faults
    if s.phase == state.ROUND:
        return _round_faults(s, g, words)
    if s.phase == state.DRAW:
        return _draw_faults(s, g, words)
    return _deal_faults(s, g)


def _round_faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """Return what is wrong with a round: its highest card, whose turn it is, and who has passed."""
    faults = []
    led = s.colour != state.NO_COLOUR
    if (s.top != state.EMPTY) != led or (words["best"] != NONE) != led:
        return [_("RA-3.2 the first card of a round sets colour, top and best: write all three or none")]
    turn = next(player for player in range(g.players) if s.waiting == 1 << player)
    if s.passed >> turn & 1 or not s.cards[turn]:
        sentence = _("RA-3.3 it cannot be the turn of player {player}, who has passed or has no cards")
        faults.append(sentence.format(player=turn + 1))
    left = [player for player in range(g.players) if not s.passed >> player & 1]
    if led:
        if s.top < state.BLACK and s.top // SPEEDS != s.colour:
            faults.append(_("RA-3.3 the highest card has the round's colour or is black"))
        if ends(g, s.top) or not s.discard[s.top]:
            sentence = _("RA-3.4 the highest card is in the discard pile, and is slower than {speed}")
            faults.append(sentence.format(speed=10 * (g.ends_from + 1)))
        if s.best not in left or len(left) <= 1 - g.to_the_last:
            faults.append(
                _("RA-3.4 the player of the highest card is still in the round, and the round is not over")
            )
        return faults
    if turn != s.leader:
        faults.append(_("RA-3.8 before a card is led it is the leader's turn"))
    if not any(s.hand[player, 0] < state.BLACK for player in left):
        faults.append(_("RA-3.7 a player still in the round holds a card that can be led"))
    if any(s.black[player] < s.cards[player] for player in range(g.players) if player not in left):
        faults.append(_("RA-3.2 a player who passed before a card was led holds only black cards"))
    return faults


def _draw_faults(s: State, g: Setup, words: dict[str, str]) -> list[str]:
    """Return what is wrong while players draw cards."""
    if words["best"] == NONE:
        return [_("RA-5.1 the winner of the round draws first: give the winner in “best”")]
    if not s.reserve or s.cards[s.drawing] >= g.hand:
        sentence = _("RA-5.1 a player draws while there is a reserve and the hand has fewer than {n} cards")
        return [sentence.format(n=g.hand)]
    return []


def _deal_faults(s: State, g: Setup) -> list[str]:
    """Return what is wrong with the hands before and during the deal."""
    counts = [s.cards[player] for player in range(g.players)]
    if s.phase != state.DEAL:
        return [_("RA-2.2 before the deal the hands are empty")] if any(counts) else []
    player = left_of(g, s.dealer)
    left = sum(counts)
    for _n in range(g.players):
        if counts[player] != min(left, g.dealt):
            return [_("RA-2.2 hands are dealt one after the other, from the left of the dealer")]
        left -= counts[player]
        player = left_of(g, player)
    if sum(counts) < g.players * g.dealt:
        return []
    return [_("RA-2.2 every hand has {n} cards: the deal is over").format(n=g.dealt)]
