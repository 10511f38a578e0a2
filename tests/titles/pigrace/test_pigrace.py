"""Pig race writes only what is its own; everything that Paddock does with a title works with the defaults."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import paddock
from paddock import records
from paddock.bots import bot, levels, usual
from paddock.bots.analysis import Analysis, model_words
from paddock.bots.judging import choices
from paddock.core.errors import PaddockError
from paddock.core.log import Entry
from paddock.core.position import position as position_of
from paddock.core.title import Title
from paddock.core.words import CHANCE
from paddock.envs import vector
from paddock.kernel.bulk import play
from paddock.kernel.source import Seeded
from paddock.kernel.watch import watch
from titles.pigrace.conftest import PACKAGE

MOST_LINES = 140
ROLL, HOLD = range(2)
LONG = "pigrace/1 players=2 track=100 results=-"


def at(state: str) -> paddock.Game:
    """A race of two in a position; nobody rolls the dice."""
    return position_of(f"pigrace/1 players=2 track=20 results=- {state}")


def roll(game: paddock.Game, dice: str) -> None:
    """Let the pig that must decide roll these dice."""
    game.append(Entry(game.deciders[0], ROLL))
    game.append(Entry(CHANCE, game.outcomes().id_of(dice)))


def words(game: paddock.Game) -> str:
    """The end of the position."""
    return game.position.partition("results=")[2]


def test_it_is_as_short_as_the_tutorial_says() -> None:
    """Every line counts: code, words, rules; only pyproject.toml is left out."""
    files = [
        path for path in (PACKAGE / "src").rglob("*.*") if path.suffix in (".py", ".md", ".css", ".html")
    ]
    assert len(files) == 7
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES


def test_every_clause_is_in_the_code_and_in_these_tests(pigrace: Title) -> None:
    code = "".join(path.read_text("utf-8") for path in (PACKAGE / "src").rglob("*.py"))
    for clause in pigrace.rulebook.clauses:
        assert clause in code and clause in Path(__file__).read_text("utf-8")


def test_a_race_begins_at_0() -> None:
    """PR-1.1."""
    game = paddock.start("pigrace", players=4, track=20, seed=1)
    assert words(game) == "- round=0 turn=0 steps=0 rolling=0 over=0 at=0,0,0,0"
    with pytest.raises(paddock.BadOption, match=r"PR-1\.1"):
        paddock.start("pigrace", players=5)


def test_a_turn() -> None:
    """PR-2.1, PR-2.2, PR-2.4."""
    game = at("round=0 turn=0 steps=0 rolling=0 over=0 at=0,0,0,0")
    with pytest.raises(paddock.IllegalMove, match=r"PR-2\.1 hold is not possible now: choose roll"):
        game.play(0, "hold")
    roll(game, "2+3")
    roll(game, "6+4")
    assert list(map(str, game.legal(0))) == ["roll", "hold"]
    game.play(0, "hold")
    assert words(game) == "- round=0 turn=1 steps=0 rolling=0 over=0 at=15,0,0,0"


def test_a_1_loses_the_steps() -> None:
    """PR-2.3."""
    game = at("round=0 turn=1 steps=12 rolling=0 over=0 at=5,5,0,0")
    roll(game, "6+1")
    assert words(game) == "- round=1 turn=0 steps=0 rolling=0 over=0 at=5,5,0,0"
    told = [
        line
        for batch in game.events
        for _n, _event, line in game.title.sentences(game.setup, batch, game.names)
    ]
    assert told == ["Player 2 rolls 6 and 1.", "Player 2 stands at 5."]


def test_the_first_at_the_finish_wins() -> None:
    """PR-3.1, PR-3.3."""
    game = at("round=3 turn=1 steps=6 rolling=0 over=0 at=19,10,0,0")
    roll(game, "2+2")
    assert game.over and words(game) == "2:19,1:20"
    assert game.title.text.status(game.seen(0)) == "The race is over. First: Player 2."


def test_it_ends_after_30_turns() -> None:
    """PR-3.2."""
    game = at("round=29 turn=1 steps=0 rolling=0 over=0 at=8,7,0,0")
    roll(game, "1+1")
    assert game.over and words(game) == "1:8,2:7"


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("round=0 turn=0 steps=0 rolling=0 at=0,0,0,0", "“over=” is missing"),
        ("round=0 turn=0 steps=0 rolling=0 over=0 at=0,0,0", r"at=0,0,0: write it as in 0,0,0,0"),
        ("round=0 turn=00 steps=0 rolling=0 over=0 at=0,0,0,0", "turn=00: write it as in 0"),
        ("round=0 turn=0 steps=128 rolling=0 over=0 at=0,0,0,0", "steps=128"),
        ("round=0 turn=2 steps=0 rolling=0 over=0 at=0,0,0,0", "a seat must decide that does not exist"),
        ("round=0 turn=-1 steps=0 rolling=0 over=0 at=0,0,0,0", "no game gets into this state"),
        ("round=0 turn=0 steps=0 rolling=0 over=1 at=0,0,0,0", "the game is over"),
    ],
)
def test_positions_are_strict(state: str, said: str) -> None:
    with pytest.raises(paddock.BadPosition, match=said):
        at(state)


def test_a_record_is_read_back() -> None:
    game = paddock.start("pigrace", seed=4)
    club, rng = bot("pigrace", "club"), Seeded(1)
    while not game.over:
        (seat,) = game.deciders
        seen = game.seen(1 << seat)
        game.play(seat, club.choose(seen, seat, seen.legal(seat), rng))
    text = records.write(game, date="2026-11-23", players=[(name, None) for name in game.names])
    assert re.search(r"^chance: \d\+\d$", text, re.MULTILINE) and "1: hold" in text
    assert records.read(text).game().result == game.result


def test_a_seat_sees_itself_first(pigrace: Title) -> None:
    """The observation of a title without features.py."""
    seen = at("round=1 turn=0 steps=7 rolling=0 over=0 at=3,16,0,0").seen(2)
    numbers = dict(zip(["deciding", "players", "track"], ([0, 0, 0, 1], 2, 20), strict=True))
    numbers |= {"round": 1, "turn": 0, "steps": 7, "rolling": 0, "over": 0, "at": [16, 0, 0, 3]}
    assert [field.name for field in pigrace.features.FIELDS] == list(numbers)
    wanted = [
        n if name == "deciding" else n / (n + 16) for name, row in numbers.items() for n in np.ravel(row)
    ]
    assert seen.vector(1).tolist() == np.array(wanted, np.float32).tolist()


@pytest.mark.slow("Pig race is compiled")
def test_both_modes_play_alike(pigrace: Title) -> None:
    """Chance, places and the start follow from the title's own functions in both modes."""
    options = pigrace.options.read({"track": "30"})
    fast, slow = (play(pigrace, options, 40, 3, thirds=[3, 0, 1], compiled=mode) for mode in (True, False))
    assert (fast.places == slow.places).all() and (fast.scores == slow.scores).all()
    assert fast.places[:, 0].mean() < fast.places[:, 1].mean(), "the policy beats chance"
    (watched, *_) = watch(pigrace, 2000, 1, threads=1)
    assert not watched.broken


