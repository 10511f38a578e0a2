"""Searches what was sent in a race of The Great Race for what its reader cannot know.

Who may know what is written here by hand, from the whole log of the finished race. It uses nothing of
``hide``, ``seen`` and ``event_for``.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from paddock import records
from paddock.core.game import Game
from paddock.core.words import CHANCE, HIDDEN
from paddock.games.great_race.rules import state
from paddock.games.great_race.words.names import CARD_NAMES, CARDS

SHOWN_TO_ALL = {state.DEALT: 0, state.TOOK: 1, state.PLAYED: 1, state.DISCARDED: 1, state.CANCELLED: 1}
SHOWN_TO_OWNER = (state.DREW, state.KEPT)
# Sections that explain all cards to everybody, and sentences that name a card in general.
EXPLAINED = re.compile(
    r'<section class="panel gr-aid".*?</section>|<details class="fold panel orders".*?</details>'
    r"|<dialog.*?</dialog>|<symbol.*?</symbol>|<style.*?</style>"
    r'|<svg [^<>]*class="gr-sprite".*?</svg>',  # the pictures of all cards, the same on every page
    re.S,
)
GENERAL = re.compile(
    r"can finish this turn only with (?:a Driver card|\d+ Driver cards)"
    r"|(?:Without a|play a) Guide|Play a Jerrycan first"
    r"|a guard or a Militia|a Jerrycan helps|the Toolbox repairs|for the Customs"  # why a card waits
)
NAMED = re.compile(rf"\b(?:{'|'.join(sorted(CARD_NAMES, key=len, reverse=True))})\b")


def own(page: str) -> str:
    """Return a page without what explains all cards to everybody."""
    return GENERAL.sub("", EXPLAINED.sub("", html.unescape(page)))


def words(page: str) -> str:
    """Return the words of a page, without its elements."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


@dataclass
class Moment:
    """What was known before the entry with this number."""

    turn: int = 0
    planning: bool = False
    hands: list[Counter[int]] = field(default_factory=list)
    seen: list[set[int]] = field(
        default_factory=list
    )  # kinds of cards that each reader has seen; last: spectator
    shown: list[list[Counter[int]]] = field(default_factory=list)  # reader → holder → cards seen to come


class Truth:
    """A finished race, and who knew what at each of its moments."""

    def __init__(self, record: str) -> None:
        whole = records.read(record).game()
        self.names, players = whole.names, whole.options.players
        self.log = whole.log
        self.owners: list[set[int] | None] = []  # of each entry: who sees it; None: everybody
        self.moments: list[Moment] = []
        self.hidden = Counter[str]()  # how many entries are hidden, by why
        game = Game(whole.title, whole.options, None, whole.names)
        seen: list[set[int]] = [set() for _ in range(players + 1)]
        shown: list[list[Counter[int]]] = [[Counter() for _ in range(players)] for _ in range(players + 1)]
        done = 0
        for entry in whole.log:
            s: Any = game._state
            hands = [Counter({kind: s.hand[seat, kind] + s.drawn[seat, kind] for kind in range(state.CARDS)})
                     for seat in range(players)]  # fmt: skip
            for reader in range(players):
                seen[reader] |= set(+hands[reader])
            self.moments.append(
                Moment(
                    s.round,
                    s.stage == state.PLANS_STAGE,
                    hands,
                    [set(kinds) for kinds in seen],
                    [[Counter(one) for one in line] for line in shown],
                )
            )
            owners = None
            if entry.by == CHANCE and s.stage == state.DRAW_CARD:
                owners, why = {s.turn}, "drawn"
            elif entry.by == CHANCE and s.stage == state.THEFT:
                owners, why = {s.turn, s.target}, "stolen"
            if owners is not None:
                self.hidden[why] += 1
            self.owners.append(owners)
            game.append(entry)
            for batch in game.events[done:]:
                for event in batch.events:
                    for reader in range(players + 1):
                        self._tell(event, reader, seen[reader], shown[reader])
            done = len(game.events)

    @staticmethod
    def _tell(event: Any, reader: int, seen: set[int], shown: list[Counter[int]]) -> None:
        code, a, b, c = event[:4]
        if code in SHOWN_TO_ALL:
            seen.add((a, b)[SHOWN_TO_ALL[code]])
        if code == state.TOOK:
            shown[a][b] += 1
        if code in SHOWN_TO_OWNER and reader == a:
            seen.add(b)
        if code == state.STOLE and reader in (a, b):
            seen.add(c)
            shown[a][c] += 1

    def search_page(self, page: str, reader: int) -> int:
        """Check a page or a part of one; return how many cards it names. Pages after the race are skipped."""
        found = re.search(r'data-decision="(\d+)"', page)
        if not found or int(found[1]) >= len(self.moments):
            return 0
        now, page = self.moments[int(found[1])], own(page)
        text, at = words(page), (reader, found[1])
        named = [CARD_NAMES.index(name) for name in NAMED.findall(page)]
        unknown = {CARDS[kind] for kind in set(named) - now.seen[reader]}
        assert not unknown, (at, unknown)
        for seat, name in enumerate(self.names):
            if seat == reader:
                continue
            drawn = re.findall(rf"\b{name} (?:draws|keeps) (?!a card|a tile)[^.]*", text)
            assert not drawn, (at, drawn)
            if now.planning:
                told = text.count(f"{name}'s assistants:")
                assert told <= 2 * (now.turn - 1), (at, name)  # in the story, and since the last turn
        for team in re.findall(r'<li class="gr-crew.*?</li>', page, re.S):
            self._claims(words(team), now, reader, at)
        return len(named)

    def _claims(self, team: str, now: Moment, reader: int, at: Any) -> None:
        """The cards that are known of another hand: it must hold them, and the reader has seen them come."""
        found = re.search(r"Known cards: ([\w ,×]+)", team)
        seat = next(seat for seat, name in enumerate(self.names) if name in team)
        if not found:
            return
        for count, name in re.findall(rf"(?:(\d+) × )?({NAMED.pattern})", found[1]):
            kind, n = CARD_NAMES.index(name), int(count or 1)
            assert n <= now.hands[seat][kind], (at, team)
            assert n <= now.shown[reader][seat][kind], (at, team)

    def search_answer(self, answer: Any, reader: int) -> int:
        """Check what the API says of the table; return how many cards it names."""
        view = answer["view"]
        assert isinstance(view["deck"], int)
        for team in view["teams"]:
            if team["seat"] != reader:
                assert (team["hand"], team["drawn"], team["plan"]) == (None, [], ""), (reader, team)
        assert all(ask["seat"] == reader for ask in answer["asks"] + answer["orders"])
        now = self.moments[min(answer["decision"], len(self.moments) - 1)]
        answer = answer | {"orders": []}  # which name cards in general
        named = [CARD_NAMES.index(name) for name in NAMED.findall(GENERAL.sub("", json.dumps(answer)))]
        unknown = {CARDS[kind] for kind in set(named) - now.seen[reader]}
        assert not unknown, (reader, answer["decision"], unknown)
        return len(named)

    def search_record(self, text: str, reader: int) -> int:
        """Check a record of the running race entry by entry; return how many of its entries are hidden."""
        told = [what for line in records.read(text).lines if line.by is not None for what in line.whats]
        for n, (what, owners) in enumerate(zip(told, self.owners, strict=False)):
            known = owners is None or reader in owners
            assert what == (self.log[n].what if known else HIDDEN), (reader, n)
        return told.count(HIDDEN)
