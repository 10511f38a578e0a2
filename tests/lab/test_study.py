"""Studies: figures against examples that are computed by hand, the games themselves, and the report."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

import offline
import studies
from paddock.core.errors import BadOption
from paddock.core.game import Game
from paddock.core.intervals import PRIOR, t_value, wilson
from paddock.core.options import Options
from paddock.core.title import Title, seats_of, title, titles
from paddock.core.words import CHANCE
from paddock.games.lacorsa.bots.study import standing
from paddock.games.lacorsa.page.account import races
from paddock.games.rasant.rules.state import MOVED
from paddock.kernel.bulk import CODES
from paddock.kernel.chance import stream
from paddock.kernel.source import Seeded, seed_number
from paddock.kernel.survey import CHANGES, DECISIONS, FORCED, LAPS, LAST, MOVES, NUMBERS, PARTS
from paddock.lab import Study, measures, study
from paddock.lab.figures import Estimate, Ratio, apart, change, figure, jackknife, shown
from paddock.lab.pictures import dots
from paddock.lab.report import report
from paddock.lab.study import _Studying
from paddock.lab.survey import GamesSample, compiled_levels, halves, one_among, play_survey
from paddock.parts.chart import axis

GAMES = 80


@cache
def rasant() -> Study:
    return study("rasant", {"players": 3}, GAMES, 5)


# ---- figures ------------------------------------------------------------------------------------------


def sample() -> GamesSample:
    """Two deals, played twice, of two players."""

    def by_game(*rows: Any) -> Any:
        values = np.array(rows)
        return values.reshape(2, 2, *values.shape[1:])

    numbers = np.zeros((4, NUMBERS), np.int64)
    numbers[:, DECISIONS] = 10, 20, 10, 40
    numbers[:, FORCED] = 5, 5, 0, 10
    numbers[:, MOVES] = 20, 60, 20, 60
    numbers[:, CHANGES] = 1, 3, 0, 0
    numbers[:, LAST] = 5, 10, 2, 0
    leaders = np.zeros((4, PARTS + 1), np.int64)
    leaders[0, 1:], leaders[1, 1:], leaders[2, 1:] = 1, 2, 2  # nobody ever leads in the last game
    return GamesSample(
        level=by_game([0, 1], [1, 0], [0, 1], [1, 0]),
        owners=(0, 1),
        scores=by_game([6, 2], [4, 4], [0, 8], [2, 6]),
        places=by_game([1, 2], [1, 1], [2, 1], [0, 0]),
        event_counts=by_game([3], [0], [1], [0]),
        numbers=by_game(*numbers),
        turns=by_game([1, 2], [2, 1], [1, 2], [2, 1]),
        grid=by_game([1, 2], [0, 0], [2, 1], [0, 0]),
        leaders=by_game(*leaders),
        moves=np.zeros((2, 2, PARTS, 2), np.int64),
        laps=by_game(*([*map(list, rows), *[[0, 0]] * (LAPS - len(rows))] for rows in LAPS_OF_GAMES)),
        items=np.zeros((2, 2, 2, 0), np.int64),
    )


# Of the four games of ``sample``: the places of both seats at the beginning of each lap
LAPS_OF_GAMES = (
    [(1, 2), (2, 1), (2, 1)],
    [(1, 1), (1, 2)],
    [(2, 1)],
    [],
)


def scored(level: Any, scores: Any) -> GamesSample:
    """Games of which only the levels and the points of the players are known."""
    deals, repeats, players = scores.shape
    nothing: Any = np.zeros((deals, repeats, 1), np.int64)
    return GamesSample(level, tuple(range(players)), scores, *[nothing] * 9)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (measures.decisions, 20),
        (measures.choices, 160 / 80),  # not the mean of the games' means
        (measures.forced, 20 / 80),
        (measures.lead_changes, 1),
        (measures.last_change, (0.5 + 0.5 + 0.2) / 3),
        (measures.leader_wins(measures.HALF), 1),
        (measures.shared, 1 / 4),
        (measures.unwon, 1 / 4),
        (measures.margin, (4 + 0 + 8 + 4) / 4),
        (measures.happens(0), 1),
        (measures.games_with(0), 1 / 2),
        (measures.points(1), 5),
        (measures.wins_of(measures.seats, 1), (1 + 0.5) / 4),
        (measures.wins_of(measures.turns, 1), (1 + 0.5 + 0 + 0) / 4),
        (measures.wins_of(measures.grid, 1), 1),  # of two games with a grid
        (measures.advantage(measures.grid), 1 - 0.5),
        (measures.over_fair(0, measures.got_points), (2 + 0 - 4 + 2) / 4),
        (measures.seat_points(0), (2 + 0 - 4 - 2) / 4),
        (measures.seat_wins(1), (-0.5 + 0 + 0.5 + 0) / 4),
        # half-time is the second lap of three or two, and the first of one; seat 1 wins, both do, seat 2 does
        (measures.comebacks, (1 + 0.5 + 0) / 3),
        (measures.drama, (2 / 3 + (0 + 1 / 2) / 2 + 0) / 3),
        (measures.place_in(1, 1), (2 + 1 + 2) / 3),
        (measures.place_in(2, 2), 1),
        # the players' means are 3 and 5, so all products of the two games are 3; the variance is 6
        (measures.deal, 3 / 6),
    ],
)
def test_a_measure_of_an_example_computed_by_hand(measure: measures.Measure, value: float) -> None:
    assert measure(sample()).value == pytest.approx(value)


def test_the_interval_of_an_example_computed_by_hand() -> None:
    """Decisions: the deals' means are 15 and 25, so s = √50, and t with one degree of freedom is 12.706."""
    made = figure("x", "Decisions", measures.decisions(sample()), "paddock study …")
    assert made.error == pytest.approx(12.706 * 50**0.5 / 2**0.5)
    assert (made.low, made.high) == (pytest.approx(20 - made.error), pytest.approx(20 + made.error))
    assert (made.n, made.percent) == (2, False)


