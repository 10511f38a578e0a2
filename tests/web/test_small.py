"""What pages say and do in one function: ages, requests for seats, replays, pictures, hosts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from paddock.core.hashed import hashed
from paddock.core.options import value_text
from paddock.core.settings import Settings
from paddock.core.title import titles
from paddock.server import capacity, doctor, serve
from paddock.server.doctor import Finding
from paddock.store.kinds import LESSON, RACE, Kind, Seal
from paddock.tables import Terms
from paddock.tables.workers import SERVER, Visitor, visitor
from paddock.web import chapters, pages, people, position, present, raster
from paddock.web.caches import Once, Recent
from paddock.web.chapters import ReplayChapter
from paddock.web.forms import named
from paddock.web.guard import COOKIE
from paddock.web.meter import part
from paddock.web.people import age, face
from paddock.web.play import AGAIN, DueTables
from paddock.web.steps import Step
from paddock.web.terms import GRACES, span, term_rows
from paddock.web.visits import note

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=59), ""),
        (timedelta(minutes=1), "1 min"),
        (timedelta(minutes=59), "59 min"),
        (timedelta(hours=1), "1 h"),
        (timedelta(hours=47), "47 h"),
        (timedelta(hours=48), "2 days"),
    ],
)
def test_an_age_is_said_roughly(ago: timedelta, words: str) -> None:
    assert age(NOW - ago, NOW) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (9.9, "0:09"),
        (299, "4:59"),
        (3_600, "1:00:00"),
        (86_399, "23:59:59"),
        (86_400, "1 d 0 h"),
        (3 * 86_400 + 3_600, "3 d 1 h"),
    ],
)
def test_a_clock_shows_what_counts(seconds: float, words: str) -> None:
    assert face(int(1_000 * seconds)) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (1, "1 s"),
        (59, "59 s"),
        (60, "1 min"),
        (61, "61 s"),
        (120, "2 min"),
        (3_600, "1 hour"),
        (3_660, "61 min"),
        (7_200, "2 hours"),
        (86_400, "1 day"),
        (90_000, "25 hours"),
        (3 * 86_400, "3 days"),
    ],
)
def test_a_duration_is_said_in_its_largest_whole_unit(seconds: int, words: str) -> None:
    assert span(seconds) == words


@pytest.mark.parametrize(
    ("given", "shown"), [("45", 45), ("9999999", 9999999), ("99999999", 0), ("-1", 0), ("²", 0), ("", 0)]
)
def test_a_grace_period_that_cannot_be_is_not_offered(given: str, shown: int) -> None:
    usual = {name: value_text(value) for name, value in vars(Terms()).items()}
    (row,) = (row for row in term_rows(usual | {"grace": given}) if row.name == "grace")
    assert {value for value, _words in row.choices} == {*map(str, GRACES), str(shown)}


@pytest.mark.parametrize(
    ("awaited", "words"),
    [
        ((0, 2), "Eva asks for Ben and its hand. Still to agree: Ana, Cleo."),
        ((), "Eva asks for Ben and its hand."),
    ],
)
def test_a_request_for_a_seat_says_who_must_agree(awaited: tuple[int, ...], words: str) -> None:
    model: Any = SimpleNamespace(people=[SimpleNamespace(name=name) for name in ("Ana", "Ben", "Cleo")])
    asked: Any = SimpleNamespace(player=1, awaited=awaited, name="Eva", number=3)
    said = people._claim(model, cast(Any, SimpleNamespace(mine=(2,))), asked)
    assert said == people.ClaimLine(3, words, answer=2 in awaited, decline=True)


def test_a_lobby_tells_of_a_rare_option_only_if_it_is_not_as_usual() -> None:
    title = titles()["lacorsa"]
    rows = title.options.describe()
    labels, usual = {named(row) for row in rows}, {named(row) for row in rows if not row.advanced}
    for given, rare in (({}, set[str]()), ({"extra_suits": 1, "races": 2}, {"Extra suits"})):
        options = title.options.read(given)
        model: Any = SimpleNamespace(title=title, options=options, people=(), terms=Terms())
        assert {fact.name for fact in people.lobby_facts(model)} & labels == usual | rare


def at(step: int) -> Step:
    return Step("/t/x/replay", (0, 4, 6), step, "all", cast(Any, None), over=False)


def test_a_step_links_to_its_neighbours_and_to_both_ends() -> None:
    urls = [f"/t/x/replay?step={n}&eyes=all" for n in range(3)]
    names = ("first", "previous", "next", "last")
    found = [at(n).links() for n in range(3)]
    assert [(one.at, one.of, one.here) for one in found] == [(n, 2, urls[n]) for n in range(3)]
    assert [tuple(getattr(one, name) for name in names) for one in found] == [
        (None, None, urls[1], urls[2]),
        (urls[0], urls[0], urls[2], urls[2]),
        (urls[0], urls[1], None, None),
    ]


def test_two_chapters_are_a_choice_and_one_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = SimpleNamespace(title=titles()["rasant"])
    two = [ReplayChapter(0, 0, None), ReplayChapter(2, 0, None)]
    for found, offered in ((two, [0, 2]), (two[:1], [])):
        monkeypatch.setattr(chapters, "chapters", lambda _table, _stops, found=found: found)
        shown = chapters.shown(table, at(1))
        assert [it.at for group in shown.groups for it in group.chapters] == offered
        assert shown.earlier == at(1).url(0)
        assert shown.later == (at(1).url(2) if offered else None)


def test_a_cache_has_room_for_few_large_values() -> None:
    recent = Recent[str, int](4, lambda value: value)
    for key, size in (("a", 1), ("b", 1), ("c", 2)):
        recent.keep(key, size)
    assert recent.get("a") and list(recent._kept) == ["b", "c", "a"]
    recent.keep("a", 2)  # it has grown
    assert list(recent._kept) == ["c", "a"]
    recent.forget(["c"])
    recent.keep("d", 2)
    assert list(recent._kept) == ["a", "d"] and recent._full == 4
    recent.keep("e", 9)  # the newest stays, however large it is
    assert list(recent._kept) == ["e"]


def test_what_fails_or_is_cancelled_is_made_again() -> None:
    once, made = Once[int](2), list[int]()

    async def make() -> int:
        made.append(0)
        if len(made) == 1:
            raise OSError
        if len(made) == 2:
            raise asyncio.CancelledError
        return 7

    async def ask() -> list[int | BaseException]:
        return [
            found
            for _n in range(4)
            for found in await asyncio.gather(once.get("key", make), return_exceptions=True)
        ]

    failed, cancelled, *rest = asyncio.run(ask())
    assert isinstance(failed, OSError) and isinstance(cancelled, asyncio.CancelledError)
    assert rest == [7, 7] and len(made) == 3


@pytest.mark.parametrize(("lan", "host"), [(True, "0.0.0.0"), (False, "127.0.0.1")])
def test_other_devices_reach_a_server_for_the_network_only(
    lan: bool, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[tuple[str, int]]()

    def listen(host: str, port: int) -> None:
        heard.append((host, port))
        raise InterruptedError

    monkeypatch.setattr(serve, "listen", listen)
    with pytest.raises(InterruptedError):
        serve.serve(port=8123, lan=lan)
    assert heard == [(host, 8123)]


def test_the_doctor_says_what_a_proxy_changes() -> None:
    fine = {"scheme": "https", "host": "play.example", "address": "203.0.113.9"}
    kept = {one.what: one for one in doctor._headers(fine, "https", "play.example")}
    assert kept["scheme"].ok and kept["host"].ok and kept["address"].ok is None
    changed = doctor._headers(fine | {"scheme": "http", "host": "127.0.0.1:8000"}, "https", "play.example")
    lost = {one.what: one for one in changed}
    assert lost["scheme"].ok is False and "sees http where people use https" in lost["scheme"].said
    assert lost["host"].ok is False and "the host 127.0.0.1:8000 where" in lost["host"].said
    assert doctor._streams(held=True).ok is False and doctor._streams(held=False).ok


@pytest.mark.parametrize(("there", "ok"), [(True, True), (False, None)])
def test_the_doctor_says_whether_the_compiler_is_there(
    there: bool, ok: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "has", lambda _extra: there)
    assert doctor._compiler().ok is ok


@pytest.mark.parametrize("database", ["postgresql://db/paddock", "sqlite:///{}/elsewhere/tables.sqlite3"])
def test_the_doctor_looks_at_the_disk_of_the_database(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a file it is the disk of the folder in which it runs."""

    async def nothing(_settings: Settings) -> AsyncIterator[Finding]:
        for found in ():
            yield found

    async def examined() -> list[Finding]:
        settings = Settings(database_url=database.format(tmp_path))
        return [found async for found in doctor.examine(settings, None, measure=False)]

    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(doctor, "_database", nothing)
    monkeypatch.setattr(doctor, "user_cache_dir", lambda _name: str(tmp_path))
    (disk,) = [found for found in asyncio.run(examined()) if found.what == "disk"]
    folder = tmp_path / ("here" if database.startswith("postgresql") else "elsewhere")
    assert disk.said.endswith(f"GB are free at {folder}")


