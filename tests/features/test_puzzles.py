"""Puzzles of browsers: found by analyses, remembered over days."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paddock.bots import judging
from paddock.bots.analysis import Analysis
from paddock.bots.judging import decisions
from paddock.bots.ledger import LedgerChange
from paddock.core.title import title
from paddock.features.analyses.service import Analyses
from paddock.features.puzzles import service as kept
from paddock.features.puzzles.remembering import answered
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.service import Puzzles
from paddock.store.kinds import LESSON, RECORD, Kind, Seal
from paddock.tables import Table, Tables
from paddock.tables.errors import NoTable
from tables.harness import ANA, BEN, give_seats, service
from tables.light import analysis_of, in_worlds, judge_some_lightly, last_first, value_some_lightly
from tables.test_play import play

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
RACE = {"drivers": 4, "races": 1}


async def game(tables: Tables) -> Table:
    """A finished race of Ana, Ben and two others."""
    table = await tables.making.create("lacorsa", RACE, ["me"] * 4, holder=ANA)
    await play(tables, table, random.Random(6), 10**6)
    await give_seats(tables, table, {1: BEN, 2: "c" * 64, 3: "d" * 64})
    return table


async def test_mistakes_become_puzzles_of_those_who_made_them(tmp_path: Path) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        puzzles = tables.service(Puzzles)
        table = await game(tables)
        found = decisions(table.game)
        theirs = {seat: [n for n, one in enumerate(found) if one.seat == seat] for seat in range(4)}
        wrong = theirs[0][0], theirs[0][-1], theirs[1][1], theirs[2][0]
        analysis = analysis_of(table, *wrong)
        await puzzles.collect(table, analysis)
        for holder, mine in ((ANA, wrong[:2]), (BEN, wrong[2:3])):
            rows = await puzzles.of(holder)
            assert {row.puzzle for row in rows} == {f"{table.id}/{found[n].entry}" for n in mine}
            assert {row.due for row in rows} == {tables.runtime.now()}
            assert await puzzles.due(holder) == len(rows)
        assert (await puzzles.of(ANA))[0].theme == "qualifying"
        assert await puzzles.of(None) == [] and await puzzles.due(None) == 0

        asked = kept.of_game(table, found[wrong[0]].entry, analysis)
        assert asked.decision == found[wrong[0]] and len(asked.game.log) == asked.decision.entry
        for entry in (found[theirs[0][1]].entry, 10**6, 0):
            with pytest.raises(NoTable, match="no puzzle at this moment"):
                kept.of_game(table, entry, analysis)

        row = await puzzles.answer(ANA, asked, True)
        assert row.right and row.due > tables.runtime.now() + DAY
        assert await puzzles.due(ANA) == 1 and await puzzles.one(ANA, asked) == row
        await puzzles.collect(table, analysis)
        assert await puzzles.one(ANA, asked) == row


async def test_an_analysis_brings_its_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_worlds(monkeypatch, 8)
    monkeypatch.setattr(judging, "judge_some", judge_some_lightly)
    monkeypatch.setattr(judging, "value_some", value_some_lightly)
    monkeypatch.setattr(judging, "glance", last_first)
    given = list[int]()

    async def collect(_puzzles: object, table: Table, analysis: Analysis) -> None:
        given.append(len(analysis.judgements))

    monkeypatch.setattr(Puzzles, "collect", collect)
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        table = await game(tables)
        analyses = tables.service(Analyses)
        await analyses.start(table.id)
        run = analyses.run(table.id)
        assert run and run.task
        await run.task
        assert given == [len(decisions(table.game))]
        analyses._known.clear()  # as after a restart: an older server may have made it
        await tables.analysing.of(table)
        await tables.analysing.of(table)
        assert len(given) == 2


async def test_lessons_and_uploads_make_no_puzzles(tmp_path: Path) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        puzzles = tables.service(Puzzles)
        table = await game(tables)
        analysis = analysis_of(table, 0, 1, 2, 3)
        for kind in (LESSON, RECORD, Kind("secret", seal=Seal())):
            table.kind = kind
            await puzzles.collect(table, analysis)
        assert await puzzles.of(ANA) == []


async def test_what_an_answer_costs_is_known_for_a_set(tmp_path: Path) -> None:
    async with service(f"sqlite:///{tmp_path}/p.db") as tables:
        puzzles = tables.service(Puzzles)
        lacorsa = title("lacorsa")
        id = kept.next_in_set(lacorsa, "defending", [], NOW)
        assert id
        asked = kept.puzzle_of_set(lacorsa, id)
        assert asked and kept.puzzle_of_set(lacorsa, "none") is None
        best = await puzzles.judge(asked, asked.best)
        assert (
            best.right
            and best.cost
            and best.cost.cost == 0
            and best.played == asked.costs[[cost.move for cost in asked.costs].index(asked.played)]
        )
        assert not (await puzzles.judge(asked, asked.costs[-1].move)).right
        at = asked.decision.entry  # the change is the one that has this entry of the log
        for mine in ((at, at), (at, at + 2), (at - 2, at), (at - 1, at + 1)):
            spans = (mine[0] - 3, mine[0] - 1), mine, (mine[1] + 1, mine[1] + 3)
            changes = [LedgerChange(first, last, 0, 0, ()) for first, last in spans]
            assert (await puzzles.judge(asked, asked.best, changes)).change == changes[1]
        assert (await puzzles.judge(asked, asked.best, changes[::2])).change is best.change is None
        row = await puzzles.answer(BEN, asked, False)
        assert not row.right and row.theme == "defending" and row.table_id is None
        other = kept.next_in_set(lacorsa, "defending", [row], NOW)
        assert other not in (None, id)  # new ones come before this one is due
        assert kept.next_in_set(lacorsa, "defending", [row], row.due) == id


def test_a_puzzle_comes_back_later_and_later_while_it_is_solved() -> None:
    row, now = PuzzleRow(ANA, "lacorsa:1", "", NOW), NOW
    gaps = []
    for _n in range(4):
        row = answered(row, True, now)
        assert row.right and row.seen_at == now
        gaps.append((row.due - now).days)
        now = row.due
    assert gaps == sorted(set(gaps)) and gaps[0] >= 1
    before = answered(row, True, row.due - DAY)
    assert before == row  # the explanation may have been read a minute ago
    wrong = answered(row, False, now)
    assert not wrong.right and DAY <= wrong.due - now < timedelta(days=gaps[-1])
    assert wrong.difficulty and row.difficulty and wrong.difficulty > row.difficulty
    assert answered(PuzzleRow(ANA, "x", "", NOW), False, NOW).due == NOW + DAY
