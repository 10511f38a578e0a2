"""GR-1 what the set-up takes from options and maps; GR-4.1, GR-6.7 and GR-11.4 as tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from tests.titles import PRINTED_MAPS

from paddock.core.clauses import load
from paddock.core.errors import BadOption
from paddock.games.great_race.maps import SHIPPED, read_map
from paddock.games.great_race.maps.tiles import WORDS
from paddock.games.great_race.rulebook import TITLE, Options
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.setup import setup
from paddock.games.great_race.rules.state import CARDS, OFF, TILES, Setup
from paddock.games.great_race.words.names import city_code, city_name, space_name, space_of


def made(**options: Any) -> Setup:
    g = setup(Options.read(options))
    assert Setup.frombytes(g.tobytes()) == g  # every number fits into its field
    return g


def named(g: Setup, spaces: Iterator[int]) -> list[str]:
    return [space_name(g, space) if space != OFF else "-" for space in spaces]


def ends(g: Setup) -> tuple[str, str, list[str]]:
    """Start, destination, and the middle cities among which the lot decides."""
    start, goal = named(g, iter((g.origin, g.goal)))
    return start, goal, named(g, (g.ends[i] for i in range(g.n_ends)))


def tokens(g: Setup) -> list[str]:
    return named(g, (g.tokens[i] for i in range(g.n_tokens)))


def test_options_name_clauses_of_the_rules() -> None:
    assert {row.clause for row in Options.describe()} <= set(TITLE.rulebook.clauses)
    assert load(TITLE.rulebook.markdown).revision == TITLE.revision


def test_gr_1_1_two_to_five_players() -> None:
    """GR-1.1 two to five players, one half-track each."""
    assert [made(players=n).players for n in (2, 3, 4, 5)] == [2, 3, 4, 5]
    assert Options.read({"players": 5}).owners == (0, 1, 2, 3, 4)
    for n in (1, 6):
        with pytest.raises(BadOption, match=r"write a whole number from 2 to 5 \(GR-1.1\)"):
            Options.read({"players": n})


def test_gr_1_1_a_half_map_runs_from_its_purple_city_to_the_middle() -> None:
    """GR-1.1 a half map runs from its purple city to the middle."""
    assert ends(made(map="usa-west")) == ("SF", "-", ["MI", "OM", "OK", "HO"])
    assert ends(made(map="usa-east")) == ("NY", "-", ["MI", "OM", "OK", "HO"])
    assert ends(made(map="asia-west")) == ("BE", "-", ["OS", "KA", "DE", "BO"])
    assert ends(made(map="asia-east")) == ("PE", "-", ["OS", "KA", "DE", "BO"])


def test_gr_1_1_a_full_map_runs_from_one_purple_city_to_the_other() -> None:
    """GR-1.1 a full map runs from one purple city to the other, either way."""
    assert ends(made(map="usa")) == ends(made(map="usa", start="west")) == ("SF", "NY", [])
    assert ends(made(map="asia", start="east")) == ("PE", "BE", [])


def test_gr_1_11_the_race_may_start_in_a_middle_city() -> None:
    """GR-1.11 the race may start in a middle city; `finish` names it."""
    assert ends(made(start="west")) == ("SF", "-", ["MI", "OM", "OK", "HO"])
    assert ends(made(start="east")) == ("-", "SF", ["MI", "OM", "OK", "HO"])
    assert ends(made(map="asia-east", start="west")) == ("-", "PE", ["OS", "KA", "DE", "BO"])
    assert ends(made(start="east", finish="OM")) == ("-", "SF", ["OM"])


def test_gr_1_11_progress_is_counted_in_columns() -> None:
    """GR-1.11 progress is counted in columns, which the Setup has."""
    g = made()
    assert [g.column[space_of(g, name)] for name in ("SF", "7d", "HO")] == [0, 7, 18]
    assert [g.row[space_of(g, name)] for name in ("SF", "7d", "HO")] == [3, 3, 6]
    assert g.columns == 19


def test_gr_1_7_the_finish_is_a_middle_city() -> None:
    """GR-1.7 the finish is a middle city, by lot or by the option."""
    assert ends(made(finish="ok")) == ("SF", "-", ["OK"])
    assert tokens(made(finish="OK")) == ["MI", "OM", "OK", "HO"]
    for options in ({"finish": "SF"}, {"finish": "DE"}, {"finish": ""}):
        with pytest.raises(BadOption, match=r"write lot, MI, OM, OK or HO \(GR-1.7\)"):
            Options.read(options)
    with pytest.raises(BadOption, match=r"finish=OM: write lot \(GR-1.7\)"):
        Options.read({"map": "usa", "finish": "OM"})


def test_gr_1_7_city_tokens_lie_on_the_middle_cities() -> None:
    """GR-1.7, GR-1.12 the tokens lie on the middle cities, in the order of the map."""
    for name in PRINTED_MAPS:
        middle = ["MI", "OM", "OK", "HO"] if "usa" in name else ["OS", "KA", "DE", "BO"]
        assert tokens(made(map=name)) == middle


def test_gr_1_2_and_gr_1_13_gauges() -> None:
    """GR-1.2 gauges go to 5; GR-1.13 or to 4 … 8."""
    assert made().gauge_max == 5
    assert [made(gauge_max=n).gauge_max for n in (4, 8)] == [4, 8]
    for n in (3, 9):
        with pytest.raises(BadOption, match=r"from 4 to 8 \(GR-1.13\)"):
            Options.read({"gauge_max": n})


def test_gr_1_5_the_deck() -> None:
    """GR-1.5 59 cards, with leaders two Topographers more."""
    deck = {
        "trail-hunter": 2, "saboteur": 3, "repairman": 3, "militia": 3, "driver": 3, "con-artist": 2,
        "cartographer": 3, "financial": 3, "transport": 2, "jerrycan": 8, "refueling-station": 2, "guide": 2,
        "engine-parts": 6, "chassis-parts": 6, "toolbox": 2, "tracker": 2, "ransom": 2, "siphoner": 3,
        "customs": 2, "topographer": 0,
    }  # fmt: skip
    names = [word.replace("-", "_").upper() for word in deck]
    for leaders, more in ((False, 0), (True, 2)):
        g = made(leaders=leaders)
        assert g.leaders == leaders
        deck["topographer"] = more
        assert [g.deck[getattr(state, name)] for name in names] == list(deck.values())
        assert sum(g.deck[card] for card in range(CARDS)) == 59 + more


def test_gr_1_6_the_tiles() -> None:
    """GR-1.6 100 tiles in America, 80 in Asia, as the tables of the sets say."""
    assert len(WORDS) == len(set(WORDS)) == TILES
    for name in PRINTED_MAPS:
        g = made(map=name)
        assert sum(g.bag[kind] for kind in range(TILES)) == (100 if "usa" in name else 80)
    us, asia = made(), made(map="asia-west")
    for word, facts in {
        "track": (1, 0, 0, 0, 24, 15),
        "outlaws": (1, 0, 1, 0, 6, 5),
        "warlords-gorge": (2, 1, 1, 1, 0, 1),
        "scree": (2, 2, 0, 0, 2, 2),
        "blizzard": (3, 0, 0, 1, 1, 1),
        "glacier": (3, 2, 0, 0, 0, 1),
    }.items():
        i = WORDS.index(word)
        tile = (us.tile_petrol[i], us.tile_damage[i], us.tile_danger[i], us.tile_stop[i])
        assert (*tile, us.bag[i], asia.bag[i]) == facts


def test_gr_1_6_tiles_of_a_map_of_ones_own() -> None:
    """GR-1.6 a map of one's own has tiles of its own."""
    g = made(map="title:T/west:AA/east:BB/tiles:/mud_4/track_2/grid:/AA....BB/cities:/AA_A_1/BB_B_1")
    assert {WORDS[i]: g.bag[i] for i in range(TILES) if g.bag[i]} == {"mud": 4, "track": 2}
    assert (g.n_ends, g.n_tokens, g.lanes, g.spaces, g.columns) == (0, 0, 0, 4, 4)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_map_is_in_the_setup(name: str) -> None:
    g, map = made(map=name), read_map(name)
    assert g.spaces == len(map.spaces)
    for space in range(g.spaces):
        assert space_of(g, map.name(space)) == space
        assert g.land[space] == map.land(space)
        beside = [g.beside[space, way] for way in range(state.WAYS)]
        assert [None if n == OFF else n for n in beside] == list(map.beside(space))
    for city in map.cities:
        space = map.space(city.code)
        assert (city_code(g, space), city_name(g, space), g.number[space]) == (
            city.code,
            city.name,
            city.number,
        )
    for space in range(g.spaces, state.SPACES):
        assert g.city[space] == OFF and {g.beside[space, way] for way in range(state.WAYS)} == {OFF}