def test_the_doctor_measures_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = list[Path | None]()

    async def measure(folder: Path | None) -> float:
        folders.append(folder)
        return 400.0

    monkeypatch.setattr(capacity, "measure", measure)
    for file in (tmp_path / "a.db", tmp_path / "missing" / "a.db", None):
        said = asyncio.run(doctor._capacity(file))
        assert said.ok is None and "about 400 moves a second" in said.said and "use 2.0%" in said.said
    assert folders == [tmp_path, None, None]


@pytest.mark.parametrize(("drawing", "lines"), [("0 0 300 100", 1), ("0 0 100 100", 3), ("", 2)])
def test_a_wide_drawing_leaves_room_for_one_line_of_words(
    drawing: str, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, places = list[int](), list[float]()

    def write(_text: str, _x: float, y: float, size: int, *_colour: object, **_more: object) -> str:
        written.append(size)
        places.append(y)
        return ""

    monkeypatch.setattr(raster, "write", write)
    monkeypatch.setattr(raster, "outlined", str)
    svg = drawing and f'<svg viewBox="{drawing}"></svg>'
    picture = raster.composed(titles()["lacorsa"], "LACORSA", "many words " * 8, svg)
    assert written.count(34) == lines
    assert all(below - above > 34 for above, below in pairwise(places)), "each line is below the one before"
    assert picture.count("<svg ") == 1 + bool(drawing) == 1 + picture.count('<svg x="')


@pytest.mark.parametrize(("after", "new"), [(7, True), (8, False), (None, False)])
def test_a_forced_move_is_new_until_it_was_seen(after: int | None, new: bool) -> None:
    scene: Any = SimpleNamespace(
        seen=SimpleNamespace(title=titles()["lacorsa"]),
        batches=[SimpleNamespace(entry=5, round=0)],
        reasons=lambda _batches: [SimpleNamespace(entry=7, sentence="There was one move.", seat=0)],
        sentences=lambda _item: [],
    )
    (line,) = [line for line in position.story(scene, after) if line.text == "There was one move."]
    assert line.new is new and line.seat == 0


@pytest.mark.parametrize(("status", "again"), [(200, None), (404, None), (422, None), (429, "5"), (503, "5")])
def test_a_page_says_when_to_try_again_only_if_that_may_help(status: int, again: str | None) -> None:
    answer = pages.html("words", status)
    assert (answer.status_code, answer.headers.get("retry-after")) == (status, again)


@pytest.mark.parametrize(
    ("path", "counted"),
    [
        ("/api/v1/tables/x", "api"),
        ("/static/x/main.js", "static"),
        ("/t/x/replay", "t"),
        ("/admin", "admin"),
        ("/metrics", "metrics"),
        ("/", "pages"),
        ("/new/t", "pages"),
        ("/whatever/somebody/asks", "pages"),
        ("*", "pages"),
    ],
)
def test_every_path_is_counted_as_one_of_few_parts(path: str, counted: str) -> None:
    assert part(path) == counted


@pytest.mark.parametrize("kind", [RACE, Kind("sealed", seal=Seal()), LESSON], ids=lambda kind: kind.name)
@pytest.mark.parametrize(("rounds", "words"), [(1, "one race"), (3, "3 races")])
def test_a_podium_says_how_long_it_was_and_of_a_sealed_game_no_more_than_that(
    kind: Kind, rounds: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = SimpleNamespace(
        headline=lambda names, _rounds: f"{names[0]} wins",
        finishers=lambda _seen, _view: [],
        account=lambda _seen, _batches: "how it went",
        moves=lambda _batches, _view: {},
        reveal=lambda *_of: None,
        pads=lambda _seen, _view: [],
    )
    monkeypatch.setitem(vars(titles()["lacorsa"]), "page", page)
    seen = SimpleNamespace(title=titles()["lacorsa"])
    model: Any = SimpleNamespace(
        title=titles()["lacorsa"], options=SimpleNamespace(rounds=rounds), winners=(1,), lesson=None,
        people=[SimpleNamespace(name=name) for name in ("Ana", "Ben")], kind=kind, over=True, id="x",
        scene=SimpleNamespace(seen=seen, view=None, batches=(), names=()), player=None, fresh=None,
    )  # fmt: skip
    browser: Any = SimpleNamespace(mine=(), company=False)
    around: Any = SimpleNamespace(stream_url="", share_url="", preview=None, remark=None, shares=())
    shown, sealed = present._podium_page(model, browser, around, "", None), kind.sealed
    assert (shown.status, shown.subtitle) == ("Ben wins", words)
    assert shown.account == (present.Account() if sealed else "how it went") and shown.sealed is sealed
    assert (shown.quick is not None) == (kind is LESSON)
    assert shown.picture_url == "/t/x/podium.svg"


def test_the_next_table_is_looked_for_only_for_whoever_is_known_and_not_asked_here() -> None:
    """What was found is kept for a while, and until the browser is asked here."""
    looked, clock = list[str](), [NOW]

    async def waiting(me: str) -> list[tuple[Any, datetime]]:
        looked.append(me)
        return [(SimpleNamespace(id=f"t{len(looked)}"), NOW)]

    tables: Any = SimpleNamespace(waiting=waiting, runtime=SimpleNamespace(now=lambda: clock[0]))
    for me, asked in ((None, False), (None, True), ("ana", True)):
        assert asyncio.run(DueTables(tables, me).ids(asked)) == [] == looked
    due = DueTables(tables, "ana")
    assert [asyncio.run(due.ids(False)) for _n in range(2)] == [["t1"]] * 2
    clock[0] += AGAIN
    assert asyncio.run(due.ids(False)) == ["t2"]
    assert asyncio.run(due.ids(True)) == [] and asyncio.run(due.ids(False)) == ["t3"]


def test_a_visitor_is_noted_by_address_and_token_or_browser() -> None:
    def noted(*headers: tuple[bytes, bytes]) -> Visitor:
        note({"type": "http", "client": ("192.0.2.7", 1), "headers": headers})
        return visitor.get()

    secret = "s" * 43
    cookie, token = (b"cookie", f"{COOKIE}={secret}".encode()), (b"authorization", b"Bearer paddock_1")
    for headers, who in (((), None), ((cookie,), secret), ((cookie, token), "paddock_1")):
        found = copy_context().run(noted, *headers)
        assert found == Visitor("192.0.2.7", who and hashed(who))
    assert visitor.get() == SERVER
