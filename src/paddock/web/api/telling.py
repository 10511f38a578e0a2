"""Writes a table as JSON for each of those who see it, and makes nothing twice.

What all see is written once for each version of a table, and of a story only what is new. So little is left
for each reader: the view, the choices, and the orders that can be given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, cast

from paddock.core.i18n import _, language
from paddock.core.log import EventBatch
from paddock.core.options import Options
from paddock.core.quick_json import Fragment
from paddock.core.title import Seen, Title
from paddock.tables import Table, cards
from paddock.web.api.answers import ask_out, encoded, standings_out, talk_out
from paddock.web.api.shapes import ClaimOut, LineOut
from paddock.web.caches import Current, Recent
from paddock.web.model import (
    MODELS,
    MOST_STORY,
    SENTENCES,
    Common,
    Guest,
    Models,
    Person,
    Scene,
    SeatOrders,
    Sight,
    shares,
)
from paddock.web.people import orders_form
from paddock.web.present import stopped
from paddock.web.streams import News


@dataclass(frozen=True)
class _Facts:
    """What all see of a version of a table, as JSON."""

    text: bytes  # the fields of a ``TableOut``, without the brace at the end
    people: Sequence[tuple[bytes, bytes]]  # each player for others and for its owner, without the clock
    clocks: Sequence[bytes]  # the rest of each player


@dataclass(frozen=True)
class Story:
    """A story as it was when it was asked for last."""

    scene: Scene
    said: Sequence[Sequence[Fragment]]  # the lines about its last batches
    text: bytes  # ``story_out`` as JSON
    digest: bytes

    def same(self, scene: Scene) -> bool:
        """Whether a scene has the same story."""
        mine = self.scene
        return (mine.batches is scene.batches, mine.names, mine.forced) == (True, scene.names, scene.forced)

    def known(self, scene: Scene) -> int:
        """Return how many of the first batches of a scene this story tells of; 0 if it tells others."""
        mine, n = self.scene.batches, len(self.scene.batches)
        grown = 0 < n <= len(scene.batches) and scene.batches[n - 1] is mine[-1]
        return n if grown and self.scene.names == scene.names else 0


class Telling:
    """Says what each reader sees of a table. ``Models`` keeps the facts of which it is made."""

    def __init__(self) -> None:
        self._facts: Current[tuple[str, str], _Facts] = Current(MODELS)
        self._stories: Recent[tuple[str, int, str], Story] = Recent(
            MODELS, lambda story: shares(story.scene.batches)
        )

    def of(
        self,
        table: Table,
        models: Models,
        player: int | None,
        mine: Sequence[int],
        host: bool,
        guest: Guest,
        left: Callable[[], Sequence[int | None]],
        now: datetime,
    ) -> News:
        """Return a ``TableOut`` for a program with the players ``mine`` that looks through ``player``'s eyes.

        ``host`` says whether it is the host, ``guest`` how it gets a seat, ``left`` the milliseconds on the
        players' clocks at the time ``now``. The digest has 64 bits, and is the same for the same content,
        except for the times on clocks.
        """
        common, sight = models.common(table), models.sight(table, player, chat=True)
        facts, story = self._facts_of(table, common, left, now), self.story_of(table.id, sight.scene)
        text = facts.text + b"," + encoded(_own(table, common, sight, mine, host, guest))[1:-1]
        people = [one[i in mine] for i, one in enumerate(facts.people)]
        digest = hashlib.blake2b(b"".join([text, story.digest, *people]), digest_size=8).hexdigest()
        timed = [one + clock for one, clock in zip(people, facts.clocks, strict=True)]
        parts = text, b',"story":', story.text, b',"players":[', b",".join(timed)
        return News(digest, b"".join([*parts, b'],"digest":"', digest.encode(), b'"}']))

    def forget(self, ids: Collection[str]) -> None:
        """Forget tables that have left memory."""
        self._facts.forget(ids)
        self._stories.forget(ids)

    def _facts_of(
        self, table: Table, common: Common, left: Callable[[], Sequence[int | None]], now: datetime
    ) -> _Facts:
        def make() -> _Facts:
            clocks = [_clock(who, rest, now) for who, rest in zip(common.people, left(), strict=True)]
            people = [_person(who) for who in common.people]
            return _Facts(encoded(_shared(table, common))[:-1], people, clocks)

        return self._facts.of(table, (table.id, language.get()), make)

    def story_of(self, id: str, scene: Scene) -> Story:
        """Return the story of a table as a player was told it, in the current language."""
        key = id, scene.heard, language.get()
        kept = self._stories.get(key)
        if kept is None or not kept.same(scene):
            known = kept.known(scene) if kept else 0
            said = [*(kept.said if kept and known else ()), *_said(scene, known)][-MOST_STORY:]
            text = encoded(_last(scene, said))
            made = Story(scene, said, text, hashlib.blake2b(text, digest_size=16).digest())
            kept = self._stories.keep(key, made)
        return kept


# The fields of a ``TableOut`` but players, story and digest. They are not validated again, which would take
# most of the time: tests validate them.


def _shared(table: Table, common: Common) -> dict[str, Any]:
    """Return the fields that are the same for all."""
    return {
        "id": table.id,
        "title": table.title.name,
        "revision": table.title.revision,
        "options": table.options.named,
        "kind": table.kind.name,
        "deal": table.deal,
        "counts": table.counts,
        "phase": common.phase,
        **vars(table.terms),
        "abandoned": table.abandoned,
        "frozen": table.frozen,
        "stalled": _(table.stalled) if table.stalled else None,
        "proof": vars(shown) if (shown := cards.shown(table)) else None,
        "rematch": table.rematch,
        "rematch_of": table.rematch_of,
        "decision": table.decision,
        "deciders": common.deciders,
        "committed": common.committed,
        "awaited": common.awaited,
        "undo": common.undo,
        "claims": [{name: getattr(claim, name) for name in ClaimOut.model_fields} for claim in common.claims],
        "standings": standings_out(table.options, tuple(table.game.rounds)),
        "winners": common.winners,
    }


def _own(
    table: Table, common: Common, sight: Sight, mine: Sequence[int], host: bool, guest: Guest
) -> dict[str, Any]:
    """Return the fields that may differ from reader to reader."""
    seen = sight.scene.seen
    words = stopped(table.fault, table.stalled, sight.lesson, common.phase, over=common.over)
    return {
        "you": mine,
        "player": sight.player,
        "host": host,
        "status": words or table.title.text.status(seen),
        "asks": [ask_out(decision, table.decision) for decision in sight.decisions],
        "orders": [_orders(seen, one, common.running) for one in sight.orders],
        "asking": guest.asking,
        "back": guest.back,
        "can_undo": common.undoer in mine,
        "view": sight.scene.view,
        "news": sight.news,
        "talk": [talk_out(line) for line in sight.said],
    }


def _orders(seen: Seen, mine: SeatOrders, running: bool) -> dict[str, Any]:
    """Return the fields of an ``OrdersOut``."""
    form = orders_form(seen, mine, running=running)
    return {"seat": form.seat, "given": form.given, "offers": form.offers, "dropped": form.dropped}


@lru_cache(4096)
def _person(person: Person) -> tuple[bytes, bytes]:
    """Return the beginning of a ``PlayerOut`` as JSON, for others and for the player's owner."""
    out = dict(vars(person))
    del out["timed"], out["runs"]
    text = encoded(out)[:-1]
    return text + b',"yours":false', text + b',"yours":true'