def test_gr_7_9_lanes() -> None:
    """GR-7.9 lanes and fares, each for both directions."""
    g = made()
    lanes = [
        (space_name(g, g.lane_from[i]), space_name(g, g.lane_to[i]), g.lane_air[i]) for i in range(g.lanes)
    ]
    assert lanes == [("SE", "SF", 0), ("SF", "LA", 0), ("SL", "CH", 1), ("LA", "PH", 1)]
    assert [g.fare[i] for i in range(g.lanes)] == [lane.fare for lane in read_map("usa-west").lanes]


def test_gr_4_1_and_gr_11_4_the_plans() -> None:
    """GR-4.1 every plan of five assistants, and GR-11.4 of six."""
    g = made()
    rows = [tuple(g.plan[plan, box] for box in range(4)) for plan in range(state.PLANS)]
    five, six = (
        sorted(boxes for boxes in product(range(7), repeat=4) if sum(boxes) == assistants)
        for assistants in (5, 6)
    )
    assert rows == five + six
    assert len(five) == state.FIVE


def test_gr_6_7_what_funding_pays() -> None:
    """GR-6.7 what so many assistants on Funding pay."""
    assert [made().pays[n] for n in range(7)] == [0, 10, 20, 40, 70, 110, 110]


def test_options_reach_the_setup() -> None:
    """GR-6.1, GR-9.4, GR-10.17, GR-10.18 the values of their options, and the default ones."""
    names = ("lanes_connect", "max_turns", "siphon", "customs_danger")
    assert [getattr(made(), name) for name in names] == [0, 60, 2, 0]
    g = made(lanes_connect="yes", max_turns=200, siphon=5, customs_danger="yes")
    assert [getattr(g, name) for name in names] == [1, 200, 5, 1]
    for wrong, bounds in (("max_turns=201", "1 to 200"), ("siphon=6", "1 to 5"), ("siphon=0", "1 to 5")):
        with pytest.raises(BadOption, match=f"from {bounds}"):
            Options.read_text(wrong)


