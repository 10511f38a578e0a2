"""E-mail, to which the owner of the address must agree first."""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from urllib.parse import urlsplit

from paddock.core.errors import BadOption
from paddock.core.i18n import Sentence, _, mark
from paddock.features.reach.outside import Outside
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.ways.way import CallWay, Means, Sent
from paddock.features.reach.words import Message

log = logging.getLogger("paddock.tables")
# A slow mail server holds these threads up, and not those that read forms.
_MAILING = ThreadPoolExecutor(4, "paddock-mail")
# Mail programs find no link to unsubscribe in a header that is folded.
WHOLE_LINES = default.clone(max_line_length=998)
_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"(?=.{{1,64}}@)(?=.{{1,254}}$){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+[A-Za-z]{{2,63}}")


class Email(CallWay):
    """An e-mail address."""

    kind, name, hint, last, asks = "email", mark("E-mail"), "me@example.com", True, True
    you_do = "an address, where the server sends mail"
    you_get = (
        "a question first: nothing else comes before you agree. Every message has a link that ends them: "
        "then nobody can ask the address again for a year"
    )

    def offered(self, outside: Outside) -> bool:
        """Whether this server can send e-mail."""
        return outside.mail is not None

    def check(self, address: str, outside: Outside) -> None:
        """Raise ``BadOption`` for what is no address, and where this server sends no e-mail."""
        if not self.offered(outside):
            raise BadOption([_("this server sends no e-mail")])
        if not ADDRESS.fullmatch(address):
            raise BadOption([_("this is not an e-mail address")])

    def shown(self, address: str) -> str:
        """Return all of an address."""
        return address

    async def send(self, means: Means, channel: ChannelRow, message: Message, contact: str) -> Sent:
        """Hand a message over to the mail server."""
        server = means.outside.mail
        if server is None:
            return Sent(False, why=Sentence("this server sends no e-mail any more"))
        try:
            mail = letter(channel.address, message, server.sender, means.now())
            await asyncio.get_running_loop().run_in_executor(_MAILING, server.deliver, mail)
        except smtplib.SMTPRecipientsRefused:
            return Sent(False, why=Sentence("the mail server refused this address"))
        except (OSError, smtplib.SMTPException) as error:
            log.warning("the mail server did not take a message: %s", type(error).__name__)
            return Sent(False, why=Sentence("the mail server did not take it"))
        return Sent(True)


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
