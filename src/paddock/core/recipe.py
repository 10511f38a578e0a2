"""How a network of a title is trained: a title has a recipe for each of its networks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """What ``paddock train`` does for one network. Its reward is taken over the mean of all players."""

    options: Mapping[str, object]  # of the games that are played; with ``others``, by the first learner
    updates: int  # of the weights, over which rate and curiosity fall
    stop: int = 0  # after so many of them; 0: at the end
    games: int = 1200  # for each update
    imitates: str = ""  # a level whose moves it learns, instead of learning by self-play
    among: str = ""  # the recipe whose network plays with that level; empty: the one that it begins with
    # Above 0: every move of its own is tried in so many worlds, and it learns what they are worth; no PPO
    worlds: int = 0
    heat: float = 0.05  # the reward for which such a move becomes e times as likely
    begin: str = ""  # the recipe whose network it begins with; empty: random weights
    against: str = ""  # the recipe whose network has all other seats; empty: itself and others
    points: float = 0.25  # the reward of a point
    wins: float = 0.0  # the reward of a win
    fade: float = 1.0  # λ: below 1 an advantage looks less far ahead, and so varies less
    prior: float = 0.0  # what the outputs of the moves of *Club* have ahead of others
    itself: float = 0.6  # the part of the games in which all players are the present network
    rate: float = 1e-3  # of the first update; falls to a twentieth
    sharp: float = 1.0  # what its outputs are multiplied by when it plays: above 1, likely moves are likelier
    curiosity: tuple[float, float] = (0.02, 0.001)  # the weight of entropy at the beginning and the end
    hidden: int = 128  # numbers of each hidden layer; a smaller network to begin with is widened
    past: bool = False  # whether it reads what is past; one to begin with that does not learns to
    epochs: int = 3
    learners: int = 1  # that each play so many games and learn from them; then their weights are averaged
    # Options of the games of the next learners in self-play, then those of ``options`` again; empty: all
    # play the same
    others: tuple[Mapping[str, object], ...] = ()
    batch: int = 4096
    alone: float = 0.0  # the part in which it plays alone among others of one kind
    # Weights of the opponents, which are levels or recipes; all earlier selves together have the weight 1
    rivals: Mapping[str, float] = field(default_factory=lambda: {"club": 1.0})


@dataclass(frozen=True)
class Search:
    """How *Champion* looks ahead with a network before it moves."""

    rollouts: int  # of all moves together; with some numbers of moves up to twice as many
    heat: float  # the reward for which a move becomes e times as likely
    rivals: tuple[str, ...] = ("",)  # networks that play for others in turn, by world; "": its own
