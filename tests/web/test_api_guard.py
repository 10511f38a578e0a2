"""The guard in front of pages and the API: rate limits and host names."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack

import httpx
import pytest
from fastapi import FastAPI

from paddock.core.settings import Settings
from paddock.web.guard import Hosts
from paddock.web.limits import MAKING, Limits, Open, Rates, block
from web.api_helpers import program
from web.conftest import running
from web.helpers import HUMANS
from web.streams import Stream
from web.test_base_path import paths

pytestmark = pytest.mark.anyio


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    rates = Rates(2, clock)
    assert [rates.take("a") for _ in range(40)] == [0] * 40
    assert rates.take("a") == 1
    assert rates.take("b") == 0
    clock.now += 1
    assert [rates.take("a") for _ in range(3)] == [0, 0, 1]
    assert rates.take("a", 10) == 5
    clock.now += 5
    assert rates.take("a", 10) == 0


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    clock = Clock()
    rates = Rates(0.1, clock)  # a burst of 2
    clock.now += 1000
    assert [rates.take("a") for _ in range(3)] == [0, 0, 10]
    clock.now += 1000
    assert rates.take("a", 20) == 0  # costs more than a full bucket: takes all of it
    assert rates.take("a") == 10


def test_rate_0_is_no_limit_and_the_number_of_buckets_is_limited() -> None:
    assert not any(Rates(0).take("a", 1000) for _ in range(100))
    rates = Rates(1, Clock())
    for i in range(20_010):
        rates.take(str(i))
    assert len(rates._buckets) == 20_000


def test_rates_come_from_the_settings() -> None:
    limits = Limits.of(Settings(rate_address=0, rate_holder=2.5, streams_address=7, reach_address=9))
    assert (limits.address.rate, limits.holder.rate, limits.streams.most) == (0, 2.5, 7)
    limits.calls.clock = Clock()
    assert [limits.calls.take("a") for _ in range(10)] == [0] * 9 + [400]


def test_what_is_open_is_counted_for_each_key() -> None:
    few = Open(2)
    with few.one("a") as first, few.one("a") as second, few.one("a") as third, few.one("b") as other:
        assert (first, second, third, other) == (True, True, False, True)
    with few.one("a") as again:
        assert again
    assert not few._open
    with ExitStack() as stack:
        assert all(stack.enter_context(Open(0).one("a")) for _ in range(1000))


def test_address_blocks() -> None:
    assert block("192.0.2.7") == "192.0.2.7"
    assert block("2001:db8:1:2:3::4") == block("2001:db8:1:2:ffff::") != block("2001:db8:1:3::")
    assert block("::ffff:192.0.2.7") != block("::ffff:192.0.2.8")
    assert block("fe80::1%eth0") == block("fe80::2%eth0")
    assert block("somewhere") == "somewhere"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1:8000",
        "[::1]:8000",
        "192.0.2.4:80",
        "a.localhost",
        "paddock.test",
    ],
)
def test_allowed_hosts(host: str) -> None:
    assert host in Hosts()


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", "a b", "localhost:x"],
)
def test_refused_hosts(host: str) -> None:
    assert host not in Hosts()


def test_hosts_of_the_settings() -> None:
    hosts = Hosts({"play.example", "[2001:db8::1]"})
    assert "Play.example:443" in hosts
    assert "[2001:db8::1]:443" in hosts
    assert "localhost" in hosts
    assert "192.0.2.4" not in hosts
    assert "other.example" not in hosts
    assert "other.example" in Hosts({"*"})


@pytest.mark.parametrize(
    ("host", "leads"),
    [
        ("play.example", "play.example"),
        ("play.example:443", "play.example:443"),
        ("Play.Example:8000", "Play.Example:8000"),  # the server itself
        ("play.example:4444", "play.example"),
        ("[2001:db8::1]:4444", "[2001:db8::1]"),
        ("other.example:443", "other.example"),
        ("localhost:8000", "[2001:db8::1]"),
    ],
)
def test_links_in_messages_lead_to_listed_hosts_and_ports(host: str, leads: str) -> None:
    hosts = Hosts({"play.example:443", "2001:db8::1", "other.example"})
    assert host in hosts and hosts.linked(host, 8000) == leads
    for usual in (Hosts(), Hosts({"*"})):
        assert usual.linked(host, 8000) == host, "no e-mail is sent there"


async def test_requests_for_other_hosts_are_refused(client: httpx.AsyncClient) -> None:
    for path in ("/", "/api/v1/titles", "/healthz"):
        answer = await client.get(path, headers={"host": "evil.example"})
        assert answer.status_code == 421
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (await client.get("/api/v1/titles", headers={"host": "evil.example"})).json()["clause"] is None


def limit(app: FastAPI, limits: Limits) -> None:
    app.state.checks.limits = limits


async def test_an_address_that_ends_with_a_new_line_leads_nowhere(app: FastAPI) -> None:
    """Routes match it, and limits do not."""
    async with running(app) as client:
        found = sorted({one for one in paths(app.routes) if "{path:path}" not in one})
        assert len(found) > 60
        for path in found:
            asked = re.sub(r"{[^}]*}", "x", path)
            for method in ("GET", "POST"):
                answer = await client.request(method, f"{asked}%0A")
                assert answer.status_code == 404 and "no such address" in answer.text, path


async def test_an_address_has_a_limited_number_of_streams(app: FastAPI) -> None:
    limit(app, Limits(Rates(0), Rates(0), Open(2)))
    async with running(app) as client:
        path = (await client.post("/tables", data=HUMANS)).headers["location"]
        streams = [
            Stream(app, f"{path}/stream", client),
            Stream(app, f"/api/v1/tables/{path[3:]}/stream", client),
        ]
        for stream in streams:
            await stream.until(2)
        for refused in (f"{path}/stream", f"/api/v1/tables/{path[3:]}/stream"):
            answer = await client.get(refused)
            assert answer.status_code == 429 and answer.headers["retry-after"] == "30"
            assert "Too many tables are open from your network address" in answer.text
        streams[0].task.cancel()
        await asyncio.wait([streams[0].task])
        third = Stream(app, f"{path}/stream", client)
        await third.until(2)
        app.state.stopping.give()
        await asyncio.gather(third.task, streams[1].task)


async def test_half_a_body_is_not_processed(app: FastAPI) -> None:
    """The client leaves in the middle of a form: nothing is created."""
    sent: list[object] = []
    parts = iter([{"type": "http.request", "body": b"title=lacorsa&", "more_body": True}])

    async def receive() -> dict[str, object]:
        return next(parts, {"type": "http.disconnect"})

    async def send(message: object) -> None:
        sent.append(message)

    async with running(app) as client:
        request = client.build_request("POST", "/tables", data=HUMANS)
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/tables",
            "query_string": b"",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("127.0.0.1", 1),
        }
        await app(scope, receive, send)
        tables = (await client.get("/api/v1/tables")).json()
    assert sent == [] and tables == {"listed": [], "yours": []}


async def test_a_rate_limit_says_how_long_to_wait(app: FastAPI) -> None:
    limit(app, Limits(Rates(0, Clock()), Rates(0.1, Clock()), Open(0)))
    async with running(app) as client:
        client.cookies.set("paddock_browser", "x" * 43)
        answers = [await client.get("/api/v1/titles") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[2].headers["retry-after"] == "10"
        assert "wait 10 s" in answers[2].json()["error"]
        assert (await client.get("/healthz")).status_code == 200
        client.cookies.set("paddock_browser", "y" * 43)
        assert (await client.get("/")).status_code == 200
        assert (await client.get("/", headers={"authorization": "Bearer z"})).status_code == 200


async def test_new_browsers_of_one_address_add_no_more_ways_to_be_called(app: FastAPI) -> None:
    clock = Clock()
    limit(app, Limits(Rates(0), Rates(0), Open(0), Rates(3 / 3600, clock, 3600)))
    async with running(app) as client:
        for n, (path, body) in enumerate(
            [
                ("/reach/add", {"data": {"kind": "ntfy", "address": "https://ntfy.example/a"}}),
                ("/api/v1/reach/channels", {"json": {"kind": "webhook", "address": "https://b.example"}}),
                ("/reach/push", {"data": {"endpoint": "https://push.example/c"}}),
                ("/reach/test", {"data": {"id": "none"}}),
                ("/api/v1/reach/channels/none/test", {}),
            ]
        ):
            client.cookies.set("paddock_browser", f"{n}" * 43)
            answer = await client.post(path, **body)
            assert (answer.status_code == 429) == (n > 2), answer.text
        assert answer.headers["retry-after"] == "1200"
        assert answer.json()["error"].endswith("from your network address: try again in 20 min.")
        assert (await client.post("/reach", data={"everywhere": "yes", "remind": "0"})).status_code == 303
        clock.now += 1200
        assert (await client.post("/reach/test", data={"id": "none"})).status_code == 422


async def test_a_large_request_costs_as_much_as_several(app: FastAPI) -> None:
    """An address and a body of 40 kB are read and checked for the price of ten requests or so."""
    limits = Limits(Rates(5, Clock()), Rates(0), Open(0))  # a burst of 100
    limit(app, limits)
    left = 100.0
    async with running(app) as client:
        for ask, price in (
            (client.build_request("GET", "/new/great_race"), 1),
            (client.build_request("GET", "/new/great_race?map=" + "x" * 40_956), 1 + 10),
            (client.build_request("POST", "/new/rasant", data={"deck": "x" * 40_000}), MAKING + 9),
            (client.build_request("POST", "/settings", data={"theme": "dark"}), 1),
            (client.build_request("POST", "/new/rasant", data={"deck": "x" * 50_000}), MAKING + 12),
            (client.build_request("POST", "/new/rasant", data={"deck": "x" * 50_000}), None),
        ):
            answer = await client.send(ask)
            (bucket,) = limits.address._buckets.values()
            if price is None:
                assert answer.status_code == 429 and "Too many requests" in answer.text
            else:
                assert answer.status_code in (200, 303)
                left -= price
                assert bucket.left == left, ask.url.path


@pytest.mark.parametrize("place", ["/records", "/tables", "/tables/AAAA/recover"])
async def test_a_body_of_unknown_fields_is_refused_in_a_few_words(app: FastAPI, place: str) -> None:
    async with running(app):
        ana = await program(app)
        answer = await ana.post(place, json={f"x{n}": 1 for n in range(3_000)})
    assert answer.status_code == 422 and "x0: Extra inputs are not permitted" in answer.json()["error"]
    assert len(answer.json()["error"]) < 2_000


async def test_every_fault_of_a_body_has_a_limit(app: FastAPI) -> None:
    async with running(app):
        ana = await program(app)
        answer = await ana.post("/tables", json={"title": "lacorsa", "seats": [1] * 90})
    assert answer.status_code == 422 and answer.json()["error"].endswith("and 70 more.")
