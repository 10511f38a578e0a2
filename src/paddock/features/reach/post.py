"""How a message goes out on each kind of channel."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import smtplib
import ssl
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import unquote, urlsplit, urlunsplit

from paddock.core.errors import PaddockError
from paddock.core.i18n import Sentence, _
from paddock.core.settings import Settings
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.words import Message

if TYPE_CHECKING:
    from paddock.features.reach.net import Web

log = logging.getLogger("paddock.tables")
PATIENCE = 20.0  # seconds that a mail server has for each step
HERE = ("localhost", "127.0.0.1", "::1")
EMAIL, PUSH, NTFY = "email", "push", "ntfy"
HOOKS = ("webhook", "discord", "slack", NTFY)
# A slow mail server holds these threads up, and not those that read forms.
_MAILING = ThreadPoolExecutor(4, "paddock-mail")


@dataclass(frozen=True)
class Sent:
    """What became of a message."""

    ok: bool
    gone: bool = False  # the channel does not exist any more
    after: float = 0.0  # seconds after which the receiver wants it again
    why: Sentence | None = None


class Post(Protocol):
    """Sends messages."""

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once. ``contact`` is an address at which the operator of this server is known."""

    async def close(self) -> None:
        """Close the connections."""


@dataclass(frozen=True)
class Mail:
    """A mail server: ``smtp://NAME:PASSWORD@HOST:PORT`` or ``smtps://…``, and whom messages come from."""

    url: str
    sender: str

    def deliver(self, message: EmailMessage) -> None:
        """Hand a message over; raise ``OSError`` or ``smtplib.SMTPException``."""
        parts = urlsplit(self.url)
        host, trusted = parts.hostname or "localhost", ssl.create_default_context()
        if parts.scheme == "smtps":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                host, parts.port or 465, timeout=PATIENCE, context=trusted
            )
        else:
            server = smtplib.SMTP(host, parts.port or 587, timeout=PATIENCE)
        with server:
            server.ehlo()
            if parts.scheme != "smtps" and server.has_extn("starttls"):
                server.starttls(context=trusted)
                server.ehlo()
            elif parts.scheme != "smtps" and parts.username and host not in HERE:
                raise smtplib.SMTPNotSupportedError("no STARTTLS: the password would be read on its way")
            if parts.username:
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(message)


@dataclass(frozen=True)
class Outside:
    """What the operator of a server says about messages."""

    allowed: frozenset[str] = frozenset()  # networks that webhooks may reach, although they are private
    mail: Mail | None = None
    site: str = ""  # where links in messages lead; empty: to the address that the browser has used

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what the settings say.

        Without a fixed address there is no e-mail: strangers could let its links lead to their own site.
        """
        mail, site = None, settings.public_url and settings.public_url + settings.base_path
        if settings.smtp_url and settings.mail_from and settings.named:
            mail = Mail(settings.smtp_url, settings.mail_from)
        return cls(settings.reach_networks, mail, site)


class Carrier:
    """Sends messages by web and by mail."""

    def __init__(
        self, push_key: str, now: Callable[[], datetime], outside: Outside, web: Web | None = None
    ) -> None:
        self._push_key = push_key
        self._now = now
        self._allowed = outside.allowed
        self._mail = outside.mail
        self._web = web

    @property
    def web(self) -> Web:
        """The client, made when it is first needed: most servers start without it."""
        if self._web is None:
            from paddock.features.reach.net import Checked, Web

            self._web = Web(Checked(self._allowed))
        return self._web

    async def close(self) -> None:
        """Close the connections."""
        if self._web is not None:
            await self._web.close()

    async def send(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Send a message once."""
        try:
            if channel.kind == EMAIL:
                return await self._by_mail(channel, message)
            if channel.kind == PUSH:
                return await self._by_push(channel, message, contact)
            return await self._by_web(channel, message)
        except PaddockError as error:
            why = error.message if isinstance(error.message, Sentence) else Sentence(str(error))
            return Sent(False, why=why)

    async def _by_web(self, channel: ChannelRow, message: Message) -> Sent:
        url, body = hook(channel.kind, channel.address, message)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Paddock",
            "Paddock-Message": message.id,
        }
        status, said, _text = await self.web.post(url, headers, json.dumps(body).encode())
        return _answered(status, said, gone=(410,))

    async def _by_push(self, channel: ChannelRow, message: Message, contact: str) -> Sent:
        from paddock.features.reach import push

        text = json.dumps(notification(message)).encode()
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(push.KEPT),
            "Urgency": "high",
            "Topic": push.topic(f"{channel.id} {message.table or message.id}"),
            "Authorization": push.authorization(channel.address, self._push_key, contact, self._now()),
        }
        status, said, _text = await self.web.post(
            channel.address, headers, push.encrypted(text, channel.keys)
        )
        return _answered(status, said, gone=(404, 410))

    async def _by_mail(self, channel: ChannelRow, message: Message) -> Sent:
        if self._mail is None:
            return Sent(False, why=Sentence("this server sends no e-mail any more"))
        try:
            mail = letter(channel.address, message, self._mail.sender, self._now())
            await asyncio.get_running_loop().run_in_executor(_MAILING, self._mail.deliver, mail)
        except smtplib.SMTPRecipientsRefused:
            return Sent(False, why=Sentence("the mail server refused this address"))
        except (OSError, smtplib.SMTPException) as error:
            log.warning("the mail server did not take a message: %s", type(error).__name__)
            return Sent(False, why=Sentence("the mail server did not take it"))
        return Sent(True)