def _clock(person: Person, left: int | None, now: datetime) -> bytes:
    """Return the end of a ``PlayerOut`` as JSON: its fields about the clock."""
    if left is None or not person.runs:
        return b',"clock_ms":%s,"clock_ends":null}' % encoded(left)
    # The end time stays the same while the clock runs; the time left would not.
    ends = (now + timedelta(milliseconds=left + 500)).replace(microsecond=0)
    return b',"clock_ms":null,"clock_ends":%s}' % encoded(ends)


# The story


def story_out(scene: Scene) -> list[LineOut]:
    """The last lines of a story, the oldest first: JSON with the fields of a ``LineOut``."""
    return cast(list[LineOut], _last(scene, _said(scene)))


def _said(scene: Scene, since: int = 0) -> list[Sequence[Fragment]]:
    """Return the lines about each batch from ``since`` on, or about the last ones if they are too many."""
    title, options, names, spoken = scene.seen.title, scene.seen.options, scene.names, language.get()
    first = max(since, len(scene.batches) - MOST_STORY)
    return [_lines(title, options, scene.batches[i], names, spoken) for i in range(first, len(scene.batches))]


def _last(scene: Scene, said: Sequence[Sequence[Fragment]]) -> list[Any]:
    """Return the last lines of a story, reasons of forced moves included; ``said`` is of its last batches."""
    lines: list[Any] = []
    for i, told in enumerate(said, len(scene.batches) - len(said)):
        lines += told
        lines += [
            {"entry": it.entry, "round": scene.batches[i].round, "text": str(it.sentence)}
            for it in scene.reasons(i + 1)
        ]
    return lines[-MOST_STORY:]


@lru_cache(SENTENCES)
def _lines(
    title: Title, options: Options, batch: EventBatch, names: tuple[str, ...], _language: str
) -> Sequence[Fragment]:
    """Return the lines about a batch of events, in the current language."""
    return [
        Fragment(encoded({"entry": batch.entry, "round": batch.round, "text": text}))
        for _place, _event, text in title.sentences(title.setup_of(options), batch, names)
    ]
