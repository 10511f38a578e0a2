"""The Great Race: what spaces are called where a player reads them; coordinates are for notation."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from tests.games.great_race_help import NAMES, legal, races, seats, seen

from paddock.core.log import Event
from paddock.games.great_race.drawing import draw
from paddock.games.great_race.maps import SHIPPED
from paddock.games.great_race.page import account, page
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.state import ACTIONS, CITY, OFF, Setup
from paddock.games.great_race.words import chains, learn, text
from paddock.games.great_race.words.names import city_name, space_name, space_of
from paddock.games.great_race.words.places import apart, place_name, short_where, where
from paddock.games.great_race.words.view import view

COORDINATE = re.compile(r"\b[0-9]{1,2}[a-z]\b")
WAYS = ("north", "northeast", "southeast", "south", "southwest", "northwest")  # in the order of ``beside``
BETWEEN = ("north-northeast", "east", "south-southeast", "south-southwest", "west", "north-northwest")


def setup_on(map: str) -> Setup:
    return TITLE.setup_of(TITLE.options.read({"map": map}))


def walked(g: Setup, space: int, name: str) -> set[int]:
    """The cities from which the steps of a name lead to the space."""
    words = name.partition(" of ")[0].removeprefix("the space ").replace(" steps", "").replace(" step", "")
    steps: list[int] = []
    for part in words.split(" and "):
        number, way = part.split() if " " in part else ("1", part)
        if way in WAYS:
            steps += [WAYS.index(way)] * int(number)
        else:
            between = BETWEEN.index(way)
            steps += [between, (between + 1) % 6] * (int(number) // 2)
    found = set()
    for city in (at for at in range(g.spaces) if g.land[at] == CITY):
        for order in (steps, steps[::-1]):
            at = city
            for way in order:
                at = g.beside[at, way] if at != OFF else OFF
            if at == space:
                found.add(city)
    return found


@pytest.mark.parametrize("map", SHIPPED)
def test_every_space_has_a_name_of_its_own_from_its_nearest_city(map: str) -> None:
    """The steps of the name, walked from its city, lead to the space, and no city is nearer."""
    g = setup_on(map)
    names = [place_name(g, space) for space in range(g.spaces)]
    assert len(set(names)) == g.spaces
    far: dict[int, int] = {at: 0 for at in range(g.spaces) if g.land[at] == CITY}
    todo = list(far)
    for at in todo:
        for to in (g.beside[at, way] for way in range(6)):
            if to != OFF and to not in far:
                far[to] = far[at] + 1
                todo.append(to)
    for space, name in enumerate(names):
        if g.land[space] == CITY:
            assert name == where(g, space) == city_name(g, space)
            continue
        assert name == f"the space {where(g, space)}"
        steps = sum(int(n) for n in re.findall(r"(\d+) steps?", name)) or 1
        assert steps == far[space] <= 2
        city = name.partition(" of ")[2]
        assert city in {city_name(g, at) for at in walked(g, space, name)}, name


def test_names_on_a_map_with_wide_spaces() -> None:
    """Any map has names: far from all cities they say how many steps to two sides."""
    land = "/".join([".." * 7] * 3)
    cities = "cities:/AA_Amber_1/ZZ_Zenith_1"
    map = f"title: Wide/west: AA/east: ZZ/tiles: us/grid:/{land}/AA{'..' * 5}ZZ/{land}/{cities}"
    g = setup_on(map)
    names = {space_name(g, space): place_name(g, space) for space in range(g.spaces)}
    assert len(set(names.values())) == g.spaces
    assert names["AA"] == "Amber"
    assert names["0c"] == "the space north of Amber"
    assert names["1c"] == "the space northeast of Amber"
    assert names["1d"] == "the space southeast of Amber"
    assert names["2d"] == "the space 2 steps east of Amber"
    assert names["0a"] == "the space 3 steps north of Amber"
    assert names["1b"] == "the space 2 steps north-northeast of Amber"
    assert names["1a"] == "the space 2 steps north and 1 northeast of Amber"
    assert names["4d"] == "the space 2 steps west of Zenith"
    for space in range(g.spaces):
        if g.land[space] != CITY:
            assert walked(g, space, names[space_name(g, space)]), names[space_name(g, space)]


def texts(drawing: str) -> Iterator[str]:
    """What a drawing shows and says: titles, labels, letters; not ids and moves."""
    yield from re.findall(r'aria-label="([^"]*)"', drawing)
    yield re.sub(r"<[^>]*>", " ", drawing)


def test_no_player_reads_a_coordinate() -> None:
    """Buttons, the status line, questions, refusals, the story, reveals, maps: «7d» is for notation alone."""
    stages: dict[int, int] = {}
    for options, s, g in races(10, seed=5, turns=3):
        names = NAMES[: g.players]
        for event in map(Event._make, s.events or ()):
            plain(text.line(g, event, names))
        stages[s.stage] = stages.get(s.stage, 0) + 1
        if stages[s.stage] > 6:
            continue
        for seat in seats(s, g):
            mine = seen(options, s, g, 1 << seat)
            shown = view(mine)
            moves = legal(s, g, seat)
            plain(text.status(mine))
            for id in moves:
                plain(text.label(mine, seat, id))
            for id in range(ACTIONS) if stages[s.stage] < 3 else ():
                fault = TITLE.refused(s, g, seat, id) if id not in moves else None
                plain(fault.reason if fault else "")
            for chain in chains.ready(mine, seat):
                plain(chain.label)
            hand = page.ask(mine, seat, shown)
            plain(hand.question, hand.hint, *hand.labels.values())
            for press in (press for group in hand.groups for press in group.presses):
                plain(press.short, press.says, press.note)
            plain(*page.places(shown))
            marks = page.marks(mine, shown, [])
            plain(*texts(draw.board(shown, marks.way, marks.ghost, hand.spaces, labels=hand.labels)))
            plain(*texts(draw.board(shown, moves=hand.spaces)))
            plain(*(line for line in text.board(mine) if line not in shown.chart))
    assert len(stages) > 20


def plain(*sentences: str) -> None:
    for sentence in sentences:
        assert not COORDINATE.search(sentence), sentence


def test_what_happened_and_how_it_went_name_no_coordinates() -> None:
    """The reveal and the account of a whole race."""
    from tests.web.test_great_race_page import game, settle

    made, rng = game(3)
    choose = random.Random(3)
    while made.deciders:
        seat = made.deciders[0]
        moves = made.seen(1 << seat).legal(seat)
        wanted = [8 if move < state.PLAY or move == state.DRIVE else 1 for move in moves]
        made.play(seat, TITLE.text.move(made.setup, choose.choices(moves, wanted)[0]))
        settle(made, rng)
        if len(made.log) > 900:
            break
    seen_ = made.seen(0)
    shown = view(seen_)
    for since in range(0, len(made.log), 40):
        told = page.reveal(made.events[: since + 40], NAMES, shown, since)
        for step in told.steps if told else ():
            plain(step.text, step.value)
    told_of = account.account(seen_, made.events)
    plain(*(moment.text for moment in told_of.moments))


def test_the_steps_that_lead_on_come_first() -> None:
    """GR-7.1 and where a tile may lie, too: what is nearest to the destination stands first, with key 1."""
    met = set()
    for options, s, g in races(6, seed=2, turns=3):
        if s.stage not in (state.STEP, state.PLACE_SPACE) or legal(s, g, s.asked)[0] >= state.PLAY:
            continue
        mine = seen(options, s, g, 1 << s.asked)
        group = page.ask(mine, s.asked, view(mine)).groups[0]
        moves = [TITLE.text.parse_move(g, press.move).id for press in group.presses]
        offered = [move for move in legal(s, g, s.asked) if move < state.PLAY]
        assert sorted(moves) == sorted(offered)
        far = [apart(g, move, s.goal) for move in moves]
        assert far == sorted(far)
        assert [press.key for press in group.presses][:9] == [str(n + 1) for n in range(len(moves))][:9]
        met.add((s.stage, moves == offered))
    assert {(state.STEP, False), (state.PLACE_SPACE, False)} <= met


def test_the_button_of_a_space_is_short() -> None:
    """A winds' abbreviation on the button; the whole name is what it says aloud."""
    g = setup_on("usa-west")
    longest = max((short_where(g, space) for space in range(g.spaces)), key=len)
    assert longest == "2 SSE of San Francisco"
    names = {short_where(g, space) for space in range(g.spaces)}
    assert len(names) == g.spaces
    space = space_of(g, "4d")
    assert (short_where(g, space), where(g, space)) == ("SE of Reno", "southeast of Reno")


def test_the_lesson_calls_spaces_by_their_names() -> None:
    """Each idea that places a tile says the name of its space, unless the learner chooses it; no idea says a
    coordinate.
    """
    g = TITLE.setup_of(TITLE.options.read(learn.OPTIONS))
    named = 0
    for idea in learn.IDEAS:
        plain(*(text for text in (idea.text, idea.told) if isinstance(text, str)))
        if idea.judge is None and isinstance(idea.text, str) and idea.text.startswith("Place "):
            assert where(g, space_of(g, str(idea.move))) in idea.text, idea.text
            named += 1
    assert named == 2
