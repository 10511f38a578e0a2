"""The story of an analysed game, from an account and judged moves."""

from __future__ import annotations

from dataclasses import replace

import paddock
from paddock.bots.analysis import Analysis, JudgedSubmission
from paddock.bots.ledger import KINDS, Amount, LedgerAccount
from paddock.core.game import Game
from paddock.features.analyses.story import game_story
from paddock.kernel.source import Seeded
from paddock.tables.analysing import Analysed

NOTHING = Amount(0.0, 0.0)
MOVE = JudgedSubmission(9, 9, 0, 0, "12", 9, "12", "6", 0.8, 0.2, 0.8, (), counted=0.8)


def finished() -> Game:
    game, rng = paddock.start("lacorsa", drivers=2, races=1, seed=1), Seeded(1)
    while not game.over:
        for seat in game.deciders:
            game.play(seat, game.legal(seat)[rng.below(len(game.legal(seat)))])
    return game


def analysed(game: Game, turns: list[JudgedSubmission], **parts: Amount) -> Analysed:
    """An account of the first player with these parts, and its negative for the second one."""
    whole = {kind: parts.get(kind, NOTHING) for kind in KINDS}
    result = sum(part.points for part in whole.values())
    opposite = {kind: Amount(0.0 - part.points, part.error) for kind, part in whole.items()}
    ledger = [LedgerAccount(0, whole, result), LedgerAccount(1, opposite, 0.0 - result)]
    analysis = Analysis("lacorsa", len(game.log), 8, "1", ())
    return Analysed(analysis, turns, ledger, [], tuple(game.options.owners))


def test_a_story_has_the_largest_part_the_moves_and_the_luck() -> None:
    """Its own mistakes are a part: they are taken from what the decisions brought."""
    game = finished()
    good = replace(MOVE, text="9", cost=0.0, error=0.0, gained=0.5, gained_error=0.1, counted=0.0)
    made = analysed(
        game, [MOVE, good], deal=Amount(1.2, 0.3), draws=Amount(-0.4, 0.1), skill=Amount(-0.1, 0.1)
    )
    told = game_story(made, game, 0, you=True)
    assert told is not None
    decided, moves, luck = told.sentences
    assert decided.endswith("0.70 points over the mean of all; most came from: Deal (+1.20 ± 0.30).")
    assert decided.startswith("You finished ") and "You" not in told.text and game.names[0] in told.text
    assert moves == (
        "Best move: 9, 0.50 ± 0.10 points over what bots usually play there. "
        "Dearest move: 12, which cost 0.80 ± 0.20 points; 6 was better."
    )
    assert luck == "Luck: the deal brought +1.20 ± 0.30, what was drawn later -0.40 ± 0.10 points."
    other = game_story(made, game, 1, you=False)
    assert (
        other is not None
        and "0.70 points below the mean of all; most was lost by: Deal (-1.20 ± 0.30)" in other.sentences[0]
    )
    assert other.sentences[1].endswith("No move was a clear mistake.")


def test_nothing_is_said_to_decide_what_is_within_the_error() -> None:
    game = finished()
    made = analysed(game, [], deal=Amount(0.2, 0.3))
    told = game_story(made, game, 0, you=False)
    assert told is not None and "nothing decided it alone" in told.sentences[0]
    assert game_story(replace(made, ledger=[]), game, 0, you=False) is None
