"""Numbers of the rules, in every title: the rulebook's leave no trace; games with others are whole."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.sampling import SEED, count
from tests.titles import RULES

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.options import DESIGN, OptionRow, changes
from paddock.core.title import Title
from paddock.kernel import CHANCE, stream
from paddock.kernel.source import Seeded

NUMBERS = [(title, row) for title in RULES for row in title.options.describe() if row.rulebook]
ENDS = [(title, row, end) for title, row in NUMBERS for end in (row.least, row.most)]
QUICK: dict[str, dict[str, Any]] = {
    "great_race": {"max_turns": 4},
    "lacorsa": {"large_grid": True, "grid_hands": "no"},  # where most of its numbers matter
}
MOVES = count(120, 1000)


def name_of(value: object) -> str:
    return str(getattr(value, "name", value))


@pytest.mark.parametrize(("title", "row"), NUMBERS, ids=name_of)
def test_a_number_is_the_rulebooks_until_it_is_changed(title: Title, row: OptionRow) -> None:
    usual = title.options()
    assert f"{row.name}=" not in f"{usual.text} {usual.short}"
    assert title.options.read({row.name: row.default}).text == usual.text
    assert row.advanced and row.group == DESIGN and row.clause in title.rulebook.clauses
    assert int(row.default) in row.numbers and len(row.numbers) > 1
    other = next(n for n in row.numbers if str(n) != row.default)
    changed = title.options.read({row.name: other})
    assert changed.changed == {row.name: other} and title.options.changed_in(changed.short)
    assert title.options.read_text(changed.text) == changed
    (change,) = changes(changed)
    assert change.words in title.rules_with(changed).excerpt(row.clause)
    assert change.words not in title.rulebook.excerpt(row.clause)


@pytest.mark.parametrize(("title", "row"), NUMBERS, ids=name_of)
def test_outside_its_range_it_is_refused_with_its_clause(title: Title, row: OptionRow) -> None:
    for wrong in (row.numbers[0] - row.step, row.numbers[-1] + row.step):
        with pytest.raises(paddock.BadOption, match=rf"{row.name}={wrong}: write .*{row.clause}"):
            title.options.read({row.name: wrong})


@pytest.mark.parametrize(("title", "row", "end"), ENDS, ids=name_of)
def test_a_game_at_the_end_of_a_range_is_whole(title: Title, row: OptionRow, end: int) -> None:
    """Its invariants hold, its positions and records are read again, and what is hidden is dealt again."""
    options = title.options.read({**title.one_round, **QUICK.get(title.name, {}), row.name: end})
    choose, rules, stream_row = random.Random(f"{SEED} {row.name} {end}"), title.rules, [0]
    stream(SEED, 0, stream_row)
    game = Game(title, options, Seeded(SEED, 0))
    g = game.setup
    for move in range(MOVES):
        if game.over:
            break
        seat = choose.choice(game.deciders)
        if move % 10 == 0:
            assert paddock.position(game.position).position == game.position
            s, eyes = game._state.copy(), choose.randrange(1 << options.seats)
            rules.hide(s, g, eyes)
            hidden = s.present()
            rules.redeal(s, g, eyes, stream_row, [0] * (rules.ACTIONS + 1))
            assert title.invariants.broken(s, g) == 0
            rules.hide(s, g, eyes)
            assert s.present() == hidden
        game.play(seat, choose.choice(game.legal(seat).ids))
        assert title.invariants.broken(game._state, g) == 0
    people = [(name, None) for name in game.names]
    again = records.read(records.write(game, date="2026-03-01", players=people)).game()
    assert (again.position, list(again.log)) == (game.position, list(game.log))
    assert all(entry.by == CHANCE or entry.by < options.seats for entry in game.log)
    partial = records.read(records.write(game, date="2026-03-01", players=people, eyes=0))
    assert records.complete(partial, Seeded(SEED, 1)).options == options
    if game.over:
        scores = game.rounds[-1].scores
        assert rules.MIN_SCORE <= min(scores) <= max(scores) <= rules.MAX_SCORE
