"""«Reach me» on pages, by the API, and through to a push service, a webhook, a mail server and a calendar."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import re
import smtplib
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_string, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Self

import httpx
import icalendar
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from fastapi import FastAPI

from features.reach.reached import wishes_of
from paddock.core.settings import Settings
from paddock.features.reach import push
from paddock.features.reach.calls import TURN
from paddock.features.reach.outside import Mail, Outside
from paddock.features.reach.ways import WAYS
from paddock.features.reach.ways.way import Hook
from paddock.features.reach.words import Message
from paddock.kernel.source import Seeded
from paddock.server.app import create_app
from paddock.server.logs import without_secrets
from paddock.tables import Tables
from store.databases import prepared
from tables.clockwork import friends
from tables.harness import give_seats
from web.api_helpers import fine, program, refused
from web.conftest import running

pytestmark = pytest.mark.anyio
LOCAL = Settings(reach_networks=frozenset({"127.0.0.0/8"}))
COOKIE = re.compile(r"paddock_browser=([\w-]{43})")


@pytest.fixture
async def app(tmp_path: Path) -> FastAPI:
    """An application whose messages may go to this machine."""
    database = prepared(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    return create_app(database, chance=Seeded(7), pace="instant", settings=LOCAL)


@dataclass
class Got:
    """A request that a receiver got."""

    head: dict[str, str]
    path: str
    body: bytes


@dataclass
class Receiver:
    """A web server on this machine that notes what it gets."""

    port: int = 0
    status: int = 201
    got: list[Got] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
        head = {name.lower(): value for name, _colon, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(head.get("content-length", "0")))
        self.got.append(Got(head, first.split()[1], body))
        writer.write(
            f"HTTP/1.1 {self.status} Fine\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()
        )
        await writer.drain()
        writer.close()
        self.news.set()

    async def next(self) -> Got:
        """Return the next request."""
        while not self.got:
            self.news.clear()
            await self.news.wait()
        return self.got.pop(0)


@asynccontextmanager
async def receiver(status: int = 201) -> AsyncIterator[Receiver]:
    found = Receiver(status=status)
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


class Subscription:
    """The side of a browser: its keys, and how it reads a message. Written from RFC 8188 and RFC 8291."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"
        self.public = push.raw(self.key.public_key())

    @property
    def fields(self) -> dict[str, str]:
        return {"p256dh": push.encoded(self.public), "auth": push.encoded(self.auth)}

    def read(self, body: bytes) -> bytes:
        salt, size, length = body[:16], *struct.unpack("!IB", body[16:21])
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        )
        made = self._hkdf(shared, self.auth, b"WebPush: info\0" + self.public + theirs, 32)
        key = self._hkdf(made, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = self._hkdf(made, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        text, _mark, padding = padded.rpartition(b"\x02")
        assert padding == b""
        return text

    def _hkdf(self, secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def check_signature(authorization: str, key: str) -> dict[str, Any]:
    """Check the signature of a server as a push service does (RFC 8292); return what it says."""
    found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)", authorization)
    assert found and found[4] == key
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), push.decoded(key))
    numbers = push.decoded(found[3])
    signature = encode_dss_signature(int.from_bytes(numbers[:32]), int.from_bytes(numbers[32:]))
    public.verify(signature, f"{found[1]}.{found[2]}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        public.verify(signature, f"{found[1]}.x".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(push.decoded(found[1])) == {"typ": "JWT", "alg": "ES256"}
    said: dict[str, Any] = json.loads(push.decoded(found[2]))
    return said


def test_a_message_is_encrypted_as_the_example_of_the_standard_is() -> None:
    """RFC 8291, section 5 and appendix A."""
    private = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    theirs = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    made = push.encrypted(
        b"When I grow up, I want to be a watermelon",
        f"{theirs} BTBZMqHH6r4Tts7J_aSIgg",
        salt=push.decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        ours=push.private(private),
    )
    assert push.encoded(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK"
        "6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def seat(app: FastAPI, holder: str) -> str:
    """Create a table where it is the turn of this browser, which is away; return its id."""
    tables: Tables = app.state.tables
    table = await friends(tables, 2)
    await give_seats(tables, table, {1: holder})
    return table.id


def me(client: httpx.AsyncClient) -> str:
    return hashlib.sha256(client.cookies["paddock_browser"].encode()).hexdigest()


async def test_a_push_service_gets_a_message_that_only_the_browser_reads(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    browser = Subscription()
    async with receiver() as service:
        key = (await client.get("/reach/key")).json()["key"]
        endpoint = f"{service.url}/send/1"
        answer = await client.post("/reach/push", data={"endpoint": endpoint, **browser.fields})
        assert answer.status_code == 204 and COOKIE.search(answer.headers["set-cookie"])
        id = await seat(app, me(client))
        got = await service.next()
        assert got.path == "/send/1" and got.head["content-encoding"] == "aes128gcm"
        assert int(got.head["ttl"]) > 0 and got.head["urgency"] == "high" and len(got.head["topic"]) == 32
        claims = check_signature(got.head["authorization"], key)
        assert claims["aud"] == service.url and claims["sub"] == "http://paddock.test"
        assert 0 < claims["exp"] - datetime.now(UTC).timestamp() < 24 * 3600
        assert b"LACORSA" not in got.body
        said = json.loads(browser.read(got.body))
        assert said["title"] == "LACORSA: it is your turn" and said["url"] == f"http://paddock.test/t/{id}"
        assert re.fullmatch(r"[0-9a-f]{32}", said["id"]) and said["tag"] == id
        page = (await client.get("/reach")).text
        assert "A browser" in page and "127.0.0.1" in page and "/send/1" not in page
        service.status = 410  # the browser has unsubscribed
        (channel,) = (await wishes_of(app.state.tables).of(me(client), "")).channels
        await client.post("/reach/test", data={"id": channel.id})
        await service.next()
        await gone(lambda: _channels(app, client))


async def _channels(app: FastAPI, client: httpx.AsyncClient) -> int:
    return len((await wishes_of(app.state.tables).of(me(client), "")).channels)


async def gone(count: Callable[[], Awaitable[int]]) -> None:
    while await count():  # noqa: ASYNC110 # nothing tells of it; pytest stops a test that hangs
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("kind", [kind for kind, way in WAYS.items() if isinstance(way, Hook)])
async def test_a_webhook_gets_its_shape(app: FastAPI, client: httpx.AsyncClient, kind: str) -> None:
    async with receiver(204) as hooks:
        answer = await client.post("/reach/add", data={"kind": kind, "address": f"{hooks.url}/hook/me"})
        assert answer.status_code == 303 and answer.headers["location"] == "/reach"
        id = await seat(app, me(client))
        got = await hooks.next()
        said = json.loads(got.body)
        assert got.head["content-type"] == "application/json" and re.fullmatch(
            r"[0-9a-f]{32}", got.head["paddock-message"]
        )
        assert f"http://paddock.test/t/{id}" in json.dumps(said) and "your turn" in json.dumps(said)
        way = WAYS[kind]
        assert isinstance(way, Hook)
        where, shape = way.form(f"{hooks.url}/hook/me", Message("", TURN, "", "", "", datetime.now(UTC)))
        assert f"{hooks.url}{got.path}" == where and set(said) == set(shape)
        if kind == "webhook":
            assert said["id"] == got.head["paddock-message"] and said["deadline"] is None
        assert (
            me(client) not in got.body.decode() and client.cookies["paddock_browser"] not in got.body.decode()
        )


async def test_no_message_goes_into_the_own_network_unless_the_operator_says_so(tmp_path: Path) -> None:
    database = prepared(f"sqlite:///{tmp_path / 'strict.sqlite3'}")
    app = create_app(database, chance=Seeded(7), pace="instant", settings=Settings())
    async with running(app) as client, receiver() as hooks:
        tables: Tables = app.state.tables
        said = {"kind": "webhook", "address": f"{hooks.url}/secret-path"}
        refusal = await client.post("/reach/add", data=said)
        assert refusal.status_code == 422 and "nothing to private and local addresses" in refusal.text
        wishes_of(tables)._outside = Outside.of(LOCAL)  # it was added when the operator allowed it
        assert (await client.post("/reach/add", data=said)).status_code == 303
        (channel,) = (await wishes_of(tables).of(me(client), "")).channels
        logged: list[str] = []
        handler = logging.Handler()
        handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
        logging.getLogger().addHandler(handler)
        await client.post("/reach/test", data={"id": channel.id})
        while not (await wishes_of(tables).of(me(client), "")).channels[0].fault:  # noqa: ASYNC110 # as above
            await asyncio.sleep(0.01)
        logging.getLogger().removeHandler(handler)
        assert 'class="fault"' in (await client.get("/reach")).text
        assert not hooks.got
        assert not any("secret-path" in line or "127.0.0.1" in line for line in logged)


async def test_the_page_says_and_keeps_what_was_chosen(app: FastAPI, client: httpx.AsyncClient) -> None:
    page = (await client.get("/reach")).text
    assert 'name="everywhere" value="yes" checked' in page and "E-mail" not in page
    said = {
        "everywhere": "no", "remind": "10800", "quiet": "yes", "from": "21:15", "to": "06:45",
        "zone": "Asia/Tokyo",
    }  # fmt: skip
    assert (await client.post("/reach", data=said)).status_code == 303
    id = await seat(app, me(client))
    page = (await client.get(f"/reach?table={id}")).text
    assert (
        'name="everywhere" value="no" checked' in page and 'value="21:15"' in page and 'value="06:45"' in page
    )
    assert '<option value="10800" selected>3 hours' in page and 'value="Asia/Tokyo"' in page
    assert 'class="is-asked"' in page and "Without messages" in page
    answer = await client.post(f"/reach/table?table={id}", data={"id": id, "wanted": "yes"})
    assert answer.headers["location"] == f"/reach?table={id}"
    assert 'aria-pressed="true">With messages' in (await client.get(f"/reach?table={id}")).text
    for bad, status in (
        (said | {"zone": "Mars/Base"}, 422),
        (said | {"from": "25:00"}, 400),
        (said | {"remind": "x"}, 400),
        (said | {"to": ""}, 422),
    ):
        assert (await client.post("/reach", data=bad)).status_code == status
    for kind, address in (
        ("webhook", "nonsense"),
        ("smoke", "https://x.example"),
        ("email", "me@example.com"),
    ):
        answer = await client.post("/reach/add", data={"kind": kind, "address": address})
        assert answer.status_code == 422 and 'role="alert"' in answer.text
    assert (await client.post("/reach/drop", data={"id": "nothing"})).status_code == 422
    assert (await client.post("/reach/table", data={"id": "nowhere", "wanted": "yes"})).status_code == 422


async def test_a_calendar_has_the_ends_of_open_turns_behind_a_secret_link(
    app: FastAPI, client: httpx.AsyncClient
) -> None:
    tables: Tables = app.state.tables
    await client.post("/reach", data={"everywhere": "yes", "remind": "3600", "zone": "UTC"})
    page = (await client.post("/reach/calendar", data={"do": "new"})).text
    found = re.search(r'value="http://paddock\.test(/calendar/[\w-]{43}\.ics)"', page)
    assert found and without_secrets(found[1]) == "/calendar/….ics"
    table = await friends(tables, 2, clock="7200+0")
    await give_seats(tables, table, {1: me(client)})
    await friends(tables, 2)  # not theirs
    answer = await client.get(found[1])
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    calendar = icalendar.Calendar.from_ical(answer.text)
    (event,) = calendar.walk("VEVENT")
    assert event["SUMMARY"] == "LACORSA: your clock runs out" and table.id in event["UID"]
    assert table.opened_at and (event["DTEND"].dt - table.opened_at).total_seconds() == pytest.approx(
        7200, abs=2
    )
    assert event["URL"] == f"http://paddock.test/t/{table.id}" and len(event.walk("VALARM")) == 1
    assert "calendar/" not in (await client.get("/reach")).text  # it is shown once
    await client.post("/reach/calendar", data={"do": "new"})
    assert (await client.get(found[1])).status_code == 404
    await client.post("/reach/calendar", data={"do": "remove"})
    assert "Remove the link" not in (await client.get("/reach")).text


class Postbox(asyncio.Protocol):
    """A mail server on this machine: enough of SMTP to take a message."""

    letters: list[str]

    def __init__(self, letters: list[str]) -> None:
        self.letters, self.text, self.data = letters, b"", False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(b"220 here\r\n")

    def data_received(self, data: bytes) -> None:
        self.text += data
        while b"\r\n" in self.text:
            if self.data:
                if b"\r\n.\r\n" not in self.text:
                    return
                letter, _end, self.text = self.text.partition(b"\r\n.\r\n")
                self.letters.append(letter.decode())
                self.data = False
                self.transport.write(b"250 taken\r\n")
                continue
            line, _end, self.text = self.text.partition(b"\r\n")
            word = line[:4].upper()
            self.data = word == b"DATA"
            self.transport.write(b"354 go on\r\n" if self.data else b"250 fine\r\n")


async def test_e_mail_asks_first_and_each_has_a_link_that_ends_them(tmp_path: Path) -> None:
    letters: list[str] = []
    server = await asyncio.get_running_loop().create_server(lambda: Postbox(letters), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    settings = Settings(
        smtp_url=f"smtp://127.0.0.1:{port}",
        mail_from="Paddock <p@club.example>",
        hosts=frozenset({"paddock.test"}),
    )
    database = prepared(f"sqlite:///{tmp_path / 'mail.sqlite3'}")
    app = create_app(database, chance=Seeded(7), pace="instant", settings=settings)

    async def letter() -> Any:
        while not letters:  # noqa: ASYNC110 # as above
            await asyncio.sleep(0.01)
        return message_from_string(letters.pop(0), policy=policy.default)

    async with running(app) as client:
        assert "E-mail" in (await client.get("/reach")).text
        strange = {"host": "paddock.test:4444"}  # where another service of the same machine may answer
        form = {"kind": "email", "address": "ben@example.com"}
        await client.post("/reach/add", data=form, headers=strange)
        asked = await letter()
        assert asked["To"] == "ben@example.com" and asked["From"] == "Paddock <p@club.example>"
        page = (await client.get("/reach")).text
        assert "not confirmed yet" in page
        link = re.search(r"http://paddock\.test(/reach/confirm/\S+)", asked.get_content())
        assert link
        assert "Yes, notify me here" in (await client.get(link[1])).text
        assert (
            "not confirmed yet" in (await client.get("/reach")).text
        )  # a program that opens links changes nothing
        assert (await client.post(link[1])).status_code == 200
        id = await seat(app, me(client))
        called = await letter()
        assert called["Subject"] == "LACORSA: it is your turn"
        assert f"http://paddock.test/t/{id}" in called.get_content()
        stop = called["List-Unsubscribe"].strip("<>").removeprefix("http://paddock.test")
        assert "Stop all messages" in (await client.get(stop)).text
        async with running_as(app) as mailer:  # a mail program sends this, from anywhere
            answer = await mailer.post(stop, data={"List-Unsubscribe": "One-Click"})
            assert answer.status_code == 200
        assert "ben@example.com" not in (await client.get("/reach")).text
        assert (await client.post(stop)).status_code == 422
        assert (await client.get(stop.replace("/stop/", "/smoke/"))).status_code == 404
    server.close()


@pytest.mark.parametrize(
    ("host", "encrypts", "logs_in"),
    [("mail.example", False, False), ("mail.example", True, True), ("localhost", False, True)],
)
def test_a_password_goes_to_another_machine_only_encrypted(
    monkeypatch: pytest.MonkeyPatch, host: str, encrypts: bool, logs_in: bool
) -> None:
    did: list[str] = []

    class Fake(smtplib.SMTP):
        def __init__(self, *_given: Any, **_more: Any) -> None:
            pass

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_given: object) -> None:
            pass

        def ehlo(self, name: str = "") -> tuple[int, bytes]:
            return 250, b"fine"

        def has_extn(self, opt: str) -> bool:
            return encrypts

        def starttls(self, **_more: Any) -> tuple[int, bytes]:  # type: ignore[override]
            did.append("starttls")
            return 220, b"go on"

        def login(self, *_given: Any, **_more: Any) -> tuple[int, bytes]:
            did.append("login")
            return 235, b"fine"

        def send_message(self, *_given: Any, **_more: Any) -> dict[str, tuple[int, bytes]]:
            did.append("send")
            return {}

    monkeypatch.setattr(smtplib, "SMTP", Fake)
    mail = Mail(f"smtp://me:secret@{host}", "p@club.example")
    if logs_in:
        mail.deliver(EmailMessage())
        assert did == [*(["starttls"] if encrypts else []), "login", "send"]
    else:
        with pytest.raises(smtplib.SMTPNotSupportedError):
            mail.deliver(EmailMessage())
        assert did == []


@pytest.mark.parametrize(("hosts", "mails"), [((), False), (("club.example", "*"), False), (("a.b",), True)])
def test_e_mail_needs_the_names_of_the_server_for_its_links(hosts: tuple[str, ...], mails: bool) -> None:
    """Else whoever asks for a message chooses in ``Host`` where its links lead."""
    mail = {"smtp_url": "smtp://mail", "mail_from": "p@club.example"}
    settings = Settings(**mail, hosts=frozenset(hosts))
    assert (Outside.of(settings).mail is not None) == mails
    named = Outside.of(Settings(**mail, public_url="https://club.example/", base_path="/games"))
    assert named.mail and named.site == "https://club.example/games"


async def test_links_lead_to_the_address_that_the_operator_names(tmp_path: Path) -> None:
    database = prepared(f"sqlite:///{tmp_path / 'public.sqlite3'}")
    settings = Settings(public_url="https://Play.club.example/", hosts=frozenset({"*"}))
    app = create_app(database, chance=Seeded(7), pace="instant", settings=settings)
    async with running(app) as client:
        await client.post("/reach", data={"everywhere": "yes", "remind": "0", "zone": "UTC"})
        page = (await client.post("/reach/calendar", data={"do": "new"})).text
        found = re.search(r"/calendar/[\w-]{43}\.ics", page)
        tables: Tables = app.state.tables
        table = await friends(tables, 2, clock="7200+0")
        await give_seats(tables, table, {1: me(client)})
        assert found
        (event,) = icalendar.Calendar.from_ical((await client.get(found[0])).text).walk("VEVENT")
        assert event["URL"] == f"https://play.club.example/t/{table.id}"


@asynccontextmanager
async def running_as(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://paddock.test") as client:
        yield client


async def test_programs_say_how_they_are_called(app: FastAPI, client: httpx.AsyncClient) -> None:
    api = await program(app)
    said = fine(await api.get("/reach"))
    assert said["everywhere"] and said["channels"] == [] and said["quiet"] is None
    assert len(push.decoded(said["push_key"])) == 65
    body = {"everywhere": False, "zone": "Europe/Berlin", "quiet": {"start": 1320, "end": 420}, "remind": 900}
    said = fine(await api.put("/reach", json=body))
    assert {name: said[name] for name in body} == body
    refused(await api.put("/reach", json=body | {"zone": "Mars/Base"}), 422)
    table = fine(
        await api.post("/tables", json={"title": "lacorsa", "seats": ["me", "rookie", "rookie", "rookie"]}),
        201,
    )
    said = fine(await api.put(f"/reach/tables/{table['id']}", json={"wanted": True}))
    assert said["tables"] == {table["id"]: True}
    refused(await api.put("/reach/tables/nowhere", json={"wanted": True}), 404)
    address = "https://ntfy.sh/my-secret-topic"
    made = fine(await api.post("/reach/channels", json={"kind": "ntfy", "address": address}), 201)
    assert made["kind"] == "ntfy" and made["confirmed"] and made["fault"] == ""
    assert "my-secret-topic" not in (await api.get("/reach")).text
    refused(await api.post("/reach/channels", json={"kind": "ntfy", "address": "ftp://x"}), 422)
    refused(await api.post("/reach/channels", json={"kind": "email", "address": "me@example.com"}), 422)
    mine = {"endpoint": "https://push.example/1", **Subscription().fields}
    pushed = fine(await api.post("/reach/push", json=mine), 201)
    known = fine(await api.post("/reach/push", json=mine), 201)
    assert known["id"] == pushed["id"], "what waits for it goes on waiting"
    again = fine(await api.post("/reach/push", json=mine | Subscription().fields), 201)
    assert pushed["id"] != again["id"] and len(fine(await api.get("/reach"))["channels"]) == 2
    refused(
        await api.post("/reach/push", json={"endpoint": "https://p.example", "p256dh": "x", "auth": "y"}), 422
    )
    for id in (made["id"], again["id"]):
        assert (await api.delete(f"/reach/channels/{id}")).status_code == 204
    refused(await api.delete(f"/reach/channels/{made['id']}"), 422)
    refused(await api.post(f"/reach/channels/{made['id']}/test"), 422)
    link = fine(await api.post("/reach/calendar"), 201)["url"]
    path = link.removeprefix("http://paddock.test")
    assert (await client.get(path)).status_code == 200
    assert fine(await api.get("/reach"))["calendar"]
    assert (await api.delete("/reach/calendar")).status_code == 204
    assert (await client.get(path)).status_code == 404


async def test_the_service_worker_is_at_a_lasting_address(client: httpx.AsyncClient) -> None:
    answer = await client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache" and "showNotification" in answer.text


async def test_what_is_no_subscription_is_refused(client: httpx.AsyncClient) -> None:
    keys = Subscription().fields
    for fields in (
        {"endpoint": "ftp://x", **keys},
        {"endpoint": "https://push.example/1", "p256dh": "AAAA", "auth": keys["auth"]},
        {
            "endpoint": "https://push.example/1",
            "p256dh": keys["p256dh"],
            "auth": base64.b64encode(b"x").decode(),
        },
    ):
        assert (await client.post("/reach/push", data=fields)).status_code == 422
    assert (
        await client.post("/reach/unpush", data={"endpoint": "https://push.example/1"})
    ).status_code == 204
    await client.post("/reach/push", data={"endpoint": "https://push.example/1", **keys})
    assert "push.example" in (await client.get("/reach")).text
    await client.post("/reach/unpush", data={"endpoint": "https://push.example/1"})
    assert "push.example" not in (await client.get("/reach")).text