def test_gr_8_4_a_text_names_the_opening_bonus_only_where_it_is_paid() -> None:
    """GR-8.4 so a text from before the option is still the one way to write those options."""
    off, on = Options.read({}), Options.read({"opening_bonus": "yes"})
    assert (made().opening_bonus, made(opening_bonus="yes").opening_bonus) == (0, 1)
    assert "opening_bonus" not in off.text + off.short
    assert on.text == on.short == f"{off.text} opening_bonus=yes"
    assert (Options.read_text(off.text), Options.read_text(on.text)) == (off, on)


def test_gr_9_7_several_races() -> None:
    """GR-9.7 one race, or several."""
    assert [Options.read({"races": n}).rounds for n in (1, 9)] == [1, 9]
    assert Options.read({}).rounds == 1


def test_gr_10_21_the_default_answer_of_a_table() -> None:
    """GR-10.21 a table asks, or has one answer for all."""
    assert Options.read({}).reactions == "ask"
    with pytest.raises(BadOption, match=r"write ask, decline or protect \(GR-10.21\)"):
        Options.read({"reactions": "maybe"})


def test_the_clauses_name_every_option() -> None:
    for row in Options.describe():
        if row.name != "players" and not row.rulebook:  # which the page of the options names
            assert f"`{row.name}`" in TITLE.rulebook.markdown


def test_clauses_that_read_the_rulebook_our_way_say_so() -> None:
    """GR-6.1, GR-6.6, GR-10.16, GR-10.23, GR-11.2, GR-11.5 are rulings; two quote what we read that way."""
    clauses = TITLE.rulebook.clauses
    for id in ("GR-6.1", "GR-6.6", "GR-10.16", "GR-10.23", "GR-11.2", "GR-11.5"):
        assert clauses[id].ruling, id
    assert "“the TRANSPORT lanes form a path” (Transport)" in clauses["GR-6.1"].source
    assert "“at any time for the Security skill” (Security guard)" in clauses["GR-6.6"].source
