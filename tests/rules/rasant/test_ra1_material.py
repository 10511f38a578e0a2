"""RA-1 Material: cars, decks, players."""

from __future__ import annotations

from collections import Counter

import pytest

import paddock
from paddock.core.errors import BadOption
from paddock.core.game import Game
from paddock.games.rasant.deck import card, deck_words, kind_of, read_deck
from paddock.games.rasant.rulebook import Options
from paddock.games.rasant.rules import state
from paddock.kernel.source import Seeded

from ..harness import rng
from .harness import CARDS, between, dealt, fresh

COLOURED = [f"{colour}{speed}" for colour in "rgby" for speed in range(10, 131, 10)]


def test_ra_1_1_thirteen_cars() -> None:
    """RA-1.1 three in each of four colours and the black one."""
    for seed in range(10):
        game = fresh()
        game.run_chance(rng(seed))
        assert Counter(game.line) == {"k": 1, "r": 3, "g": 3, "b": 3, "y": 3}
        assert sorted(game.cars.split()) == sorted(["k", *(f"{c}{n}" for c in "rgby" for n in (1, 2, 3))])


def test_ra_1_1_everybody_may_move_every_car() -> None:
    """RA-1.1 nobody owns a car: two players win with the same colour, one with all four."""
    game = between({1: "r10 r20", 2: "r30 r40"}, reserve="k10 k20 k30 k40")
    assert game.run("1:r10, 2:r30, 1:pass").scores == {1: 0, 2: 4}
    game = between({1: "r10 r20", 2: "r30 r40"}, reserve="k10 k20 k30 k40", leader=2)
    assert game.run("2:r30, 1:pass").scores == {1: 0, 2: 4}
    for colour in "rgby":
        game = between({1: "r10 g10 b10 y10", 2: "k10"}, reserve="k20")
        game.run(f"1:{colour}10, 2:pass")
        assert game.told[0] == "passed 2"
        assert game.told[1].startswith(f"won 1 {colour} ")


def test_ra_1_2_the_deck_has_56_cards() -> None:
    """RA-1.2 13 speeds in four colours and four black cards, reconstructed."""
    deck = [*COLOURED, "k30", "k60", "k90", "k120"]
    assert Options().deck == "standard"
    game = fresh()
    assert len(deck) == 56
    assert [CARDS[k] for k in range(state.KINDS) for _ in range(game.g.deck[k])] == deck
    assert (game.s.reserve, game.reserve.split()) == (56, deck)


def test_ra_1_2_the_other_list() -> None:
    """RA-1.2 only black reaches 130."""
    game = fresh(deck="all-black-top")
    deck = [f"{colour}{speed}" for colour in "rgby" for speed in range(10, 121, 10)]
    deck += [f"k{speed}" for speed in range(60, 131, 10)]
    assert game.reserve.split() == deck
    assert len(deck) == 56


def test_ra_1_2_a_deck_of_ones_own() -> None:
    """RA-1.2 any list with six cards for each player, and a coloured one for each."""
    game = fresh(players=2, deck="r10-40+2*b130 + 7*k30")
    assert game.reserve == "r10 r20 r30 r40 b130 b130 k30 k30 k30 k30 k30 k30 k30"
    assert Options.read({"deck": "k30 r10 30*b20-30 # mine"}).deck == "r10+30*b20-30+k30"
    for most in ("10*r10-120", "120*r10", "110*r10 010*k10"):
        assert len(read_deck(most)) == 120
    for players in (2, 3, 4, 5):
        assert Options.read({"players": players, "deck": f"{players}*r10+{5 * players}*k30"}).seats == players
        with pytest.raises(BadOption) as few:
            Options.read({"players": players, "deck": f"{players}*r10+{5 * players - 1}*k30"})
        needed = f"need a deck of at least {6 * players} cards, not {6 * players - 1}"
        assert few.value.faults == (f"RA-1.2 {players} players {needed}",)
        with pytest.raises(BadOption) as thin:
            Options.read({"players": players, "deck": f"{players - 1}*r10+{5 * players + 1}*k30"})
        needed = f"need a deck with at least {players} coloured cards, not {players - 1}"
        assert thin.value.faults == (f"RA-1.2 {players} players {needed}",)
    for wrong in ("14*k30", "r0", "r140", "r15", "p10", "", "9*r10-130+9*g10-130", "r50-10", "0*r10 14*g10"):
        with pytest.raises(BadOption, match="deck"):
            Options.read({"players": 2, "deck": wrong})


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("r15", "“r15”: speeds are 10, 20, … 130 (RA-1.2)"),
        ("r10-140", "“r10-140”: speeds are 10, 20, … 130 (RA-1.2)"),
        ("0*r10", "“0*r10”: write a count from 1 to 120 (RA-1.2)"),
        ("000*r10", "“000*r10”: write a count from 1 to 120 (RA-1.2)"),
        ("121*r10", "“121*r10”: write a count from 1 to 120 (RA-1.2)"),
        ("50*r10-30", "“50*r10-30”: a deck has at most 120 cards (RA-1.2)"),
        ("2*g50-10", "“2*g50-10”: write the lower speed first"),
        ("1000*r10", "“1000*r10” is not part of a deck: name one of standard, all-black-top, or list cards"),
        ("R10", "“R10” is not part of a deck: name one of standard, all-black-top, or list cards"),
        ("r10,r20", "“r10,r20” is not part of a deck: name one of standard, all-black-top, or list cards"),
    ],
)
def test_ra_1_2_a_fault_quotes_the_word_that_was_written(word: str, fault: str) -> None:
    """RA-1.2 wherever it stands in the list."""
    for deck in (word, f"r10-130 {word}", f"r10-130+{word}+g10", f"g10 # none\n{word} # mine"):
        with pytest.raises(ValueError) as error:
            read_deck(deck)
        assert str(error.value).startswith(fault)