def _answered(status: int, said: Mapping[str, str], gone: Collection[int]) -> Sent:
    if 200 <= status < 300:
        return Sent(True)
    after = said.get("retry-after", "")
    return Sent(
        False,
        status in gone,
        float(after) if after.isascii() and after.isdigit() and len(after) < 9 else 0.0,
        Sentence("it answered {status}", status=status),
    )


# The forms


def notification(message: Message) -> dict[str, Any]:
    """Return what the service worker gets: it shows one notification for each table."""
    return {
        "id": message.id,
        "title": message.subject,
        "body": message.text,
        "url": message.url,
        "tag": message.table or "paddock",
    }


def _plain(text: str) -> str:
    """Return text in which Discord finds no marks, so that a name is no link."""
    return re.sub(r"([\\\[\](){}*_~`|<>#:])", r"\\\1", text)


_TOPIC = re.compile(r"[A-Za-z0-9_-]{1,64}")  # as ntfy has them


def ntfy(address: str) -> tuple[str, str]:
    """Return where a message to a topic of ntfy is sent, and the topic. Raises ``PaddockError`` without one.

    JSON is sent to the address without the topic; what follows «?» stays, such as the token in ``auth``.
    """
    parts = urlsplit(address)
    path, _slash, topic = parts.path.rstrip("/").rpartition("/")
    if not _TOPIC.fullmatch(topic):
        raise PaddockError(_("write the address of a topic, such as https://ntfy.sh/my-turns"))
    return urlunsplit((parts.scheme, parts.netloc, path or "/", parts.query, "")), topic


def hook(kind: str, address: str, message: Message) -> tuple[str, dict[str, Any]]:
    """Return where a webhook of this kind is sent, and what."""
    if kind == "discord":
        words, end = f"**{_plain(message.subject)}**. {_plain(message.text)}", f" {message.url}"
        return address, {"content": words[: 2000 - len(end)] + end, "allowed_mentions": {"parse": []}}
    if kind == "slack":
        words = f"{message.whole} {message.url}"
        for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            words = words.replace(sign, name)
        return address, {"text": words}
    if kind == NTFY:
        server, topic = ntfy(address)
        return server, {
            "topic": topic,
            "title": message.subject,
            "message": message.text,
            "click": message.url,
            "tags": ["checkered_flag"],
        }
    deadline = message.deadline.isoformat(timespec="seconds") if message.deadline else None
    return address, {
        "id": message.id,
        "kind": message.kind,
        "subject": message.subject,
        "text": message.text,
        "url": message.url,
        "game": message.game,
        "title": message.title,
        "table": message.table,
        "waits": list(message.waits),
        "deadline": deadline,
        "made_at": message.made_at.isoformat(timespec="seconds"),
    }


# Mail programs find no link to unsubscribe in a header that is folded.
WHOLE_LINES = default.clone(max_line_length=998)


def letter(address: str, message: Message, sender: str, now: datetime) -> EmailMessage:
    """Return a message as e-mail, with the link that ends them."""
    found = EmailMessage(WHOLE_LINES)
    found["From"], found["To"] = sender, address
    found["Subject"] = " ".join(message.subject.split())
    found["Date"] = format_datetime(now)
    found["Message-ID"] = f"<{message.id}@{urlsplit(message.url).hostname or 'paddock'}>"
    found["Auto-Submitted"] = "auto-generated"
    lines = [message.text, "", message.url]
    if message.stop:
        found["List-Unsubscribe"] = f"<{message.stop}>"
        found["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        lines += ["", "-- ", _("Stop these messages: {link}").format(link=message.stop)]
    found.set_content("\n".join(lines) + "\n")
    return found
