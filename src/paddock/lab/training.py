"""``train_title``: a network of a title is trained by its recipe, with a file of weights and curves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from paddock.bots.champion import has_networks, network_name, shipped
from paddock.bots.network import Network
from paddock.bots.registry import (
    ALONE,
    CHAMPION,
    CLUB,
    WORKS,
    looks_ahead,
    network_of,
    thirds,
    without_search,
)
from paddock.core.errors import BadOption, PaddockError
from paddock.core.extras import need
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.recipe import Recipe
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.core.wording import either
from paddock.kernel.bulk import cores
from paddock.lab.imitate import imitate
from paddock.lab.train import Among, CurvePoint, Rival, among, needed, options_of, train
from paddock.lab.trials import learn_from_trials

LADDERS = 10  # early ladders of a training, and checkpoints with them
GAMES = 1000  # of a ladder
TRIES = 2  # updates that are played to see how long one takes


@dataclass(frozen=True)
class EarlyLadder:
    """An early ladder: what the network of an update gets among rivals of one kind."""

    update: int
    rival: str
    result: Among


def train_title(
    title: Title | str,
    options: Mapping[str, Any] | None = None,
    *,
    seed: int = 1,
    updates: int | None = None,
    minutes: float | None = None,
    against: str = "",
    begin: str = "",
    recipe_name: str = "",
    hidden: int | None = None,
    past: bool | None = None,
    to: Path | None = None,
    curves: Path | None = None,
    say: Callable[[CurvePoint | EarlyLadder], Any] | None = None,
    processes: int | None = None,
) -> Network:
    """Train a network for games of these options by the recipe of the title, and return it.

    ``updates`` or ``minutes`` say how long; with minutes, the first updates are timed, and the point that
    ``say`` gets has the number that repeats the training. ``against`` is a level or ``net:FILE``: the network
    learns to exploit it, at one seat among so many of it. ``begin`` names weights to begin with in the
    same way: ``"champion"``, ``"net:FILE"``. ``recipe_name`` chooses a recipe of the title; ``hidden`` and
    ``past`` say in its place how wide the network is, and whether it reads what is past. ``to`` gets the
    weights at each of ``LADDERS`` parts, ``curves`` a line of JSON for each update and ladder; where learners
    play games of several options, a ladder is of the first. The learners
    of the recipe, or the games of a level that it imitates, share so many ``processes``, by default one for
    each core; the weights do not depend on it. Raises ``PaddockError`` if an argument is wrong.
    """
    need("fast", _("training"))
    processes = processes or cores()
    found_title = find_title(title)
    recipe = recipe_for(found_title, options or {}, recipe_name)
    if recipe.imitates or recipe.worlds:
        if against:
            raise BadOption([_("this recipe does not play against a level: leave out --against")])
        if minutes is not None:
            sentence = _(
                "this recipe learns from decisions that are collected first: --updates says how often"
            )
            raise BadOption([sentence])
    if against:  # with several, what is gained in some minutes would depend even more on the machine
        recipe = replace(recipe, learners=1, others=())
        if not recipe_name:  # else the first of several kinds of games, which nobody asked for
            recipe = replace(recipe, options=dict(options or {}))
    recipe = replace(
        recipe,
        hidden=recipe.hidden if hidden is None else hidden,
        past=recipe.past if past is None else past,
    )
    chosen = options_of(found_title, recipe)
    rival = rival_of(found_title, against, chosen) if against else None
    if rival is None and recipe.against:
        rival = needed(shipped(found_title, recipe.against), recipe.against)
    start = _begin(found_title, begin, chosen)
    if not begin and not against and recipe.begin:
        start = needed(shipped(found_title, recipe.begin), recipe.begin)
    if minutes is not None:
        updates = max(
            1, int(minutes * 60 / seconds_of_update(found_title, recipe, seed, rival, start, processes))
        )
    if updates is not None:
        recipe = replace(recipe, updates=updates, stop=0)
    judged = against or recipe.against or CLUB
    judge = rival if rival is not None else thirds(found_title, CLUB)
    last = recipe.stop or recipe.updates
    interval = max(1, last // LADDERS)

    def note(kind: str, report: CurvePoint | EarlyLadder) -> None:
        """Write a report to the file of curves, and pass it on."""
        if curves:
            with curves.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": kind, **asdict(report)}) + "\n")
        if say:
            say(report)

    def progress(point: CurvePoint, network: Network) -> None:
        """Report an update; every so often, play an early ladder and write the network."""
        note("update", point)
        if point.update % interval == 0 or point.update == last:
            playing = replace(network, sharp=recipe.sharp)
            note(
                "ladder",
                EarlyLadder(point.update, judged, among(found_title, chosen, playing, judge, GAMES, seed)),
            )
            if to:
                finished(playing).save(to)

    def finished(network: Network) -> Network:
        began = begin or ("" if against else recipe.begin)
        kinds = dict.fromkeys(options_of(found_title, recipe, k).text for k in range(recipe.learners))
        facts = {"title": found_title.name, "options": "; ".join(kinds), "seed": seed, "updates": last}
        return replace(network, facts={**facts, "recipe": recipe_name, "against": against, "begin": began})

    if recipe.imitates or recipe.worlds:
        lesson = imitate if recipe.imitates else learn_from_trials
        learned = lesson(found_title, recipe, seed=seed, begin=start, progress=progress, processes=processes)
    else:
        learned = train(
            found_title, recipe, seed=seed, begin=start, against=rival, progress=progress, processes=processes
        )
    training = finished(learned)
    if to:
        training.save(to)
    return training


def recipe_for(title: Title, options: Mapping[str, Any], name: str = "") -> Recipe:
    """Return the recipe of the title for these options, or of this name; raise ``PaddockError`` if it has
    none."""
    room = title.champion
    if not title.has_room("champion"):
        sentence = _("{title} cannot be trained: it has no champion.py and short_features.py")
        raise PaddockError(sentence.format(title=title.label))
    if name and name not in room.RECIPES:
        sentence = _("there is no recipe “{name}” of {title}: choose {names}")
        names = either(room.RECIPES)
        raise BadOption([sentence.format(name=name, title=title.label, names=names)])
    setup = title.setup_of(title.options.read({**title.one_round, **options}))
    name = name or network_name(title, setup)
    if not name:
        raise PaddockError(_("{title} has no networks for these options").format(title=title.label))
    recipe = room.RECIPES.get(name, Recipe({}, updates=300))
    return replace(recipe, options=dict(options), others=()) if options else recipe


def rival_of(title: Title, level: str, options: Options) -> Rival:
    """Return who plays all other seats; raise ``BadOption`` for a level that is too slow, or unknown."""
    if looks_ahead(title, level, options):
        sentence = _("“{level}” looks ahead, and is too slow to train against: take {network}")
        raise BadOption([sentence.format(level=level, network=without_search(level))])
    network = network_of(title, level, options)
    if isinstance(network, Network):
        return network
    if level in (CHAMPION, ALONE) and has_networks(title):
        raise BadOption([_("{title} has no networks for these options").format(title=title.label)])
    if level == WORKS:
        raise BadOption([_("the level “works” is too slow to train against: it thinks in rollouts")])
    return thirds(title, level)


def _begin(title: Title, begin: str, options: Options) -> Network | None:
    return needed(network_of(title, begin, options), begin) if begin else None


def seconds_of_update(
    title: Title,
    recipe: Recipe,
    seed: int,
    rival: Rival | None,
    begin: Network | None,
    processes: int = 1,
) -> float:
    """Return how long an update takes, measured with a learner that is thrown away; it compiles first."""
    began = [0.0]

    def progress(point: CurvePoint, network: Network) -> None:
        if point.update == 1:
            began[0] = perf_counter()

    short = replace(recipe, updates=1 + TRIES, stop=0)
    train(title, short, seed=seed, begin=begin, against=rival, progress=progress, processes=processes)
    return (perf_counter() - began[0]) / TRIES
