"""Puzzles on pages and in the API: asked with what the seat saw, answered, explained, remembered."""

from __future__ import annotations

import datetime
import html
import random
import re
from contextvars import copy_context
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from paddock.bots import puzzles as made
from paddock.bots.analysis import Analysis, Judgement
from paddock.bots.judging import decisions
from paddock.bots.ledger import LedgerMoment
from paddock.bots.puzzles import AnswerCost, puzzles_of
from paddock.core.game import Game
from paddock.core.i18n import LOCALE, spoken
from paddock.core.title import title, titles
from paddock.core.words import CHANCE
from paddock.features.analyses.service import Analyses
from paddock.features.puzzles import service as kept
from paddock.features.puzzles.pages import you
from paddock.features.puzzles.question import decision_of, label
from paddock.features.puzzles.rows import PuzzleRow
from paddock.features.puzzles.store import PuzzleStore
from paddock.kernel.source import Seeded
from paddock.tables import Table, Tables
from paddock.tables.analysing import Analysed
from sampling import some
from web.api_helpers import API, program, visitor
from web.conftest import running
from web.helpers import finish, forms, table, words
from web.test_secrecy import twin

pytestmark = pytest.mark.anyio
SETS = [found for found in titles().values() if puzzles_of(found).puzzles]


def tables_of(app: FastAPI) -> Tables:
    tables: Tables = app.state.tables
    return tables


def puzzle(of: str, theme: str = "") -> tuple[str, made.Puzzle]:
    """Return the path of a puzzle of a set, and the puzzle."""
    ours = puzzles_of(title(of))
    id = ours.of(theme)[0]
    return f"/puzzle/{of}/{id}", ours.puzzles[id][0]


# A puzzle of a set


async def test_a_puzzle_is_asked_answered_and_comes_back(app: FastAPI, client: httpx.AsyncClient) -> None:
    path, asked = puzzle("lacorsa", "defending")
    page = (await client.get(path)).text
    assert "What would you do?" in page and "Puzzle · Defending" in words(page)
    form = forms(page)[0]
    assert {"", *form.moves} == {"", *(cost.move for cost in asked.costs)}
    wrong = next(cost for cost in reversed(asked.costs) if not cost.right)

    empty = await client.post(f"{path}/move", data=form.data(""))
    assert empty.status_code == 422 and "Choose a move first." in empty.text
    for move in ("99", "no"):
        assert (await client.post(f"{path}/move", data=form.data(move))).status_code == 422
    assert await tables_of(app).service(kept.Puzzles).of(client.cookies.get("paddock_browser")) == []

    # Without scripts the answer leads to a page with the explanation.
    sent = await client.post(f"{path}/move", data=form.data(wrong.move))
    assert sent.status_code == 303 and "paddock_browser" in sent.headers["set-cookie"]
    said = words((await client.get(sent.headers["location"])).text)
    assert f"costs {wrong.cost:.2f} ± {wrong.error:.2f} points of the race" in said
    assert "Better: Commit" in said and "It comes back in 1 day." in said and "The bot played" in said
    assert "Next puzzle" in said and "See it in the replay" not in said

    # With scripts it comes at once.
    part = {"paddock-part": "main"}
    right = await client.post(f"{path}/move", data=form.data(asked.best), headers=part)
    assert right.status_code == 200 and "<!doctype" not in right.text and "Right: Commit" in words(right.text)
    listed = words((await client.get("/puzzles")).text)
    assert re.search(r"Defending 0/(\d+) ?, 0 of \1 solved", listed)

    other = (await client.get("/puzzle/lacorsa?theme=defending")).headers["location"]
    assert other.startswith("/puzzle/lacorsa/") and other != path  # this one comes back tomorrow


async def test_chains_can_be_looked_at_and_their_first_move_counts(client: httpx.AsyncClient) -> None:
    for id, (asked, _record) in some([*puzzles_of(title("great_race")).puzzles.items()], 6, "chains"):
        path = f"/puzzle/great_race/{id}"
        form = forms((await client.get(path)).text)[0]
        ahead = await client.post(f"{path}/preview", data=form.data(asked.best))
        assert ahead.status_code == 200 and "What would you do?" in ahead.text
        longer = next((move for move in form.moves if move.startswith(f"{asked.best}; ")), asked.best)
        answer = await client.post(f"{path}/move", data=form.data(longer))
        assert answer.status_code == 303
        assert "is the best move" in (await client.get(answer.headers["location"])).text


async def test_what_is_no_puzzle_is_not_found(client: httpx.AsyncClient) -> None:
    path = await table(client, title="lacorsa")
    for address in ("/puzzle/lacorsa/none", "/puzzle/nothing/1", "/puzzle/nothing", "/t/none/puzzle/3"):
        assert (await client.get(address)).status_code == 404, address
    assert (await client.get(f"{path}/puzzle/3")).status_code == 403  # it is still being played
    await finish(client, path)
    answer = await client.get(f"{path}/puzzle/3")
    assert answer.status_code == 404 and "not analysed yet" in answer.text
    assert (await client.get(f"{puzzle('rasant')[0]}?answer=x99")).status_code == 422


