"""RA: every forbidden move is refused with the clause that forbids it."""

from __future__ import annotations

import random

from paddock.games.rasant.rulebook import TITLE

from ..harness import draw_one, rng
from .harness import MOVES, Game, between, fresh


def code(game: Game, move: str) -> int:
    return TITLE.refusals.why(game.s, game.g, game.asked - 1, MOVES.index(move))


def test_ra_every_code_is_reached_and_names_its_clause() -> None:
    """RA-2.2, RA-3.2, RA-3.3, RA-5.2: one position for each."""
    leads = between({1: "r10 k20", 2: "g10"}, reserve="b10")
    raises = between({1: "r50", 2: "r50 r90 g90 k10"}, reserve="b10").run("1:r50")
    pays = between({1: "r50", 2: "r50 r90 g90 k10"}).run("1:r50")
    forced = between({1: "k20 k30", 2: "g10"}, reserve="b10")
    reached = {
        ("RA-2.2", code(leads, "r20")),
        ("RA-3.2", code(leads, "k20")),
        ("RA-3.2", code(leads, "pass")),
        ("RA-3.3", code(raises, "g90")),
        ("RA-3.3", code(raises, "k10")),
        ("RA-5.2", code(raises, "pass g90")),
        ("RA-5.2", code(pays, "pass")),
        ("", code(raises, "r90")),
    }
    assert {number for _, number in reached} == set(range(TITLE.refusals.CODES))
    for clause, number in reached:
        if number:
            named, sentence = leads.refusal(1, number, "k10")
            assert (named, bool(sentence)) == (clause, True)
    assert (leads.why(1, "g10"), leads.why(1, "k30")) == ("RA-2.2", "RA-2.2")
    assert (forced.why(1, "k20"), forced.why(1, "pass k20"), forced.why(1, "pass")) == (
        "RA-3.2",
        "RA-5.2",
        "",
    )
    assert (raises.why(2, "r50"), pays.why(2, "r50"), pays.why(2, "pass r50")) == ("RA-3.3", "RA-3.3", "")
    assert pays.why(2, "pass b10") == "RA-2.2"


def test_ra_3_3_a_refusal_names_the_card() -> None:
    """RA-3.3 in words."""
    game = between({1: "r50", 2: "r50 g90"}, reserve="b10").run("1:r50")
    assert "green 90" in game.refusal(2, code(game, "g90"), "g90")[1]
    assert "red 50" in game.refusal(2, code(game, "r50"), "r50")[1]


def test_ra_3_3_every_move_is_either_legal_or_refused() -> None:
    """RA-3.3, RA-5.2 never both, never neither, in random games."""
    for seed in range(12):
        choose = random.Random(seed)
        game = fresh(players=2 + seed % 4, round_end=("one", "all")[seed % 2], deck=DECKS[seed % 3])
        row = rng(seed)
        while game.asked >= 0:
            if game.asked == 0:
                draw_one(game, row)
                continue
            legal = game.legal(game.asked)
            assert legal
            assert {move for move in MOVES if not code(game, move)} == set(legal)
            game.play(game.asked, choose.choice(legal))


DECKS = ("standard", "all-black-top", "2*r10-130+3*k20-90")
