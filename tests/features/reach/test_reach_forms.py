"""The forms that a message takes on its way: webhooks, e-mail and notifications; and what is answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from features.reach.reached import HOOK, SITE
from paddock.core.errors import PaddockError
from paddock.features.reach import push
from paddock.features.reach.calls import TURN
from paddock.features.reach.net import CheckedConnections, Web
from paddock.features.reach.outside import Outside
from paddock.features.reach.post import Carrier
from paddock.features.reach.rows import ChannelRow
from paddock.features.reach.ways import WAYS, way_of
from paddock.features.reach.ways.device import notification
from paddock.features.reach.ways.mail import letter
from paddock.features.reach.ways.way import Hook, Sent
from paddock.features.reach.words import Message

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = AT + timedelta(days=1)
OURS, THEIRS = (push.encoded(bytes([n]) * 32) for n in (1, 2))  # the private keys of a server and a browser
KEYS = f"{push.encoded(push.raw(push.private(THEIRS).public_key()))} {push.encoded(bytes(16))}"


def message(**more: Any) -> Message:
    facts: dict[str, Any] = {
        "id": "1f" * 16, "kind": TURN, "subject": "LACORSA: it is your turn", "text": "Ana <&> @all waits.",
        "url": f"{SITE}/t/abc", "made_at": AT, "game": "lacorsa", "title": "LACORSA", "table": "abc",
        "waits": ("Ana",), "deadline": AT + timedelta(hours=1),
    }  # fmt: skip
    return Message(**facts | more)


def form(kind: str, address: str, of: Message) -> tuple[str, dict[str, Any]]:
    """Return where a message is sent by a webhook of this kind, and what."""
    way = WAYS[kind]
    assert isinstance(way, Hook)
    return way.form(address, of)


def test_the_shapes_of_webhooks() -> None:
    where, own = form("webhook", "https://x.example/me", message())
    assert where == "https://x.example/me"
    assert own == {
        "id": "1f" * 16, "kind": "turn", "subject": "LACORSA: it is your turn", "text": "Ana <&> @all waits.",
        "url": f"{SITE}/t/abc", "game": "lacorsa", "title": "LACORSA", "table": "abc", "waits": ["Ana"],
        "deadline": "2026-03-01T13:00:00+00:00", "made_at": "2026-03-01T12:00:00+00:00",
    }  # fmt: skip
    _where, discord = form("discord", "https://d.example/1", message(text="x" * 3000))
    assert len(discord["content"]) == 2000 and discord["allowed_mentions"] == {"parse": []}
    assert set(discord) == {"content", "allowed_mentions"}
    assert discord["content"].endswith(f"x {SITE}/t/abc")
    named = message(text="[Free](https://x.example) *_~`|<#1>\\{} waits.")
    _where, discord = form("discord", "https://d.example/1", named)
    said = r"\[Free\]\(https\://x.example\) \*\_\~\`\|\<\#1\>\\\{\} waits."
    assert discord["content"] == rf"**LACORSA\: it is your turn**. {said} {SITE}/t/abc"
    _where, slack = form("slack", "https://s.example/1", message())
    assert slack == {"text": f"LACORSA: it is your turn. Ana &lt;&amp;&gt; @all waits. {SITE}/t/abc"}
    where, ntfy = form("ntfy", "https://ntfy.example/sub/my-turns/", message())
    assert where == "https://ntfy.example/sub" and ntfy["topic"] == "my-turns"
    assert ntfy["click"] == f"{SITE}/t/abc" and ntfy["title"] == "LACORSA: it is your turn"
    assert set(ntfy) == {"topic", "title", "message", "click", "tags"}


def test_the_token_of_a_topic_of_ntfy_is_sent() -> None:
    """The kind: a part of an input is dropped without a word. ntfy takes a token in the address."""
    where, said = form("ntfy", "https://ntfy.example/my-turns?auth=QmVhcmVyIHRrX3g&priority=4", message())
    assert where == "https://ntfy.example/?auth=QmVhcmVyIHRrX3g&priority=4" and said["topic"] == "my-turns"


@pytest.mark.parametrize("path", ["", "/", "/my%20turns", "/a,b", "/" + "x" * 65, "?auth=x"])
def test_an_address_of_ntfy_has_a_topic(path: str) -> None:
    with pytest.raises(PaddockError, match="write the address of a topic"):
        form("ntfy", f"https://ntfy.example{path}", message())


def test_an_e_mail_has_a_link_that_ends_them_and_the_same_id_each_time() -> None:
    stop = f"{SITE}/reach/stop/1/x"
    sender = "Paddock <p@club.example>"
    mail = letter("ben@example.com", message(subject="A\nB: forged", stop=stop), sender, LATER)
    assert mail["Subject"] == "A B: forged" and mail["To"] == "ben@example.com"
    assert mail["Date"] == "Mon, 02 Mar 2026 12:00:00 +0000", "when it is sent, not when the turn began"
    assert mail["Message-ID"] == f"<{'1f' * 16}@club.example>"
    long = letter("ben@example.com", message(stop=stop + "x" * 200), sender, LATER)
    assert f"\nList-Unsubscribe: <{stop}{'x' * 200}>\n" in long.as_string(), "it is read in one piece"
    assert mail["List-Unsubscribe"] == f"<{stop}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = mail.get_content()
    assert f"{SITE}/t/abc" in text and f"Stop these messages: {stop}" in text


def test_a_notification_replaces_the_one_before_of_its_table() -> None:
    assert notification(message())["tag"] == "abc"
    assert notification(message(table=None))["tag"] == "paddock"


class Answering(Web):
    """Sends nothing: each request has the same answer."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(CheckedConnections())
        self.said = status, {name.replace("_", "-"): value for name, value in headers.items()}

    async def post(self, *_request: object) -> tuple[int, dict[str, str], bytes]:
        return *self.said, b""


