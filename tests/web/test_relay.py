"""The client with which servers ask each other: connections that stay open, and answers that do not come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from paddock.tables import Peer
from paddock.web import relay
from paddock.web.relay import Asked, Broken, Relay, Unreached, Unsendable

pytestmark = pytest.mark.anyio
HOST = [(b"host", b"a.test")]
GET = Asked(b"GET", b"/x", HOST)
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(talk: Talk) -> AsyncIterator[Peer]:
    """A server that talks like that on each connection."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(one, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        yield Peer("s1", f"{host}:{port}", "k")


async def head(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


async def drain(pieces: AsyncIterator[bytes]) -> None:
    async for _piece in pieces:
        pass


async def whole(asking: Relay, peer: Peer, asked: Asked = GET) -> tuple[int, bytes]:
    async with asking.ask(peer, asked) as answer:
        return answer.status, b"".join([piece async for piece in answer.pieces()])


async def test_a_connection_is_used_again_until_it_is_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "IDLE", 1000.0)
    connections = list[int]()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = len(connections)
        connections.append(0)
        while True:
            said = await head(reader)
            if said.startswith(b"POST"):
                assert await reader.readexactly(3) == b"abc" and b"content-length: 3\r\n" in said
            connections[mine] += 1
            if said.startswith(b"HEAD"):
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n")
            elif connections[mine] % 2:
                writer.write(b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nhi")
            else:
                writer.write(
                    b"HTTP/1.1 404 No\r\ntransfer-encoding: chunked\r\n\r\n1\r\nh\r\n2\r\ney\r\n0\r\n\r\n"
                )

    asking = Relay()
    async with serving(talk) as peer:
        assert await whole(asking, peer) == (201, b"hi")
        assert await whole(asking, peer, Asked(b"POST", b"/", HOST, b"abc")) == (404, b"hey")
        assert connections == [2]
        assert await whole(asking, peer, Asked(b"HEAD", b"/", HOST)) == (200, b"")
        assert await whole(asking, peer) == (404, b"hey")
        assert connections == [4]
        found = await asyncio.gather(*(whole(asking, peer) for _ in range(5)))
        assert found == [(201, b"hi")] * 5 and connections == [5, 1, 1, 1, 1]
        await asking.close()
        monkeypatch.setattr(relay, "IDLE", -1.0)
        assert [await whole(asking, peer) for _ in range(3)] == [(201, b"hi")] * 3
        assert len(connections) == 8, "an old one is not used again"
        await asking.close()


async def test_nobody_there_is_another_thing_than_an_answer_that_breaks_off() -> None:
    asking = Relay()
    async with serving(lambda _reader, _writer: asyncio.sleep(0)) as peer:
        with pytest.raises(Broken):
            await whole(asking, peer)
    with pytest.raises(Unreached):
        await whole(asking, peer)
    for address in ("", "127.0.0.1:", "127.0.0.1:x"):
        with pytest.raises(Unreached):
            await whole(asking, Peer("s2", address, "k"))

    async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")

    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await head(reader)
        writer.write(b"what?\r\n\r\n")
        await head(reader)

    for talk in (half, nonsense):
        async with serving(talk) as peer:
            with pytest.raises(Broken):
                await whole(asking, peer)


async def test_a_server_that_is_gone_is_waited_for_no_longer() -> None:
    """It is frozen: its connections stay open."""
    heard = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await head(reader)
        heard.set()
        await reader.read()

    asking = Relay()
    async with serving(silent) as peer:
        waiting = asyncio.create_task(whole(asking, peer))
        await heard.wait()
        asking.drop("another one")
        assert not waiting.done()
        asking.drop(peer.id)
        with pytest.raises(Broken):
            await waiting


async def test_few_idle_connections_are_kept_and_none_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "MOST_IDLE", 2)
    ended, both = asyncio.Semaphore(0), asyncio.Barrier(3)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await head(reader)
        await both.wait()  # so each request has a connection of its own
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        await reader.read()
        ended.release()

    asking = Relay()
    async with serving(talk) as peer:
        await asyncio.gather(*(whole(asking, peer) for _n in range(3)))
        await ended.acquire()
        assert ended.locked()
        await asking.close()
        await ended.acquire()
        await ended.acquire()


async def test_streams_end_when_somebody_says_so_and_are_not_read_faster_than_they_are_passed_on() -> None:
    sent = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        piece = b"1000\r\n" + bytes(4096) + b"\r\n"
        while True:
            writer.write(piece)
            await writer.drain()
            sent += 4096

    asking = Relay()
    async with serving(flood) as peer:
        async with asking.ask(peer, GET, stream=True) as answer:
            before = -1
            while before != sent:  # until the server has to wait
                before = sent
                await asyncio.sleep(0.05)
            read, pieces = 0, answer.pieces()
            async for piece in pieces:
                read += len(piece)
                if read > sent // 2:
                    break
            while before == sent:
                await anext(pieces)
            asking.end_streams()
            with pytest.raises(Broken):
                await drain(pieces)
        async with asking.ask(peer, GET, stream=True) as answer:
            answer.end()
            with pytest.raises(Broken):
                await drain(answer.pieces())
        await asking.close()


async def test_what_may_have_been_done_is_asked_once() -> None:
    """A server ends after a request that came on a connection that stayed open: nobody knows what it did."""
    got = list[bytes]()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        got.append(await head(reader))

    asking = Relay()
    async with serving(talk) as peer:
        await whole(asking, peer)
        with pytest.raises(Broken):
            await whole(asking, peer, Asked(b"POST", b"/", HOST))
        assert len(got) == 1
        assert await whole(asking, peer) == (200, b""), "on a new connection"
        await asking.close()


async def test_a_request_is_sent_as_it_came() -> None:
    got = list[bytes]()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await head(reader))
        writer.write(b"HTTP/1.1 200 OK\r\nX-Odd: \xe9  a\r\ncontent-length: 0\r\n\r\n")

    asking = Relay()
    async with serving(talk) as peer:
        asked = Asked(b"GET", b"/a%20b?c=\xe9", [*HOST, (b"cookie", b"a=\xe9; b"), (b"cookie", b"c")])
        async with asking.ask(peer, asked) as answer:
            assert answer.headers == [(b"x-odd", b"\xe9  a"), (b"content-length", b"0")]
    assert got == [b"GET /a%20b?c=%E9 HTTP/1.1\r\nhost: a.test\r\ncookie: a=\xe9; b\r\ncookie: c\r\n\r\n"], (
        "but an address that is none becomes one"
    )
    await asking.close()


async def test_what_is_not_http_is_no_fault_of_the_other_server() -> None:
    got = asyncio.get_running_loop().create_future()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.set_result(await reader.read())

    asking = Relay()
    async with serving(talk) as peer:
        with pytest.raises(Unsendable):
            await whole(asking, peer, Asked(b"GET", b"/x", [*HOST, *HOST]))
        await asking.close()
        assert await got == b""
