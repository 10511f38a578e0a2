"""Push in a real browser: it subscribes, and its service worker shows a message when no page of ours is open.

The push service of a browser is a machine of its maker, which tests cannot reach. So the page gets a
subscription whose keys the test has; the message goes from the server to a push service of the test, which
decrypts it, and on to the service worker by the browser's own tools for developers.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from features.reach.test_reach_pages import Subscription
from web.conftest import Server
from web.test_browser_access import clean

PHONE = {"width": 360, "height": 740}
STUB = """
    const keys = %s;
    // of another server, which had this address before: it is of no use
    window.subscribed = { options: { applicationServerKey: new ArrayBuffer(65) }, unsubscribe: async () => {
        window.subscribed = null;
        return true;
    } };
    PushManager.prototype.getSubscription = async () => window.subscribed ?? null;
    PushManager.prototype.subscribe = async (options) => {
        if (window.subscribed) throw new DOMException("it has another key", "InvalidStateError");
        window.asked = options;
        window.subscribed = { toJSON: () => keys, endpoint: keys.endpoint, unsubscribe: async () => true };
        return window.subscribed;
    };
"""
# A browser without windows has nowhere to show notifications: its worker notes them instead.
NOTES = """() => {
    self.shown = [];
    registration.showNotification = async (title, more) => void self.shown.push({ title, ...more });
    registration.getNotifications = async ({ tag }) => self.shown.filter((one) => one.tag === tag);
}"""


# A browser without windows says that notifications are denied, whatever was granted.
FRESHLY = """
    window.subscribed = null;
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
"""
# What a browser does when it has replaced a subscription; the worker's answer is what it has asked for
CHANGES = """() => new Promise((done, failed) => {
    const event = new Event("pushsubscriptionchange");
    event.waitUntil = (work) => work.then(() => done(self.asked), failed);
    self.dispatchEvent(event);
})"""
RENEWS = """(keys) => {
    PushManager.prototype.subscribe = async (options) => {
        self.asked = options.applicationServerKey;
        return { toJSON: () => keys };
    };
}"""


@pytest.fixture
def push_service() -> Iterator[tuple[str, Queue[bytes]]]:
    """The address of a push service, and what it gets."""
    got: Queue[bytes] = Queue()

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.put(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(201)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/send/1", got
    server.shutdown()


@pytest.fixture
def reaching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose messages may go to this machine."""
    monkeypatch.setenv("PADDOCK_REACH_NETWORKS", "127.0.0.1")
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.mark.slow("a server of its own, and a browser with a service worker")
def test_a_message_reaches_a_browser_with_the_tab_closed(
    browser: Browser, reaching: Server, push_service: tuple[str, Queue[bytes]]
) -> None:
    endpoint, got = push_service
    mine = Subscription()
    context = browser.new_context(permissions=["notifications"], viewport=PHONE, bypass_csp=True)
    context.add_init_script(STUB % json.dumps({"endpoint": endpoint, "keys": mine.fields}))
    page = context.new_page()
    page.goto(f"{reaching.url}reach")
    clean(page, "reach me")
    page.get_by_role("button", name="Notify me on this device").click()
    expect(page.locator(".ways")).to_contain_text("A browser 127.0.0.1")
    assert page.evaluate("navigator.serviceWorker.ready.then((it) => it.scope)") == reaching.url
    page.get_by_role("button", name="Test").click()
    said = json.loads(mine.read(got.get()))
    assert said["title"] == "It works"
    (worker,) = context.service_workers
    worker.evaluate(NOTES)
    tools = context.new_cdp_session(context.new_page())
    ids: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: ids.extend(one["registrationId"] for one in event["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    page.close()  # no page of ours is open any more
    while not ids:
        context.pages[0].wait_for_timeout(20)
    parcel = {"origin": reaching.url.rstrip("/"), "registrationId": ids[0]}
    for one in (said, said, said | {"id": "another"}):  # a repeat is not shown again
        tools.send("ServiceWorker.deliverPushMessage", parcel | {"data": json.dumps(one)})
    while not any(one["data"]["id"] == "another" for one in worker.evaluate("self.shown")):
        context.pages[0].wait_for_timeout(20)
    first, _second = worker.evaluate("self.shown")
    assert (first["title"], first["body"], first["tag"]) == ("It works", said["body"], said["tag"])
    assert first["data"] == {"id": said["id"], "url": f"{reaching.url}reach"}

    # The browser has another subscription, and does not say what the old one was.
    fresh = {"endpoint": f"{endpoint}/fresh", "keys": mine.fields}
    worker.evaluate(RENEWS, fresh)
    assert worker.evaluate(CHANGES)
    page = context.new_page()
    page.goto(f"{reaching.url}reach")
    expect(page.locator(".ways li")).to_have_count(2)
    context.close()


def test_a_subscription_that_has_ended_without_a_word_is_renewed(browser: Browser, server: Server) -> None:
    """The kind: a lifetime of what nothing else restores. Nobody is told when a push service forgets it."""
    context = browser.new_context(permissions=["notifications"])
    keys = {"endpoint": "https://push.example/1", "keys": Subscription().fields}
    context.add_init_script(STUB % json.dumps(keys) + FRESHLY)
    page = context.new_page()
    page.goto(f"{server.url}reach")
    page.get_by_role("button", name="Notify me on this device").click()
    ways = page.locator(".ways li")
    expect(ways).to_have_count(1)
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(urlsplit(request.url).path))
    id = ways.locator("button[name=id]").first.get_attribute("value") or ""
    page.request.post(f"{server.url}reach/drop", form={"id": id})  # as when the push service says so
    past = "days => localStorage.setItem('paddock.push', Date.now() - days * 86400000)"
    page.evaluate(past, 29)
    page.goto(server.url, wait_until="networkidle")
    assert "/reach/push" not in asked
    page.evaluate(past, 31)
    with page.expect_request_finished(lambda request: request.url.endswith("/reach/push")):
        page.goto(server.url)
    page.goto(f"{server.url}reach")
    expect(ways).to_have_count(1)

    ways.get_by_role("button", name="Remove").click()
    expect(ways).to_have_count(0)
    assert page.evaluate("localStorage.getItem('paddock.push')") == "", "nobody asks for it again"
    page.goto(server.url, wait_until="networkidle")
    assert asked.count("/reach/push") == 1
    context.close()