async def answered(kind: str, web: Web) -> Sent:
    """Send a message on a channel of a kind."""
    channel = ChannelRow("1", "b" * 64, kind, f"{HOOK}b", AT, KEYS)
    return await Carrier(OURS, lambda: AT, Outside(), web).send(channel, message(), SITE)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("status", "hook_is", "push_is"),
    [
        (199, "wrong", "wrong"), (200, "fine", "fine"), (299, "fine", "fine"), (300, "wrong", "wrong"),
        (404, "wrong", "gone"), (410, "gone", "gone"), (411, "wrong", "wrong"), (500, "wrong", "wrong"),
    ],
)  # fmt: skip
async def test_what_the_status_of_an_answer_means(status: int, hook_is: str, push_is: str) -> None:
    """A webhook may be missing for a while; a push service says so of a subscription that has ended."""
    for kind, expected in (("webhook", hook_is), ("push", push_is)):
        sent = await answered(kind, Answering(status))
        assert (sent.ok, sent.gone) == (expected == "fine", expected == "gone")
        assert str(sent.why or "") == ("" if sent.ok else f"it answered {status}")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("120", 120.0), ("12345678", 12345678.0), ("123456789", 0.0), ("-1", 0.0), ("1.5", 0.0), ("²", 0.0),
        ("", 0.0), ("Sun, 01 Mar 2026 13:00:00 GMT", 0.0),
    ],
)  # fmt: skip
async def test_a_receiver_says_in_seconds_when_it_wants_a_message_again(said: str, after: float) -> None:
    assert (await answered("webhook", Answering(429, retry_after=said))).after == after
    assert (await answered("webhook", Answering(429))).after == 0.0


def test_no_two_messages_are_encrypted_with_the_same_salt_or_key() -> None:
    one, two = (push.encrypted(b"your turn", KEYS) for _ in range(2))
    assert len(one) == len(two) and one[:16] != two[:16] and one[21:86] != two[21:86]
    given = {"salt": b"0123456789abcdef", "ours": push.private(OURS)}
    assert push.encrypted(b"your turn", KEYS, **given)[:16] == given["salt"]
    assert len({push.encrypted(b"your turn", KEYS, **given) for _ in range(2)}) == 1


@pytest.mark.anyio
async def test_every_way_has_a_name_and_one_that_was_removed_sends_nothing() -> None:
    assert {way.kind for way in WAYS.values()} == set(WAYS) and all(way.name for way in WAYS.values())
    channel = ChannelRow("1", "b", "smoke", "https://smoke.example/signals", AT)
    sent = await Carrier(OURS, lambda: AT, Outside()).send(channel, message(), SITE)
    assert not sent.ok and not sent.gone and "no longer" in str(sent.why)
    assert (way_of("smoke").name, way_of("smoke").shown(channel.address)) == ("smoke", "smoke.example")