def test_the_pulls_of_an_example_computed_by_hand() -> None:
    """The ratio is 9/6 of deals that count differently; the mean of what is below is 2."""
    made = Ratio(np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    assert made.value == 1.5
    assert made.pulls == pytest.approx([-0.25, -0.5, 0.75])


def test_the_part_of_the_deal_is_the_same_however_often_it_is_played() -> None:
    """With luck of variance 4 by deal and 1 by game, 4/5 of it is the deal's."""
    rng, deals, repeats = np.random.default_rng(3), 20_000, 3
    scores = 2 * rng.standard_normal((deals, 1, 2)) + rng.standard_normal((deals, repeats, 2))
    made = scored(np.zeros(scores.shape, np.int64), scores)
    assert measures.deal(made).value == pytest.approx(4 / 5, abs=0.02)


def test_a_change_is_a_paired_difference() -> None:
    old = Ratio(np.array([1.0, 5.0, 9.0]), np.ones(3))
    new = Ratio(np.array([2.0, 6.0, 10.0]), np.ones(3))
    made = change("x", "X", new, old, "")
    assert (made.value, made.error) == (pytest.approx(1), pytest.approx(0))


def test_the_interval_of_a_share_is_that_of_wilson() -> None:
    """Newcombe (1998), table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611."""
    n = 10**9  # so that t is the normal quantile
    p = 81 / 263
    error = (p * (1 - p) / 263) ** 0.5
    assert wilson(p, error, n, 1e9) == (pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4))
    low, high = wilson(0, 0, 20, 20)
    z = t_value(19 + PRIOR)
    assert low == 0 and high == pytest.approx(z * z / (20 + z * z))


def test_a_share_has_no_interval_with_one_deal() -> None:
    made = figure("x", "X", Ratio(np.array([1.0]), np.array([2.0]), share=True), "")
    assert made.value == 0.5 and math.isnan(made.error) and shown(made) == "50 %"


