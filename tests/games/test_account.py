"""How finished games went: positions by lap, points by round, counts, and the moments that decided them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import paddock
import sampling
from paddock.core.game import Game
from paddock.core.log import Event, EventBatch
from paddock.games.great_race.page import account as great_race
from paddock.games.great_race.rules import state as gr
from paddock.games.lacorsa.page import account as lacorsa
from paddock.games.lacorsa.rules import state as lc
from paddock.games.rasant.page import account as rasant
from paddock.games.rasant.rules import state as rs
from paddock.kernel.source import Seeded

RACES: list[dict[str, Any]] = [
    {"drivers": 4, "races": 1},
    {"drivers": 8, "races": 1, "large_grid": True},
    {"drivers": 12, "races": 1, "large_grid": True, "off_adjacent": True},
]


def played(name: str, seed: int, **options: Any) -> Game:
    title = paddock.title(name)
    game = Game(title, title.options.read(options), Seeded(seed))
    random = Random(seed)
    while not game.over:
        seat = game.deciders[0]
        game.play(seat, random.choice(game.legal(seat).ids))
    return game


def everything(game: Game) -> Any:
    return game.seen((1 << game.options.seats) - 1)


# LACORSA


@pytest.mark.parametrize("options", RACES, ids=["four", "eight", "twelve"])
def test_the_order_of_the_events_is_that_of_the_road(options: dict[str, Any]) -> None:
    """After every log entry the cars are in the order that the view shows, whatever has happened."""
    seen: set[int] = set()
    for seed in range(12):
        game = played("lacorsa", seed, **options)
        again, race, told = Game(game.title, game.options), lacorsa.Race(), 0
        for entry in game.log:
            again.append(entry)
            for batch in again.events[told:]:
                lacorsa._follow(race, batch)
                seen |= {event.code for event in batch.events}
            told = len(again.events)
            if race.lap:
                assert race.order == list(again.view().order)
        assert race.laps[-1] == race.order
        assert len(race.laps) == race.lap + 1
    if "large_grid" in options:
        assert {lc.SPUN, lc.OFF, lc.RETIRED, lc.MOVED_UP, lc.ACCIDENT} <= seen


def test_every_card_that_is_played_is_counted() -> None:
    for seed in range(5):
        game = played("lacorsa", seed, **RACES[1])
        view = game.view(range(8))
        drawn = [0] * 8
        for event in (event for batch in game.events for event in batch.events):
            if event.code == lc.DREW:
                drawn[event.a] += 1
        for car, count in zip(view.cars, lacorsa.counts(game.events, 8), strict=True):
            assert count.cards == game.setup.cards + drawn[car.seat] - car.cards
            assert count.stops == car.pitted
            assert count.redlines <= count.cards


def batches(*rows: tuple[int, ...]) -> list[EventBatch]:
    """Return one batch for each row of numbers: code, a, b, c, and the next event."""
    return [
        EventBatch(n, 0, tuple(Event(*row[i : i + 4]) for i in range(0, len(row), 4)))
        for n, row in enumerate(rows)
    ]


def challenge(attacker: int, attack: int, defender: int, defence: int) -> tuple[int, ...]:
    end = lc.PASSED if attack > defence else lc.HELD
    reveals = (lc.REVEALED, attacker, attack, attack, lc.REVEALED, defender, defence, defence)
    return (*reveals, end, attacker, defender, 1)


def test_the_moments_of_a_race_by_hand() -> None:
    """The last change of the lead, the closest challenge, and the biggest climb within a lap."""
    race = batches(
        (lc.STARTS, 0, 1, 0, lc.STARTS, 1, 2, 0, lc.STARTS, 2, 3, 0, lc.LAP, 1, 0, 0),
        challenge(2, 9, 1, 8),  # by one, for place 2
        challenge(2, 7, 0, 3),  # for the lead
        (lc.DISCARDED, 2, 4, 0, lc.LAP, 2, 0, 0),  # car 3 has gained two places
        challenge(0, 5, 2, 5),  # a tie: the leader keeps the lead
        (lc.DISCARDED, 2, 6, 0, lc.FINISHED, 2, 1, 9, lc.FINISHED, 0, 2, 6, lc.FINISHED, 1, 3, 4),
    )
    title = paddock.title("lacorsa")
    game = Game(title, title.options.read({"races": 1}), None, ["Ana", "Ben", "Cleo", "Dora"])
    run = lacorsa.races(race, 1)
    assert run[0].laps == [[0, 1, 2], [2, 0, 1], [2, 0, 1]]
    moments = lacorsa.account(everything(game), race).moments
    assert [(m.entry, m.text) for m in moments] == [
        (2, "Lap 1: Cleo (3) passes Ana (1) and leads to the flag."),
        (3, "Lap 1: Cleo (3) gains 2 places in this lap."),
        (4, "Lap 2: Cleo (3) keeps place 1 with 5 against 5 of Ana (1): a tie."),
    ]
    done = lacorsa.counts(race, 3)
    assert [(c.overtakes, c.held, c.cards) for c in done] == [(0, 0, 2), (0, 0, 1), (2, 1, 5)]


def test_a_race_without_a_change_of_the_lead_says_so() -> None:
    race = batches(
        (lc.STARTS, 1, 1, 0, lc.STARTS, 0, 2, 0, lc.LAP, 1, 0, 0),
        challenge(0, 3, 1, 9),
        (lc.FINISHED, 1, 1, 9, lc.FINISHED, 0, 2, 6),
    )
    title = paddock.title("lacorsa")
    game = Game(title, title.options.read({"races": 1}), None, ["Ana", "Ben", "Cleo", "Dora"])
    texts = [moment.text for moment in lacorsa.account(everything(game), race).moments]
    assert texts == ["Lap 1: Ben (2) leads, from the grid to the flag."]


# Rasant


def test_points_by_round_end_with_the_scores() -> None:
    for seed in range(8):
        game = played("rasant", seed, players=4, games=2)
        games = rasant.rounds(game.events, 2)
        for won, result in zip(games, game.rounds, strict=True):
            assert rasant._totals(won, 4)[-1] == list(result.scores)
        done = rasant.counts(game.events, 4)
        assert sum(count.won for count in done) == sum(map(len, games))


def test_the_moments_of_a_game_by_hand() -> None:
    """The round after which somebody led to the end, the best round, and the closest one."""
    played = batches(
        (rs.LEADS, 0, 0, 0, rs.LED, 0, 4, 0),
        (rs.RAISED, 1, 5, 0, rs.PASSED, 0, rs.EMPTY, 0, rs.WON, 1, 0, 3, rs.MOVED, 3, 0, 0),  # 60 beats 50
        (rs.LEADS, 0, 0, 0, rs.LED, 0, 20, 0),
        (rs.PASSED, 1, rs.EMPTY, 0, rs.WON, 0, 1, 12, rs.MOVED, 7, 1, 0),
        (rs.LEADS, 1, 0, 0, rs.LED, 1, 30, 0),
        (rs.PASSED, 0, rs.EMPTY, 0, rs.WON, 1, 2, 2, rs.MOVED, 2, 0, 0),
    )
    title = paddock.title("rasant")
    game = Game(title, title.options.read({"players": 3, "games": 1}), None, ["Ana", "Ben", "Cleo"])
    moments = rasant.account(everything(game), played).moments
    assert [(m.entry, m.text) for m in moments] == [
        (1, "Round 1: Ben beats the red 50 of Ana with the red 60: one step was enough."),
        (3, "Round 2: Ana wins 12 points and leads to the end."),
    ]
    assert [(c.won, c.moved, c.doubled, c.passes) for c in rasant.counts(played, 3)] == [
        (1, 7, 1, 2), (2, 5, 0, 1), (0, 0, 0, 0)
    ]  # fmt: skip


# The Great Race


@pytest.mark.parametrize(
    "options",
    [
        {"players": 5, "leaders": True, "opening_bonus": True},
        {"players": 2, "map": "asia"},
        {"players": 3, "map": "usa-east", "races": 2, "max_turns": 6},
    ],
    ids=["leaders", "two", "series"],
)
def test_the_events_tell_where_every_crew_is_and_what_it_has(options: dict[str, Any]) -> None:
    """After every log entry places, gauges and money are those of the race, whatever has happened."""
    told: set[int] = set()
    for seed in range(sampling.count(1, 2)):
        game = played("great_race", seed, **{"map": "usa-west"} | options)
        again, n = Game(game.title, game.options), 0
        run = great_race.races(everything(again), [])
        for entry in game.log:
            again.append(entry)
            for batch in again.events[n:]:
                n += 1
                race = run[batch.round]
                for event in batch.events:
                    great_race._follow(race, batch.entry, event)
                    told.add(event.code)
            if not n or len(again.rounds) > batch.round or not race.turns:
                continue
            real = again._state
            driving = real.turn if real.stage == gr.DAMAGE else -1  # told of, but not there yet
            for seat in range(race.g.players):
                assert race.s.at[seat] == (real.entering if seat == driving else real.at[seat])
                for field in ("engine", "chassis", "money", "place"):
                    assert getattr(race.s, field)[seat] == getattr(real, field)[seat]
        for race, result in zip(run, game.rounds, strict=True):
            assert [race.places[seat] for seat in range(race.g.players)] == [
                *zip(result.places, result.scores, strict=True)
            ]
            last = race.turns[-1].prestige
            assert all(last[seat] == points for seat, (place, points) in race.places.items() if place)
    assert {gr.BOUGHT, gr.FUNDED, gr.MENDED, gr.HARMED, gr.DROVE, gr.ORDERED} <= told


def crews(*names: str) -> Any:
    title = paddock.title("great_race")
    options = title.options.read({"players": len(names), "map": "usa-west"})
    return Game(title, options, None, names)


def test_the_moments_of_a_great_race_by_hand() -> None:
    """Who takes the lead for good, damage, breakdowns, the arrival of the first and the winner, the end."""
    game = crews("Ana", "Ben", "Cleo")
    g = game.setup
    start, goal = 0, g.spaces - 1
    by_column = {g.column[space]: space for space in range(g.spaces)}
    one, four = (by_column[g.column[start] + n] for n in (1, 4))
    first = [
        (gr.GOES_FIRST, 0, 0, 0, gr.DESTINATION, goal, start, 0, gr.TURN, 1, 0, 0),
        (gr.DROVE, 0, one, 2),  # Ana leads
        (gr.DROVE, 1, four, 3),  # Ben passes her
        (gr.HARMED, 1, gr.ENGINE, 2, gr.HARMED, 1, gr.CHASSIS, 1, gr.BROKE_DOWN, 1, 0, 0),
        (gr.HARMED, 0, gr.ENGINE, 2, gr.HARMED, 0, gr.CHASSIS, 2),
        (gr.ORDERED, 1, 1, 20, gr.TURN, 2, 0, 0),
    ]
    race = batches(
        *first,
        (gr.FLEW, 2, goal, 50, gr.ARRIVED, 2, 1, 0),
        (gr.DROVE, 1, goal, 1, gr.ARRIVED, 1, 2, 0),
        (gr.ENDED, 0, 0, 0, gr.ENDED, 1, 1, 18, gr.ENDED, 2, 2, 17),
    )
    account = great_race.account(everything(game), race)
    assert [(m.entry, m.text) for m in account.moments] == [
        (3, "Turn 1: Ben breaks down."),
        (4, "Turn 1: Ana takes 4 points of damage in one turn."),
        (6, "Turn 2: Cleo arrives first, but Ben will have more prestige."),
        (7, "Turn 2: Ben arrives second."),
        (8, "Turn 2: Ben wins with 18 prestige against 17 of Cleo."),
    ]
    done = great_race.counts(race, 3)
    assert [(c.damage, c.lanes, c.breakdowns) for c in done] == [(4, 0, 0), (3, 0, 1), (0, 1, 0)]

    race = batches(*first, (gr.ENDED, 0, 0, 0, gr.ENDED, 1, 0, 0, gr.ENDED, 2, 0, 0))  # the last turn allowed
    account = great_race.account(everything(game), race)
    moments = {m.entry: m.text for m in account.moments}
    assert moments[2].startswith("Turn 1: Ben takes the lead at the space ") and moments[2].endswith(
        " and keeps it."
    )
    assert moments[6] == "Turn 2: nobody has reached the destination."
    assert {row[-1] for row in account.charts[0].rows} == {"–"}  # nobody has prestige without arriving


# All


@pytest.mark.parametrize(
    ("name", "options", "charts"),
    [
        ("lacorsa", {"races": 2}, 2),
        ("rasant", {"games": 2}, 2),
        ("great_race", {"races": 2, "max_turns": 5, "map": "usa-west"}, 4),
    ],
)
def test_an_account_has_charts_for_every_game_and_a_line_for_everybody(
    name: str, options: dict[str, Any], charts: int
) -> None:
    game = played(name, 3, **options)
    account = game.title.room("page").account(everything(game), game.events)
    assert len(account.charts) == charts
    for chart in account.charts:
        assert len(chart.rows) == game.options.players
        assert {len(row) for row in chart.rows} == {len(chart.head)}
        assert chart.svg.count("<svg") == 1 and all(name in chart.svg for name in game.names)
    assert [feat.player for feat in account.feats] == [line.who for line in game.standings().players]
    told = {batch.entry for batch in game.events}
    assert {moment.entry for moment in account.moments} <= told
    assert {feat.best.entry for feat in account.feats if feat.best} <= told
