"""Records of Skerries, whole and as some eyes saw it: decks shuffled again, cards stolen in secret."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from tests.titles.skerries.tests.harness import asked, lively, sailing

import paddock
from paddock import records
from paddock.core.game import Game
from paddock.core.title import Title
from paddock.core.words import CHANCE, HIDDEN
from paddock.kernel.source import Seeded
from sampling import count


def written(game: Game, eyes: int | None = None) -> str:
    players = [(name, None) for name in game.names]
    return records.write(game, date="2026-03-01", players=players, eyes=eyes)


def some_games(number: int, chains: bool = True) -> list[Game]:
    """Series at any moment, also finished ones, with submissions of one move and of several."""
    games = []
    for seed in range(number):
        choose = random.Random(f"records {seed}")
        game = paddock.start("skerries", seed=seed, **lively(choose))
        decisions = choose.choice([choose.randrange(60), 10**6])
        while not game.over and decisions:
            (seat,) = game.deciders
            seen, chain = game.seen(1 << seat), list[int]()
            while not (preview := seen.preview(chain)).ended and len(chain) < 5:
                others = [move for move in preview.legal if move != sailing.STOP]
                chain.append(choose.choice(others if others and choose.random() < 0.8 else preview.legal))
                if not chains or choose.random() < 0.4:
                    break
            game.play(seat, chain)
            decisions -= 1
        games.append(game)
    return games


def test_a_complete_record_replays_to_the_game_it_was_written_from(skerries: Title) -> None:
    linked = 0
    for game in some_games(count(16, 40)):
        text = written(game)
        again = records.read(text).game()
        assert (again.log, again.position, again.events) == (game.log, game.position, game.events)
        assert written(again) == text
        linked += sum(entry.linked for entry in game.log)
    assert linked > count(35, 100)


def test_a_record_reads_as_people_write_it(skerries: Title) -> None:
    game = paddock.start("skerries", seed=4, skippers=2, chart="qh/.l", days=1, copies=1)
    game.play(0, "e")
    game.play(0, "stop")
    game.play(1, ["se", "nw", "e"])
    game.play(1, "rob 1")
    game.play(0, "yield" if "anchor" not in game.legal(0) else "anchor")
    body = written(game).partition("race 1\n")[2].splitlines()
    kind = "gust|pilot|anchor"
    forms = [
        "wind 1: [1-6]", "1: e", f"draw 1: ({kind})", "1: stop",
        "wind 2: [1-6]", "2: se; nw; e", f"draw 2: ({kind})", "2: rob 1",
        "1: (yield|anchor)", f"theft 1 2: ({kind})",
    ]  # fmt: skip
    assert all(re.fullmatch(form, line) for form, line in zip(forms, body, strict=False)), body


def test_a_partial_record_can_be_completed_for_every_eyes(skerries: Title) -> None:
    """The twin log: what these eyes did not see is filled in anew, and all that reaches them is the same."""
    differed = checks = 0
    shuffled = Counter[bool]()
    for n, game in enumerate(some_games(count(20, 60))):
        choose = random.Random(n)
        shuffled[any(event.code == sailing.SHUFFLED for item in game.events for event in item.events)] += 1
        for eyes in (0, 1, 2, choose.randrange(1 << game.options.seats)):
            text = written(game, eyes)
            record = records.read(text)
            assert records.check(record) == []
            twin = records.complete(record, Seeded(n))
            assert written(twin, eyes) == text
            assert twin.events_for(eyes) == game.events_for(eyes)
            assert twin.story_for(eyes) == game.story_for(eyes)
            assert twin.seen(eyes) == game.seen(eyes)
            assert skerries.view.view(twin.seen(eyes)) == skerries.view.view(game.seen(eyes))
            assert records.read(written(twin)).game().log == twin.log
            differed += twin.log != game.log
            checks += 1
    assert min(shuffled.values()) > count(1, 10)
    assert differed > checks // 3


def test_every_moment_of_a_game_can_be_completed(skerries: Title) -> None:
    """A record is written after every move, for a spectator: no moment is one that has no world."""
    for seed in range(count(2, 4)):
        for game, _seat, _choose in asked(seed, {"skippers": 4, "copies": 1, "chart": "qhl", "days": 8}):
            text = written(game, 0)
            assert written(records.complete(records.read(text), Seeded(seed)), 0) == text


def test_what_was_stolen_unseen_may_be_any_card_that_fits(skerries: Title) -> None:
    """All worlds come up: a card drawn unseen and stolen unseen, of which nothing more is known."""
    head = written(paddock.start("skerries", seed=1, skippers=2, chart="qh/.l", copies=1), 0)
    head = "".join(line for line in head.splitlines(keepends=True) if not line.startswith("checksum"))
    head = head.partition("wind 1")[0]
    body = (
        "wind 1: 6\n1: e\ndraw 1: ?\n1: stop\nwind 2: 6\n2: e\ndraw 2: ?\n2: rob 1\n1: yield\ntheft 1 2: ?\n"
    )
    found = Counter(
        tuple(e.what for e in records.complete(records.read(head + body), Seeded(n)).log if e.by == CHANCE)
        for n in range(300)
    )
    assert len({drawn[1] for drawn in found}) == 3
    assert {(drawn[1], drawn[4]) for drawn in found} == {(kind, kind) for kind in range(3)}
    # Skipper 2 then plays what it can only have stolen, for one of each there is.
    played = head + body + "2: gust; pilot\n"
    for n in range(60):
        twin = records.complete(records.read(played), Seeded(n))
        drawn = [entry.what for entry in twin.log if entry.by == CHANCE]
        assert {drawn[1], drawn[3]} == {sailing.GUST, sailing.PILOT} and drawn[4] == drawn[1]


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("wind 1: 6\n1: gust\n", 2, "SK-3.3 the hand holds no gust"),
        ("wind 1: ?\n", 1, "the seats in “eyes” saw this"),
        ("wind 1: 6\n1: e\ndraw 1: ?\n1: gust; gust\n", 4, "SK-3.3"),
        ("wind 1: 6\n1: e\ndraw 2: ?\n", 3, "“draw 2” is not due here"),
        ("wind 1: 6\n1: e\ndraw 1: fog\n", 3, "“fog” is not an outcome"),
        ("wind 1: 6\n1: e; w; e\n", 2, "the game waits for chance"),
        ("wind 1: 6\n1: e\ndraw 1: ?\n1: stop\nwind 2: 1\n2: rob 1\n", 6, "SK-4.1"),
    ],
)
def test_an_impossible_line_is_refused(skerries: Title, body: str, line: int, reason: str) -> None:
    head = written(paddock.start("skerries", seed=1, skippers=2, chart="qh/.l", copies=1), 0)
    head = head.partition("wind 1")[0]
    head = "".join(line for line in head.splitlines(keepends=True) if not line.startswith("checksum"))
    with pytest.raises(paddock.BadRecord) as caught:
        records.complete(records.read(head + body), Seeded(1))
    assert (caught.value.line, reason in caught.value.reason) == (head.count("\n") + line, True), caught.value


def test_a_record_of_some_eyes_holds_no_card_that_they_did_not_see(skerries: Title) -> None:
    """SK-3.1, SK-4.3 line by line: a draw is whole for its skipper, a theft for its two."""
    hidden = 0
    for game in some_games(count(12, 30)):
        for eyes in range(1 << game.options.seats):
            for line in records.read(written(game, eyes)).lines:
                if line.by != CHANCE:
                    continue
                word, *seats = line.heading.split()
                knows = word == "wind" or any(eyes >> int(seat) - 1 & 1 for seat in seats)
                assert (HIDDEN in line.whats) == (not knows)
                hidden += not knows
    assert hidden > count(70, 200)


def test_no_byte_of_a_record_or_a_story_names_a_card_that_was_not_seen(skerries: Title) -> None:
    """Byte search: where nobody plays a card, none is named to a spectator, and to a skipper its own only."""
    drawn = stolen = 0
    for seed in range(count(16, 40)):
        choose = random.Random(seed)
        game = paddock.start("skerries", seed=seed, **lively(choose))
        while not game.over:
            (seat,) = game.deciders
            ids = game.legal(seat).ids
            cards = range(sailing.PLAY, sailing.YIELD)
            game.play(seat, choose.choice([id for id in ids if id not in cards]))
        events = [event for item in game.events for event in item.events]
        drawn += sum(event.code == sailing.DREW for event in events)
        stolen += sum(event.code == sailing.STOLE for event in events)
        for eyes in range(1 << game.options.seats):
            mine = {
                ("gust", "pilot", "anchor")[event.b if event.code == sailing.DREW else event.c]
                for event in events
                if event.code in (sailing.DREW, sailing.STOLE) and event.eyes & eyes
            }
            text = written(game, eyes) + "\n".join(game.story_for(eyes))
            text += repr(skerries.view.view(game.seen(eyes)))
            named = set(re.findall(r"\b(gust|pilot|anchor)\b", text))
            assert named <= mine, (seed, eyes)
    assert drawn > count(16, 50) and stolen > count(5, 20)


def test_a_record_carries_a_chart_of_ones_own_whole(skerries: Title) -> None:
    chart = "/".join(["q" + 11 * ".", *(12 * "." for _ in range(6)), 11 * "." + "l"])
    assert len(chart) > 64
    game = paddock.start("skerries", seed=2, chart=chart)
    text = written(game)
    assert f"chart={chart}" in text
    assert records.read(text).game().options == game.options
