"""Champion looks ahead: moves are tried in games that networks play on, from what its seat sees."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.titles import GREAT_RACE, LACORSA, RASANT

import paddock
from paddock.bots import bot, champion, search
from paddock.bots.champion import means_for, shipped
from paddock.bots.judging import values_of
from paddock.bots.mixture import models_for
from paddock.bots.network import stacked, thought
from paddock.bots.registry import looks_ahead
from paddock.bots.rollouts import THEIR_MOVE
from paddock.bots.search import SearchMeans, casts, judged, look_ahead, secret
from paddock.bots.warming import Warming
from paddock.core.title import Seen, Title
from paddock.games.lacorsa.rules.state import State
from paddock.kernel import calls
from paddock.kernel.bulk import eyes_by_seat
from paddock.kernel.loader import ENTRIES, _copy, load_kernel
from paddock.kernel.source import Seeded, seed_number
from paddock.lab.compiled import parts_of
from paddock.lab.plan import make_plan
from paddock.lab.training import rival_of

FOUR: dict[str, Any] = {"drivers": 4, "races": 1}
titles = pytest.mark.parametrize("title", [LACORSA, RASANT, GREAT_RACE], ids=lambda title: title.name)


@pytest.fixture
def means() -> SearchMeans:
    found = means_for(LACORSA, "4")
    assert found is not None
    return replace(found, search=replace(found.search, rollouts=60))


def seen_after(title: Title, moves: int, seed: int = 1, **options: Any) -> tuple[Seen, int]:
    """Return what the seat that decides sees after some moves of Clubs."""
    game, club = paddock.start(title, seed=seed, **{**title.one_round, **options}), bot(title, "club")
    while True:
        seat = game.deciders[0]
        seen = game.seen(1 << seat)
        if moves <= 0 and len(seen.legal(seat)) > 2:
            return seen, seat
        game.play(seat, club.choose(seen, seat, seen.legal(seat), Seeded(seed)))
        moves -= 1


class Copies(list[Any]):
    """States as compiled code has them: an assignment copies."""

    def __setitem__(self, i: Any, state: Any) -> None:
        super().__setitem__(i, state.copy())


def test_the_plain_source_says_the_same(means: SearchMeans) -> None:
    module: Any = load_kernel(LACORSA, compiled=False)
    for name in ENTRIES:
        module = _copy(name, "lacorsa_tested", __import__, vars(module))
    seen, seat = seen_after(LACORSA, 26, **FOUR)
    options, some, worlds = seen.options, seen.legal(seat)[-2:], range(3, 6)
    states = Copies(State() for _ in range(4))
    states[1] = seen.state
    values, nets = np.zeros((len(some), len(worlds))), stacked(list(means.networks.values()), module)
    call = calls.LookAhead(
        states, [seen.setup], seen.eyes, seat, np.array(some), np.array(options.owners),
        eyes_by_seat(options), casts(means, options.owners, seat),
        nets, thought(module, nets), 7, worlds.start,
        means.recipe.wins, means.recipe.points, [0], [0] * 200, np.zeros(options.players), values=values,
    )  # fmt: skip
    assert module.look_ahead(call) > 2 * len(some)
    assert np.array_equal(values, look_ahead(seen, seat, some, worlds, means, 7))
    assert len(np.unique(values)) > 1


def test_worlds_are_numbered_and_the_same_for_every_move(means: SearchMeans) -> None:
    seen, seat = seen_after(LACORSA, 12, **FOUR)
    moves = seen.legal(seat)
    found = look_ahead(seen, seat, moves, range(20), means, 5)
    assert np.array_equal(found[1:3, 5:9], look_ahead(seen, seat, moves[1:3], range(5, 9), means, 5))
    assert not np.array_equal(found, look_ahead(seen, seat, moves, range(20), means, 6))


def test_a_network_plays_on_in_an_analysis_as_in_a_search(means: SearchMeans) -> None:
    """The same worlds end the same; of several models, each plays its own."""
    seen, seat = seen_after(LACORSA, 12, **FOUR)
    moves, network = seen.legal(seat)[:3], means.networks[""]
    recipe = replace(means.recipe, wins=0.0, points=1.0)
    alone = replace(means, recipe=recipe, search=replace(means.search, rivals=("",)))
    clubs, champions = models_for(LACORSA, seen.setup)
    assert (clubs.network, champions.network) == (None, network)
    found = np.array(values_of(seen, seat, "5", (clubs, champions))(moves, range(3, 21)))
    seed = seed_number("5 champion")
    assert np.array_equal(found[:, ::2], look_ahead(seen, seat, moves, range(1, 10), alone, seed))
    assert np.array_equal(found[:, 1::2], values_of(seen, seat, "5", (clubs,))(moves, range(2, 11)))
    usual = np.array(values_of(seen, seat, "5", (champions,))([THEIR_MOVE, *moves], range(40)))
    assert any(np.isin(usual[0], row).any() for row in usual[1:]) and usual[0].std() > 0


def test_a_player_has_the_own_network_on_all_seats_and_the_rivals_take_turns(means: SearchMeans) -> None:
    assert list(means.networks) == ["", "4-works-2"]
    assert casts(means, (0, 1, 0, 1), 2).tolist() == [[0, 0, 0, 0], [0, 1, 0, 1]]


@titles
def test_what_a_search_needs_comes_with_the_title(title: Title) -> None:
    room = title.room("champion")
    for name, wanted in getattr(room, "SEARCHES", {}).items():
        found = means_for(title, name)
        assert found is not None
        assert set(found.networks) == {"", *wanted.rivals}
        assert found.networks[""] is shipped(title, name)
        assert found.recipe is room.RECIPES[name]


def test_champion_is_handed_nothing_that_its_seat_cannot_know(means: SearchMeans) -> None:
    """All else is dealt again, and committed again by others: the search says the same."""
    game, rng = paddock.start("lacorsa", seed=2, **FOUR), Seeded(3)
    rules, out, differed = game.title.rules, [0] * (game.title.rules.ACTIONS + 1), 0
    for step in range(60):
        seat = game.deciders[-1]
        seen, twin = game.seen(1 << seat), game.fork()
        legal = seen.legal(seat)
        twin._state = seen.state.copy()
        rules.redeal(twin._state, twin.setup, seen.eyes, rng.rng, out)
        if len(legal) > 1 and twin._state != game._state:
            differed += 1
            other = twin.seen(1 << seat)
            sums = [0.0] * len(legal)
            one, two = (judged(it, seat, legal, sums, means, step) for it in (seen, other))
            assert one.moves == two.moves
            assert np.array_equal(one.chances, two.chances)
            if differed == 5:
                return
        game.play(seat, legal[rng.below(len(legal))])
    raise AssertionError("too few secrets")


def told(monkeypatch: pytest.MonkeyPatch, worth: dict[int, float]) -> list[tuple[int, range]]:
    """Let moves be worth so much, with noise; return what is asked."""
    asked = []

    def look(
        seen: Seen, seat: int, moves: list[int], worlds: range, means: SearchMeans, seed: int
    ) -> search.Floats:
        asked.append((len(moves), worlds))
        luck = np.random.default_rng(1).normal(size=1000)[worlds.start : worlds.stop]
        return np.array([[worth[move]] for move in moves]) + luck

    monkeypatch.setattr(search, "look_ahead", look)
    return asked


def test_the_mix_is_that_of_the_network_pulled_to_what_is_worth_more(
    monkeypatch: pytest.MonkeyPatch, means: SearchMeans
) -> None:
    """p · exp(Q / h), whatever luck all moves share, and also for moves that were dropped early."""
    seen, seat = seen_after(LACORSA, 0, **FOUR)
    legal = seen.legal(seat)
    worth = {move: 0.004 * i for i, move in enumerate(legal)}
    asked = told(monkeypatch, worth)
    sums = np.random.default_rng(2).normal(size=len(legal)).tolist()
    found = judged(seen, seat, legal, sums, means, 1)
    assert sorted(found.moves) == sorted(legal)
    assert found.chances.sum() == pytest.approx(1)
    score = {move: x + worth[move] / means.search.heat for move, x in zip(legal, sums, strict=True)}
    expected = np.exp([score[move] - max(score.values()) for move in found.moves])
    assert found.chances == pytest.approx(expected / expected.sum())
    counts = [count for count, _worlds in asked]
    assert counts == sorted(counts, reverse=True) and counts[0] == len(legal) and counts[-1] == search.LAST
    assert [worlds.start for _count, worlds in asked[1:]] == [worlds.stop for _count, worlds in asked[:-1]]


def test_an_unlikely_move_is_not_tried_and_a_single_likely_one_is_played(
    monkeypatch: pytest.MonkeyPatch, means: SearchMeans
) -> None:
    seen, seat = seen_after(LACORSA, 0, **FOUR)
    legal = seen.legal(seat)
    asked = told(monkeypatch, dict.fromkeys(legal, 0.0))
    sums = [0.0, -1.0, *[np.log(search.LIKELY) - 1] * (len(legal) - 2)]
    assert judged(seen, seat, legal, sums, means, 1).moves == legal[:2]
    sums[1] = sums[2]
    assert search.chosen(seen, seat, legal, sums, means, 1) == legal[0]
    assert not asked[1:]


def test_a_secret_move_is_mixed_and_an_open_one_is_the_likeliest(
    monkeypatch: pytest.MonkeyPatch, means: SearchMeans
) -> None:
    for hidden in (True, False):
        moves = 0
        while True:
            seen, seat = seen_after(LACORSA, moves, **FOUR)
            legal = seen.legal(seat)
            if secret(seen, seat, legal[0]) == hidden:
                break
            moves += 1
        told(monkeypatch, dict.fromkeys(legal, 0.0))
        chosen = [search.chosen(seen, seat, legal, [0.0] * len(legal), means, k) for k in range(30)]
        assert chosen == [search.chosen(seen, seat, legal, [0.0] * len(legal), means, k) for k in range(30)]
        assert len(set(chosen)) > 3 if hidden else set(chosen) == {legal[0]}


def test_at_a_table_the_network_plays_alone_until_the_search_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(champion, "_warming", Warming())
    seen, seat = seen_after(LACORSA, 0, **FOUR)
    legal, begun = seen.legal(seat), threading.Event()
    look = search.look_ahead

    def compiling(*args: Any) -> Any:
        begun.wait()
        return look(*args)

    monkeypatch.setattr(search, "look_ahead", compiling)
    alone, table = bot("lacorsa", "net:champion"), bot("lacorsa", "champion", wait=False)
    for seed in range(5):
        assert table.choose(seen, seat, legal, Seeded(seed)) == alone.choose(seen, seat, legal, Seeded(seed))
    begun.set()
    waiting = [it for it in threading.enumerate() if it.name == "compile lacorsa for champion"]
    for thread in waiting:
        thread.join()
    patient = bot("lacorsa", "champion")
    for seed in range(2):
        move = patient.choose(seen, seat, legal, Seeded(seed))
        assert move in legal
        assert table.choose(seen, seat, legal, Seeded(seed)) == move


def test_without_the_compiler_the_network_plays_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champion, "has", lambda extra: False)
    monkeypatch.setattr(search, "chosen", lambda *_: pytest.fail("compiled"))
    seen, seat = seen_after(LACORSA, 0, **FOUR)
    alone, player = bot("lacorsa", "net:champion"), bot("lacorsa", "champion")
    for seed in range(3):
        move = player.choose(seen, seat, seen.legal(seat), Seeded(seed))
        assert move == alone.choose(seen, seat, seen.legal(seat), Seeded(seed))


def test_matches_ask_it_and_trainings_take_its_network() -> None:
    """With five drivers it does not look ahead: its network plays compiled."""
    for drivers, name in ((4, "4"), (5, "5")):
        options = {"drivers": drivers, "races": 1}
        read, rivals = LACORSA.options.read(options), ["club"] * (drivers - 1)
        ahead = drivers == 4
        assert looks_ahead(LACORSA, "champion", read) == ahead
        assert not looks_ahead(LACORSA, "net:champion", read)
        plans = [make_plan(LACORSA, [one, *rivals], 1, options, 30) for one in ("champion", "net:champion")]
        network, club = shipped(LACORSA, name), 3
        assert parts_of(plans[0]) == (None if ahead else [network, club])
        assert parts_of(plans[1]) == [network, club]
        assert rival_of(LACORSA, "net:champion", read) is network
        if ahead:
            with pytest.raises(paddock.BadOption, match="too slow to train against: take net:champion"):
                rival_of(LACORSA, "champion", read)
        else:
            assert rival_of(LACORSA, "champion", read) is network
