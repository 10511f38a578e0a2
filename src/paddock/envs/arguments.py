"""What every environment is given: a title, options, opponents, a reward."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from paddock.bots import thirds as thirds_of
from paddock.core.errors import BadMove, BadOption, PaddockError, quoted, whole
from paddock.core.i18n import _
from paddock.core.options import Options
from paddock.core.title import Title
from paddock.core.title import title as find_title
from paddock.kernel.vector import OUTSIDE

Reward = Literal["points", "win"]


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


def thirds(title: Title, options: Options, opponents: Mapping[int, str]) -> npt.NDArray[np.int64]:
    """Return how many of three decisions of each seat the policy makes; OUTSIDE for who is asked."""
    levels: npt.NDArray[np.int64] = np.full(options.players, OUTSIDE)
    if not isinstance(opponents, Mapping):
        sentence = _(
            "opponents={value}: give the level of each by the number of the player, such as {example}"
        )
        raise BadOption([sentence.format(value=quoted(opponents), example='{1: "rookie"}')])
    for player, level in opponents.items():
        levels[player_number("opponents", title, options, player)] = thirds_of(title, level)
    if OUTSIDE not in levels:
        raise BadOption([_("opponents: leave at least one player to be asked")])
    by_seat: npt.NDArray[np.int64] = levels[np.array(options.owners)]
    return by_seat


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