def test_at_a_puzzle_the_reader_is_the_player_who_decides_and_does_no_more_than_play() -> None:
    for of in SETS:
        asked = kept.puzzle_of_set(of, next(iter(puzzles_of(of).puzzles)))
        assert asked
        owners = asked.game.options.owners
        me = owners[asked.seat]
        reader = you(asked)
        assert reader.seats == tuple(seat for seat, owner in enumerate(owners) if owner == me)
        assert reader.name.startswith(asked.game.names[me]) and not (reader.stand_in or reader.timed)
        decision = decision_of(asked)
        assert (decision.seat, decision.committed) == (asked.seat, None)
        assert not (decision.reveals or decision.at_once)


# Puzzles of one's own games


async def analysed(app: FastAPI, client: httpx.AsyncClient) -> tuple[Table, list[int]]:
    """Return a finished race of this browser with three mistakes, as they are called, and their entries."""
    path = await table(client, title="lacorsa", **{"name-1": "Ana"})
    await finish(client, path)
    tables = tables_of(app)
    found = await tables.table(path.rpartition("/")[2])
    text, setup, judged = found.title.text, found.game.setup, list[Judgement]()
    mine = [one for one in decisions(found.game) if len(one.legal) > 4]
    for one in (mine[0], mine[9], mine[-1]):
        best = next(move for move in one.legal if move != one.move)
        said = str(text.move(setup, one.move)), str(text.move(setup, best))
        judged.append(Judgement(one.entry, one.round, one.seat, *said, 1.25, 0.25, 16))
    values = ((0.0,) * 4, (0.5, -0.5, 0.0, 0.0))
    moments = tuple(
        LedgerMoment(one.entry + n, 0, values[n % 2], (0.1,) * 4) for one in judged for n in (0, 1)
    )
    made_of = Analysis("lacorsa", len(found.game.log), 16, "table", tuple(judged), moments=moments)
    tables.service(Analyses)._known[found.id] = Analysed.of(made_of, found)
    await tables.service(kept.Puzzles).collect(found, made_of)
    return found, [one.entry for one in judged]


def costs_what(monkeypatch: pytest.MonkeyPatch, cost: float) -> None:
    """Let every move but the best cost so much, without rollouts."""

    async def measured(_puzzles: object, asked: kept.AskedPuzzle, move: str) -> AnswerCost:
        return (
            AnswerCost(move, 0.0, 0.0, 0.0, 0.0)
            if move == asked.best
            else AnswerCost(move, cost, 0.25, 0.61, 0.12)
        )

    monkeypatch.setattr(kept.Puzzles, "_cost", measured)


