"""States, observations and actions of a game as plain data: OpenSpiel makes its structs of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from paddock.core.errors import BadMove, PaddockError, brief, quoted, whole
from paddock.core.i18n import _
from paddock.core.quick_json import OPT_NON_STR_KEYS, dumps
from paddock.core.title import Seen, Title, move_id


def state(title: Title, seen: Seen, current_player: int, history: Sequence[int]) -> dict[str, Any]:
    """Return a state with all that ``seen`` shows, and the actions and outcomes that led to it."""
    return {**_seen(seen), "current_player": current_player, "history": list(history)}


def observation(seen: Seen, player: int, asked: int | None) -> dict[str, Any]:
    """Return what a player sees, and the moves of its seat that is ``asked``, if one is.

    ``seat`` counts from 0, as ``player`` does.
    """
    struct = {**_seen(seen), "player": player}
    if asked is not None:
        text, setup = seen.title.text, seen.setup
        struct["seat"] = asked
        struct["legal"] = [
            {"action": id, "move": str(text.move(setup, id)), "label": text.label(seen, asked, id)}
            for id in seen.legal(asked)
        ]
    return struct


def _seen(seen: Seen) -> dict[str, Any]:
    text = seen.title.text
    return {
        "title": seen.title.name,
        "options": seen.options.text,
        "status": text.status(seen),
        "board": text.board(seen),
        "view": json.loads(dumps(seen.title.view.view(seen), option=OPT_NON_STR_KEYS)),
    }


def action(title: Title, setup: Any, struct: Mapping[str, Any], outcomes: Sequence[int] | None) -> int:
    """Return the action that ``struct`` names as ``move``; where chance is due, the one of ``outcomes`` that
    it names as ``outcome``. Raises ``BadMove`` if it names none."""
    key = "move" if outcomes is None else "outcome"
    if not isinstance(text := struct.get(key), str):
        sentence = _("{struct}: name what is played as {example}")
        raise BadMove(sentence.format(struct=quoted(dict(struct)), example=f'{{"{key}": "…"}}'))
    if outcomes is None:
        return move_id(title, setup, text)
    for id in outcomes:
        if title.text.outcome(setup, id) == text:
            return id
    raise BadMove(_("{action} is not possible here").format(action=brief(text)))


def parsed(text: str) -> dict[str, Any]:
    """Return the struct that is written as JSON; raise ``PaddockError`` if it is none."""
    try:
        struct = json.loads(text)
    except (TypeError, ValueError):
        struct = None
    if not isinstance(struct, dict):
        raise PaddockError(_("{text}: write a struct as JSON").format(text=quoted(text)))
    return struct


def history(struct: Mapping[str, Any] | str) -> list[int]:
    """Return the actions and outcomes that led to the state of a struct; raise ``PaddockError``."""
    actions = (parsed(struct) if isinstance(struct, str) else struct).get("history")
    if not isinstance(actions, list) or any(whole(number) is None for number in actions):
        raise PaddockError(_("a state begins at the start, or with the “history” of a struct of to_json()"))
    return actions
