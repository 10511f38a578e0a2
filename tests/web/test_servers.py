"""Several servers on one PostgreSQL, each a process: whoever is asked, the answer is that of the owner."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import asyncpg
import httpx
import pytest

from tables.clockwork import PATIENCE_S
from tables.harness import service
from web.conftest import PATIENT, Server

FOREVER = "600"  # a lease that ends only when a test says so
BRIEF = 4  # seconds of one that ends by itself; a database that needs half of it is an error
LONG = {"drivers": 2, "races": 99}  # the bots of a test do not come to the end
GONE = "DELETE FROM servers WHERE address = $1"


@pytest.fixture(scope="module")
def both(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two servers on one database, which begins empty."""
    asyncio.run(execute(postgres_url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    more = {"PADDOCK_DATABASE_URL": postgres_url, "PADDOCK_TEST_LEASE": FOREVER, **UNLIMITED}
    found = [Server(tmp_path_factory.mktemp("server"), **more) for _ in range(2)]
    yield found
    for server in found:
        server.kill()
    for server in found:
        assert not any("Traceback" in line for line in server.lines), "".join(server.lines)


@pytest.fixture
def pair(postgres_url: str, both: list[Server]) -> list[Server]:
    """Both servers, each started again if it does not run."""
    for server in both:
        revive(postgres_url, server)
    return both


CHEAP: Any = PATIENT | {"verify": False, "trust_env": False}  # certificates take long to load
UNLIMITED = {"PADDOCK_RATE_ADDRESS": "0", "PADDOCK_RATE_HOLDER": "0"}


def at(server: Server) -> str:
    """Return the address under which other servers know a server."""
    return server.url.removeprefix("http://").rstrip("/")


async def fetch(url: str, query: str, *values: Any) -> Any:
    """Return the value that a query finds."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    found = await connection.fetchval(query, *values)
    await connection.close()
    return found


async def execute(url: str, statement: str, *values: Any) -> None:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    await connection.execute(statement, *values)
    await connection.close()


def expire(url: str, server: Server) -> None:
    """End the lease of a server that gives no sign of life, as others do, and let them look."""
    asyncio.run(execute(url, GONE, at(server)))
    asyncio.run(execute(url, "NOTIFY paddock_servers"))


def revive(url: str, server: Server) -> None:
    """Start a server again if it does not run. The row of the one before has its address, too: it goes."""
    if server.process.poll() is not None:
        expire(url, server)
        server.start()


class Player:
    """A program with a token, at any of the servers. It plays all seats of its table."""

    def __init__(self, server: Server, who: list[str], **more: Any) -> None:
        self.headers: dict[str, str] = {}
        self.n = 0
        self.headers["authorization"] = f"Bearer {self.post(server, '/tokens', label='me')['token']}"
        body = {"title": "lacorsa", "options": {"drivers": len(who), "races": 2}, "seats": who} | more
        self.id = self.post(server, "/tables", **body)["id"]

    def client(self, server: Server) -> httpx.Client:
        return httpx.Client(base_url=f"{server.url}api/v1", headers=self.headers, **CHEAP)

    def post(self, server: Server, path: str, **body: Any) -> Any:
        with self.client(server) as client:
            answer = client.post(path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def table(self, server: Server, player: int | None = None) -> Any:
        with self.client(server) as client:
            answer = client.get(f"/tables/{self.id}", params={} if player is None else {"player": player})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, server: Server) -> None:
        """Decide for the first seat that has not."""
        table = self.table(server)
        for player in table["awaited"]:
            for ask in self.table(server, player)["asks"]:
                if ask["committed"] is None:
                    self.n += 1
                    body = {"seat": ask["seat"], "decision": ask["decision"], "key": f"k{self.n}"}
                    self.post(server, f"/tables/{self.id}/moves", move=ask["moves"][0]["move"], **body)
                    return


class Listener:
    """Reads the stream of a player's table at a server in a thread, and opens it again when it ends."""

    def __init__(self, player: Player, server: Server) -> None:
        self.player, self.server = player, server
        self.said: list[str] = []
        self.opened = self.broken = 0
        self.news = threading.Condition()
        self.stopped = False
        threading.Thread(target=self.read, daemon=True).start()
        self.until(lambda: bool(self.said))

    def read(self) -> None:
        while not self.stopped:
            streaming = False
            try:
                with (
                    self.player.client(self.server) as client,
                    client.stream("GET", f"/tables/{self.player.id}/stream") as stream,
                ):
                    assert stream.status_code in (200, 503), stream.read()
                    if stream.status_code == 503:
                        time.sleep(0.1)
                        continue
                    assert stream.headers["content-type"].startswith("text/event-stream")
                    streaming = True
                    with self.news:
                        self.opened += 1
                        self.news.notify_all()
                    for line in stream.iter_lines():
                        if line.startswith("data: "):
                            with self.news:
                                self.said.append(line)
                                self.news.notify_all()
            except httpx.ConnectError:
                time.sleep(0.1)
            except httpx.TransportError:
                self.broken += streaming

    def until(self, what: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(what, PATIENCE_S)


def told(listener: Listener, act: Callable[[], None]) -> None:
    """Check that a stream hears of something."""
    before = len(listener.said)
    act()
    listener.until(lambda: len(listener.said) > before)


def rest(table: Any) -> Any:
    """Return what a player sees of a table, without what passes by itself."""
    return {name: value for name, value in table.items() if name not in ("left", "now")}


@pytest.mark.slow("several servers")
def test_whoever_is_asked_answers_as_the_owner_does(pair: list[Server]) -> None:
    one, two = pair
    player = Player(one, ["me", "me"])
    listener = Listener(player, two)
    for n in range(10):
        told(listener, lambda n=n: player.move([one, two][n % 2]))  # type: ignore[misc]
        assert rest(player.table(two)) == rest(player.table(one))
    with player.client(two) as client:
        (mine,) = client.get("/tables").json()["yours"]
        assert mine["id"] == player.id
        # What is wrong is wrong in the same words.
        for path in ("/tables/nothing", f"/tables/{player.id}/nothing", f"/tables/{player.id}?player=9"):
            with player.client(one) as other:
                here, there = other.get(path), client.get(path)
            assert (here.status_code, here.text) == (there.status_code, there.text)
        assert client.head(f"/tables/{player.id}").status_code == 200
        assert client.delete(f"/tables/{player.id}/orders/0").status_code in (200, 422)
    with httpx.Client(base_url=two.url, headers={"accept-encoding": "gzip"}, **CHEAP) as browser:
        page = browser.get(f"/t/{player.id}")
        assert page.status_code == 200 and page.headers["content-encoding"] == "gzip"
        assert len(page.headers.get_list("content-security-policy")) == 1
        assert len(page.headers.get_list("date")) == 1
        sent = {"origin": "http://other.test"}
        assert browser.post(f"/t/{player.id}/sit", data={"player": "0"}, headers=sent).status_code == 403


@pytest.mark.slow("several servers")
def test_a_double_click_that_reaches_two_servers_makes_one_table(pair: list[Server]) -> None:
    async def ask(who: str, *at: Server) -> list[str | None]:
        """Let a program ask for a game at these servers at once; return the tables that it gets."""
        headers, found = {"authorization": f"Bearer {who}"}, []
        async with httpx.AsyncClient(headers=headers, **CHEAP) as client:
            posts = [
                client.post(f"{server.url}api/v1/waits", json={"title": "rasant", "pace": "days"})
                for server in at
            ]
            for answer in await asyncio.gather(*posts):
                assert answer.status_code == 200, answer.text
                found.append(answer.json()["table"])
        return found

    def token() -> str:
        with httpx.Client(**CHEAP) as client:
            made: str = client.post(f"{pair[0].url}api/v1/tokens", json={"label": "me"}).json()["token"]
        return made

    ana, ben = token(), token()
    assert asyncio.run(ask(ana, *pair)) == [None, None]
    first, second = asyncio.run(ask(ben, *reversed(pair)))
    assert first and first == second
    assert asyncio.run(ask(ana, *pair)) == [first, first]


def test_only_servers_hand_over_and_only_to_the_owner(postgres_url: str, pair: list[Server]) -> None:
    one, two = pair
    player = Player(one, ["me", "me"])
    query = "SELECT key FROM servers WHERE address = $1"
    of_one, of_two = (asyncio.run(fetch(postgres_url, query, at(server))) for server in pair)
    visitor = {"x-paddock-for": "192.0.2.1", "x-paddock-scheme": "https"}

    def ask(server: Server, key: str) -> httpx.Response:
        headers = visitor | {"x-paddock-key": key}
        with httpx.Client(base_url=server.url, headers=headers, **CHEAP) as client:
            return client.get(f"/t/{player.id}", headers={"accept": "text/html"})

    for server, key in ((one, "0" * 64), (one, of_two), (two, of_one)):
        refused = ask(server, key)
        assert refused.status_code == 421, "a stranger, or a request that went to the wrong server"
    player.table(two)
    circle = ask(two, of_two)
    assert circle.status_code == 421 and circle.headers["x-paddock-moved"]
    page = ask(one, of_one)
    assert page.status_code == 200
    assert "https://" in page.text, "links are those of the visitor"


@pytest.mark.slow("several servers")
def test_a_server_that_stops_hands_over_at_once(postgres_url: str, pair: list[Server]) -> None:
    one, two = pair
    player, bots = Player(one, ["me", "me"]), Player(one, ["rookie", "rookie"], options=LONG)
    listener = Listener(player, two)
    told(listener, lambda: player.move(two))
    # It also passes on a stream of the other one. That it stops is no fault of this stream either.
    passed = Listener(Player(two, ["me", "me"]), one)
    seen = player.table(two)
    one.stop(signal.SIGTERM)
    passed.stopped = True
    assert listener.broken == passed.broken == 0
    listener.until(lambda: listener.opened > 1)
    assert rest(player.table(two)) == rest(seen)
    told(listener, lambda: player.move(two))
    # Its bots go on, though nobody asks.
    asyncio.run(goes_on(postgres_url, bots.id))
    listener.stopped = True


async def goes_on(url: str, id: str) -> None:
    """Wait until something has happened at a table of which nobody asks."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    length = "SELECT length FROM tables WHERE id = $1"
    before = await connection.fetchval(length, id)
    while True:
        await asyncio.sleep(0.05)
        if await connection.fetchval(length, id) > before + 1:
            break
    await connection.close()


@pytest.mark.slow("several servers")
def test_the_tables_of_a_killed_server_go_on(postgres_url: str, pair: list[Server]) -> None:
    one, two = pair
    player = Player(one, ["me", "me"])
    bots = Player(one, ["rookie", "rookie"], options=LONG)
    listener = Listener(player, two)
    for _ in range(3):
        player.move(two)
    seen = player.table(two)
    one.kill()
    answers: list[Any] = []
    asking = threading.Thread(target=lambda: answers.append(player.table(two)))
    asking.start()  # it waits for the lease to end
    expire(postgres_url, one)
    asking.join()
    assert rest(answers[0]) == rest(seen)
    listener.until(lambda: listener.opened > 1)
    told(listener, lambda: player.move(two))
    asyncio.run(goes_on(postgres_url, bots.id))
    listener.stopped = True
    asyncio.run(legal(postgres_url, player.id, bots.id))


async def legal(url: str, *ids: str) -> None:
    """Check that the stored logs are legal games."""
    async with service(url) as tables:
        for id in ids:
            table = await tables.table(id)
            assert table.frozen is None and table.stalled is None


@pytest.mark.slow("several servers")
def test_a_server_that_slept_longer_than_its_lease_answers_nothing_old(
    postgres_url: str, both: list[Server]
) -> None:
    one, two = both
    for server, lease in ((one, str(BRIEF)), (two, FOREVER)):
        if server.environment["PADDOCK_TEST_LEASE"] != lease:
            server.kill()
            server.environment["PADDOCK_TEST_LEASE"] = lease
        revive(postgres_url, server)
    player = Player(one, ["me", "me"])
    player.move(one)
    one.process.send_signal(signal.SIGSTOP)
    time.sleep(BRIEF)
    expire(postgres_url, one)
    old = player.table(two)
    for _ in range(6):
        player.move(two)
    seen = player.table(two)
    assert seen["decision"] > old["decision"]
    answers: list[Any] = []
    asking = [threading.Thread(target=lambda: answers.append(player.table(one))) for _ in range(5)]
    for thread in asking:
        thread.start()
    one.process.send_signal(signal.SIGCONT)
    for thread in asking:
        thread.join()
    assert [rest(answer) for answer in answers] == [rest(seen)] * 5
    player.move(one)
    assert rest(player.table(two)) == rest(player.table(one))
    asyncio.run(legal(postgres_url, player.id))
    one.kill()
    one.environment["PADDOCK_TEST_LEASE"] = FOREVER