def test_ra_1_2_a_deck_that_was_written_for_revision_1_is_read() -> None:
    """RA-1.2 one coloured card in all was enough then: its records, positions and tables still play."""
    thin = {"players": 3, "deck": "r10+17*k30"}
    old = Options.read(thin, revision=1)
    assert old.deck == "r10+17*k30"
    assert Options.read_text(old.text, revision=1) == old
    with pytest.raises(BadOption, match="at least 3 coloured cards"):
        Options.read(thin)
    with pytest.raises(BadOption, match="need a deck of at least 18 cards"):
        Options.read({"players": 3, "deck": "r10+16*k30"}, revision=1)
    position = Game(paddock.title("rasant"), old, Seeded(1)).position
    assert paddock.position(position).options == old


def test_ra_1_2_the_most_cards_there_can_be() -> None:
    """RA-1.2 a deck of 120 cards, all of one kind, is dealt and played."""
    game = fresh(players=5, deck="60*r10+60*k10", line="krgbyrgbyrgby")
    assert game.outcomes() == {f"dealer {player}": 1 for player in range(1, 6)}
    game.take("dealer 5")
    assert game.outcomes() == {"r10": 60, "k10": 60}
    for _ in range(30):
        game.take("k10" if game.outcomes()["k10"] > 31 else "r10")
    assert (game.phase, game.s.reserve) == ("round", 90)


def test_ra_1_2_decks_are_written_and_read() -> None:
    """RA-1.2 cards have a colour and a speed; a list reads back as what was written."""
    assert [card(kind) for kind in range(state.KINDS)] == list(CARDS)
    assert [kind_of(name) for name in CARDS] == list(range(state.KINDS))
    for text in ("standard", "all-black-top", "r10+2*r20+r30+k130"):
        assert read_deck(deck_words(read_deck(text))) == read_deck(text)
    assert deck_words(read_deck("standard")) == "r10-130+g10-130+b10-130+y10-130+k30+k60+k90+k120"


def test_ra_1_2_without_a_130_no_round_ends_early() -> None:
    """RA-1.2 the highest card of such a deck ends nothing by itself."""
    game = between({1: "r120 g10", 2: "r10 k120"}, reserve="k30")
    game.run("1:r120")
    assert game.asked == 2
    assert game.told == ["led 1 r120"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_ra_1_3_two_to_five_play(players: int) -> None:
    """RA-1.3 each holds one hand."""
    options = Options.read({"players": players})
    assert options.owners == tuple(range(players))
    assert options.teams == ()
    hands = {n: f"r{n}0 g{n}0 b{n}0 y{n}0 k{n}0 r{n + 6}0" for n in range(1, players + 1)}
    game = dealt(hands, dealer=players)
    assert game.hands == [f"r{n}0 r{n + 6}0 g{n}0 b{n}0 y{n}0 k{n}0" for n in range(1, players + 1)]
    assert game.scores == dict.fromkeys(range(1, players + 1), 0)


def test_ra_1_3_no_fewer_and_no_more() -> None:
    """RA-1.3 neither one nor six."""
    assert Options().players == 4
    for wrong in (0, 1, 6):
        with pytest.raises(BadOption, match="players"):
            Options.read({"players": wrong})
