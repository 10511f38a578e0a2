"""The Great Race's page: every decision offers every move, the map marks the way, prestige has its parts."""

from __future__ import annotations

import random
from collections import Counter
from contextvars import copy_context
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from paddock import records
from paddock.core.game import Game
from paddock.core.i18n import language
from paddock.core.log import Entry
from paddock.core.words import CHANCE
from paddock.games.great_race.page import asking, offers, page, prospects
from paddock.games.great_race.rulebook import TITLE
from paddock.games.great_race.rules import state
from paddock.games.great_race.rules.land import lane_end
from paddock.games.great_race.words.chains import prey
from paddock.games.great_race.words.view import Team
from paddock.web.model import Scene
from web.test_browser_aria import FOLDER
from web.test_browser_great_race_phases import QUESTIONS, RECORD

NAMES = ("Ana", "Ben", "Cleo", "Dora", "Eli")


def game(seed: int = 1, **options: object) -> tuple[Game, random.Random]:
    """Return a game before its first decision, and what draws its chance."""
    values = {"players": 3, "finish": "OK"} | options
    made = Game(TITLE, TITLE.options.read(values), None, NAMES[: values["players"]])
    rng = random.Random(seed)
    settle(made, rng)
    return made, rng


def settle(made: Game, rng: random.Random) -> None:
    """Let chance happen until somebody must decide."""
    while made.chance_due:
        found = made.outcomes()
        made.append(Entry(CHANCE, rng.choices(list(found), list(found.values()))[0]))


def offered(hand: offers.Hand) -> set[str]:
    """Return the notations of all moves that can be chosen alone."""
    moves = {press.move for group in hand.groups for press in group.presses if press.fits}
    moves |= {move for choice in (*hand.cards, *hand.signs) if choice.fits for move in choice.moves}
    return moves | set(hand.sends)


def test_readers_of_one_scene_read_the_names_of_spaces_in_their_languages() -> None:
    scene = Scene(game()[0].seen(1), ())

    def names(spoken: str) -> str:
        language.set(spoken)
        return " ".join(space.where for space in scene.view.spaces)

    assert " of " in copy_context().run(names, "en")
    assert " von " in copy_context().run(names, "de")


def test_a_sequence_always_reads_petrol_cards_assistant() -> None:
    """GR-5.1 in this order, whatever can be chosen now."""
    made, rng = game(1)
    can = set()
    for _n in range(400):
        seat = made.deciders[0]
        seen = made.seen(1 << seat)
        if seen.state.stage == state.ACT:
            groups = page.ask(seen, seat, TITLE.view.view(seen)).groups
            assert [group.name for group in groups] == ["petrol", "cards", "crew"]
            can.add(tuple(any(press.fits for press in group.presses) for group in groups))
        made.append(Entry(seat, rng.choice(seen.legal(seat))))
        settle(made, rng)
    assert {(True, True, True), (False, False, True)} <= can


@pytest.mark.parametrize(
    ("seed", "options"), [(1, {}), (2, {"leaders": True, "map": "asia-west", "finish": "lot"})]
)
def test_every_decision_offers_every_move_and_says_why_others_are_not_legal(
    seed: int, options: dict[str, object]
) -> None:
    made, rng = game(seed, **options)
    stages: Counter[int] = Counter()
    for _n in range(700):
        seat = made.deciders[0]
        if made.deciders == () or seat == CHANCE:
            break
        seen = made.seen(1 << seat)
        view = TITLE.view.view(seen)
        hand = page.ask(seen, seat, view)
        stages[seen.state.stage] += 1
        legal = {str(TITLE.text.move(seen.setup, id)) for id in seen.legal(seat)}
        assert hand.question and "{" not in hand.question + hand.hint
        if hand.kind == "plan":
            assert {f"plan {a}-{b}-{c}-{hand.crew - a - b - c}"
                    for a in range(hand.crew + 1) for b in range(hand.crew + 1 - a)
                    for c in range(hand.crew + 1 - a - b)} == legal  # fmt: skip
            assert len(hand.boxes) == 4
        else:
            assert offered(hand) | ({"play jerrycan"} & legal) == legal
        presses = [*hand.tray, *(press for group in hand.groups for press in group.presses)]
        assert {press.move for press in presses if not press.fits} == set(hand.refused)
        shown = Counter(press.face.word for press in presses if press.face and press.face.kind == "card")
        assert shown == Counter(set(view.teams[seat].hand or ())) or hand.kind == "picks"
        assert all(sentence and clause.startswith("GR-") for sentence, clause in hand.refused.values())
        for space, moves in hand.spaces.items():
            assert hand.labels[space]
            seen.preview(moves.split(asking.THEN), seat)  # raises if any link is not legal
        made.append(Entry(seat, rng.choice(seen.legal(seat))))
        settle(made, rng)
    assert {state.TAKE, state.PLANS_STAGE, state.ACT, state.STEP, state.PLACE_SPACE} <= set(stages)


