"""Why one move is better than another: the numbers of a thousand sentences, counted again in another way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import paddock
from paddock.core.game import Game
from paddock.core.title import Seen
from paddock.kernel.source import Seeded


class Said(NamedTuple):
    """A sentence about two moves in a position."""

    seen: Seen
    seat: int
    made: str
    best: str
    why: str


def said(title: str, count: int, **options: Any) -> Iterator[Said]:
    """Let Clubs race, and compare two of the moves of each decision."""
    room, club = paddock.title(title).mistakes, paddock.bots.bot(title, "club")
    assert room is not None
    for seed in range(count):
        game: Game = paddock.start(title, seed=seed, **options)
        rng = Seeded(seed, 1)
        while not game.over:
            for seat in game.deciders:
                seen = game.seen(1 << seat)
                legal = list(seen.legal(seat))
                if len(legal) > 1:
                    made, best = (legal.pop(rng.below(len(legal))) for _ in range(2))
                    move = game.title.text.move
                    names = (str(move(game.setup, id)) for id in (made, best))
                    if why := room.why(seen, seat, made, best):
                        yield Said(seen, seat, *names, why)
                game.play(seat, club.choose(seen, seat, seen.legal(seat), rng))


def unseen(view: Any, hand: Sequence[Any]) -> list[int]:
    """The cards that are neither in the open pile nor in a hand, one by one."""
    cards = [kind for kind, n in enumerate(view.deck) for _ in range(n)]
    for kind in [*(kind for kind, n in enumerate(view.discard) for _ in range(n)), *(c.kind for c in hand)]:
        cards.remove(kind)
    return cards


def test_lacorsa_counts_the_cards_that_others_can_hold() -> None:
    """LC-1.4, LC-5.1; LC-5.2 the defender wins ties."""

    def value(play: str) -> int:
        card, _plus, redline = play.strip("x^").partition("+")
        return (0 if card == "R" else int(card)) + 2 * bool(redline)

    count = 0
    for seen, seat, made, best, why in said("lacorsa", 14, drivers=4, races=1):
        view = seen.title.view.view(seen)
        cards = unseen(view, view.cars[seat].hand)
        ties = int(view.defender == seat)
        more, less = (sum(card < value(play) + ties for card in cards) for play in (best, made))
        if "against the same" in why:
            assert more == less and f"the same {more} of the {len(cards)} cards" in why, why
        elif "wins against" in why:
            assert f"against {more} of the {len(cards)} cards" in why and f"against {less}" in why, why
            assert ("worth more later" in why) == (more < less)
        elif "You keep" in why:
            kept, spent = (
                sum(card < value(play.removesuffix("+R")) for card in cards) for play in (made, best)
            )
            assert f"beats {kept} of the {len(cards)} cards" in why and why.endswith(f"beats {spent}."), why
        else:
            continue
        count += 1
    assert count > 400


def test_lacorsa_says_of_a_3_alone_that_it_does_not_extend_for_the_leader() -> None:
    """LC-6.2; a 1 and a 2 extend alike."""
    room, told = paddock.title("lacorsa").mistakes, dict[str, set[bool]]()
    assert room is not None
    for seen, seat, _made, _best, _why in said("lacorsa", 14, drivers=4, races=1):
        ids = {str(move): id for id in seen.legal(seat) for move in [seen.title.text.move(seen.setup, id)]}
        for best in ids.keys() & {"^2", "^3"} if "^1" in ids else ():
            why = room.why(seen, seat, ids["^1"], ids[best])
            told.setdefault(best, set()).add("not for the leader" in why)
    assert told == {"^2": {False}, "^3": {True}}


def colour_of(view: Any, play: str) -> int:
    return "rgbyk".index(play[0]) if view.colour is None else int(view.colour)


def faster(view: Any, cards: list[int], play: str) -> int:
    """RA-3.3 how many cards beat one."""
    card = play.removeprefix("pass ")
    suits = (colour_of(view, card), 4)
    return sum(kind // 13 in suits and kind % 13 * 10 + 10 > int(card[1:]) for kind in cards)


def won(view: Any, play: str) -> int:
    """RA-4.2 the points for the round, if the play wins it now."""
    cars = [car.colour for car in view.line]
    moved = cars[max(place for place, car in enumerate(cars) if car == colour_of(view, play)) :]
    return (len(moved) - (4 in moved)) * (2 if 4 in moved else 1)


def test_rasant_counts_the_cards_that_beat_one() -> None:
    """RA-3.3 a card of the round's colour or a black one, if it is faster; RA-4.2 the points."""
    count = 0
    for seen, seat, made, best, why in said("rasant", 7, players=4, games=1):
        view = seen.title.view.view(seen)
        cards = unseen(view, view.players[seat].hand)
        beaten, points = partial(faster, view, cards), partial(won, view)
        if "is for +" in why and "not see" not in why and "nothing" not in why:
            assert f"is for +{points(best)}" in why and why.endswith(f"for +{points(made)}."), why
        elif why.startswith("The round is for"):
            assert f"+{points(best)}, and {beaten(best)} of the {len(cards)} cards" in why or not cards, why
        elif "keep it" in why:
            assert (
                why.startswith(f"{beaten(made)} of the {len(cards)} cards") and f"+{points(made)}" in why
            ), why
        elif "which you keep" in why:
            assert why.startswith(f"{beaten(made)} of the {len(cards)} cards"), why
            assert f"; {beaten(best)} beat" in why
        else:
            first, second = (beaten(made), beaten(best)) if "later" in why else (beaten(best), beaten(made))
            assert f"beaten by {first} of the" in why or f"same {first} of the" in why, why
            assert f"by {second}" in why or first == second, why
        count += 1
    assert count > 350


def test_the_great_race_tells_what_is_left() -> None:
    """The gauges, money and hand after each move, played on the same view; assistants that a pass wastes."""
    count = 0
    for seen, seat, made, best, why in said("great_race", 1, players=4, map="usa-west"):
        if why.startswith("A pass"):
            assert why.endswith(f": {sum(seen.state.assistants[seat, box] for box in range(4))}.")
        elif "petrol" in why and "a step" not in why:
            for move in (best, made):
                team = next(t for t in seen.preview(move, seat).view.teams if t.seat == seat)
                part = why.partition(f"After {move}: ")[2].partition(". ")[0]
                assert f"petrol {team.petrol}" in part, why
                assert " F" not in part or f"{team.money} F" in part, why
        else:
            continue
        count += 1
    assert count > 60
