"""Standing orders of Rasant: for one round, from what their owner sees, dropped with a reason."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import paddock
from paddock.core.errors import BadMove
from paddock.core.game import Game
from paddock.core.title import Dropped
from paddock.games.rasant.rules.state import DISCARD, PASS, SPEEDS
from paddock.kernel.source import Seeded
from paddock.tables import Terms, orders
from sampling import count
from tables.clockwork import HandRuntime, play, quiet
from tables.harness import ANA, service

found_room = paddock.title("rasant").orders
assert found_room
ROOM = found_room


def at(round_end: str = "one", **words: str) -> Game:
    """Three players in a round of red: the second asked, the third ahead with a red 50."""
    fields = {
        "phase": "round",
        "cars": "kr1g1b1y1r2g2b2y2r3g3b3y3",
        "dealer": "1",
        "leader": "3",
        "turn": "2",
        "colour": "r",
        "top": "r50",
        "best": "3",
        "passed": "-",
        "first": "-",
        "black": "0,0,0",
        "scores": "4,0,3",
        "hands": "1:r10,g50|2:r60,r90,g20,b10,k30,k60|3:r70,k120",
        "discard": "r50",
        **words,
    }
    head = f"rasant/1 players=3 games=2 round_end={round_end} deck=standard line=shuffled results=-"
    return paddock.position(" ".join([head, *(f"{name}={value}" for name, value in fields.items())]))


def empty(hands: str) -> str:
    """The discard pile of a game whose reserve is empty."""
    held = {card for hand in hands.split("|") for card in hand[2:].split(",")}
    deck = [f"{c}{s}0" for c in "rgby" for s in range(1, 14)] + ["k30", "k60", "k90", "k120"]
    return ",".join(card for card in deck if card not in held)


def said(game: Game, seat: int, text: str) -> object:
    """What the order of this round answers: a notation, None, or the reason why it is dropped."""
    score = sum(player.score for player in game.view().players)
    found = ROOM.answer(game.seen(1 << seat), seat, f"{text} in game 1 at {score} points")
    if isinstance(found, Dropped):
        return str(found.reason)
    return None if found is None else str(game.title.text.move(game.setup, found))


def offered(game: Game, seat: int) -> list[str]:
    return [order.text for order in ROOM.describe(game.seen(1 << seat), seat)]


def test_what_is_offered_and_parses_back() -> None:
    assert offered(at(), 1) == [
        f"{order} in game 1 at 7 points" for order in ("pass", "raise to 60", "raise to 90")
    ]
    assert offered(at(), 0) == ["pass in game 1 at 7 points"]  # not asked yet, and no card would do
    assert offered(at(passed="2", first="2", turn="1"), 1) == []
    for order in ROOM.describe(at().seen(2), 1):
        assert ROOM.parse(order.text) == order and order.label and ";" not in order.text
    labels = [order.label for order in ROOM.describe(at().seen(2), 1)]
    assert [label[:14] for label in labels[1:]] == ["Raise up to 60", "Raise up to 90"], (
        "told apart on a phone"
    )


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "pass",
        "raise to 90",
        "raise to 95 in game 1 at 7 points",
        "raise to 140 in game 1 at 7 points",
        "raise in game 1 at 7 points",
        "pass in game 0 at 7 points",
        "pass in game 1 at 07 points",
        "pass in game 1 at 7 points\n# lies",
        "p" * 99,
    ],
)
def test_what_is_no_order(bad: str) -> None:
    with pytest.raises(BadMove, match="not an order"):
        ROOM.parse(bad)


def test_ra_3_3_passes_when_asked() -> None:
    assert said(at(), 1, "pass") == "pass"
    assert said(at(), 0, "pass") is None, "not asked"


def test_ra_3_3_raises_with_the_slowest_card_up_to_its_limit() -> None:
    assert said(at(), 1, "raise to 90") == "r60", "of red and black 60 the red one"
    assert said(at(top="r60", hands="1:r10|2:r90,k60,k90|3:g20", discard="r60"), 1, "raise to 130") == "r90"
    assert said(at(top="r60", hands="1:r10|2:r100,k90|3:g20", discard="r60"), 1, "raise to 130") == "k90"
    assert said(at(), 1, "raise to 50") == "pass", "nothing slower is legal"
    assert said(at(), 0, "raise to 50") is None


def test_ra_3_4_the_last_player_does_not_beat_itself() -> None:
    game = at("all", turn="3", passed="1,2", first="1")
    assert said(game, 2, "raise to 130") == "pass"


def test_ra_5_2_where_a_pass_costs_a_card_the_slowest_goes() -> None:
    hands = "1:r10,g50|2:r60,g30,k30|3:r70,k120"
    game = at(hands=hands, discard=empty(hands))
    assert said(game, 1, "pass") == "pass k30", "of two 30s the black one, which cannot lead"
    assert said(game, 1, "raise to 50") == "pass k30"
    hands = "1:r10,g50|2:r60,g20,k30|3:r70,k120"
    assert said(at(hands=hands, discard=empty(hands)), 1, "pass") == "pass g20"


def test_ra_3_2_a_leader_who_must_lead_is_not_passed_for() -> None:
    led = {"colour": "-", "top": "-", "best": "-", "discard": "-"}
    game = at(leader="2", **led)
    assert offered(game, 1) == [f"raise to {speed} in game 1 at 7 points" for speed in (20, 30, 60, 90)], (
        "a 10 beats nothing"
    )
    assert "RA-3.2" in str(said(game, 1, "pass"))
    assert said(game, 1, "raise to 90") is None, "it waits for a lead"
    assert said(game, 0, "pass") is None
    game = at(leader="2", hands="1:r10,g50|2:k30,k60|3:r70,k120", **led)
    assert said(game, 1, "pass") == said(game, 1, "raise to 90") == "pass"


def test_an_order_ends_with_its_round() -> None:
    game = at()
    texts = offered(game, 0)
    game.play(1, "r60")
    assert offered(game, 0) == texts, "still the same round"
    game.play(2, "pass")
    game.play(0, "pass")
    assert ROOM.answer(at(passed="1", first="1").seen(1), 0, texts[0]) == Dropped("")
    game.chance = Seeded(1)
    game._settle()
    assert game.view().phase == "round" and sum(player.score for player in game.view().players) > 7
    for seat in range(3):
        for text in (texts[0], "raise to 90 in game 1 at 7 points"):
            assert ROOM.answer(game.seen(1 << seat), seat, text) == Dropped("")
    hands = "1:|2:r60|3:r70"
    assert said(at(hands=hands, discard=empty(hands)), 0, "pass") == "the hand is empty"


def test_every_round_has_a_mark_of_its_own() -> None:
    for seed in range(count(10, 30)):
        game, choose = paddock.start("rasant", seed=seed, games=2), random.Random(seed)
        marks: list[tuple[str, int]] = []
        rounds = 0
        while not game.over:
            seat = game.deciders[0]
            view = game.view()
            if view.colour is None and not any(player.passed for player in view.players):
                rounds += 1
            marks += [
                (order.text, rounds)
                for player in range(4)
                for order in ROOM.describe(game.seen(1 << player), player)
            ]
            game.play(seat, choose.choice(game.legal(seat).ids))
        by_mark = {text.split(" in ")[1]: n for text, n in marks}
        assert all(by_mark[text.split(" in ")[1]] == n for text, n in marks)


def test_an_order_makes_legal_moves_and_knows_only_what_its_owner_sees() -> None:
    """Deal again what the owner cannot know: every order is offered and answers the same."""
    for seed in range(count(8, 20)):
        game, choose = paddock.start("rasant", seed=seed, players=3), random.Random(seed)
        rng, out = Seeded(seed), [0] * 200
        while not game.over:
            for seat in range(3):
                seen, twin = game.seen(1 << seat), game.seen(1 << seat)
                game.title.rules.redeal(twin.state, twin.setup, 1 << seat, rng.rng, out)
                game.title.rules.hide(twin.state, twin.setup, 1 << seat)
                texts = ROOM.describe(seen, seat)
                assert ROOM.describe(twin, seat) == texts
                for order in texts:
                    move = ROOM.answer(seen, seat, order.text)
                    assert ROOM.answer(twin, seat, order.text) == move
                    assert move is None or move in seen.legal(seat)
                    if isinstance(move, int) and move < PASS:
                        assert (move % SPEEDS + 1) * 10 <= int(order.text.split()[2])
                    assert not isinstance(move, int) or move < DISCARD or not game.view().reserve
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))


@pytest.mark.anyio
async def test_at_a_table_it_answers_and_goes_with_its_round(tmp_path: Path) -> None:
    runtime = HandRuntime()
    async with service(f"sqlite:///{tmp_path / 'paddock.sqlite3'}", Seeded(3), runtime) as tables:
        table = await tables.making.create(
            "rasant", {"players": 3}, ["me"] * 3, holder=ANA, terms=Terms(pace="instant")
        )
        tables.start_bots()
        leader = table.game.deciders[0]
        others = [(leader + 1) % 3, (leader + 2) % 3]
        for seat in others:
            order = next(o for o in orders.offered(table, seat) if o.text.startswith("pass "))
            await tables.run(table.id, orders.give, ANA, seat, order.text)
            assert orders.given(table, seat) == [order]
        await play(tables, table, leader)
        await runtime.let(tables, 10)
        await quiet(tables)
        score = [player.score for player in table.game.view().players]
        assert score[leader] > 0 and sum(score) == score[leader], "both have passed"
        assert table.orders == {}, "they are done, and nothing is to be told of it"