def test_petrol_says_why_it_cannot_be_bought() -> None:
    hand = first_sequence()[1]
    groups = {group.name: group for group in hand.groups}
    assert groups["petrol"].none == "The petrol is full."
    crew = {press.short: press for press in groups["crew"].presses}
    assert crew["Drive"].fits and crew["Pass"].fits
    assert not crew["Clear"].fits
    assert hand.refused["clear"] == ("no assistant is left on Security", "GR-5.6")


def first_sequence() -> tuple[Any, offers.Hand, int]:
    """Return the position of the first sequence with three drives, its hand and seat."""
    made, rng = game()
    while made.deciders[0] != CHANCE and made.seen(0).state.stage != state.ACT:
        seat = made.deciders[0]
        seen = made.seen(1 << seat)
        plan = TITLE.text.parse_move(seen.setup, "plan 1-3-0-1").id
        made.append(Entry(seat, plan if plan in seen.legal(seat) else seen.legal(seat)[0]))
        settle(made, rng)
    seat = made.deciders[0]
    seen = made.seen(1 << seat)
    return seen, page.ask(seen, seat, TITLE.view.view(seen)), seat


def links(*moves: str, **cost: int) -> list[SimpleNamespace]:
    """Return links of a chain; the last one has the cost."""
    out = [SimpleNamespace(move=move, cost={}) for move in moves]
    out[-1].cost = cost
    return out


def test_the_map_marks_the_way_of_a_drive_from_its_start() -> None:
    seen, hand, seat = first_sequence()
    view = TITLE.view.view(seen)
    here = seen.state.at[seat]
    step = next(moves for moves in hand.spaces.values() if moves.startswith("drive; "))
    asked = SimpleNamespace(
        committed=False, seat=seat, hand=hand, ended=True, links=links(*step.split("; "), petrol=1),
        suggested=None,
    )  # fmt: skip
    marks = page.marks(seen, view, [asked])
    assert marks.way[0] == here and len(marks.way) == 2
    assert marks.cost == {"petrol": 1} and not marks.moves  # the chain has ended
    asked.ended = False
    assert page.marks(seen, view, [asked]).moves == hand.spaces
    asked.links = links("clear", "7d")  # no drive
    assert page.marks(seen, view, [asked]).way == ()
    space, asked.suggested = next(iter(hand.spaces)), SimpleNamespace(name=next(iter(hand.spaces.values())))
    assert page.marks(seen, view, [asked]).glow is None  # the lesson suggests the first link
    asked.links = []
    assert page.marks(seen, view, [asked]).glow == space
    drawing = TITLE.draw.board(view, moves=hand.spaces, glow=space)
    assert drawing.count("is-suggested") == 1 and f'id="gr-s{space}" class="gr-go' in drawing
    assert page.marks(seen, view, []) == page.Marks()


def test_the_button_of_a_chain_names_what_it_does_and_the_whole_price() -> None:
    def said(*given: tuple[str, str, int]) -> str:
        made = [
            SimpleNamespace(move=move, label=label, cost={"petrol": paid} if paid else {})
            for move, label, paid in given
        ]
        return page.whole(made)

    drive, one = ("drive", "Drive", 0), ("1a", "Drive over Track to 1a", 1)
    two, far = ("MI", "Drive to Midway", 1), ("4b", "Explore 4b: you can pay for 93 % of the tiles", 0)
    assert said(drive, one) == "Drive over Track to 1a (1 step): 1 petrol"
    assert said(drive, one, two) == said(one, two) == "Drive to Midway (2 steps): 2 petrol"
    assert said(one, ("halt", "Stop here", 0)) == "Drive over Track to 1a (1 step), then stop here: 1 petrol"
    assert said(drive, far) == "Explore 4b (1 step)"
    assert said(one, ("chassis", "The chassis takes it", 0)) == "Drive over Track to 1a (1 step): 1 petrol"
    sabotage = ("play saboteur", "Play Saboteur: takes 2 levels", 0), ("player 2", "Aim at Bruno", 0)
    assert said(*sabotage) == "Play Saboteur · Aim at Bruno"
    tiles = ("tile mud", "Place next: Mud", 0), ("0c", "Place it on 0c", 0), ("1c", "Place it on 1c", 0)
    assert said(*sabotage, *tiles) == "… · Place it on 0c · Place it on 1c"


def drives(s: state.State, g: state.Setup, team: Team) -> int:
    """GR-7.1, GR-7.9 the fewest drives to the destination: every drive from everywhere, without shortcuts."""
    reached = {team.space}
    for drive in range(1, prospects.MOST_DRIVES + 1):
        ends = set()
        for start in reached:
            if g.land[start] == state.CITY and team.engine:
                ends |= {lane_end(g, lane, start) for lane in range(g.lanes)}
            edge = {start}
            for _step in range(team.engine):
                edge = {g.beside[space, way] for space in edge for way in range(6)} - {state.OFF}
                ends |= edge
                edge = {space for space in edge if g.land[space] != state.CITY}
        reached |= ends - {state.OFF}
        if s.goal in reached:
            return drive
    return 0


