"""LACORSA's positions parse strictly and list their faults."""

from __future__ import annotations

import contextlib
import itertools
import random

import pytest

import paddock
from sampling import count

HEAD = (
    "lacorsa/2 drivers=2 races=1 championship=auto pairs=no extra_suits=0 double_redline=refused "
    "points=9,6,4,3,2,1 results=-"
)


def words_of(text: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in text.split()[1:])


def words(game: paddock.Game) -> dict[str, str]:
    return words_of(game.position)


def faults(text: str) -> str:
    with pytest.raises(paddock.BadPosition) as error:
        paddock.position(text)
    assert "\n" not in str(error.value)
    return str(error.value)


def at(phase: str) -> paddock.Game:
    """A seeded game when it first stands in ``phase``, with a commitment where there can be one."""
    for seed in range(200):
        game = paddock.start("lacorsa", drivers=4, seed=seed)
        while not game.over:
            if game._state.phase == ("deal", "qualify", "tied", "challenge", "road").index(phase):
                return game
            seat = game.deciders[0]
            game.play(seat, next(iter(game.legal(seat))))
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [("last", "yes", "LC-7.1"), ("passes", "1", "LC-5.4"), ("drafted", "2", "LX-5.1")],
)
def test_nothing_of_a_lap_stands_in_a_deal(field: str, value: str, sentence: str) -> None:
    title = paddock.title("lacorsa")
    text = paddock.Game(title, title.options.read({"large_grid": "yes", "one_draft": "yes"})).position
    assert paddock.position(text, seed=1).deciders == (0, 1, 2, 3)
    assert sentence in faults(text.replace(f"{field}={words_of(text)[field]}", f"{field}={value}"))


@pytest.mark.parametrize(
    ("phase", "field", "value", "sentence"),
    [
        ("qualify", "phase", "pit", "write one of"),
        ("qualify", "phase", "over", "write one of"),
        ("qualify", "lap", "x", "write a number"),
        ("qualify", "lap", "3", "LC-3.1"),
        ("qualify", "hands", "1:5", "all 4 cars"),
        ("qualify", "hands", "1:5|1:6|2:7|3:8", "each number once"),
        ("qualify", "commit", "1:12+R,2:13", "not a card"),
        ("qualify", "commit", "9:1", "write a number"),
        ("qualify", "discard", "7", "card*count"),
        ("qualify", "discard", "7*9", "write a number"),
        ("qualify", "value", "1:4", "LC-3.4"),
        ("qualify", "phase", "road", "LC-3.3"),
        ("challenge", "phase", "road", "LC-4.3"),
        ("challenge", "turn", "0", "LC-4.1"),
        ("challenge", "passes", "1", "LC-5.4"),
        ("challenge", "last", "yes", "LC-7.1"),
        ("qualify", "passes", "1", "LC-5.4"),
        ("challenge", "lap", "12", "LC-4.5"),
        ("challenge", "last", "maybe", "one of yes, no"),
        ("challenge", "road", "1-1-2-3", "only one space"),
        ("challenge", "road", "1-2-3", "LC-3.3"),
        ("challenge", "road", "1-2-3-7", "write a number"),
        ("challenge", "lap", "0", "LC-4.1"),
        ("challenge", "commit", "1:R+R", "LC-"),
        ("road", "phase", "challenge", "LC-4.3"),
        ("road", "discard", "-", "LC-1.2"),
    ],
)
def test_each_fault_is_said(phase: str, field: str, value: str, sentence: str) -> None:
    text = at(phase).position
    old = f" {field}={words(at(phase))[field]}"
    assert old in text
    assert sentence in faults(text.replace(old, f" {field}={value}"))


def test_a_deck_has_so_many_cards_of_a_kind() -> None:
    """LC-1.2 four cars, four of each."""
    game = at("qualify")
    hands = words(game)["hands"]
    twelves = "|".join(f"{car}:" + ",".join(["12"] * 13) for car in range(1, 5))
    assert "LC-1.2 the deck has only 4 of the card 12" in faults(game.position.replace(hands, twelves))


