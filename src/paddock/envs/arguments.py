"""What every environment is given: a title, options, opponents, a reward."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from paddock.core.errors import BadMove, BadOption, PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title

Reward = Literal["points", "win"]
Features = Literal["all", "short"]
Illegal = Literal["random", "error"]


def read(title: Title | str, options: Mapping[str, Any] | None) -> tuple[Title, Options]:
    """Return the title and its options: one race or game, unless the options have another number.

    Raises ``PaddockError`` for an unknown title, and ``BadOption``.
    """
    found_title = find_title(title)
    if not isinstance(options or {}, Mapping):
        sentence = _("options={value}: give their values by their names, such as {example}")
        raise BadOption([sentence.format(value=quoted(options), example='{"drivers": 4}')])
    return found_title, found_title.options.read({**found_title.one_round, **(options or {})})


def wins(reward: str) -> bool:
    """Return whether the reward is for wins, not for points; raise ``PaddockError`` for another word."""
    if reward not in ("points", "win"):
        raise PaddockError(_("reward={reward}: write points or win").format(reward=quoted(reward)))
    return reward == "win"


def reads_short(title: Title, features: str) -> bool:
    """Return whether observations are in short; raise ``PaddockError`` for another word, and for a title
    without short features."""
    if features not in ("all", "short"):
        raise PaddockError(_("features={features}: write all or short").format(features=quoted(features)))
    if features == "short" and not title.has_room("short_features"):
        sentence = _("features='short': {title} has none: write short_features.py, or leave it out")
        raise PaddockError(sentence.format(title=title.label))
    return features == "short"


def raises(illegal: str) -> bool:
    """Return whether illegal actions are errors, not replaced; raise ``PaddockError`` for another word."""
    if illegal not in ("random", "error"):
        raise PaddockError(_("illegal={illegal}: write random or error").format(illegal=quoted(illegal)))
    return illegal == "error"


def action_number(action: object) -> int:
    """Return any integer type as an ``int``, also the only integer of an array or list.

    Raises ``BadMove`` for anything else: a number with a point, a truth value, several integers.
    """
    if (number := whole(action)) is not None:
        return number
    with suppress(TypeError, ValueError):  # no array can be made of it
        only = np.asarray(action)
        if only.size == 1 and only.dtype.kind in "iu":
            return int(only.item())
    raise BadMove(_("{action} is not an action: give one whole number").format(action=quoted(action)))


def player_number(argument: str, title: Title, options: Options, player: object) -> int:
    """Return any integer type as the number of a player; raise ``BadOption`` if there is no such player."""
    number = whole(player)
    if number is None or not 0 <= number < options.players:
        sentence = _("{argument}: there is no {player} {n}: they are 0 to {last}")
        last, word = options.players - 1, _(title.player_name)
        raise BadOption([sentence.format(argument=argument, player=word, n=quoted(player), last=last)])
    return number
