"""Networks that play a study: *Champion*'s where it learned these rules, else one that learns them first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from paddock.bots.champion import FOLDER, network_name, shipped
from paddock.bots.network import Network
from paddock.core.errors import BadOption
from paddock.core.i18n import _, plural
from paddock.core.options import Options
from paddock.core.recipe import Recipe
from paddock.core.title import Title
from paddock.core.wording import number
from paddock.kernel.bulk import cores
from paddock.lab.figures import Estimate, shown
from paddock.lab.train import CurvePoint, train
from paddock.lab.training import recipe_for, seconds_of_update

UPDATES = 25  # of a training at least: where time is short, each has fewer games
GAMES = 20  # of an update at least
TIMED = 10  # one in so many games of an update is played to see how long one takes


@dataclass(frozen=True)
class Pupil:
    """A network for some rules, and the training that it gets."""

    title: Title
    options: Options
    recipe: Recipe  # of the training
    begin: Network | None  # None: random weights
    name: str  # of the network of *Champion* that it begins with; empty: random weights
    knows: bool  # it has learned these rules, and needs no training


@dataclass(frozen=True)
class Learned:
    """A network that plays, and how much it learned for it."""

    network: Network
    begin: str  # as ``Pupil.name``
    updates: int = 0  # of the weights; 0: it is *Champion*'s network as it is
    games: int = 0  # that it played to learn


@dataclass(frozen=True)
class Player:
    """The network that plays a side, and the points over the fair share that it gets as one among levels."""

    learned: Learned
    strength: Estimate
    before: Estimate | None  # of the weights that it began with; None: it did not learn, or from nothing

    def about(self, side: str, level: str) -> str:
        """Say how the network of a side came to be, and how strong it is among players of a level."""
        sentence = _(
            "Network of {side}: from nothing, {updates} with {games} games. One among “{level}” gets "
            "{points} points over the fair share."
        )
        if not self.learned.updates:
            sentence = _(
                "Network of {side}: Champion's “{name}”, which learned these rules. One among “{level}” gets "
                "{points} points over the fair share."
            )
        elif self.before:
            sentence = _(
                "Network of {side}: Champion's “{name}”, then {updates} with {games} games of these rules. "
                "One among “{level}” gets {points} points over the fair share; before it learned {before}."
            )
        return sentence.format(
            side=side,
            level=level,
            name=self.learned.begin,
            updates=plural("{n} update", "{n} updates", self.learned.updates),
            games=number(self.learned.games, ","),
            points=shown(self.strength, sign=True),
            before=shown(self.before, sign=True) if self.before else "",
        )


def pupils(*sides: tuple[Title, Options]) -> list[Pupil]:
    """Return who plays for each side of a study.

    A title without networks of its own begins with those of another side, if they read and choose the same.
    Raises ``PaddockError`` for a title that cannot be trained, or whose networks are of another title.
    """
    own = [_own(title, options) for title, options in sides]
    return [
        pupil if pupil.begin else next(filter(None, (_borrowed(pupil, other) for other in own)), pupil)
        for pupil in own
    ]


def _own(title: Title, options: Options) -> Pupil:
    """Return who begins with the title's own network for these options, if there is one."""
    recipe = recipe_for(title, options.model_dump())  # ``PaddockError`` without networks
    setup = title.setup_of(options)
    name = network_name(title, setup)
    network = shipped(title, name)
    its_own = title.champion.RECIPES.get(name) if network else None
    knows = its_own is not None and any(
        title.setup_of(title.options.read({**title.one_round, **kind})).tobytes() == setup.tobytes()
        for kind in (its_own.options, *its_own.others)
    )
    # It learns from games alone, against Clubs and itself: the recipe's other rivals play by other rules
    alone = replace(recipe, begin="", against="", imitates="", worlds=0, stop=0, rivals=Recipe({}, 0).rivals)
    pupil = Pupil(title, options, alone, None, "", knows)
    if network is None:
        return pupil
    assert isinstance(network, Network), "the laboratory has NumPy"
    if not _fits(network, title):
        sentence = _("{file}: this network does not play {title}")
        raise BadOption([sentence.format(file=title.file(FOLDER) / f"{name}.npz", title=title.label)])
    return replace(pupil, begin=network, name=name)


def _fits(network: Network, title: Title) -> bool:
    """Whether a network reads and chooses as many numbers as the title has."""
    room = title.short_features
    return network.shape in [(size, room.OUTPUTS) for size in (room.PRESENT_FEATURES, room.SHORT_FEATURES)]


def _borrowed(pupil: Pupil, other: Pupil) -> Pupil | None:
    """Return the pupil with the weights of another side; None if they do not fit."""
    if other.begin is None or not _fits(other.begin, pupil.title):
        return None
    return replace(pupil, begin=other.begin, name=other.name)


def minutes_each(minutes: float, pupils: Sequence[Pupil]) -> float:
    """Return how long each that must learn may do so; raise ``BadOption`` unless it is a time."""
    if not (isfinite(minutes) and minutes > 0):
        raise BadOption([_("--learn {minutes}: give minutes above 0").format(minutes=minutes)])
    return minutes / max(1, sum(not pupil.knows for pupil in pupils))


def learn(
    pupil: Pupil,
    seed: int,
    *,
    minutes: float = 0,
    updates: int | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Learned:
    """Train a pupil for so many minutes, or so many updates of its recipe; one that knows the rules stays.

    What is compiled first does not count, nor the games that show how long one takes. ``progress`` is called
    with the number of games played since the last call.
    """
    if pupil.knows and pupil.begin:
        return Learned(pupil.begin, pupil.name)
    recipe = replace(pupil.recipe, updates=updates or pupil.recipe.updates)
    if updates is None:
        recipe = _in_time(pupil, 60 * minutes, seed)
    each = recipe.games * recipe.learners

    def note(point: CurvePoint, network: Network) -> None:
        if progress:
            progress(each)

    network = train(pupil.title, recipe, seed=seed, begin=pupil.begin, progress=note, processes=cores())
    return Learned(network, pupil.name, recipe.updates, recipe.updates * each)


def _in_time(pupil: Pupil, seconds: float, seed: int) -> Recipe:
    """Return the recipe with as many updates as fit into the time, measured with a few games."""
    recipe = pupil.recipe
    few = replace(recipe, games=max(GAMES, recipe.games // TIMED))
    taken = seconds_of_update(pupil.title, few, seed, None, pupil.begin, cores())
    games = seconds / taken * few.games  # of each learner
    each = max(GAMES, min(recipe.games, int(games / UPDATES)))
    return replace(recipe, games=each, updates=max(1, int(games / each)))
