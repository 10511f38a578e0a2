"""Champion: a network that plays without a compiler, from what its seat sees."""

from __future__ import annotations

import logging
import tomllib
import tracemalloc
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddock
from paddock.bots import bot, champion
from paddock.bots.champion import Champion, has_networks, shipped
from paddock.bots.network import HIDDEN, Network
from paddock.bots.registry import thirds
from paddock.core.title import Title
from paddock.kernel.source import Seeded
from paddock.lab.compiled import Compiled, parts_of
from paddock.lab.plan import make_plan
from paddock.lab.play import BotTeam, play_deal

ROOT = Path(__file__).resolve().parent.parent.parent
TITLES = [title for title in paddock.titles().values() if has_networks(title)]
titles = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.name)


def packed(file: Path, **parts: Any) -> Path:
    """Write a file of weights with other parts than it should have."""
    usual = {"form": 1, "prior": 0.0, "sharp": 1.0, "facts": "{}"}
    sizes = [(5, 8), (8, 8), (8, 4)]
    usual |= {f"w{i}": np.zeros(size, np.float16) for i, size in enumerate(sizes)}
    usual |= {f"b{i}": np.zeros(size[1:], np.float16) for i, size in enumerate(sizes)}
    np.savez_compressed(file, **(usual | parts))
    return file


def test_a_small_file_that_unpacks_to_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    """The kind: something small becomes large when it is unpacked. A file of 60 kB became 200 MB."""
    file, large = tmp_path / "bomb.npz", np.zeros((5_000, 1_000), np.float16)
    assert Network.load(packed(file)).shape == (5, 3)
    bombs: list[dict[str, Any]] = [
        {"w1": large},
        {"w0": np.zeros((5, 2_100), np.float16), "w1": np.zeros((2_100, 2_100), np.float16)},
        {"b2": np.zeros(5_000_000, np.float16)},
        {"facts": " " * 3_000_000},
        {"more": large},
        {"prior": large},
    ]
    for bomb in bombs:
        packed(file, **bomb)
        assert file.stat().st_size < 100_000
        for asked in ((), [(5, 3)]):
            tracemalloc.start()
            with pytest.raises(paddock.PaddockError, match="not a network"):
                Network.load(file, asked)
            _now, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert most < 2_000_000, bomb


@pytest.mark.parametrize(
    "wrong",
    [
        {"w1": np.zeros((8, 9), np.float16)},
        {"b0": np.zeros(9, np.float16)},
        {"w0": np.zeros((5, 8), np.int8)},
        {"sharp": "1"},
        {"prior": np.nan},
        {"w2": np.full((8, 4), np.inf, np.float16)},
        {"form": 2},
        {"facts": "open('x')"},
    ],
)
def test_a_network_that_could_not_play_is_refused_when_it_is_read(
    wrong: dict[str, Any], tmp_path: Path
) -> None:
    """The kind: an input that can never work is taken, and fails later."""
    with pytest.raises(paddock.PaddockError, match="not a network"):
        Network.load(packed(tmp_path / "wrong.npz", **wrong))


@titles
def test_every_recipe_has_its_weights_and_every_file_its_recipe(title: Title) -> None:
    room, features = title.room("champion"), title.room("short_features")
    folder = files(title.package) / "networks"
    assert {file.name.removesuffix(".npz") for file in folder.iterdir()} == set(room.RECIPES)
    recipes = room.RECIPES.values()
    needed = {
        name for recipe in recipes for name in (recipe.begin, recipe.among, recipe.against, *recipe.rivals)
    }
    for name, recipe in room.RECIPES.items():
        kinds = [{**title.one_round, **options} for options in (recipe.options, *recipe.others)]
        setups = [title.setup_of(title.options.read(options)) for options in kinds]
        assert name in needed or {room.network(setup) for setup in setups} - {""} == {name}
        assert recipe.learners >= len(kinds), "a kind that nobody learns"
        network = shipped(title, name)
        assert network is not None
        inputs = features.SHORT_FEATURES if recipe.past else features.PRESENT_FEATURES
        assert network.shape == (inputs, features.OUTPUTS)
        assert network.hidden == recipe.hidden
        assert network.facts["title"] == title.name
        assert all(np.isfinite(part).all() for layer in network.layers for part in layer)


