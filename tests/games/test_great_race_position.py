"""The Great Race: positions parse back and strictly, and list their faults."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.games.great_race_help import RULES, at, legal, races, seats

from paddock.core.errors import BadPosition
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import ACTIONS, OUTCOMES, OVER, Setup, State
from paddock.games.great_race.words.position import FIELDS, parse_position, position
from sampling import count

EACH = count(8, 30)  # states of a stage that are all looked at
OTHERS = count(90, 30)  # of the others every so many


def words(s: State, g: Setup) -> dict[str, str]:
    return dict(word.split("=", 1) for word in position(s, g).split())


def faults(s: State, g: Setup, field: str, value: str) -> str:
    with pytest.raises(BadPosition) as error:
        parse_position(words(s, g) | {field: value}, g)
    return str(error.value)


def test_every_position_parses_back_and_plays_on_alike() -> None:
    """The same present byte for byte, so what follows is the same; in every stage."""
    stages: Counter[int] = Counter()
    for _options, s, g in races(count(25, 40), seed=2):
        stages[s.stage] += 1
        if s.phase == OVER or (stages[s.stage] > EACH and stages[s.stage] % OTHERS):
            continue
        again = parse_position(words(s, g), g)
        assert again.present() == s.present()  # type: ignore[attr-defined]
        assert position(again, g) == position(s, g)
        assert RULES.who(again, g) == RULES.who(s, g)
        for seat in seats(s, g):
            assert legal(again, g, seat) == legal(s, g, seat)
    assert len(stages) == 30


def test_damaged_positions_are_refused_or_are_positions() -> None:
    """Whatever stands in a field: it is refused with a sentence, or whoever is asked has an answer."""
    choose, told, taken = random.Random(5), list[str](), 0
    looked = [
        (s.copy(), g) for i, (_options, s, g) in enumerate(races(6, seed=3)) if i % 40 == 0 if s.phase != OVER
    ]
    others = [words(s, g) for s, g in looked]
    for s, g in looked:
        right = words(s, g)
        for field in choose.sample(sorted(FIELDS), 20):
            wrong = choose.choice(
                (choose.choice(others)[field], "-", "x", "-1", "99", right[field] + ",1", "", "1")
            )
            if wrong == right[field]:
                continue
            try:
                made = parse_position(right | {field: wrong}, g)
            except BadPosition as error:
                told.append(str(error))
                continue
            taken += 1
            out = [0] * (ACTIONS + 1)
            if not seats(made, g):
                assert RULES.outcomes(made, g, out, [0] * OUTCOMES)
            for seat in seats(made, g):
                moves = legal(made, g, seat)
                assert moves
                for move in moves:
                    after = made.copy()
                    RULES.apply(after, g, seat, move)
                    RULES.who(after, g)
    assert len(told) > 600
    assert all(sentence and "\n" not in sentence for sentence in told)
    assert taken > 5


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("phase", "race", "write one of"),
        ("stage", "act-up", "write one of"),
        ("round", "x", "write a number"),
        ("round", "007", "write a number"),
        ("asked", "9", "write a number"),
        ("order", "1,1,1,1,1", "write a part for each"),
        ("origin", "ZZ", "no space"),
        ("crew", "-", "write a part for each"),
        ("hands", "1:-", "write a part for each"),
        ("discard", "militia,trail-hunter", "in the order"),
        ("discard", "militia,militia,militia,militia", "GR-1.5"),
        ("private", "1:militia", "who knows"),
        ("board", "mud", "no space"),
        ("removed", "mud-slide", "write one of"),
        ("assistants", "5", "write a part for each"),
        ("tokens", "9", "city tokens"),
        ("left", "99", "write a number"),
    ],
)
def test_each_fault_is_said(field: str, value: str, sentence: str) -> None:
    s, g = at(state.STEP)
    assert sentence in faults(s, g, field, value)


def test_every_fault_is_listed() -> None:
    s, g = at(state.ACT)
    text = words(s, g) | {"round": "first", "bought": "perhaps"}
    with pytest.raises(BadPosition) as error:
        parse_position(text, g)
    assert "round=first" in str(error.value)
    assert "bought=perhaps" in str(error.value)
    del text["turn"]
    with pytest.raises(BadPosition, match="“turn=” is missing"):
        parse_position(text, g)
    with pytest.raises(BadPosition, match="no field “colour”"):
        parse_position(text | {"colour": "red"}, g)