def test_every_fault_is_listed() -> None:
    text = at("challenge").position
    told = faults(text.replace(" last=no", " last=perhaps").replace(" lap=1", " lap=first"))
    assert "last=perhaps" in told
    assert "lap=first" in told


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no title"),
        ("lacorsa", "lacorsa/2"),
        ("lacorsa/3 drivers=4", "lacorsa/2"),
        ("lacorsa/2 drivers=4", "results="),
        ("lacorsa/1 drivers=4", "results="),
        (f"{HEAD} phase=deal", "“lap=” is missing"),
        (f"{HEAD} x", "write each field once"),
        (f"{HEAD} phase=deal phase=deal", "write each field once"),
        (f"{HEAD} speed=9", "is missing"),
        (HEAD.replace("results=-", "results=1:9"), "for each of the 4 seats"),
        (HEAD.replace("results=-", "results=now"), "place:score"),
        (HEAD.replace("drivers=2", "drivers=12"), "drivers=12"),
        (HEAD.replace("results=-", "results=" + "/".join(["1:9,2:6,3:4,4:3"] * 2)), "only 1 round"),
    ],
)
def test_malformed_positions(text: str, sentence: str) -> None:
    with pytest.raises(paddock.PaddockError) as error:
        paddock.position(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ("1:9,1:9,3:4,4:3", "its own place"),
        ("1:9,2:6,3:4,0:0", "every car finishes"),
        ("1:9,2:6,3:4,4:99", "each place has its own points"),
        ("1:9,2:6,3:4,4:-3", "each place has its own points"),
    ],
)
def test_a_race_that_is_over_ended_as_races_do(result: str, sentence: str) -> None:
    """LC-7.2"""
    text = paddock.start("lacorsa", drivers=4, races=2, seed=1).position
    assert sentence in faults(text.replace("results=-", f"results={result}"))
    assert paddock.position(text.replace("results=-", "results=4:3,2:6,1:9,3:4")).rounds


def test_who_retired_has_no_place() -> None:
    """LX-3.6, LX-3.7 some cars or all of them."""
    text = paddock.start("lacorsa", drivers=4, races=2, incidents="yes", seed=1).position
    for result in ("2:6,0:0,1:9,0:0", "0:0,0:0,0:0,0:0"):
        assert paddock.position(text.replace("results=-", f"results={result}")).rounds
    assert "each place has its own points" in faults(text.replace("results=-", "results=2:6,0:3,1:9,0:0"))


def test_who_has_had_its_turn_has_played() -> None:
    """LC-4.5 a card in qualifying and one in this lap, whoever stands behind the turn."""
    game = at("challenge")
    last, _second, third, _leader = words(game)["road"].split("-")
    told = faults(game.position.replace(f" turn={last} ", f" turn={third} "))
    assert f"LC-4.5, LC-5.4 car {last} has played too few cards" in told


def test_nothing_is_known_before_the_second_lap() -> None:
    """LX-2.0"""
    game = paddock.start("lacorsa", drivers=4, pit_stops="yes", pit_refill="yes", seed=3)
    while words(game)["lap"] != "1":
        game.play(game.deciders[0], next(iter(game.legal(game.deciders[0]))))
    card = words(game)["hands"].split("|")[0].split(",")[-1]
    assert "LX-2.1 car 1 has not pitted" in faults(game.position.replace("known=-", f"known=1:{card}"))


def first_at(phase: str, passes: int, **options: object) -> paddock.Game:
    """A race of a Large Grid when it first stands in ``phase`` after so many passes in the turn."""
    for seed in range(200):
        choose = random.Random(seed)
        game = paddock.start("lacorsa", drivers=6, races=1, large_grid=True, seed=seed, **options)
        while not game.over and (game.view().phase, game.view().passes) != (phase, passes):
            seat = game.deciders[0]
            game.play(seat, choose.choice(game.legal(seat).ids))
        if not game.over:
            return game
    raise AssertionError(phase)


