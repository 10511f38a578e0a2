"""How hidden cards are counted and dealt, with so few cards that every deal can be listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from paddock.core.errors import BadRecord
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.source import Seeded
from paddock.records.cards import HandCounts
from paddock.records.record import Line

LOW = 3  # in the room that proves something, cards below this are not allowed
SAMPLES = 2500


class Room:
    """Six different cards; a move is the card that it plays."""

    def stock(self, g: object) -> Sequence[int]:
        return [1] * 6

    def owner(self, g: object, heading: str) -> int | None:
        return int(heading[-1]) - 1

    def uses(self, g: object, move: int) -> tuple[int, ...]:
        return (move % 100,) if move < 200 else ()


class ProvingRoom(Room):
    def allowed(self, g: object, kind: int) -> bool:
        return kind >= LOW

    def proofs(self, g: object, lines: Any, over: bool) -> tuple[dict[int, list[int]], list[int]]:
        return {}, []


class ReopeningRoom(Room):
    """Moves from 100 also take card 0 back, from 200 do only that; «pit» deals played cards."""

    def gains(self, g: object, move: int) -> tuple[int, ...]:
        return (0,) if move >= 100 else ()

    def reopens(self, g: object, heading: str) -> bool:
        return heading.startswith("pit")


Step = tuple[Any, ...]  # ("gets" | "shows" | "plays" | "proves" | "pits", seat[, card])


def counted(room: Room, steps: Sequence[Step]) -> HandCounts:
    """Return the count after some steps; step i is line i."""
    text: Any = SimpleNamespace(outcome=lambda g, id: str(id))
    count = HandCounts(room, None, text, 2)
    for i, (what, seat, *card) in enumerate(steps):
        if what == "proves":
            count.take(Line(i, CHANCE, "deal 9", ()), (seat,), ())
        elif what == "plays":
            count.take(Line(i, seat, "", tuple(card)), (), ())
        else:
            heading = f"{'pit' if what == 'pits' else 'deal'} {seat + 1}"
            count.take(Line(i, CHANCE, heading, tuple(card) or (HIDDEN,)), (), ())
    return count


def possible(steps: Sequence[Step], one_of: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return every consistent deal of the hidden cards, by brute force."""
    places = sum(step[0] == "gets" for step in steps)
    for deal in permutations(range(6), places):
        hands: list[list[int]] = [[], []]
        cards = list(deal)
        for what, seat, *card in steps:
            if what == "gets":
                hands[seat].append(cards.pop(0))
            elif what == "shows":
                hands[seat] += card
            elif what == "proves" and min(hands[seat], default=LOW) < LOW:
                break
            elif what == "plays":
                if card[0] not in hands[seat]:
                    break
                hands[seat].remove(card[0])
        else:
            shown = {step[2] for step in steps if step[0] == "shows"}
            if not shown & set(deal) and (not one_of or any(c < LOW for seat in one_of for c in hands[seat])):
                yield deal


GETS_3: list[Step] = [("gets", 0)] * 3
CASES: dict[str, tuple[list[Step], list[int]]] = {
    "nothing is known": ([*GETS_3, ("gets", 1)], []),
    "a card came before it was played": ([("gets", 0), ("plays", 0, 2), ("gets", 0), ("gets", 1)], []),
    "two plays, one of them early": ([*GETS_3[1:], ("plays", 0, 1), *GETS_3[1:], ("plays", 0, 5)], []),
    "a card that was shown is played first": (
        [("gets", 0), ("shows", 0, 4), ("plays", 0, 4), ("gets", 0), ("plays", 0, 0)],
        [],
    ),
    "a proof": ([*GETS_3[1:], ("proves", 0), ("gets", 1), ("gets", 1)], []),
    "a card was played before the proof": ([*GETS_3, ("plays", 0, 1), ("proves", 0), ("gets", 1)], []),
    "an allowed one was played after it": (
        [*GETS_3, ("plays", 0, 5), ("proves", 0), ("plays", 0, 3), ("gets", 1)],
        [],
    ),
    "proofs of both hands": (
        [("gets", 0), ("gets", 1), ("plays", 1, 0), ("gets", 1), ("proves", 1), ("proves", 0)],
        [],
    ),
    "one of them holds more": ([("gets", 0), ("gets", 0), ("gets", 1), ("proves", 1)], [0, 1]),
}


@pytest.mark.parametrize("case", CASES)
def test_every_deal_that_agrees_is_as_likely(case: str) -> None:
    steps, one_of = CASES[case]
    count = counted(ProvingRoom(), steps)
    count.one_of = list(one_of)
    rng = Seeded(5)
    found = Counter(tuple(card for _place, card in sorted(count.deal(rng).items())) for _ in range(SAMPLES))
    expected = list(possible(steps, one_of))
    assert set(found) <= set(expected)
    even = SAMPLES / len(expected)
    square = sum((found[deal] - even) ** 2 / even for deal in expected)
    freedom = len(expected) - 1
    assert square < freedom + 5 * (2 * freedom) ** 0.5 + 5, "the chi-square of an even draw"


@pytest.mark.parametrize(
    ("room", "steps", "reason"),
    [
        (Room(), [("gets", 0), ("plays", 0, 2), ("plays", 0, 3)], "the hand cannot contain this card: 3"),
        (Room(), [("plays", 0, 2), ("gets", 0)], "the hand cannot contain this card: 2"),
        (Room(), [("shows", 0, 2), ("gets", 1), ("plays", 1, 2)], "there is only 1 card 2"),
        (Room(), [("shows", 0, 2), ("shows", 1, 2)], "there is only 1 card 2"),
        (Room(), [("gets", 0)] * 7, "more cards are dealt than exist"),
        (ProvingRoom(), [("gets", 0)] * 4 + [("proves", 0)], "not enough cards of the kinds"),
        (
            ProvingRoom(),
            [("gets", 0), ("proves", 0), ("plays", 0, 1)],
            "the hand cannot contain this card: 1",
        ),
        (ReopeningRoom(), [("gets", 0), ("pits", 0, 1)], "no 1 has been played"),
        (ReopeningRoom(), [("gets", 0), ("plays", 0, 101)], "no 0 has been played"),
    ],
)
def test_what_cannot_be(room: Room, steps: list[Step], reason: str) -> None:
    with pytest.raises(BadRecord, match=reason):
        counted(room, steps)


def test_an_impossible_line_is_not_counted() -> None:
    count = counted(ProvingRoom(), [("gets", 0), ("gets", 1)])
    before = (dict(count.free), list(count.hands), dict(count.open))
    with pytest.raises(BadRecord):
        count.take(Line(9, 0, "", (1,)), (0,), ())
    assert (dict(count.free), list(count.hands), dict(count.open)) == before


def test_a_card_that_was_played_comes_back_for_all_to_see() -> None:
    """The card is known in its new hand, is played from there first, and is counted once."""
    steps: list[Step] = [("gets", 0), ("gets", 1), ("plays", 0, 0), ("pits", 1, 0), ("plays", 1, 0)]
    steps += [("plays", 1, 200), ("gets", 0), ("plays", 1, 0)]
    count = counted(ReopeningRoom(), steps)
    assert (count.open[0], count.free[0], count.hands[1].hidden) == (1, 0, 1)
    for sample in range(50):
        dealt = count.deal(Seeded(sample))
        assert dealt[0, 0] == 0 and len(set(dealt.values())) == 3
