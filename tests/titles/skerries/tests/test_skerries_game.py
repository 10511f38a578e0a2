"""The library on Skerries: chains and their previews, undo, forks, pickles, who is told what."""

from __future__ import annotations

import pickle
import random
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.titles.skerries.tests.harness import asked, at, falls, finished, random_game

import paddock
from paddock.core.errors import IllegalMove
from paddock.core.game import Game
from paddock.core.log import Entry
from paddock.core.title import Seen, Title, titles
from paddock.core.words import CHANCE
from paddock.kernel.source import Seeded
from sampling import count, seeds


def test_the_title_is_found_by_its_entry_point(skerries: Title) -> None:
    assert titles()["skerries"] is skerries
    assert skerries.kernel == ("sailing", "cards", "rules")
    assert (skerries.revision, skerries.oldest) == (skerries.rulebook.revision, 1)


def test_a_preview_shows_where_a_chain_leads_and_plays_nothing(skerries: Title) -> None:
    game = at(hands="g|-|-", wind="3")
    before = game.position
    preview = game.seen(1).preview(["e", "e"])
    assert preview.view.boats[0].hex == "c1" and preview.view.wind == 0
    moves = [str(skerries.text.move(game.setup, id)) for id in preview.legal]
    assert moves == ["stop", "gust"]
    assert not preview.ended
    assert game.position == before


def test_a_preview_says_what_each_next_link_costs(skerries: Title) -> None:
    preview = at(boats="b1,a1,a1", hands="p|-|-").seen(1).preview()
    costs = {
        str(skerries.text.move(at().setup, id)): dict(cost)
        for id, cost in zip(preview.legal, preview.costs, strict=True)
    }
    assert costs == {
        "e": {"wind": 2},
        "w": {"wind": 1},
        "sw": {"wind": 1},
        "se": {"wind": 1},
        "stop": {},
        "pilot": {},
    }
    with_pilot = at(boats="b1,a1,a1", hands="p|-|-").seen(1).preview(["pilot"])
    assert dict(zip(with_pilot.legal, with_pilot.costs, strict=True))[0] == {"wind": 1}


def test_a_chain_ends_with_the_first_link_that_cannot_be_foreseen(skerries: Title) -> None:
    """SK-3.1 what the harbour gives is not known before it is drawn."""
    seen = at().seen(1)
    preview = seen.preview(["se"])
    assert (preview.ended, preview.legal) == (True, ())
    assert preview.view.boats[0].hex == "a1"  # as it was before the link that brings a card
    with pytest.raises(paddock.BadMove, match="the chain ends with move 1"):
        seen.preview(["se", "e"])
    for last in ("stop", "rob 2"):
        assert at(hands="-|g|-").seen(1).preview([last]).ended


def test_a_chain_is_one_submission(skerries: Title) -> None:
    game = at(wind="6", hands="g|-|-")
    told = game.play(0, ["e", "gust", "sw"])
    assert [event.code for event in told] == [event.code for item in game.events for event in item.events]
    assert [(entry.what, entry.linked) for entry in game.log] == [(0, False), (7, True), (4, True)]
    assert game.chance_due and game.heading == "draw 1"


def test_a_submission_may_stop_after_any_link(skerries: Title) -> None:
    for n in (1, 2, 3):
        game = at(wind="6")
        game.play(0, ["e", "e", "w"][:n])
        assert game.deciders == (0,)
        assert len(game.log) == n


def test_a_chain_is_refused_whole_where_any_link_is(skerries: Title) -> None:
    game = at(wind="3")
    before = (game.position, list(game.log), game.story)
    for links, reason in {
        ("e", "e", "e"): "SK-2.3 a skerry lies there",
        ("e", "gust"): "SK-3.3 the hand holds no gust",
        ("se", "e"): "the chain ends with move 1",
        ("stop", "stop"): "the chain ends with move 1",
        ("e", "north"): "is not a move",
    }.items():
        with pytest.raises(paddock.PaddockError, match=reason):
            game.play(0, links)
        assert (game.position, list(game.log), game.story) == before


