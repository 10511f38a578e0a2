"""Where messages may go: not to this machine, not to its network, whatever a name or a redirect says."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from paddock.core.errors import PaddockError
from paddock.core.settings import Settings
from paddock.features.reach import net, push
from paddock.features.reach.net import (
    HOPS,
    CheckedConnections,
    NoAnswer,
    Refused,
    Web,
    check_url,
    public,
    resolve,
)
from paddock.features.reach.outside import Mail, Outside
from paddock.features.reach.post import Carrier
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.ways.mail import ADDRESS
from paddock.features.reach.words import Message

pytestmark = pytest.mark.anyio
PRIVATE = [
    "127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.254", "192.168.0.1", "192.168.255.255", "169.254.169.254", "100.64.0.1", "192.0.0.8",
    "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1",
    "168.63.129.16",
    "255.255.255.255", "192.88.99.1", "::", "::1", "::7f00:1", "fe80::1", "fe80::1%eth0", "fc00::1",
    "fd12:3456::1", "fec0::1", "ff02::1", "ff0e::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:7f00:1::",
    "2002:a00:1::1", "2001::1", "2001:db8::1", "3fff::1", "5f00::1", "100::1", "4000::1", "not an address",
    "",
]  # fmt: skip
PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_and_local_addresses_are_not_public(address: str) -> None:
    assert not public(address)
    assert not CheckedConnections().may(address)


def test_others_are() -> None:
    assert all(map(public, PUBLIC))
    assert all(map(CheckedConnections().may, PUBLIC))


def test_the_operator_may_allow_private_networks() -> None:
    checked = CheckedConnections(["10.0.0.0/8", "fd00::/16"])
    assert all(map(checked.may, ["10.1.2.3", "::ffff:10.1.2.3", "fd00::7", "fd00::7%eth0", "8.8.8.8"]))
    assert not any(map(checked.may, ["192.168.0.1", "::ffff:192.168.0.1", "fd12:3456::1", "no address"]))


@pytest.mark.parametrize(
    "url",
    [
        "ftp://hooks.example/", "file:///etc/passwd", "//hooks.example/", "hooks.example", "http://",
        "https:///x",
        "http://me:secret@hooks.example/", "http://hooks.example:22/", "http://hooks.example:99999/",
        "http://hooks.example:x/", "http://[::1/",
        "https://hooks.example/\r\nX: 1", "https://hooks.example/a b",
        "https://hooks.example/" + "x" * 2000, "gopher://hooks.example:70/", "https://höoks.example/",
    ],
)  # fmt: skip
def test_addresses_that_are_no_address_of_a_web_server(url: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_url(url)
    assert "secret" not in str(refusal.value)


NEVER = [
    *("http://10.1.2.3/", "http://127.0.0.1:8080/", "http://127.1/", "http://2130706433/", "http://0x7f.1/"),
    *(
        "https://192.168.0.1/hook",
        "http://169.254.169.254/",
        "http://0/",
        "https://[::1]/",
        "https://[fe80::1]/",
    ),
    *("https://[::ffff:10.0.0.1]/", "https://[fe80::1%25eth0]/", "http://[fd00::7]/", "http://224.0.0.1/"),
    *("http://localhost/", "http://LOCALHOST.:8080/", "http://hooks.localhost/", "http://a..example/"),
    "http://" + "x" * 64 + ".example/",
]


@pytest.mark.parametrize("url", NEVER)
async def test_what_can_never_be_reached_is_refused_when_it_is_added(url: str) -> None:
    """The kind: an input that can never work is taken, and fails later. Both say the same."""
    with pytest.raises(Refused) as refusal:
        CheckedConnections().check(url)
    web = Web(CheckedConnections())
    with pytest.raises((Refused, NoAnswer)) as later:
        await web.post(url, {}, b"")
    await web.close()
    assert str(refusal.value) == str(later.value)


def test_a_part_of_an_address_that_is_never_sent_is_refused() -> None:
    with pytest.raises(Refused, match="leave out the # and what follows it"):
        CheckedConnections().check("https://hooks.example/a#b")


def test_what_may_be_reached_is_taken() -> None:
    CheckedConnections().check("https://hooks.example/a?b=c")
    CheckedConnections().check("https://8.8.8.8/")
    allowed = CheckedConnections(["10.0.0.0/8", "127.0.0.0/8"])
    for url in (
        "http://10.1.2.3/",
        "http://127.1:8080/",
        "http://localhost:8080/",
        "http://[::ffff:10.0.0.1]/",
    ):
        allowed.check(url)


@pytest.mark.parametrize(
    ("address", "valid"),
    [
        ("ben.x+turns@mail.club.example", True),
        ("o'neil@a-b.example", True),
        *((f"{word}@example.com", False) for word in ("", ".ben", "ben.", "b..en", "x" * 65, "b en")),
        *(
            (f"ben@{host}", False)
            for host in ("", "localhost", "-a.example", "a-.example", "a..example", "x.1")
        ),
        ("ben@" + "x" * 60 + ".example" * 30, False),
    ],
)
def test_no_mail_goes_where_there_can_be_nobody(address: str, valid: bool) -> None:
    assert bool(ADDRESS.fullmatch(address)) is valid


def test_an_address_has_so_many_characters_and_not_one_more() -> None:
    whole = "https://hooks.example/".ljust(net.LONGEST, "x")
    check_url(whole)
    with pytest.raises(Refused, match="at most 2000 characters"):
        check_url(f"{whole}x")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "0"]
)
async def test_no_way_to_write_this_machine_leads_to_it(host: str) -> None:
    asked = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    web = Web(CheckedConnections())
    with pytest.raises(PaddockError) as refusal:
        await web.post(f"http://{host}:{port}/", {}, b"")
    assert host not in str(refusal.value)
    await web.close()
    server.close()
    assert not asked


@asynccontextmanager
async def receiver(*answers: str) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A web server that gives these answers, one after the other, the last one again and again."""
    got: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        said = answers[min(len(got), len(answers) - 1)]
        got.append(head)
        writer.write(f"HTTP/1.1 {said}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], got
    finally:
        server.close()


async def test_a_name_server_that_changes_its_answer_gains_nothing() -> None:
    """A name is resolved once for each connection, and the connection goes to what was checked."""
    asked = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    async with receiver("204 No Content") as (port, got):
        web = Web(
            CheckedConnections(["127.0.0.1"], rebinding)
        )  # the first answer stands for a public address
        assert (await web.post(f"http://rebind.example:{port}/", {}, b"{}"))[0] == 204
        assert asked == ["rebind.example"] and len(got) == 1
        assert b"host: rebind.example" in got[0].lower()
        with pytest.raises(Refused, match="no such host"):
            await web.post(f"http://rebind.example:{port}/", {}, b"{}")
        assert len(got) == 1
        await web.close()


async def test_one_private_address_among_public_ones_is_enough() -> None:
    async def mixed(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "192.168.0.1"]

    with pytest.raises(Refused, match="no such host"):  # a stranger does not learn that there is one
        await CheckedConnections(resolve=mixed).addresses("mixed.example", 443)

    async def none(host: str, port: int) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(NoAnswer, match="no such host"):
        await CheckedConnections(resolve=none).addresses("nowhere.example", 443)


@pytest.mark.parametrize(
    "target",
    ["http://10.0.0.1/", "http://[fd00::1]:8080/", "http://inside.example/", "http://169.254.169.254/"],
)
async def test_a_redirect_to_a_private_address_is_refused(target: str) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return {"hooks.example": ["127.0.0.1"], "inside.example": ["172.16.5.5"]}.get(host, [host])

    async with receiver(f"307 Temporary Redirect\r\nlocation: {target}") as (port, got):
        web = Web(CheckedConnections(["127.0.0.1"], resolve))
        with pytest.raises(Refused, match="no such host" if "inside" in target else "private"):
            await web.post(f"http://hooks.example:{port}/", {}, b"{}")
        assert len(got) == 1
        await web.close()


async def test_a_receiver_that_announces_an_answer_for_ever_is_cut_off() -> None:
    """httpcore reads all announcements that have come in one go, and nobody else has a turn meanwhile."""
    sent = 0

    async def announce(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        with contextlib.suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
                sent += 2800
                await writer.drain()

    server = await asyncio.start_server(announce, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    web = Web(CheckedConnections(["127.0.0.1"]))
    with pytest.raises(NoAnswer):
        await web.post(f"http://127.0.0.1:{port}/", {}, b"{}")
    await web.close()
    server.close()
    assert sent > 64_000


async def test_an_answer_may_be_long_on_a_connection_that_is_used_again() -> None:
    opened = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        with contextlib.suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"\r\n\r\n{}"):
                writer.write(b"HTTP/1.1 200 OK\r\nx: " + b"x" * 50_000 + b"\r\ncontent-length: 2\r\n\r\nok")

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    web = Web(CheckedConnections(["127.0.0.1"]))
    for _ in range(3):
        status, _headers, start = await web.post(f"http://127.0.0.1:{port}/", {}, b"{}")
        assert (status, start, opened) == (200, b"ok", 1)
    await web.close()
    server.close()


async def test_an_answer_is_read_until_its_beginning_is_known() -> None:
    """In pieces, as they come. The rest may never come."""
    first, rest = b"x" * 10, b"y" * (net.MOST - 10)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n{}")
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        for piece in (first, rest):
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        await writer.drain()
        await reader.read()  # until the other side has heard enough
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    web = Web(CheckedConnections(["127.0.0.1"]))
    status, _headers, start = await web.post(
        f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {}, b"{}"
    )
    await web.close()
    server.close()
    assert (status, start) == (200, first + rest)


async def test_redirects_are_followed_a_few_times_only() -> None:
    async with receiver("308 Permanent Redirect\r\nlocation: /next", "204 No Content") as (port, got):
        web = Web(CheckedConnections(["127.0.0.1"]))
        assert (await web.post(f"http://127.0.0.1:{port}/", {}, b"{}"))[0] == 204
        assert [head.split()[:2] for head in got] == [[b"POST", b"/"], [b"POST", b"/next"]]
        await web.close()
    for said, status in (("302 Found\r\nlocation: /next", 302), ("307 Again\r\nlocation: ftp://x/", 0)):
        async with receiver(said) as (port, got):
            web = Web(CheckedConnections(["127.0.0.1"]))
            if status:
                assert (await web.post(f"http://127.0.0.1:{port}/", {}, b"{}"))[0] == status
            else:
                with pytest.raises(Refused):
                    await web.post(f"http://127.0.0.1:{port}/", {}, b"{}")
            assert len(got) == 1
            await web.close()
    async with receiver("307 Again\r\nlocation: /") as (port, got):
        web = Web(CheckedConnections(["127.0.0.1"]))
        with pytest.raises(NoAnswer, match="again and again"):
            await web.post(f"http://127.0.0.1:{port}/", {}, b"{}")
        assert len(got) == HOPS + 1
        await web.close()


async def test_dead_name_servers_and_mail_servers_hold_up_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forms are read in threads of the event loop: none of those waits for a stranger."""
    dead, now = threading.Event(), datetime(2026, 3, 1, tzinfo=UTC)

    class Slow(Mail):
        def deliver(self, message: EmailMessage) -> None:
            dead.wait()

    def wait(*_given: object, **_more: object) -> list[object]:
        dead.wait()
        return []

    monkeypatch.setattr("socket.getaddrinfo", wait)
    carrier = Carrier("", lambda: now, Outside(mail=Slow("smtp://mail.example", "p@club.example")))
    channel = ChannelRow("1", "b", "email", "ben@example.com", now)
    message = Message("1", "turn", "Your turn", "Ana waits.", "https://club.example/t/1", now)
    waiting = [asyncio.create_task(resolve("dead.example", 443)) for _ in range(40)]
    letters = [asyncio.create_task(carrier.send(channel, message, "")) for _ in range(40)]
    try:
        await asyncio.sleep(0)
        assert await asyncio.to_thread(lambda: 1) == 1
        assert not any(task.done() for task in (*waiting, *letters))
    finally:
        dead.set()
    await asyncio.gather(*waiting, *letters)


# What the operator says, and browsers


def test_e_mail_needs_a_mail_server_and_a_sender() -> None:
    said = {"smtp_url": "smtp://mail.example", "mail_from": "p@club.example"}
    for missing in (*said, None):
        given = {name: value for name, value in said.items() if name != missing}
        found = Outside.of(Settings(public_url="https://club.example", **given)).mail
        assert found == (Mail(*said.values()) if missing is None else None)


def test_base64_for_addresses_is_read_back_and_nothing_else_is() -> None:
    for n in range(9):
        text = push.encoded(data := bytes(range(247, 247 + n)))
        assert push.decoded(text) == data and "=" not in text and "+" not in text
    for bad in ("AAAA!", "AAAA AAAA", "AAA=A", "A", "é"):
        with pytest.raises(ValueError):
            push.decoded(bad)