def test_drives_to_the_destination_are_counted_with_each_space_once() -> None:
    seen, _hand, _seat = first_sequence()
    s, g = seen.state.copy(), seen.setup
    team = TITLE.view.view(seen).teams[0]
    read = 0

    class Counted:
        def __getitem__(self, at: tuple[int, int]) -> int:
            nonlocal read
            read += 1
            return int(g.beside[at])

    class Watched:
        beside = Counted()

        def __getattr__(self, name: str) -> Any:
            return getattr(g, name)

    found, most = set(), 0
    for space in set(range(0, g.spaces, 3)) - {s.goal}:
        for engine in (0, 1, 2, 5):
            here = replace(team, space=space, engine=engine)
            read = 0
            found.add(prospects._drives(s, cast(state.Setup, Watched()), here))
            most = max(most, read)
            assert prospects._drives(s, g, here) == drives(s, g, here)
    assert most < 20 * g.spaces  # it was 59 when every drive began from everywhere
    assert {0, 1, 2, 3} <= found


def test_prestige_has_its_parts_and_who_can_still_finish() -> None:
    seen, _hand, seat = first_sequence()
    view = TITLE.view.view(seen)
    looks = prospects.outlooks(seen, view)
    assert [look.team.seat for look in looks] == list(view.order)
    for look in looks:
        assert look.total == look.team.prestige
        assert look.arrival + look.engine + look.chassis + look.money == look.total
        assert look.arrival == 5  # the next one to arrive is the first
        assert look.lacking == max(0, look.drives - 3)
        can = prospects._drivers(seen.setup, view, look.team)
        assert can <= look.team.cards
        want = prospects.YES if not look.lacking else prospects.WITH_DRIVER
        assert look.finish == (want if look.lacking <= can else prospects.NO)
    near = seen.state.copy()
    beside = [seen.setup.beside[near.goal, way] for way in range(6)]
    near.at[seat] = next(space for space in beside if space != state.OFF)
    moved = replace(seen, state=near)
    look = next(look for look in prospects.outlooks(moved, TITLE.view.view(moved)) if look.team.seat == seat)
    assert (look.drives, look.finish) == (1, prospects.YES)
    far = replace(look.team, seat=seat, hand=None, known=("driver", "guide"), cards=3)
    view = TITLE.view.view(moved)
    assert prospects._drivers(seen.setup, view, far) == 2  # one is known, one card is not
    assert prospects._drivers(seen.setup, replace(view, discard=("driver",) * 2), far) == 1
    assert prospects._drivers(seen.setup, view, replace(far, hand=("guide",) * 3)) == 0
    near.passed[seat] = 1
    look = next(look for look in prospects.outlooks(moved, TITLE.view.view(moved)) if look.team.seat == seat)
    assert look.finish == prospects.NO


def test_the_map_in_words_names_cities_and_who_is_there() -> None:
    seen, _hand, _seat = first_sequence()
    words = page.places(TITLE.view.view(seen))
    assert any(line.startswith("SF San Francisco") and "(Ana, Ben, Cleo)" in line for line in words)


def test_a_button_for_a_rival_says_what_can_be_taken() -> None:
    seen, _hand, _seat = first_sequence()
    s = seen.state.copy()
    s.engine[1], s.chassis[1], s.petrol[1], s.money[1], s.cards[1] = 4, 3, 2, 60, 1
    said = {}
    for card in (state.SABOTEUR, state.RANSOM, state.SIPHONER, state.CUSTOMS):
        s.card = card
        said[card] = prey(s, "", 1)
    assert list(said.values()) == ["engine 4, chassis 3", "60 F", "2 petrol", "1 card"]
    s.action = state.STEALING
    assert prey(s, "Ben", 1) == "Ben: 1 card, 60 F"


def test_words_of_cards_and_costs() -> None:
    assert prospects.cards(("jerrycan", "jerrycan", "militia")) == "2 × Jerrycan, Militia"
    assert prospects.cards(()) == "–"
    assert asking.price({"petrol": 2, "damage": 1, "danger": 0}) == "2 petrol, 1 damage"
    assert page.headline(("Ana",), 1) == "Ana wins the Great Race"
    assert page.headline((), 1) == "Nobody reaches the destination"


def test_every_question_has_the_words_of_its_tree() -> None:
    """The trees are compared in the browser, some of them in each run."""
    whole = records.read(RECORD).game()
    made = Game(whole.title, whole.options, None, whole.names)
    asked = {at: name for name, at in QUESTIONS.items()}
    for n, entry in enumerate(whole.log):
        if name := asked.pop((n, entry.by), ""):
            seen = made.seen(1 << entry.by)
            hand = page.ask(seen, entry.by, TITLE.view.view(seen))
            tree = (FOLDER / f"great_race-{name}.yml").read_text("utf-8").replace("''", "'")
            assert f'heading "{hand.question}"' in tree, name
        made.append(entry)
    assert not asked