@pytest.mark.parametrize(
    ("value", "error", "percent", "text"),
    [
        (42.377, 0.12, False, "42.38 ± 0.12"),
        (42.377, 0.05, False, "42.38 ± 0.05"),
        (1234.5, 34, False, "1,234 ± 34"),
        (-0.0213, 0.017, True, "−2.1 ± 1.7 %"),
        (3, 0, False, "3 ± 0"),
        (math.nan, math.nan, False, "–"),
    ],
)
def test_a_figure_is_shown_as_precisely_as_it_is_known(
    value: float, error: float, percent: bool, text: str
) -> None:
    of = Estimate("x", "X", value, error, value - error, value + error, 9, percent, "")
    assert shown(of) == text


def test_a_figure_and_its_interval_are_shown_apart() -> None:
    level = Estimate("x", "X", 0.5, 0.017, 0.483, 0.517, 9, True, "")
    assert (shown(level), apart(level)) == ("50.0 ± 1.7 %", ("50.0 %", "± 1.7 %"))
    skew = Estimate("x", "X", 0.001, 0.0015, 0, 0.003, 9, True, "")
    assert (shown(skew), apart(skew)) == ("0.10 % (0.00 to 0.30)", ("0.10 %", "0.00 to 0.30"))


def test_parts_of_the_variance_are_found_again() -> None:
    """Level 9, seat 1, deal 4 and rest 2: the intervals contain them."""
    rng = np.random.default_rng(3)
    deals, players = 4000, 4
    level = rng.permuted(np.tile([0, 0, 1, 1], (deals, 2, 1)), axis=-1)
    scores = (
        6 * level
        + np.array([1, -1, 1, -1])
        + 2 * rng.standard_normal((deals, 1, players))
        + 2**0.5 * rng.standard_normal((deals, 2, players))
    )
    made = scored(level, scores)
    values, errors = jackknife(deals, lambda mask: measures.components(made.part(mask)))
    expected = np.array([9, 1, 4, 2]) / 16
    assert (np.abs(values - expected) < 1.5 * errors).all()
    assert (errors < 0.02).all()
    alone = scored(0 * level, scores - 6 * level)
    assert measures.components(alone) == pytest.approx([0, 1 / 7, 4 / 7, 2 / 7], abs=0.02)
    assert measures.deal(alone).value == pytest.approx(4 / 7, abs=0.02)


# ---- games --------------------------------------------------------------------------------------------


