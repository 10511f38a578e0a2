"""Environments for the libraries of the extra ``research``. Each library is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from paddock.core.extras import need
from paddock.core.title import Title
from paddock.envs.arguments import Features, Illegal, Reward, raises, read, reads_short, wins

if TYPE_CHECKING:
    import pyspiel

    from paddock.envs.gymnasium import Opponents, Single, SingleVector
    from paddock.envs.pettingzoo import AEC
    from paddock.envs.simultaneous import Parallel

RenderMode = Literal["ansi", "svg"]


def aec(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    *,
    reward: Reward = "points",
    render_mode: RenderMode | None = None,
    features: Features = "all",
) -> AEC:
    """Return a title as an environment for PettingZoo, in which every player is an agent.

    It plays one race or game unless the options say how many. A player is rewarded when a race ends: its
    points over the mean of all players; or with ``reward="win"``, at the end of the series, 1 for a win over
    the same mean. With ``features="short"`` observations have the numbers that networks read. Raises
    ``PaddockError`` for wrong arguments, and if PettingZoo is not installed.

        >>> import paddock
        >>> env = paddock.envs.aec("rasant", {"players": 3})
        >>> env.reset(seed=1)
        >>> env.agents, env.agent_selection
        (['player_0', 'player_1', 'player_2'], 'player_2')
    """
    need("research", "paddock.envs.aec", "pettingzoo")
    from paddock.envs.pettingzoo import AEC

    title_read, options_read = read(title, options)
    return AEC(title_read, options_read, wins(reward), render_mode, reads_short(title_read, features))


def parallel(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    *,
    opponents: Mapping[int, str] | None = None,
    reward: Reward = "points",
    illegal: Illegal = "random",
    render_mode: RenderMode | None = None,
    features: Features = "all",
) -> Parallel:
    """Return a title as a parallel environment for PettingZoo: all agents act in every step.

    All who must decide at the same time choose before any of them moves. Who has nothing to decide has one
    legal action, to wait: the last one of its action space. ``opponents`` are players, from 0, that levels
    such as ``"club"`` play; they are no agents. ``illegal`` is as in ``single``, the other arguments
    are those of ``aec``. Raises ``PaddockError`` for wrong arguments, and if PettingZoo is not installed.

        >>> import paddock
        >>> env = paddock.envs.parallel("lacorsa", {"drivers": 4}, opponents={3: "club"})
        >>> observations, infos = env.reset(seed=1)
        >>> actions = {agent: seen["action_mask"].argmax() for agent, seen in observations.items()}
        >>> observations, rewards, ends, cuts, infos = env.step(actions)
        >>> rewards
        {'player_0': 0.0, 'player_1': 0.0, 'player_2': 0.0}
    """
    need("research", "paddock.envs.parallel", "pettingzoo")
    from paddock.envs.opponents import opponents_of
    from paddock.envs.play import kit_of
    from paddock.envs.simultaneous import Parallel

    title_read, options_read = read(title, options)
    players = opponents_of(title_read, options_read, {} if opponents is None else opponents)
    kit = kit_of(title_read, options_read, reads_short(title_read, features))
    return Parallel(kit, players, wins(reward), raises(illegal), render_mode)


def single(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    *,
    player: int = 0,
    opponents: Opponents = "club",
    reward: Reward = "points",
    illegal: Illegal = "random",
    render_mode: RenderMode | None = None,
    features: Features = "all",
) -> Single:
    """Return a title as an environment for Gymnasium, in which ``player`` learns.

    ``opponents`` is the level of all other players, or a mapping from each of them to its level: also
    ``"net:FILE"`` for a network. ``reward``, ``features`` and the length of a series are as in ``aec``. An
    illegal action is replaced by a random legal one; with ``illegal="error"`` it raises ``BadMove``, as what
    is no integer always does. Raises ``PaddockError`` for wrong arguments, and if Gymnasium is not installed.

        >>> import paddock
        >>> env = paddock.envs.single("rasant", {"players": 3})
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, ended, cut, info = env.step(info["action_mask"].argmax())
        >>> reward, ended, cut
        (0.0, False, False)
    """
    need("research", "paddock.envs.single", "gymnasium")
    from paddock.envs.gymnasium import Single

    return Single(title, options, player, opponents, reward, illegal, render_mode, features)


def single_vector(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    num_envs: int = 64,
    *,
    player: int = 0,
    opponents: Opponents = "club",
    reward: Reward = "points",
    illegal: Illegal = "random",
    threads: int = 1,
    features: Features = "all",
) -> SingleVector:
    """Return ``num_envs`` games as a vector environment for Gymnasium, which steps them together, compiled.

    A game is one race, not a series. The other arguments are those of ``single``; the games are divided among
    ``threads``. Raises ``PaddockError`` for wrong arguments, a series among them, and if Gymnasium is not
    installed.
    """
    need("research", "paddock.envs.single_vector", "gymnasium")
    from paddock.envs.gymnasium import SingleVector

    return SingleVector(title, options, num_envs, player, opponents, reward, illegal, threads, features)


def open_spiel(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    *,
    reward: Reward = "points",
    recall: int | None = None,
) -> pyspiel.Game:
    """Return a title as a game for OpenSpiel, with explicit chance.

    ``reward`` and the length of a series are as in ``aec``; returns are given at the end. The tensor of an
    information state has room for ``recall`` entries; by default for as many as a game may have decisions, at
    most 2,048. Raises ``PaddockError`` for wrong arguments, and if OpenSpiel is not installed.

        >>> import paddock
        >>> game = paddock.envs.open_spiel("rasant", {"players": 3})
        >>> game.num_players(), game.new_initial_state().is_chance_node()
        (3, True)
    """
    need("research", "paddock.envs.open_spiel", "open_spiel")
    from paddock.envs.spiel import load

    return load(title, options, reward, recall)
