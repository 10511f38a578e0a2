"""The forms that a message takes on its way: webhooks, e-mail and notifications."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from paddock.store import TURN
from paddock.tables.reach.post import hook, letter, notification
from paddock.tables.reach.words import Message
from tables.reached import SITE


def message(**more: Any) -> Message:
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    facts: dict[str, Any] = {
        "id": "1f" * 16, "kind": TURN, "subject": "LACORSA: it is your turn", "text": "Ana <&> @all waits.",
        "url": f"{SITE}/t/abc", "made_at": at, "game": "lacorsa", "title": "LACORSA", "table": "abc",
        "waits": ("Ana",), "deadline": at + timedelta(hours=1),
    }  # fmt: skip
    return Message(**facts | more)


def test_the_shapes_of_webhooks() -> None:
    where, own = hook("webhook", "https://x.example/me", message())
    assert where == "https://x.example/me"
    assert own == {
        "id": "1f" * 16, "kind": "turn", "subject": "LACORSA: it is your turn", "text": "Ana <&> @all waits.",
        "url": f"{SITE}/t/abc", "game": "lacorsa", "title": "LACORSA", "table": "abc", "waits": ["Ana"],
        "deadline": "2026-03-01T13:00:00+00:00", "made_at": "2026-03-01T12:00:00+00:00",
    }  # fmt: skip
    _where, discord = hook("discord", "https://d.example/1", message(text="x" * 3000))
    assert len(discord["content"]) == 2000 and discord["allowed_mentions"] == {"parse": []}
    assert discord["content"].endswith(f"x {SITE}/t/abc")
    named = message(text="[Free](https://x.example) *_~`|<#1>\\{} waits.")
    _where, discord = hook("discord", "https://d.example/1", named)
    said = r"\[Free\]\(https\://x.example\) \*\_\~\`\|\<\#1\>\\\{\} waits."
    assert discord["content"] == rf"**LACORSA\: it is your turn**. {said} {SITE}/t/abc"
    _where, slack = hook("slack", "https://s.example/1", message())
    assert slack == {"text": f"LACORSA: it is your turn. Ana &lt;&amp;&gt; @all waits. {SITE}/t/abc"}
    where, ntfy = hook("ntfy", "https://ntfy.example/sub/my%20turns/?x=1", message())
    assert where == "https://ntfy.example/sub" and ntfy["topic"] == "my turns"
    assert ntfy["click"] == f"{SITE}/t/abc" and ntfy["title"] == "LACORSA: it is your turn"


def test_an_e_mail_has_a_link_that_ends_them_and_the_same_id_each_time() -> None:
    stop = f"{SITE}/reach/stop/1/x"
    mail = letter("ben@example.com", message(subject="A\nB: forged", stop=stop), "Paddock <p@club.example>")
    assert mail["Subject"] == "A B: forged" and mail["To"] == "ben@example.com"
    assert mail["Message-ID"] == f"<{'1f' * 16}@club.example>"
    long = letter("ben@example.com", message(stop=stop + "x" * 200), "Paddock <p@club.example>")
    assert f"\nList-Unsubscribe: <{stop}{'x' * 200}>\n" in long.as_string(), "it is read in one piece"
    assert mail["List-Unsubscribe"] == f"<{stop}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = mail.get_content()
    assert f"{SITE}/t/abc" in text and f"Stop these messages: {stop}" in text


def test_a_notification_replaces_the_one_before_of_its_table() -> None:
    assert notification(message())["tag"] == "abc"
    assert notification(message(table=None))["tag"] == "paddock"