def walk(found: Title, options: Options, game: int, seed: int) -> dict[str, Any]:
    """Play a game of a study with the plain rules, two for each deal, and measure it."""
    rules, g = found.rules, found.setup_of(options)
    policy, out = found.room("policy").policy, [0] * (max(rules.ACTIONS, rules.OUTCOMES) + 1)
    s, rng, moves, leaders = rules.State(), [0], list[int](), [0]
    changes, turns, s.events = list[int](), list[int](), []
    laps, items = [[0] * options.seats for _lap in range(LAPS)], list[list[int]]()
    stream(seed_number(seed), game // 2, rng)
    rules.start(s, g)
    while waiting := rules.who(s, g):
        if waiting >> CHANCE:
            rules.run_chance(s, g, rng)
        else:
            if not moves:
                hands = [[s.hand[player, i] for i in range(6)] for player in range(options.seats)]
                dealt = [Counter(kind % 13 + 13 * (kind // 52) for kind in hand) for hand in hands]
                items = [[counts[item] for item in range(26)] for counts in dealt]
                stream(seed_number(f"{seed} choices"), game, rng)
            seat = min(seats_of(waiting))
            turns += [] if seat in turns else [seat]
            legal = out[: rules.legal(s, g, seat, out)]
            move = legal[0]
            if len(legal) > 1:
                hidden = s.copy()
                rules.hide(hidden, g, options.eyes(options.owners[seat]))
                move = policy(hidden, g, seat, out, len(legal), rng)
            rules.apply(s, g, seat, move)
            moves.append(len(legal))
            leaders.append(leaders[-1])
        far = [0] * rules.MAX_SEATS
        rules.scores(s, g, far)
        ahead = [seat for seat in range(options.seats) if far[seat] == max(far)]
        if len(ahead) == 1 and ahead[0] + 1 != leaders[-1]:
            leaders[-1] = ahead[0] + 1
            changes.append(len(moves))
        begun = [event[0] for event in s.events].count(MOVED)
        if 0 < begun <= LAPS and not laps[begun - 1][0]:
            laps[begun - 1] = [1 + sum(other > own for other in far) for own in far[: options.seats]]
    return {
        "numbers": [len(moves), moves.count(1), sum(moves), len(changes) - 1, changes[-1]],
        "leaders": [leaders[tick * len(moves) // PARTS] for tick in range(PARTS + 1)],
        "turns": [turns.index(seat) + 1 for seat in range(options.seats)],
        "event_counts": [[event[0] for event in s.events].count(code) for code in range(CODES)],
        "scores": far[: options.seats],
        "laps": laps,
        "items": items,
    }


def test_the_compiled_games_are_those_of_the_plain_rules() -> None:
    found = title("rasant")
    options = found.options.read({"players": 5})
    levels = compiled_levels(found)
    played, longer = (
        play_survey(found, options, deals, 9, [[len(levels) - 1] * 5], [part for _name, part in levels])
        for deals in (3, 5)
    )
    for game in range(6):
        for name, expected in walk(found, options, game, 9).items():
            assert getattr(played, name)[game // 2, game % 2].tolist() == expected, name
    assert (played.moves.sum(2) == played.numbers[..., [MOVES, DECISIONS]]).all()
    assert not played.grid.any()
    assert longer.part(slice(0, 3)).same(played) and not longer.part(slice(1, 4)).same(played)


def test_who_leads_is_who_has_most_points() -> None:
    """Rasant: nobody leads at the start; at the end, whoever won alone."""
    found = title("rasant")
    played = play_survey(found, found.options.read({}), 20, 1, [[1] * 4], [0, 3])
    assert not played.leaders[..., 0].any()
    alone = (played.places == 1).sum(-1) == 1
    assert alone.sum() > 30
    assert (played.leaders[..., PARTS] == played.places.argmin(-1) + 1)[alone].all()
    still = played.numbers[..., CHANGES] == 0
    assert still.any() and all(len(set(row.tolist()) - {0}) == 1 for row in played.leaders[still])


def test_LC_4_1_the_standing_is_the_order_on_the_track() -> None:
    """The lead changes as often as the account of the race says, which follows the events instead."""
    found = title("lacorsa")
    for seed in range(4):
        game = Game(found, found.options.read({"races": 1, "drivers": 5, "large_grid": True}), Seeded(seed))
        choose, leaders, grid = Seeded(f"{seed} moves"), [0], list[int]()
        while game.deciders:
            for seat in game.deciders:
                legal = list(game.legal(seat).ids)
                game.play(seat, legal[choose.below(len(legal))])
            out = [0] * found.rules.MAX_SEATS
            if standing(game.seen(0).state, game.setup, out):
                grid = grid or out[:5]
                ahead = max(range(5), key=out.__getitem__)
                leaders += [ahead] if ahead != leaders[-1] or len(leaders) == 1 else []
        race = races(game.events, 1)[0]
        assert [lead.seat for lead in race.leads] == leaders[1:]
        assert sorted(range(5), key=lambda seat: -grid[seat]) == race.laps[0]


def test_line_ups() -> None:
    assert one_among(1, 0, 3) == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert sorted(halves(1, 0, 3)) == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert len(halves(1, 0, 4)) == 6 and all(sum(row) == 2 for row in halves(1, 0, 4))


# ---- a study ------------------------------------------------------------------------------------------


def test_the_same_arguments_give_the_same_study_and_report() -> None:
    again, other = study("rasant", {"players": 3}, GAMES, 5), study("rasant", {"players": 3}, GAMES, 6)
    assert again.json == rasant().json != other.json
    assert report(again) == report(rasant())


def test_every_game_is_in_one_bar_and_bars_begin_at_round_numbers() -> None:
    values = np.array([[7, 8], [103, 44], [61, 251], [44, 12]])
    bars = _Studying(title("rasant"), {}, 4, 1, None)._bars("length", values)
    begins = [int(bar.name.rpartition(".")[2]) for bar in bars]
    wide = begins[1] - begins[0]
    assert wide > 1 and not any(begin % wide for begin in begins) and begins[0] <= 7
    counts = np.histogram(values, [0, *begins[1:], 10**6])[0]  # rare ones are in the first and the last
    assert [bar.value for bar in bars] == pytest.approx(counts / values.size)


def test_parts_of_a_race_are_named_by_percent() -> None:
    labels = [figure.label for figure in rasant().series["leader_wins"]]
    assert labels == [f"{percent} %" for percent in range(0, 101, 5)]


def test_the_command_of_an_option_computes_its_figures() -> None:
    changed = next(one for one in rasant().changes if one.option == "round_end")
    assert changed.command == "paddock study rasant -o players=3 -o round_end=all --games 40 --seed 5"
    own = study("rasant", {"players": 3}, 40, 5)
    there = study("rasant", {"players": 3, "round_end": "all"}, 40, 5)
    for name, of in changed.figures.items():
        if not math.isnan(of.value) and name != "skill":
            assert of.value == pytest.approx(there[name].value - own[name].value), name


def test_json_has_a_stable_shape() -> None:
    found = json.loads(rasant().json)
    assert list(found) == [
        "format", "title", "revision", "options", "games", "deals", "seed", "level", "command", "figures",
        "series", "changes", "same", "refused",
    ]  # fmt: skip
    assert (found["format"], found["games"], found["deals"], found["level"]) == (2, 80, 40, "club")
    assert list(found["figures"]) == [
        "decisions", "rounds", "choices", "forced", "lead_changes", "last_change", "half_time", "last_leader",
        "margin", "shared", "unwon", "first", "pole", "deal", "skill",
    ]  # fmt: skip
    assert sorted(found["series"]) == [
        "choices", "events", "events.games", "grid.wins", "lead_changes", "leader_wins", "length",
        "levels.points", "levels.wins", "parts.mixed", "parts.same", "players.points", "seats.wins",
        "turns.wins",
    ]  # fmt: skip
    one = found["figures"]["decisions"]
    assert list(one) == ["name", "label", "value", "error", "low", "high", "n", "percent", "command"]
    assert one["command"] == "paddock study rasant -o players=3 --games 80 --seed 5"
    assert found["figures"]["pole"]["value"] is None  # there is no grid
    assert sum(bar["value"] for bar in found["series"]["length"]) == pytest.approx(1)
    assert {(row["option"], row["value"]) for row in found["changes"]} >= {
        ("players", "2"), ("players", "5"), ("round_end", "all"), ("deck", "all-black-top"),
    }  # fmt: skip


def test_values_that_need_other_options_are_named() -> None:
    made = study("rasant", {"deck": "3*r70-90+20*k130+g10"}, 40)  # 30 cards: five players need all of them
    assert made.refused == () and {one.value for one in made.changes if one.option == "players"} >= {"5"}
    small = study("rasant", {"deck": "3*r70-90+13*k130+g10+g20", "players": 4}, 40)
    assert [value for value, _why in small.refused] == ["players=5"]
    assert "RA-1.2" in small.refused[0][1]


@pytest.mark.parametrize(
    ("options", "games", "says"),
    [
        ({}, 39, "games=39: give a whole number from 40"),
        ({"games": 3}, 100, "games=3: a study plays single games, so leave this option out"),
        ({"players": 9}, 100, "players=9"),
    ],
)
def test_wrong_arguments_are_refused(options: dict[str, Any], games: int, says: str) -> None:
    with pytest.raises(BadOption, match=re.escape(says)):
        study("rasant", options, games)


def test_progress_ends_with_all_games() -> None:
    seen: list[tuple[int, int]] = []
    study("rasant", {"players": 2}, 40, progress=lambda done, total: seen.append((done, total)))
    assert sum(done for done, _total in seen) == seen[-1][1] == seen[0][1]


# ---- the report ---------------------------------------------------------------------------------------

VOID = {"meta", "wbr", "br", "hr", "img", "input", "link"}


class Balanced(HTMLParser):
    """Checks that every element is closed, and collects ids and what the page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.refers: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.refers += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def test_the_report_is_well_formed_and_needs_nothing_else() -> None:
    page = report(rasant())
    found = Balanced()
    found.feed(page)
    assert not found.open
    assert len(set(found.ids)) == len(found.ids)
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.refers)
    assert not found.tags & {"script", "img", "link", "iframe"}
    assert not offline.fetched(page)
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
    for drawn in re.findall(r'<svg [^>]*class="chart".*?</svg>', page, re.DOTALL):
        ElementTree.fromstring(drawn)
        assert 'role="img" aria-label="' in drawn
    assert page.count('class="chart"') == page.count("<figure") == page.count("</figcaption>") > 10


def test_every_picture_has_its_numbers_and_every_chapter_its_command() -> None:
    page = report(rasant())
    for panel in re.findall(r'<figure class="panel">.*?</figure>', page, re.DOTALL):
        assert "<details>" in panel and panel.count("<tr>") > 1
    for chapter in re.findall(r'<section id="[a-z]+".*?</section>', page, re.DOTALL):
        words = re.search(r'<p class="command"><code>(.*?)</code>', chapter)
        assert words and re.sub("<[^>]*>", "", words[1]).strip() == rasant().command
    assert rasant().match_command == "paddock match rasant club rookie rookie -o players=3"
    assert rasant().match_command in re.sub("<[^>]*>", "", page)


def test_words_of_a_study_are_escaped() -> None:
    drawn = dots("<b>", "&", "what", [figure("x", "<script>", Ratio(np.arange(3.0), np.ones(3)), "")], line=0)
    assert "<script" not in drawn.svg and "<b>" not in drawn.svg


@pytest.mark.parametrize(
    ("values", "ticks"),
    [([0, 14.9], [0, 5, 10, 15]), ([-0.02, 0.03], [-0.02, 0, 0.02, 0.04]), ([2, 2], [1.5, 2.0, 2.5])],
)
def test_an_axis_has_round_numbers_and_contains_all_values(values: list[float], ticks: list[float]) -> None:
    made = axis(values, 0, 100, 3)
    assert made.least <= min(values) and made.most >= max(values)
    assert (made(made.least), made(made.most)) == (0, 100)
    assert all(tick in [pytest.approx(t) for t in made.ticks] for tick in ticks)


def test_axe_finds_nothing_and_a_phone_needs_no_scrolling_sideways(browser: Browser) -> None:
    context = browser.new_context(color_scheme="light", viewport={"width": 360, "height": 740})
    page = context.new_page()
    # One of the docs: to make one here would load compiled rules beside the browser.
    page.set_content((studies.FOLDER / "rasant.html").read_text("utf-8"))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page)
        assert found.violations_count == 0, (scheme, found.generate_report())
    context.close()


# ---- the reports in the docs --------------------------------------------------------------------------


def test_the_reports_in_the_docs_are_those_of_this_code() -> None:
    """If this fails, run ``python scripts/studies.py``."""
    assert studies.stale() == []
    for kept in studies.KEPT:
        page = (studies.FOLDER / kept.page).read_text("utf-8")
        assert len(page.encode()) <= studies.LARGEST
        assert f"study {kept.title}" in re.sub("<[^>]*>", "", page)


def test_every_title_has_a_report() -> None:
    own = {name for name, one in titles().items() if one.package.startswith("paddock.")}
    assert {kept.title for kept in studies.KEPT} == own