async def test_the_list_says_how_many_wait_and_when_the_next_one_comes(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, now = tables_of(app), datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
    rows = list[PuzzleRow]()

    async def of(_holder: object) -> list[PuzzleRow]:
        return rows

    monkeypatch.setattr(tables.service(kept.Puzzles), "of", of)
    monkeypatch.setattr(tables.runtime, "now", lambda: now)
    for days, said in (
        ((), "From your own games."),
        ((-1, 0, 2), "2 puzzles are waiting for you."),
        ((3, 5), "All done. The next one comes in 3 days."),
    ):
        dues = [now + datetime.timedelta(day) for day in days]
        rows[:] = [PuzzleRow("h", f"t/{n}", "", due, right=not n, table_id="t") for n, due in enumerate(dues)]
        text = words((await client.get("/puzzles")).text)
        assert said in text and "Puzzle of the day" in text
        assert f"1 of {len(days)} solved" in text or not days
    monkeypatch.setattr(made, "of_the_day", lambda _date: None)
    answer = await client.get("/puzzles")
    assert answer.status_code == 200 and "Puzzle of the day" not in words(answer.text)


@pytest.mark.usefixtures("unlimited")
async def test_my_mistakes_come_one_after_the_other(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs_what(monkeypatch, 1.25)
    found, entries = await analysed(app, client)
    holder = found.players[0].holder
    assert holder
    of_set = PuzzleRow(holder, "rasant:3fa2", "passing", tables_of(app).runtime.now())
    await tables_of(app).store.part(PuzzleStore).keep(of_set)  # that is no mistake of theirs
    assert "3 of your mistakes are waiting for you." in words((await client.get("/")).text)
    assert "3 puzzles are waiting for you." in words((await client.get("/puzzles")).text)
    asked = set[str]()
    for _n in entries:
        path = (await client.get("/puzzles/mine")).headers["location"]
        page = (await client.get(path)).text
        form = forms(page)[0]
        entry = int(path.rpartition("/")[2])
        judged = next(
            one
            for one in tables_of(app).service(Analyses)._known[found.id].analysis.judgements
            if one.entry == entry
        )
        sent = await client.post(f"{path}/move", data=form.data(judged.best))
        page = (await client.get(sent.headers["location"])).text
        said = words(page)
        assert (
            "is the best move" in said
            and "which cost 1.25 ± 0.25" in said
            and "It comes back in 2 days." in said
        )
        assert "With all cards known, that changed what the race was worth to you by" in said
        replay = re.findall(r'href="(/t/[^"]+/replay\?[^"]+)"', page)
        assert html.unescape(replay[0]) == f"/t/{found.id}/replay?entry={entry}&eyes={judged.seat + 1}"
        shown = await client.get(html.unescape(replay[0]))
        assert shown.status_code == 200 and "Your own clear mistakes are puzzles now" in shown.text
        asked.add(path)
    assert asked == {f"/t/{found.id}/puzzle/{entry}" for entry in entries}
    assert (await client.get("/puzzles/mine")).headers["location"] == "/puzzles"
    said = words((await client.get("/puzzles")).text)
    assert "All done. The next one comes in 2 days." in said and "3 of 3 solved" in said

    path = next(iter(asked))
    page = (await client.get(path)).text
    played = next(move for move in forms(page)[0].moves if "The bot" not in move)
    other = words((await client.get(f"{path}?answer={played}")).text)
    assert "In 61 of 100 deals that fit what you knew" in other and "in 12 less" in other
    # Another visitor can look at the puzzle, and nothing is noted for them.
    client.cookies.clear()
    assert "What would you do?" in (await client.get(path)).text
    assert "comes back" not in (await client.get(f"{path}?answer={played}")).text
    assert (await client.get("/puzzles/mine")).headers["location"] == "/puzzles"


@pytest.mark.slow("a worker loads the compiled rollouts")
async def test_what_another_move_costs_is_measured(app: FastAPI, client: httpx.AsyncClient) -> None:
    found, entries = await analysed(app, client)
    path = f"/t/{found.id}/puzzle/{entries[1]}"
    move = forms((await client.get(path)).text)[0].moves[-1]
    said = words((await client.get(f"{path}?answer={move}")).text)
    assert re.search(r"costs -?\d+\.\d\d ± \d+\.\d\d points of the race", said)


# The day, the export


async def test_the_puzzle_of_the_day_is_on_the_home_page(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = tables_of(app).runtime.now()
    monkeypatch.setattr(tables_of(app).runtime, "now", lambda: now)  # no midnight in between
    today = now.date()
    found = made.of_the_day(today)
    assert found
    day, id = found
    home = words((await client.get("/")).text)
    assert f"Puzzle of the day {day.label}" in home
    assert (await client.get("/puzzles/day")).headers["location"] == f"/puzzle/{day.name}/{id}"
    assert made.of_the_day(today + datetime.timedelta(days=1)) != found


@pytest.mark.parametrize("of", ["lacorsa", "rasant", "great_race", "mine"])
async def test_anki_reads_the_export(app: FastAPI, client: httpx.AsyncClient, of: str) -> None:
    if of == "mine":
        await analysed(app, client)
    answer = await client.get(f"/puzzles/anki?of={of}")
    assert answer.headers["content-disposition"].startswith('attachment; filename="paddock-')
    lines = answer.text.splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert "#separator:tab" in head and "#html:true" in head and "#guid column:1" in head
    cards = [line.split("\t") for line in lines[len(head) :]]
    assert all(len(card) == 4 for card in cards)  # name, front, back, tags
    assert (
        len({card[0] for card in cards})
        == len(cards)
        == (3 if of == "mine" else len(puzzles_of(title(of)).puzzles))
    )
    for _name, front, back, tags in cards:
        assert "What would you do?" in front and "<pre>" in front and tags.startswith("paddock ")
        assert back.startswith("<b>") and " costs " in back
    assert (await client.get("/puzzles/anki?of=nothing")).status_code == 422


# The API


@pytest.mark.parametrize("of", SETS, ids=lambda of: of.name)
async def test_the_api_asks_and_answers_the_same(app: FastAPI, client: httpx.AsyncClient, of: Any) -> None:
    api = await program(app)
    everything = (await api.get("/puzzles")).json()
    ours = [one for one in everything["sets"] if one["title"] == of.name]
    assert sum(len(one["paths"]) for one in ours) == len(puzzles_of(of).puzzles)
    path = ours[0]["paths"][0]
    asked = puzzles_of(of).puzzles[path.rpartition("/")[2]][0]
    found = (await api.get(path)).json()
    assert (found["title"], found["theme"], found["seat"]) == (of.name, ours[0]["theme"], asked.seat)
    assert {one["move"] for one in found["moves"]} == {cost.move for cost in asked.costs}
    page = (await client.get(path.replace("/puzzles/", "/puzzle/"))).text
    assert html.escape(found["question"], quote=False) in html.unescape(page).replace("&", "&amp;") or found[
        "question"
    ] in html.unescape(page)
    answer = (await api.post(path, json={"move": asked.played})).json()
    cost = next(cost for cost in asked.costs if cost.move == asked.played)
    assert (answer["best"], answer["right"]) == (asked.best, cost.right)
    assert (answer["cost"]["cost"], answer["cost"]["better"]) == (cost.cost, cost.better)
    assert answer["due"] > tables_of(app).runtime.now().isoformat()[:10]
    assert (await api.post(path, json={"move": "?"})).status_code == 422
    assert (await api.post(path, json={"move": asked.best, "extra": 1})).status_code == 422
    assert (await visitor(app).post(path, json={"move": asked.best})).status_code == 401
    assert (await api.get("/puzzles/none/1")).status_code == 404


async def test_the_api_has_the_puzzles_of_my_games(
    app: FastAPI, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs_what(monkeypatch, 1.25)
    found, entries = await analysed(app, client)
    mine = (await client.get(f"{API}/puzzles")).json()["mine"]
    assert {one["path"] for one in mine} == {f"/tables/{found.id}/puzzles/{entry}" for entry in entries}
    path = mine[0]["path"]
    asked = (await client.get(f"{API}{path}")).json()
    answer = await client.post(f"{API}{path}", json={"move": asked["moves"][-1]["move"]})
    assert answer.status_code == 200 and answer.json()["due"] > mine[0]["due"]
    described = (await client.get(f"{API}/openapi.json")).json()
    assert (
        "/tables/{id}/puzzles/{entry}" in described["paths"]
        and "PuzzleAnswer" in described["components"]["schemas"]
    )


# Secrecy


def asked_by(game: Game, seat: int) -> SimpleNamespace:
    """A table with nothing but its game, for ``twin``."""
    return SimpleNamespace(game=game, title=game.title, pending={})


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize("of", SETS, ids=lambda of: of.name)
async def test_a_question_is_the_same_whatever_its_seat_cannot_know(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, of: Any
) -> None:
    """Page and API are byte for byte those of a game whose hidden cards are dealt again."""
    app.state.token = lambda: "key"
    choose, differed = random.Random(7), 0
    async with running(app) as client:
        for id in some(sorted(puzzles_of(of).puzzles), 4, f"secret {of.name}"):
            addresses = f"/puzzle/{of.name}/{id}", f"{API}/puzzles/{of.name}/{id}"
            asked = kept.puzzle_of_set(of, id)
            assert asked
            told = [(await client.get(address)).content for address in addresses]
            other, _pending = twin(asked_by(asked.game, asked.seat), asked.decision.seen.eyes, choose)  # type: ignore[arg-type]
            differed += other.position != asked.game.position
            with monkeypatch.context() as patched:
                patched.setattr(made, "game_of", lambda _record, _entry, other=other: other)
                assert [(await client.get(address)).content for address in addresses] == told
    assert differed


async def test_a_question_tells_nothing_of_what_came_later(app: FastAPI) -> None:
    """The page of a mistake is the same whatever was played then and after it."""
    app.state.token = lambda: "key"
    async with running(app) as client:
        found, entries = await analysed(app, client)
        game = found.game
        for entry in entries:
            address = f"/t/{found.id}/puzzle/{entry}"
            told = (await client.get(address)).content
            seat = game.log[entry].by
            choose, other = Seeded(f"another {entry}"), game.at(entry)
            best = next(
                one.best
                for one in tables_of(app).service(Analyses)._known[found.id].analysis.judgements
                if one.entry == entry
            )
            other.play(seat, best)
            while not other.over:
                if other.chance_due:
                    other.append(other.draw(choose))
                    continue
                by = other.deciders[0]
                legal = other.legal(by)
                other.play(by, legal[choose.below(len(legal))])
            later = [(one.by, one.what) for one in game.log[entry:]]
            assert [(one.by, one.what) for one in other.log[entry:]] != later and CHANCE
            found.game = other
            assert (await client.get(address)).content == told
            found.game = game


@pytest.mark.parametrize("code", ["de", "fr"])
def test_the_moves_of_a_puzzle_are_told_apart_in_every_language(code: str) -> None:
    """What follows a colon is the consequence of a move, and left out: no translation has its name there."""

    def names() -> int:
        return len({label(asked, cost.move) for cost in asked.costs})

    for of in SETS:
        for id in puzzles_of(of).puzzles:
            asked = kept.puzzle_of_set(of, id)
            assert asked
            assert copy_context().run(spoken, code, LOCALE, names) == names(), id
