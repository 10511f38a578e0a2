"""The game object: log, positions that parse back, and the three forms of a move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from tests.titles import TITLES, random_options

import paddock
from paddock.core.errors import BadMove, PaddockError
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from sampling import count, seeds, some


def random_game(name: str, seed: int) -> Iterator[tuple[Game, random.Random]]:
    """Play a random series with random options; yield the game before every decision and at the end."""
    choose = random.Random(seed)
    options = random_options(paddock.title(name), choose)
    game = paddock.start(name, seed=seed, **options.model_dump())
    while not game.over:
        yield game, choose
        seat = choose.choice(game.deciders)
        game.play(seat, choose.choice(game.legal(seat)))
    yield game, choose


def test_the_front_door() -> None:
    game = paddock.start("lacorsa", drivers=4, races=7, seed=7)
    assert game.deciders == (0, 1, 2, 3)
    assert game.title.label == "LACORSA"
    assert set(paddock.titles()) >= {"lacorsa"}


REFUSALS = {"lacorsa": (0, 1, 16), "rasant": (2, 10)}  # games in which each code of a refusal comes up


@pytest.mark.parametrize("name", sorted({*TITLES} - {"great_race"}))  # tests/games has one for so many ids
def test_every_move_is_legal_or_refused_never_both(name: str) -> None:
    """Legal list and ``why`` agree on every move id in every state, and each refusal names a clause."""
    clauses = paddock.title(name).rulebook.clauses
    reached = set()
    for seed in sorted({*REFUSALS[name], *seeds(0, 12)}):
        for game, _ in random_game(name, seed):
            for seat in range(game.options.seats):
                legal, ids = game.legal(seat), range(game.title.rules.ACTIONS)
                for move in ids if seat in game.deciders else some(ids, 12):
                    error = game.why(seat, move)
                    assert (error is None) == (move in legal.ids)
                    if seat in game.deciders and error:
                        assert isinstance(error, paddock.IllegalMove)
                        assert error.clause in clauses and error.reason
                        reached.add(game.title.refusals.why(game._state, game.setup, seat, move))
    assert reached == set(range(1, paddock.title(name).refusals.CODES)), "a code that nothing reaches"


@pytest.mark.parametrize("name", TITLES)
def test_moves_parse_back(name: str) -> None:
    """A notation is words separated by one space, without «;» and «#»: the terminal uses these two."""
    title, choose = paddock.title(name), random.Random(1)
    for _ in range(5):
        g = title.setup_of(random_options(title, choose))
        for id in range(title.rules.ACTIONS):
            move = title.text.move(g, id)
            assert move.id == title.text.parse_move(g, str(move)).id == id
            assert " ".join(str(move).split()) == str(move)
            assert not {";", "#"} & set(str(move))


# For each title: the seeds of two games of other options that fill so many fields of a position, all that
# a dozen games fill.
FIELDS = {"lacorsa": ((9, 10), 12), "rasant": ((8, 2), 15), "great_race": ((5, 2), 47)}


@pytest.mark.parametrize("name", TITLES)
def test_positions_parse_back_and_play_on_alike(name: str) -> None:
    chosen, fields = FIELDS[name]
    filled = set()
    for seed in (*chosen, *seeds(0, 12)):
        for n, (game, _) in enumerate(random_game(name, seed)):
            words = (word.partition("=") for word in game.position_words.split())
            filled |= {field for field, _equals, value in words if value.strip("-0,|:")}
            if n % count(3, 1):
                continue
            text = game.position
            assert repr(game) == f"paddock.position({text!r})"
            again = eval(repr(game))
            assert again.position == text
            assert again.digest == game.digest
            assert again.deciders == game.deciders
            for seat in game.deciders:
                assert again.legal(seat).ids == game.legal(seat).ids
            if n % 5 == 0:
                assert game.standings() == again.standings()
                seeded = paddock.position(text, seed=1)
                assert (seeded.position, seeded._state.tobytes()) == (text, again._state.tobytes())
                assert seeded.deciders == game.deciders
    assert len(filled) >= fields, f"only {sorted(filled)}: choose other seeds"


def test_refusals_change_nothing() -> None:
    game = paddock.start("lacorsa", seed=1)
    before = game.position
    for seat, move in (
        (0, "x5"),
        (0, "R+R"),
        (9, "5"),
        (-1, "5"),
        (0, "13"),
        (0, "^2"),
        (0, ""),
        (0, 99),
        (0, True),
    ):
        with pytest.raises(paddock.PaddockError):
            game.play(seat, move)
        assert game.position == before
    with pytest.raises(paddock.BadMove, match="outcome"):
        Game(game.title, game.options).append(Entry(CHANCE, 99))
    with pytest.raises(paddock.BadMove, match="no chance"):
        game.append(Entry(CHANCE, 1))


