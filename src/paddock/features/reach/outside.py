"""What the operator of a server says about messages: a mail server, networks, and where links lead."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Self
from urllib.parse import unquote, urlsplit

from paddock.core.settings import Settings

PATIENCE = 20.0  # seconds that a mail server has for each step
HERE = ("localhost", "127.0.0.1", "::1")


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
