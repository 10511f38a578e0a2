"""An evening, decided on plain facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import paddock
from paddock.core.title import title
from paddock.features.clubs import rules
from paddock.features.clubs.rows import (
    DAYS,
    JOINING,
    LIVE,
    OVER,
    RUNNING,
    SWISS,
    DealtRow,
    EntrantRow,
    EveningRow,
    SeatRow,
)
from paddock.features.clubs.running import sitters_of
from paddock.features.clubs.wishes import guests_of

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
LACORSA = title("lacorsa")
ROW = EveningRow(
    id="evening",
    name="Thursday",
    title="lacorsa",
    revision=LACORSA.revision,
    options=LACORSA.options.read({}).text,
    level="club",
    deals=4,
    style=LIVE,
    system="robin",
    clock="900+10",
    minutes=20,
    pause=60,
    pace="instant",
    secret="5e" * 32,
    made=NOW,
    phase=RUNNING,
    deal=2,
)


@pytest.mark.parametrize(
    ("changed", "over", "due"),
    [
        ({}, False, "play"),
        ({"next_at": NOW}, False, "time"),
        ({"next_at": NOW + timedelta(seconds=1)}, False, "play"),
        ({}, True, "rest"),
        ({"resting": True, "next_at": NOW + timedelta(seconds=1)}, True, "play"),
        ({"resting": True, "next_at": NOW}, True, "deal"),
        ({"deal": 4}, True, "end"),
        ({"deal": 4}, False, "play"),
    ],
)
def test_what_is_due(changed: dict[str, object], over: bool, due: str) -> None:
    assert rules.due(replace(ROW, **changed), over, NOW) == due  # type: ignore[arg-type]


def test_a_deal_opens_when_all_have_played_it_and_over_days_when_all_is_over() -> None:
    assert [rules.opens(ROW, deal) for deal in (1, 2, 3)] == [True, False, False]
    assert rules.opens(replace(ROW, resting=True), 2)
    slow = replace(ROW, style=DAYS, deal=4, resting=True)
    assert not any(rules.opens(slow, deal) for deal in range(1, 5))
    assert all(rules.opens(replace(slow, phase=OVER), deal) for deal in range(1, 5))
    assert not rules.opens(replace(ROW, phase=JOINING, deal=0), 1)


def test_the_plan_is_kept_while_the_same_people_play_and_made_anew_when_somebody_leaves() -> None:
    people = [EntrantRow("evening", n, f"P{n}", None, "", NOW) for n in range(1, 9)]
    seats: list[SeatRow] = []
    row = replace(ROW, deal=0)
    for deal in range(1, 5):
        for table, group in enumerate(rules.next_round(row, people, seats, [])):
            seats += [
                SeatRow("evening", deal, table, n, int(who) if who else None) for n, who in enumerate(group)
            ]
        row = replace(row, deal=deal)
        held = {(seat.entrant, seat.seat) for seat in seats}
        assert len(held) == 8 * deal, "nobody has a seat twice in four deals"
    some = [seat for seat in seats if seat.deal <= 2]
    fewer = [replace(one, gone=one.number == 3) for one in people]
    after = rules.next_round(ROW, fewer, some, [])
    assert sorted(int(who) for group in after for who in group if who) == [1, 2, 4, 5, 6, 7, 8]
    swiss = rules.next_round(replace(ROW, system=SWISS), fewer, some, ["8", "7", "3", "6"])
    assert sorted(int(who) for group in swiss for who in group if who) == [1, 2, 4, 5, 6, 7, 8]


def test_a_copy_of_a_table_of_bots_says_nothing_new() -> None:
    tables = [DealtRow("evening", 1, n, "club", over=True, alone=n > 0, entries=90) for n in range(4)]
    points = [(9, 6, 4, 3), (9, 6, 4, 3), (9, 6, 4, 3), (3, 6, 4, 9)]
    seats = [SeatRow("evening", 1, n, s, None, p) for n, row in enumerate(points) for s, p in enumerate(row)]
    assert [row.table for row in rules.without_copies(tables, seats)] == [0, 1, 3]


def test_two_games_part_at_the_first_own_move_that_differs() -> None:
    one, two = (paddock.start("lacorsa", drivers=4, seed=7) for _n in range(2))
    moves = 0
    while not one.over:
        for seat in one.deciders:
            one.play(seat, next(iter(one.legal(seat))))
    while not two.over:
        for seat in two.deciders:
            moves += seat == 1
            two.play(seat, list(two.legal(seat))[-1 if seat == 1 and moves == 3 else 0])
    where = rules.parting(one, two, 1)
    assert where and where.nth == 3 and where.own != where.other
    assert one.log[where.entry].by == 1
    assert rules.parting(one, one, 1) is None


def test_names_at_a_table_differ_and_bots_play_for_who_was_forgotten() -> None:
    people = {
        1: EntrantRow("evening", 1, "Alba", "a" * 64, "", NOW),
        2: EntrantRow("evening", 2, "alba", "b" * 64, "", NOW),
        3: EntrantRow("evening", 3, "", None, "", NOW),
    }
    seats = [SeatRow("evening", 1, 0, n, who) for n, who in enumerate((1, 2, 3, None))]
    sitters = sitters_of(seats, people, "club", lambda name: False)
    assert [sitter.who for sitter in sitters] == ["me", "me", "club", "club"]
    assert [sitter.name for sitter in sitters[:2]] == ["Alba", "alba (2)"]
    assert len({sitter.name.casefold() for sitter in sitters}) == 4


def test_a_list_of_guests_is_the_first_column_of_a_file() -> None:
    assert guests_of('Ana;x\n"Ben",y\n\n Cai \nAna') == ["Ana", "Ben", "Cai"]