def test_works_plays_it_and_it_is_analysed(pigrace: Title) -> None:
    """Works tries the moves in rollouts of the policy; so does an analysis."""
    assert [level.name for level in levels("pigrace")] == ["rookie", "club", "works"]
    game = paddock.position(f"{LONG} round=0 turn=0 steps=60 rolling=0 over=0 at=0,3,0,0")
    assert bot("pigrace", "works").choose(game.seen(1), 0, [ROLL, HOLD], Seeded(1)) == HOLD
    best, worse = choices(game, 400, "1")
    assert (best.move, best.cost, worse.move) == ("hold", 0, "roll")


@pytest.fixture
def sow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Title:
    """The three rooms that a title needs, and nothing else; their package is not installed."""
    (tmp_path / "sow").mkdir()
    for room in ("rulebook.py", "rules.py", "RULES.md"):
        text = (PACKAGE / "src/pigrace" / room).read_text("utf-8")
        (tmp_path / "sow" / room).write_text(text.replace("pigrace", "sow"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    made: Title = import_module("sow.rulebook").TITLE
    return made


def test_three_rooms_make_a_title(sow: Title) -> None:
    """Without words, moves are numbers; without a policy, Works plays random games, and the level says so."""
    game = paddock.start(sow, players=2, seed=1)
    game.play(0, "0")
    assert str(game.legal(game.deciders[0])[0]) == "0" and game.story == []
    assert not game._repr_mimebundle_().keys() - {"text/plain"}
    assert [level.name for level in levels(sow)] == ["rookie", "works"]
    assert "games of random moves" in levels(sow)[-1].sentence and usual(sow) == "rookie"
    assert "played on with random moves" in model_words(Analysis("sow", 1, 8, "0", ()), sow)
    bulk = play(sow, sow.options.read({}), 20, 1, compiled=False)
    assert (np.sort(bulk.places)[:, 0] == 1).all()


def test_the_commands_of_the_guide_copy_it(tmp_path: Path) -> None:
    """docs/titles.md: the copy has the new name everywhere."""
    guide = (PACKAGE.parents[1] / "docs/titles.md").read_text("utf-8")
    (commands,) = re.findall(r"^```sh\n(name=.*examples/pigrace.*?\n)\.venv", guide, re.MULTILINE | re.DOTALL)
    shutil.copytree(
        PACKAGE, tmp_path / "clone/examples/pigrace", ignore=shutil.ignore_patterns("__pycache__")
    )
    subprocess.run(["bash", "-ec", commands], cwd=tmp_path / "clone", check=True)
    files = [path for path in (tmp_path / "mygame").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"pyproject.toml", "rulebook.py", "rules.py", "draw.py"}
    assert not [path for path in files if re.search("pig ?race", path.read_text("utf-8"), re.IGNORECASE)]
    assert (tmp_path / "mygame/src/mygame/rulebook.py").is_file()


def test_levels_meet_in_a_match() -> None:
    played = paddock.match("pigrace", ["club", "rookie"], 30, 1, options={"track": 100}, processes=1)
    assert not (played.forfeits != "").any()
    club, rookie = played.figures
    assert played.names == ("club", "rookie") and club.points > rookie.points


def test_networks_can_train_on_it(pigrace: Title) -> None:
    """The environments have an observation, a mask, and the points as reward."""
    env = vector("pigrace", {"players": 2, "track": 20}, 8, 1, opponents={1: "club"})
    assert env.batch.observations.shape == (8, pigrace.features.FEATURES)
    played = env.collect(lambda observations, masks: masks.argmax(1), 40)
    assert played.finished.any() and np.abs(played.observations).max() <= 1
    env.close()
    with pytest.raises(PaddockError, match=r"features='short': Pig race has none: write short_features.py"):
        vector("pigrace", features="short")
