"""The Great Race: standing orders for the windows in which a danger can be avoided."""

from __future__ import annotations

import pytest
from tests.games.great_race_help import at, legal, races, seen

from paddock.core.errors import BadMove
from paddock.core.title import Dropped
from paddock.games.great_race.bots.policy import guard_move
from paddock.games.great_race.page import orders
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules.state import (
    CANCEL,
    COOK_GUARD,
    DECLINE,
    GUARD,
    MILITIA,
    PAY,
    PLAY,
    RANSOM_STAGE,
)


def test_orders_parse_back_and_answer_in_their_windows() -> None:
    """GR-10.20, GR-11.5."""
    met = set()
    for options, s, g in races(12):
        if s.stage not in (CANCEL, RANSOM_STAGE):
            continue
        seat = s.asked
        mine = seen(options, s, g, 1 << seat)
        moves = legal(s, g, seat)
        given = {order.text.split()[0]: order for order in orders.describe(mine, seat)}
        assert set(given) >= {"protect", "guards", "decline"}
        answers = {word: orders.answer(mine, seat, order.text) for word, order in given.items()}
        for word, order in given.items():
            assert orders.parse(order.text) == order
            assert orders.answer(mine, (seat + 1) % g.players, order.text) in (None, Dropped(""))
            met.add((s.stage, word, answers[word]))
        if s.stage == RANSOM_STAGE:
            assert (answers["pay"], answers["refuse"]) == (PAY, DECLINE)
            assert answers["protect"] is None
        else:
            assert answers["decline"] == DECLINE
            guard = next((move for move in (COOK_GUARD, GUARD) if move in moves), DECLINE)
            assert answers["guards"] == guard
            militia = PLAY + MILITIA if PLAY + MILITIA in moves else DECLINE
            assert answers["protect"] == (guard if guard != DECLINE else militia)
        late = orders.answer(mine, seat, "decline in race 9")
        assert isinstance(late, Dropped)
    protected = {move for stage, word, move in met if stage == CANCEL and word == "protect"}
    assert protected == {GUARD, COOK_GUARD, PLAY + MILITIA, DECLINE}


@pytest.mark.parametrize("word", ["protect", "guards"])
def test_the_free_guard_is_spent_before_an_assistant(word: str) -> None:
    """GR-11.1 Cook's guard is free, so an order, the option ``reactions`` and Club keep the assistant."""
    for options, s, g in races(60):
        seat = s.asked
        if s.stage == CANCEL and s.target == seat and {GUARD, COOK_GUARD} <= set(legal(s, g, seat)):
            mine = seen(options, s, g, 1 << seat)
            assert orders.answer(mine, seat, f"{word} in race 1") == COOK_GUARD
            moves = legal(s, g, seat)
            assert guard_move(moves, len(moves)) == COOK_GUARD
            return
    raise AssertionError("no race had both guards")


@pytest.mark.parametrize("bad", ["", "protect", "protect in race 0", "hide in race 1", "p" * 99])
def test_what_is_no_order(bad: str) -> None:
    with pytest.raises(BadMove, match="no order"):
        orders.parse(bad)


def test_the_option_gives_an_order_to_everybody() -> None:
    """GR-10.21."""
    s, g = at(CANCEL)
    for word, lines in (("ask", []), ("decline", ["decline in race 1"]), ("protect", ["protect in race 1"])):
        options = TITLE.options.read({"players": g.players, "reactions": word})
        assert list(orders.always(seen(options, s, g, 1), 0)) == lines