def test_the_wheel_has_the_networks_that_play_and_no_others() -> None:
    """They are few enough to be a small part of it; a checkout has what others learned from, too."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    left_out = {ROOT / file for file in wheel["wheel"]["exclude"] if file.endswith(".npz")}
    folders = [ROOT / "src/paddock/games" / title.name / champion.FOLDER for title in TITLES]
    everything = {file for folder in folders for file in folder.glob("*.npz")}
    assert left_out < everything
    for title, folder in zip(TITLES, folders, strict=True):
        names = champion.playing(title)
        names |= {rival for search in title.champion.SEARCHES.values() for rival in search.rivals if rival}
        assert {file.stem for file in everything - left_out if file.parent == folder} == names
    assert sum(file.stat().st_size for file in everything - left_out) < 1_500_000


@titles
def test_a_network_plays_the_same_games_plain_and_compiled(title: Title) -> None:
    """Also the moves: a different one changes what is dealt, or who is where."""
    short, deals = ({"max_turns": 1}, 1) if title.name == "great_race" else ({}, 6)
    plan = make_plan(title, ["net:champion", "club", "net:champion", "rookie"], 5, short, 30)
    parts = parts_of(plan)
    assert parts is not None and isinstance(parts[0], Network) and parts[1:] == [3, thirds(title, "rookie")]
    compiled, team = Compiled(plan, parts), BotTeam(plan)
    for deal in range(deals):
        assert compiled.play(deal) == play_deal(plan, deal, team)


@titles
def test_a_network_reads_what_is_past_plain_and_compiled_and_plays_the_same_if_that_counts_for_nothing(
    title: Title, tmp_path: Path
) -> None:
    short, deals = ({"max_turns": 1}, 1) if title.name == "great_race" else ({}, 4)
    room = title.short_features
    name = champion.network_name(
        title, title.setup_of(title.options.read({title.players_option: 4, **short}))
    )
    network = shipped(title, name)
    assert network is not None
    before = network.reading(room.PRESENT_FEATURES)
    reader = network.reading(room.SHORT_FEATURES).widened(HIDDEN + 64, 1)
    listener = network.reading(room.SHORT_FEATURES)
    listener.layers[0][0][room.PRESENT_FEATURES :] += np.float32(0.2)
    rows = []
    for k, made in enumerate((before, reader, listener)):
        made.save(file := tmp_path / f"{k}.npz")
        plan = replace(make_plan(title, [f"net:{file}", *["club"] * 3], 5, short, 30), seed=9)
        parts = parts_of(plan)
        assert parts is not None
        compiled, team = Compiled(plan, parts), BotTeam(plan)
        rows.append([compiled.play(deal) for deal in range(deals)])
        assert rows[-1] == [play_deal(plan, deal, team) for deal in range(deals)]
    assert rows[0] == rows[1]
    assert (rows[0] != rows[2]) == (title.name == "lacorsa"), "a race of one turn is worth nothing"


def test_the_network_of_the_large_grid_plays_the_same_races_plain_and_compiled() -> None:
    lacorsa = paddock.title("lacorsa")
    plan = make_plan(lacorsa, ["net:champion", *["club"] * 6, "rookie"], 5, {"large_grid": True}, 31)
    parts = parts_of(plan)
    assert parts is not None and isinstance(parts[0], Network)
    assert Compiled(plan, parts).play(0) == play_deal(plan, 0, BotTeam(plan))


def test_the_network_of_full_maps_plays_the_same_races_plain_and_compiled_also_with_leaders() -> None:
    great_race = paddock.title("great_race")
    short = {"map": "usa", "leaders": True, "max_turns": 1}
    plan = make_plan(great_race, ["net:champion", "club", "net:champion"], 5, short, 30)
    parts = parts_of(plan)
    assert parts is not None and isinstance(parts[0], Network)
    assert Compiled(plan, parts).play(0) == play_deal(plan, 0, BotTeam(plan))


def test_a_prior_favours_the_move_of_the_policy_in_both_modes(tmp_path: Path) -> None:
    """Chances of exp(60) to 1: it plays as Club does, where no two moves are equal."""
    lacorsa = paddock.title("lacorsa")
    room = lacorsa.room("short_features")
    Network.new(room.SHORT_FEATURES, room.OUTPUTS, 1, prior=60.0).save(tmp_path / "club.npz")
    plan = make_plan(lacorsa, [f"net:{tmp_path / 'club.npz'}", "rookie", "rookie"], 5, {}, 30)
    parts = parts_of(plan)
    assert parts is not None
    compiled, team = Compiled(plan, parts), BotTeam(plan)
    for deal in range(5):
        assert compiled.play(deal) == play_deal(plan, deal, team)
    game, club = paddock.start("lacorsa", drivers=3, races=1, seed=4), bot("lacorsa", "club")
    like, same = bot("lacorsa", f"net:{tmp_path / 'club.npz'}"), 0
    for _ in range(30):
        seat = game.deciders[0]
        seen = game.seen(1 << seat)
        move = like.choose(seen, seat, seen.legal(seat), Seeded(1))
        same += move == club.choose(seen, seat, seen.legal(seat), Seeded(1))
        game.play(seat, move)
    assert same == 30


def test_a_network_with_more_hidden_numbers_thinks_the_same(tmp_path: Path) -> None:
    """Alone, from a file, and in a game with a smaller one."""
    lacorsa = paddock.title("lacorsa")
    small = shipped(lacorsa, "4-present")
    assert small is not None
    wide = small.widened(HIDDEN + 40, 1)
    assert (small.hidden, wide.hidden, wide.shape) == (HIDDEN, HIDDEN + 40, small.shape)
    assert wide.widened(HIDDEN, 1) is wide
    inputs = np.random.default_rng(1).normal(size=(5, small.shape[0])).astype(np.float32)
    for one, other in zip(small.think(inputs), wide.think(inputs), strict=True):
        assert np.allclose(one, other, atol=1e-4)
    assert np.count_nonzero(wide.layers[1][0][:, -40:]), "what is new hears"
    wide.save(tmp_path / "wide.npz")
    small.save(tmp_path / "small.npz")
    line = [f"net:{tmp_path / name}.npz" for name in ("wide", "small", "wide", "small")]
    plan = make_plan(lacorsa, line, 5, {}, 30)
    parts = parts_of(plan)
    assert parts is not None
    compiled, team = Compiled(plan, parts), BotTeam(plan)
    for deal in range(3):
        assert compiled.play(deal) == play_deal(plan, deal, team)


@titles
def test_the_same_arguments_give_the_same_move_and_some_seeds_another(title: Title) -> None:
    options = {title.players_option: 4, **title.one_round}
    game, player = paddock.start(title, seed=3, **options), bot(title, "net:champion")
    moves = set()
    for _ in range(12):
        seat = game.deciders[0]
        seen = game.seen(1 << seat)
        legal = seen.legal(seat)
        chosen = [player.choose(seen, seat, legal, Seeded(seed)) for seed in range(8)]
        assert chosen == [player.choose(seen, seat, legal, Seeded(seed)) for seed in range(8)]
        assert set(chosen) <= set(legal)
        moves.add(len(set(chosen)))
        game.play(seat, chosen[0])
    assert max(moves) > 1  # a network that always plays its best move can be exploited


def test_it_needs_neither_the_compiler_nor_a_library_of_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("registry", "champion"):
        monkeypatch.setattr(f"paddock.bots.{module}.has", lambda extra: False)
    monkeypatch.setattr("paddock.kernel.loader.need", lambda *_: pytest.fail("compiled"))
    assert "champion" in [level.name for level in paddock.bots.levels("lacorsa")]
    seen = paddock.start("lacorsa", drivers=4, races=1, seed=1).seen(1)
    assert bot("lacorsa", "champion", wait=False).choose(seen, 0, seen.legal(0), Seeded(1)) in seen.legal(0)


def test_works_plays_where_there_is_no_network_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    champion._say_spare.cache_clear()
    game = paddock.start("lacorsa", drivers=4, pairs=True, races=1, seed=1)  # teams
    seen = game.seen(1)
    spare = bot("lacorsa", "club")
    with caplog.at_level(logging.WARNING, "paddock"):
        move = Champion(spare).choose(seen, 0, seen.legal(0), Seeded(2))
    assert move == spare.choose(seen, 0, seen.legal(0), Seeded(2))
    assert [record.getMessage() for record in caplog.records] == [
        "LACORSA has no network for these options: the level “champion” plays as “works”"
    ]


@pytest.mark.parametrize(
    ("title", "options", "name"),
    [
        ("lacorsa", {"drivers": 2}, "two-2"),
        ("lacorsa", {"drivers": 3}, "two-3"),
        ("lacorsa", {"drivers": 6}, "6"),
        ("lacorsa", {"drivers": 4, "pairs": True}, ""),
        ("lacorsa", {"drivers": 3, "large_grid": True}, ""),
        ("lacorsa", {"drivers": 6, "large_grid": True}, "large"),
        ("lacorsa", {"drivers": 12, "large_grid": True}, "large"),
        ("great_race", {"players": 2, "map": "asia-east"}, ""),
        ("great_race", {"players": 3, "map": "asia-east"}, "half"),
        ("great_race", {"players": 2, "map": "usa"}, "full"),
        ("great_race", {"leaders": True}, "half"),
        ("great_race", {"map": "usa"}, "full"),
        ("great_race", {"map": "asia", "leaders": True}, "full"),
    ],
)
def test_a_network_is_chosen_by_the_options(title: str, options: dict[str, Any], name: str) -> None:
    found = paddock.title(title)
    setup = found.setup_of(found.options.read({**found.one_round, **options}))
    assert champion.network_name(found, setup) == name
    assert (champion.network_for(found, setup) is None) == (not name)


def test_a_title_without_networks_has_no_champion() -> None:
    others = [title for title in paddock.titles().values() if title not in TITLES]
    for title in others:
        assert "champion" not in [level.name for level in paddock.bots.levels(title)]


def test_a_file_of_weights_is_read_as_it_was_written_and_any_other_is_refused(tmp_path: Path) -> None:
    made = Network.new(5, 3, 1, prior=2.0)
    made.save(tmp_path / "a.npz")
    read = Network.load(tmp_path / "a.npz")
    assert read.shape == (5, 3) and read.prior == 2 and read.layers[0][0].shape == (5, HIDDEN)
    for (a, b), (c, d) in zip(made.layers, read.layers, strict=True):
        assert np.abs(a - c).max() < 1e-3 and np.abs(b - d).max() < 1e-3
    with pytest.raises(paddock.PaddockError, match="does not play LACORSA"):
        bot("lacorsa", f"net:{tmp_path / 'a.npz'}")
    with pytest.raises(paddock.PaddockError, match="No such file"):
        bot("lacorsa", f"net:{tmp_path / 'b.npz'}")
    np.save(tmp_path / "array.npy", np.zeros(3))
    whole, array = (tmp_path / "a.npz").read_bytes(), (tmp_path / "array.npy").read_bytes()
    damaged = [whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :] for at in range(40, len(whole), 97)]
    for content in (b"", b"PK", b"a" * 300, whole[:-200], array, *damaged):
        (tmp_path / "c.npz").write_bytes(content)
        # A byte that says nothing may be another one: then it is a network, and one of another title.
        said = r"not a network|does not play LACORSA" if content in damaged else "not a network"
        with pytest.raises(paddock.PaddockError, match=said):
            bot("lacorsa", f"net:{tmp_path / 'c.npz'}")