def test_undo_takes_a_chain_back_as_one_step(skerries: Title) -> None:
    game = at(wind="6", hands="g|-|-", chance=Seeded(1))
    before = game.position
    game.play(0, ["e", "gust", "sw"])
    assert game.log[-1].by == CHANCE
    taken = game.undo()
    assert [entry.what for entry in taken] == [0, 7, 4]
    assert (game.position, game.story, len(game.log)) == (before, [], 0)
    with pytest.raises(paddock.BadMove, match="nothing to undo"):
        game.undo()


def test_undo_reaches_the_beginning_submission_by_submission(skerries: Title) -> None:
    for seed in seeds(2, 8):
        stages: list[tuple[str, int, list[str]]] = []
        for game, _choose in random_game(seed):
            stages.append((game.position, len(game.log), game.story))
        for position, length, story in reversed(stages[:-1]):
            game.undo()
            assert (game.position, len(game.log), game.story) == (position, length, story)


def test_a_game_can_be_looked_at_as_it_was(skerries: Title) -> None:
    game = finished(2)
    plain = Game(skerries, game.options, None, game.names)
    for n, entry in enumerate(game.log):
        assert game.at(n).position == plain.position
        assert game.at(n).story == plain.story
        plain.append(entry)


def test_a_fork_has_its_own_chance(skerries: Title) -> None:
    """The same future for both is asked for; by default each has another one."""
    game = paddock.start("skerries", seed=5, chart="qhl")
    one, two = (game.fork(chance=deepcopy(game.chance)) for _ in range(2))
    assert one == two == game
    for twin in (one, two):
        for _ in range(5):
            twin.play(twin.deciders[0], "stop")
    assert one == two != game


def test_games_titles_and_what_is_seen_can_be_pickled_and_copied(skerries: Title) -> None:
    game = finished(3)
    for again in (pickle.loads(pickle.dumps(game)), deepcopy(game)):
        assert again == game and again.story == game.story and again.title is skerries
    seen = game.seen(1)
    assert pickle.loads(pickle.dumps(seen)) == seen == deepcopy(seen)


def test_the_log_folds_to_the_same_game(skerries: Title) -> None:
    for seed in range(8):
        game = finished(seed)
        fold = Game(skerries, game.options, None, game.names)
        for entry in game.log:
            fold.append(entry)
        assert fold == game and (fold.story, fold.events, fold.result) == (
            game.story,
            game.events,
            game.result,
        )


def test_everybody_is_told_the_same_but_for_cards(skerries: Title) -> None:
    """SK-3.1, SK-4.3 all hear of the same events; who did not see a card hears of it without its name."""
    for seed in range(count(8, 20)):
        game = finished(seed)
        nobody = game.events_for(0)
        assert [item.entry for item in nobody] == [item.entry for item in game.events]
        for eyes in range(1 << game.options.seats):
            mine = game.events_for(eyes)
            for ours, theirs, true in zip(mine, nobody, game.events, strict=True):
                assert [event.code for event in ours.events] == [event.code for event in true.events]
                assert all(
                    a in (b, c) for a, b, c in zip(ours.events, theirs.events, true.events, strict=True)
                )


# Ready chains


def test_ready_chains_are_the_hexes_in_reach_with_their_cheapest_way(skerries: Title) -> None:
    assert skerries.chains
    game = at(wind="3", boats="b1,a1,a1")
    chains = skerries.chains.ready(game.seen(1), 0)
    assert {
        f"{chain.label} for {chain.cost['wind']}": [
            str(skerries.text.move(game.setup, m)) for m in chain.moves
        ]
        for chain in chains
    } == {
        "To a1 for 1": ["w"],
        "To a2 for 1": ["sw"],
        "To b2 for 1": ["se"],
        "To c1 for 2": ["e"],
        "To c2 for 2": ["se", "e"],
        "To d2 for 3": ["se", "e", "e"],
    }
    assert (
        skerries.chains.ready(at(phase="asked", victim="2", spent="robbery", hands="-|g|-").seen(2), 1) == []
    )