def test_LX_2_0_a_stop_after_a_pass_stands_where_the_option_allows_it() -> None:
    game = first_at("pits", 1, pit_timing="turn")
    assert paddock.position(game.position).position == game.position
    assert "LX-2.0" in faults(game.position.replace(" pit_timing=turn", ""))
    game = first_at("pit-draw", 1, pit_timing="turn", pit_draw="choose")
    assert paddock.position(game.position).deciders == game.deciders
    assert "LX-2.0 a car pits only at the start of its turn" in faults(
        game.position.replace(" pit_timing=turn", "")
    )
    car = words(game)["turn"]
    back = f" road={car}-" + words(game)["road"].replace(f"-{car}", "").replace(f".{car}", ".")
    assert "LC-5.4 a car that has passed another" in faults(
        game.position.replace(f" road={words(game)['road']}", back)
    )
    drafts = first_at("pit-draw", 0, pit_draw="choose", one_draft=True)
    assert "LX-5.2 a car that has drafted" in faults(
        drafts.position.replace("drafted=-", f"drafted={words(drafts)['turn']}")
    )


def test_LX_5_2_who_has_drafted_is_written_where_that_matters() -> None:
    """With one draft a turn; so positions of revision 1 are read and written as they were."""
    game = first_at("draft", 0)
    assert "drafted" not in words(game)
    assert paddock.position(game.position).deciders == game.deciders
    once = first_at("draft", 0, one_draft=True)
    assert words(once)["drafted"] == str(once.deciders[0] + 1)
    told = faults(once.position.replace(f" drafted={words(once)['drafted']}", " drafted=-"))
    assert f"write drafted={words(once)['drafted']}" in told
    old = once.position.replace("lacorsa/2", "lacorsa/1").replace(" one_draft=yes", "")
    assert paddock.position(old).position == once.position


def test_what_stands_goes_on() -> None:
    """A position with one changed digit that is accepted leads to positions that are, in some games each."""
    choose, stood = random.Random(2), set()
    for phase in ("challenge", "road"):
        text = at(phase).position
        for i, digit in itertools.product(range(text.index("phase="), len(text)), "0123456789"):
            changed = text[:i] + digit + text[i + 1 :]
            with contextlib.suppress(paddock.PaddockError):
                paddock.position(changed)
                stood.add(changed)
        assert text in stood
    assert len(stood) > 2
    for changed, seed in itertools.product(sorted(stood), range(count(1, 10))):
        game = paddock.position(changed, seed=seed)
        while not game.over:
            assert paddock.position(game.position).position == game.position, changed
            seat = choose.choice(game.deciders)
            game.play(seat, choose.choice(game.legal(seat)))


def test_a_position_is_written_in_one_way_only() -> None:
    text = at("road").position
    head, *rest = text.split(" ")
    shuffled = " ".join([head, *reversed(rest)])
    assert "write it as" in faults(shuffled)
    assert "write it as" in faults(text + " ")


def test_damaged_positions_never_crash() -> None:
    choose = random.Random(1)
    for phase in ("qualify", "tied", "challenge", "road"):
        text = at(phase).position if phase != "tied" else tied_position()
        for _ in range(400):
            i = choose.randrange(len(text))
            damaged = text[:i] + choose.choice("0123456789R-.,:|*=+ x") + text[i + choose.randrange(2) :]
            with contextlib.suppress(paddock.PaddockError):  # a sentence, or a position that stands
                assert paddock.position(damaged, seed=1).position


def tied_position() -> str:
    """A qualifying in which cars tie, before the lot."""
    for seed in range(100):
        game = paddock.start("lacorsa", drivers=4, seed=seed)
        game.chance = None
        while game.deciders and game._state.phase == 1:
            game.play(game.deciders[0], next(iter(game.legal(game.deciders[0]))))
        if game.chance_due:
            return game.position
    raise AssertionError("no tie")


def test_a_tied_qualifying_goes_on_from_its_position() -> None:
    game = paddock.position(tied_position(), seed=5)
    assert game.deciders
