"""The arena over the Model Context Protocol: keys, secrets and refusals; once over a real process."""

from __future__ import annotations

import json
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters

from paddock.arena import server
from paddock.arena.server import Hall
from paddock.core.errors import PaddockError
from paddock.core.title import title

TITLES = [title(name) for name in ("lacorsa", "rasant", "great_race")]


def keys_of(said: str) -> list[str]:
    return [line.rpartition(" ")[2] for line in said.splitlines()[1:]]


def test_each_key_shows_its_own_hand_only() -> None:
    hall = Hall(TITLES, seed=1)
    keys = keys_of(hall.new_game("rasant", {}, ["me", "me", "club"]))
    assert len(set(keys)) == 2
    words = [hall.look(key) for key in keys]
    for n, said in enumerate(words):
        assert f"You are Player {n + 1} " in said
        assert said.count("Hand of ") == 1 and f"Hand of Player {n + 1}:" in said


def test_a_commitment_is_not_shown_to_the_other() -> None:
    """Where both decide at once, the second sees and is told the same, whatever the first has chosen."""
    said = []
    for move in (0, -1):
        hall = Hall(TITLES, seed=1)
        first, second = keys_of(hall.new_game("lacorsa", {"drivers": 4}, ["me", "me", "club", "club"]))
        mine = hall.play(first, hall.legal(first)[move]["notation"])
        assert "You have chosen; the others have not yet." in mine and hall.legal(first) == []
        with pytest.raises(PaddockError, match="nothing to decide"):
            hall.play(first, "5")
        said.append(hall.look(second))
    assert said[0] == said[1]


def test_a_game_to_its_end() -> None:
    hall = Hall(TITLES, seed=1)
    (key,) = keys_of(hall.new_game("rasant", {"players": 2}, []))
    assert hall.result(key) == "The game is not over."
    refused = hall.play(key, "r999")
    assert refused.startswith("This was refused: ") and "Tries left: 2" in refused
    while moves := hall.legal(key):
        words = hall.play(key, moves[-1]["notation"])
    assert hall.result(key).startswith("Place 1: ") and "Forfeited decisions: 0 of " in hall.result(key)
    assert "Place 1: " in words


def test_chance_is_that_of_the_seed_and_else_of_the_system() -> None:
    def first_words(seed: int | None) -> str:
        hall = Hall(TITLES, seed)
        return hall.look(keys_of(hall.new_game("lacorsa", {"drivers": 4}, []))[0])

    assert first_words(1) == first_words(1) != first_words(2)
    assert len({first_words(None) for _ in range(4)}) > 1


def test_old_games_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST", 2)
    hall = Hall(TITLES, seed=1)
    over, going = (keys_of(hall.new_game("rasant", {"players": 2}, []))[0] for _ in range(2))
    with pytest.raises(PaddockError, match="2 games are open"):
        hall.new_game("rasant", {}, [])
    while moves := hall.legal(over):
        hall.play(over, moves[0]["notation"])
    hall.new_game("rasant", {}, [])
    hall.look(going)
    with pytest.raises(PaddockError, match="no player has this key"):
        hall.look(over)


@pytest.mark.parametrize(
    ("name", "options", "players", "said"),
    [
        ("chess", {}, [], "choose one of lacorsa, rasant, great_race"),
        ("rasant", {"players": 9}, [], "players=9"),
        ("rasant", {"players": 3}, ["me", "club"], "name 3"),
        ("rasant", {}, ["club", "club"], "at least one “me”"),
        ("rasant", {}, ["me", "grandmaster"], "grandmaster"),
        ("rasant", {}, ["me", "net:/etc/hostname"], "each a level or “me”"),
    ],
)
def test_what_cannot_begin_is_refused(name, options, players, said) -> None:
    with pytest.raises(PaddockError, match=said):
        Hall(TITLES, seed=1).new_game(name, options, players)


@pytest.mark.slow("starts a server in a process of its own")
def test_a_client_plays_over_standard_input_and_output() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "paddock", "arena", "serve", "rasant", "--seed", "1"]
    )

    async def talk() -> None:
        async with Client(command) as client:

            async def call(name: str, **arguments: object) -> tuple[bool, str]:
                result = await client.call_tool(name, arguments)
                return bool(result.is_error), result.content[0].text

            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == {"new_game", "look", "legal", "play", "rules", "result"}
            failed, said = await call("new_game", title="lacorsa")
            assert failed and "there is no title “lacorsa” here: choose one of rasant" in said
            failed, said = await call("new_game", title="rasant", players=["me", "club"])
            (key,) = keys_of(said)
            assert not failed
            assert (await call("look", key="x"))[0]
            assert "Rasant in a minute" in (await call("rules", title="rasant"))[1]
            assert "RA-4.1" in (await call("rules", title="rasant", part="RA-4"))[1]
            assert "You are Player 1" in (await call("look", key=key))[1]
            assert "Tries left: 2" in (await call("play", key=key, move="r999"))[1]
            moves = json.loads((await call("legal", key=key))[1])
            while moves:
                assert not (await call("play", key=key, move=moves[-1]["notation"]))[0]
                moves = json.loads((await call("legal", key=key))[1])
            assert "Place 1: " in (await call("result", key=key))[1]

    anyio.run(talk)