def test_every_ready_chain_is_legal_costs_what_it_says_and_no_way_is_cheaper(skerries: Title) -> None:
    assert skerries.chains
    for seed in range(count(6, 15)):
        for game, seat, choose in asked(seed):
            seen = game.seen(1 << seat)
            for chain in skerries.chains.ready(seen, seat):
                spent = 0
                for n, move in enumerate(chain.moves):
                    preview = seen.preview(chain.moves[:n])
                    spent += dict(zip(preview.legal, preview.costs, strict=True))[move]["wind"]
                assert chain.cost == {"wind": spent}
            if choose.random() < 0.2:
                wandered = _wander(seen, choose)
                if wandered:
                    end, wind = wandered
                    best = {
                        chain.label.split()[1]: chain.cost["wind"]
                        for chain in skerries.chains.ready(seen, seat)
                    }
                    assert best[end] <= wind


def _wander(seen: Seen, choose: random.Random) -> tuple[str, int] | None:
    """Where some random steps lead, and the wind they take; None back at the start."""
    chain: list[int] = []
    wind = 0
    start = seen.title.view.view(seen).boats[seen.deciders[0]].hex
    while not (preview := seen.preview(chain)).ended and len(chain) < 6:
        steps = [(m, c["wind"]) for m, c in zip(preview.legal, preview.costs, strict=True) if "wind" in c]
        foreseen = [(m, c) for m, c in steps if not seen.preview([*chain, m]).ended]
        if not foreseen:
            break
        move, cost = choose.choice(foreseen)
        chain.append(move)
        wind += cost
    end = seen.preview(chain).view.boats[seen.deciders[0]].hex
    return None if end == start else (end, wind)


def test_chance_falls_as_it_is_thrown(skerries: Title) -> None:
    game = at(phase="roll", wind="0")
    with pytest.raises(paddock.BadMove, match="is not an outcome: write gust"):
        falls(game, "7")
    with pytest.raises(paddock.BadMove, match="not possible"):
        game.append(Entry(CHANCE, 0))


class Broken:
    """A move, or a source of chance, that fails when it is used."""

    @property
    def id(self) -> int:
        raise RuntimeError("broken")

    def below(self, n: int) -> int:
        raise RuntimeError("broken")


def test_nothing_changes_where_a_submission_fails_for_another_reason_than_a_rule() -> None:
    game = at(chance=Seeded(1), hands="g|-|-")
    before = deepcopy(game)
    with pytest.raises(RuntimeError):
        game.play(0, ["gust", Broken()])
    assert game == before and game.events == before.events
    game.chance = Broken()
    with pytest.raises(RuntimeError):
        game.play(0, ["gust", "se"])  # into a harbour: a card is due
    assert game == before and not game.chance_due


def test_a_chain_may_go_on_after_what_was_taken_back() -> None:
    game = at(hands="g|-|-")
    game.play(0, "e")
    with pytest.raises(IllegalMove):
        game.play(0, ["w", "yield"])
    game.play(0, "w")
    game.undo()
    game.append(Entry(0, game.legal(0).ids[0], linked=True))
    assert len(game.undo()) == 2


def test_a_preview_shows_nothing_of_what_its_links_do_to_hidden_cards(skerries: Title) -> None:
    """Rules may count in fields that are wiped: what is shown is wiped after each link, too."""

    def apply(s: Any, g: Any, seat: int, move: int) -> None:
        skerries.rules.apply(s, g, seat, move)
        s.deck[0] -= 1

    title = replace(skerries)
    title.__dict__["rules"] = SimpleNamespace(**{**vars(skerries.rules), "apply": apply})
    seen = replace(at(hands="g|-|-").seen(1), title=title)
    assert list(seen.preview(["gust"]).seen.state.deck) == [0, 0, 0]