def test_pending_commitments_are_the_owners_alone() -> None:
    """LC-3.1 others see that a car committed a card, but not which one."""
    game = paddock.start("lacorsa", seed=1)
    first, *others = game.legal(0).ids
    for move in (first, others[-1]):
        mine = game.title.view.view(game.seen(1, {0: move}))
        assert mine.cars[0].commit == str(game.title.text.move(game.setup, move))
    theirs = [game.title.view.view(game.seen(2, {0: move})) for move in (first, others[-1])]
    assert theirs[0] == theirs[1]
    assert theirs[0].cars[0].committed
    assert theirs[0].cars[0].commit is None


def test_the_same_seed_gives_the_same_game() -> None:
    one, two, other = (paddock.start("lacorsa", seed=s).position for s in (7, 7, 8))
    assert one == two
    assert one != other
    assert (
        paddock.start("lacorsa", seed="a name").position == paddock.start("lacorsa", seed="a name").position
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"drivers": 7}, "drivers=7"),
        ({"drivers": "many"}, "drivers=many"),
        ({"speed": 3}, "no option “speed”"),
        ({"races": 0}, "races=0"),
        ({"championship": "teams", "drivers": 5}, "LC-2.1"),
        ({"championship": "drivers", "drivers": 2}, "LC-2.2"),
        ({"pairs": True, "drivers": 3}, "LC-2.2"),
        ({"points": (1, 2)}, "LC-7.2"),
        ({"points": ""}, "points"),
        ({"points": "9,x"}, "points"),
        ({"points": (-1,)}, "LC-7.2"),
        ({"double_redline": "maybe"}, "double_redline=maybe"),
        ({"extra_suits": -1}, "extra_suits=-1"),
    ],
)
def test_bad_options_say_what_is_wrong(options: dict[str, object], words: str) -> None:
    with pytest.raises(paddock.BadOption) as error:
        paddock.start("lacorsa", **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_every_bad_option_is_listed() -> None:
    with pytest.raises(paddock.BadOption) as error:
        paddock.start("lacorsa", drivers=13, races=0, extra_suits=77)
    assert len(error.value.faults) == 3


def test_options_as_text_parse_back() -> None:
    for seed in range(50):
        options = random_options(paddock.title("lacorsa"), random.Random(seed))
        assert type(options).read_text(options.text) == options
    with pytest.raises(paddock.BadOption, match="twice"):
        type(options).read_text("drivers=4 drivers=5")
    with pytest.raises(paddock.BadOption, match="NAME=VALUE"):
        type(options).read_text("drivers")


def test_an_unknown_title_names_those_there_are() -> None:
    with pytest.raises(paddock.PaddockError, match="lacorsa"):
        paddock.start("monopoly")


def test_drawings_in_a_notebook() -> None:
    assert paddock.start("lacorsa", seed=3)._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("what", [4.0, 5.0, [1], "x", None, float("nan"), True])
def test_an_outcome_that_is_no_whole_number_is_refused_and_changes_nothing(what: object) -> None:
    game = Game(paddock.title("lacorsa"), paddock.title("lacorsa").options.read({}))
    before = game.fork()
    with pytest.raises(BadMove, match="not possible here"):
        game.append(Entry(CHANCE, what))
    assert game == before


def test_arrays_and_texts_are_no_numbers_of_moves_seats_and_entries() -> None:
    game = paddock.start("lacorsa", seed=1)
    some = np.array(game.legal(0).ids[:2])
    with pytest.raises(BadMove, match="is not a move"):
        game.play(0, some)
    with pytest.raises(BadMove, match="there is no seat"):
        game.play(some, 0)
    for wrong in ("1", 0.5, True):
        with pytest.raises(PaddockError, match="choose a log entry"):
            game.at(wrong)
    game.play(np.int64(0), some[0])
    assert game.log[-1].by == 0 and game.at(np.int64(1)).log == game.log[:1]


class Word(str):
    """A text of another class, as some libraries return."""


@pytest.mark.parametrize(
    "move", [b"1", bytearray(b"\x01"), memoryview(b"1"), np.bytes_(b"1"), True, np.True_, 1.0, np.float64(1)]
)
def test_what_only_looks_like_a_move_is_refused(move: object) -> None:
    """Bytes are numbers in a row: their ids must not be played."""
    game = paddock.start("lacorsa", seed=1)
    before = game.position
    for given in (move, [move]):
        with pytest.raises(BadMove, match="is not a move of LACORSA: give a notation, an id or a move of"):
            game.play(0, given)  # type: ignore[arg-type]
        assert game.position == before
    assert isinstance(game.why(0, move), BadMove)  # type: ignore[arg-type]
    assert move not in game.legal(0)
    with pytest.raises(BadMove, match="there is no seat"):
        game.play(move, "1")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [bytes, bytearray, lambda data: memoryview(bytes(data))])
