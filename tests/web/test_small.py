"""What pages say and do in one function: ages, requests for seats, replays, pictures, hosts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from paddock.core.title import titles
from paddock.web import capacity, chapters, doctor, people, present, raster, serve
from paddock.web.chapters import Chapter
from paddock.web.model import Once
from paddock.web.people import age, face, term_choices
from paddock.web.steps import Step

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
    ("given", "shown"), [("45", 45), ("9999999", 9999999), ("99999999", 0), ("-1", 0), ("²", 0), ("", 0)]
)
def test_a_grace_period_that_cannot_be_is_not_offered(given: str, shown: int) -> None:
    offered = [seconds for seconds, _words in term_choices({"grace": given, "clock": ""})["graces"]]
    assert shown in offered and {*offered} == {*people.GRACES, shown}


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
    assert said == {"number": 3, "sentence": words, "answer": 2 in awaited, "decline": True}


def at(step: int) -> Step:
    return Step("/t/x/replay", (0, 4, 6), step, "all", cast(Any, None), over=False)


def test_a_step_links_to_its_neighbours_and_to_both_ends() -> None:
    urls = [f"/t/x/replay?step={n}&eyes=all" for n in range(3)]
    names = ("first", "previous", "next", "last")
    found = [at(n).links() for n in range(3)]
    assert [(one["at"], one["of"], one["here"]) for one in found] == [(n, 2, urls[n]) for n in range(3)]
    assert [tuple(one[name] for name in names) for one in found] == [
        (None, None, urls[1], urls[2]),
        (urls[0], urls[0], urls[2], urls[2]),
        (urls[0], urls[1], None, None),
    ]


def test_two_chapters_are_a_choice_and_one_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = SimpleNamespace(title=titles()["rasant"])
    two = [Chapter(0, 0, None), Chapter(2, 0, None)]
    for found, offered in ((two, [0, 2]), (two[:1], [])):
        monkeypatch.setattr(chapters, "chapters", lambda _table, _stops, found=found: found)
        shown = chapters.shown(table, at(1))
        assert [it["at"] for group in shown["groups"] for it in group["chapters"]] == offered
        assert shown["earlier"] == at(1).url(0)
        assert shown["later"] == (at(1).url(2) if offered else None)


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
    written = list[int]()

    def write(_text: str, _x: float, _y: float, size: int, *_colour: object, **_more: object) -> str:
        written.append(size)
        return ""

    monkeypatch.setattr(raster, "write", write)
    monkeypatch.setattr(raster, "outlined", str)
    svg = drawing and f'<svg viewBox="{drawing}"></svg>'
    picture = raster.composed(titles()["lacorsa"], "LACORSA", "many words " * 8, svg)
    assert written.count(34) == lines
    assert picture.count("<svg ") == 1 + bool(drawing) == 1 + picture.count('<svg x="')


@pytest.mark.parametrize(("after", "new"), [(7, True), (8, False), (None, False)])
def test_a_forced_move_is_new_until_it_was_seen(after: int | None, new: bool) -> None:
    scene: Any = SimpleNamespace(
        seen=SimpleNamespace(title=titles()["lacorsa"]),
        batches=[SimpleNamespace(entry=5, round=0)],
        reasons=lambda _batches: [SimpleNamespace(entry=7, sentence="There was one move.", seat=0)],
        sentences=lambda _item: [],
    )
    (line,) = [line for line in present.story(scene, after) if line.text == "There was one move."]
    assert line.new is new and line.seat == 0
