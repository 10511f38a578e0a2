"""LACORSA: why one move is better than another, in a sentence with numbers that this driver can count."""

from __future__ import annotations

from dataclasses import dataclass

from paddock.core.i18n import _, plural
from paddock.core.title import Seen
from paddock.games.lacorsa.rules import race, state
from paddock.games.lacorsa.rules.state import Setup, State
from paddock.games.lacorsa.words.text import face, move_of, play_words


@dataclass(frozen=True)
class Unseen:
    """The cards that a rival can hold, by kind: those that the driver has not seen, or knows to be there."""

    by_kind: tuple[int, ...]
    redline: int = 0  # the value of a Redline alone (LC-3.2)

    @property
    def all(self) -> int:
        """How many they are."""
        return sum(self.by_kind)

    def below(self, value: int) -> int:
        """How many of them are worth less than a value, played alone."""
        return sum(self.by_kind[1 : max(1, value)]) + self.by_kind[0] * (value > self.redline)


def unseen(s: State, g: Setup, rival: int | None = None) -> Unseen:
    """Return the cards that a rival can hold; without one, those that some rival can hold."""
    rows = []
    for kind in range(state.KINDS):
        seen_elsewhere = sum(
            s.hand[car, kind] if s.held[car] else s.known[car, kind] * (rival not in (None, car))
            for car in range(g.cars)
        )
        rows.append(g.deck[kind] - s.discard[kind] - seen_elsewhere)
    return Unseen(tuple(rows), g.redline_alone)


def why(seen: Seen, seat: int, move: int, best: int) -> str:
    """Return why ``best`` is better than ``move``; empty where only the rest of the race tells."""
    s, g = seen.state, seen.setup
    if s.phase == state.QUALIFY:
        return _compared(unseen(s, g), _values(g, move, best), move, best)
    if s.phase == state.CHALLENGE:
        attacks = s.order[s.turn] == seat
        rival = s.order[s.turn + 1] if attacks else s.order[s.turn]
        if g.owner[rival] == g.owner[seat]:
            return _("Both cars are yours: the lowest card keeps the others.")
        name = seen.seat_name(rival)
        values = _values(g, move, best, 1 - g.win_by if attacks else g.win_by)
        return _compared(unseen(s, g, rival), values, move, best, name)
    if state.PIT in (move, best):
        return _stop(s, g, seat, best == state.PIT)
    if s.phase == state.ROAD:
        return _on_the_road(s, g, seat, move, best)
    if move >= state.TAKE and best >= state.TAKE:
        taken = move - state.TAKE, best - state.TAKE
        return _compared(unseen(s, g), _values(g, *taken), *taken)
    return ""


def _values(g: Setup, move: int, best: int, more: int = 0) -> tuple[int, int]:
    """LC-5.2 return the values below which a card loses to each of two plays: theirs, and so much more."""
    return race.worth(g, move) + more, race.worth(g, best) + more


def _compared(cards: Unseen, values: tuple[int, int], move: int, best: int, name: str = "") -> str:
    """Return how many cards lose to each of two plays: those below its value in ``values``.

    ``name`` is that of the rival who can hold them, empty for any of them.
    """
    if not cards.all:
        return ""
    less, more = map(cards.below, values)
    who = _("that {name} can hold").format(name=name) if name else _("that the others can hold")
    if more > less:
        sentence = _("{best} wins against {more} of the {of} cards {who}, {move} against {less}.")
    elif more == less:
        sentence = _("{best} and {move} win against the same {more} of the {of} cards {who}.")
    else:
        sentence = _(
            "{best} wins against {more} of the {of} cards {who}, {move} against {less}: "
            "{move} is worth more later."
        )
    return sentence.format(
        best=play_words(best), move=play_words(move), more=more, less=less, of=cards.all, who=who
    )


def _on_the_road(s: State, g: Setup, seat: int, move: int, best: int) -> str:
    """LC-6 compare an extend or a discard with another one."""
    extends = [play >= state.EXTEND for play in (move, best)]
    kept, spent = (move_of(move).card, move_of(best).card)
    words = {"kept": face(kept), "spent": face(spent)}
    if extends == [False, True]:
        if s.turn and not s.gap[s.turn - 1]:
            return _(
                "An extend leaves an empty space behind you, so that the car there cannot challenge you."
            )
        return _("An extend moves one space forward, a discard none.")
    if extends == [True, False]:
        able = sum(s.hand[seat, kind] for kind in range(1, g.extend_cards + 1))
        return plural(
            "You hold {n} card that extends: the {kept} can wait until the space counts more.",
            "You hold {n} cards that extend: the {kept} can wait until the space counts more.",
            able, kept=words["kept"],
        )  # fmt: skip
    if all(extends) and kept <= g.leader_extends < spent:  # LC-6.2
        return _("Both extend, but the {spent} not for the leader: keep the {kept} for then.").format(**words)
    cards = unseen(s, g)
    if kept <= spent or not cards.all:
        return ""
    return _(
        "You keep the {kept}, which beats {more} of the {of} cards that the others can hold; "
        "the {spent} beats {less}."
    ).format(**words, of=cards.all, more=cards.below(kept), less=cards.below(spent))


def _stop(s: State, g: Setup, seat: int, stops: bool) -> str:
    """LX-2 compare a stop with going on: by the cards in the hands, as the first empty one ends the race."""
    own, others = s.cards[seat], [s.cards[car] for car in range(g.cars) if car != seat and not s.out[car]]
    least = min(others, default=0)
    if stops:
        return plural(
            "You hold {n} card, and each other car at least {least}: a stop lets you fight on.",
            "You hold {n} cards, and each other car at least {least}: a stop lets you fight on.",
            own, least=str(least),
        )  # fmt: skip
    return plural(
        "You hold {n} card, and another car only {least}: the race may end before a stop pays.",
        "You hold {n} cards, and another car only {least}: the race may end before a stop pays.",
        own, least=str(least),
    )  # fmt: skip