def test_bytes_of_a_legal_id_are_not_played(kind: Callable[[tuple[int, ...]], object]) -> None:
    game = paddock.start("lacorsa", seed=1)
    with pytest.raises(BadMove, match="is not a move of LACORSA"):
        game.play(0, kind(game.legal(0).ids[:1]))  # type: ignore[arg-type]
    assert 0 in game.deciders


@pytest.mark.parametrize("kind", [str, Word, np.str_])
def test_any_text_and_any_integer_is_a_move(kind: type[str]) -> None:
    game = paddock.start("lacorsa", seed=1)
    move = game.legal(0)[0]
    game.play(0, kind(str(move)))
    assert game.log[-1].what == move.id
    game.play(np.int8(1), np.uint16(game.legal(1).ids[0]))
    assert game.deciders == (2, 3)


def test_outcomes_have_names() -> None:
    title = paddock.title("lacorsa")
    game = Game(title, title.options.read({}))
    outcomes = game.outcomes()
    assert outcomes == dict.fromkeys(range(13), 4) and repr(outcomes) == repr(dict(outcomes))
    assert outcomes.names == {0: "R"} | {id: str(id) for id in range(1, 13)}
    assert outcomes.heading == "deal 1"
    assert "<td style=" in outcomes._repr_html_() and ">R<" in outcomes._repr_html_()
    game.append(Entry(CHANCE, outcomes.id_of("R")))
    assert game.outcomes()[0] == 3
    with pytest.raises(BadMove, match="“13” is not possible here"):
        outcomes.id_of("13")
    none = paddock.start("lacorsa", seed=1).outcomes()
    assert none == {} and none.names == {} and none.heading == ""


@pytest.mark.parametrize("name", TITLES)
def test_the_names_of_outcomes_are_those_of_records(name: str) -> None:
    title = paddock.title(name)
    game, source, headings = Game(title, title.options.read({})), paddock.Seeded(1), set()
    for _ in range(150):
        if not game.chance_due:
            seat = game.deciders[0]
            game.play(seat, game.legal(seat)[-1])
            continue
        outcomes = game.outcomes()
        assert len(set(outcomes.names.values())) == len(outcomes) > 0
        assert all(outcomes.id_of(word) == id for id, word in outcomes.names.items())
        headings.add(outcomes.heading.split()[0])
        game.append(game.draw(source))
    assert headings


def test_legal_moves_are_a_sequence() -> None:
    game = paddock.start("lacorsa", seed=7)
    moves = game.legal(0)
    typed = list(moves)
    assert moves[0] == typed[0] and moves[-1] == typed[-1]
    assert list(moves[1:]) == typed[1:] and moves[1:].ids == moves.ids[1:]
    assert list(reversed(moves)) == typed[::-1]
    assert game.play(0, moves[0]) is not None
    with pytest.raises(IndexError):
        moves[len(moves)]


def test_legal_moves_find_a_move_a_notation_and_an_id() -> None:
    moves = paddock.start("lacorsa", seed=7).legal(0)
    for n, move in enumerate(moves):
        for same in (move, str(move), move.id):
            assert same in moves and moves.index(same) == n and moves.count(same) == 1
    for wrong in ("^2", "nonsense", -1, None, object()):
        assert wrong not in moves and moves.count(wrong) == 0
        with pytest.raises(ValueError, match="is not in the list"):
            moves.index(wrong)


def test_equal_legal_moves_are_those_of_the_same_title_options_and_moves() -> None:
    game = paddock.start("lacorsa", seed=7)
    assert game.legal(0) == game.fork().legal(0) and hash(game.legal(0)) == hash(game.fork().legal(0))
    assert game.legal(0)[:1] == game.legal(0)[:1] != game.legal(0)[1:]
    empty = paddock.start("rasant", seed=7).legal(1)[:0]
    assert empty != game.legal(0)[:0] and game.legal(0) != list(game.legal(0))
