"""A browser checks the cards of its own game by itself, and finds whatever was changed in the record."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

import paddock
from paddock import records
from paddock.bots import bot
from paddock.bots.fair import answer, commitment, draws, keyed, seen_by
from paddock.core.game import Game
from paddock.records import Fair
from sampling import some
from web.browser import post, watch
from web.clipped import clipped
from web.conftest import Server
from web.test_browser_access import clean_in_both
from web.test_browser_friends import LOBBY, friends, play_on

PHONE = {"width": 375, "height": 667}


def sha256_of(page: Page) -> str:
    """Return the address of the module with which pages hash."""
    main = page.locator("script[src$='/main.js']").get_attribute("src") or ""
    return main.replace("main.js", "sha256.js")


def test_scripts_hash_as_python_does(browser: Browser, server: Server) -> None:
    page, draw = browser.new_page(), random.Random(5)
    page.goto(f"{server.url}fair")
    some = [draw.randbytes(n) for n in (*range(70), 119, 120, 128, 1000, 100_000)]
    found = page.evaluate(
        """async ([module, some]) => {
            const { hex, hmac, sha256, unhex } = await import(module);
            const both = (text) => [sha256(text), hmac(text.slice(0, 32), text)].map(hex);
            return some.map((text) => both(unhex(text)));
        }""",
        [sha256_of(page), [text.hex() for text in some]],
    )
    assert found == [
        [hashlib.sha256(text).hexdigest(), hmac.digest(text[:32], text, "sha256").hex()] for text in some
    ]
    page.close()


@cache
def proved(name: str) -> str:
    """Return the record of a game of bots whose chance follows from a secret."""
    title, secret = paddock.title(name), "7e" * 32
    options = title.options.read(title.presets[0].values if title.presets else title.one_round)
    fair = Fair("paddock daily 1 2026-03-01 x", commitment(secret), secret, level="rookie")
    game, chance, rookie = Game(title, options), keyed(secret, fair.said), bot(title, "rookie")
    while not game.over:
        if game.chance_due:
            game.append(game.draw(chance))
        else:
            seat = game.deciders[0]
            game.play(seat, answer(chance, rookie, seen_by(game, seat), seat))
    players = [(name, None) for name in game.names]
    return records.write(game, date="2026-03-01", players=players, fair=fair)


@pytest.mark.parametrize("name", some(("great_race", "rasant", "lacorsa"), 1, "fair"))
def test_a_browser_finds_the_outcomes_of_every_title(browser: Browser, server: Server, name: str) -> None:
    with friends(browser, 1) as (page,):
        page.goto(f"{server.url}fair")
        text = proved(name)
        assert check(page, text) == []
        expect(page.locator("[data-check=draws]")).to_contain_text(f": {len(draws(records.read(text)))}")


def check(page: Page, text: str) -> list[str]:
    """Check a record on the page; return the names of what is wrong."""
    if not page.locator("#record").is_visible():
        page.locator("#check summary").click()
    page.locator("#record").fill(text)
    page.locator("#check button").click()
    expect(page.locator("#verdict, [data-check=none], [data-check=lost]").last).not_to_be_empty()
    return page.locator("#checks .is-bad").evaluate_all("(lines) => lines.map((line) => line.dataset.check)")


def test_a_browser_checks_its_own_game(browser: Browser, server: Server) -> None:
    with friends(browser, 3, viewport=PHONE) as (ana, ben, stranger):
        faults = [watch(page) for page in (ana, ben)]
        asked = LOBBY | {"title": "lacorsa", "fair": "yes", "who-3": "rookie", "races": 1}
        link = post(ana, f"{server.url}tables", **asked)
        post(ben, f"{link}/seats", do="claim", player=1, name="Ben")
        for page in (ana, ben):
            page.goto(link)
            expect(page.locator(".hex code")).to_have_text(re.compile("^[0-9a-f]{64}$"))
            assert clipped(page) == []
            page.get_by_role("button", name="I am ready").click()
        ana.wait_for_selector("form.compose")
        play_on(link, ana, ben)
        ana.goto(link)
        record = ana.request.get(f"{link}/record").text()
        ana.get_by_role("link", name="Check the cards").click()
        expect(ana.locator("#verdict")).to_contain_text("are fair")
        names = ana.locator("#checks li").evaluate_all("(lines) => lines.map((line) => line.dataset.check)")
        assert names == ["name", "hash", "noted", "mixed", "mine", "draws"]
        assert clipped(ana) == []
        clean_in_both(ana, "fair cards")

        unsigned = re.sub("checksum: .*\n", "", record)
        secret = re.findall('"secret": "([0-9a-f]+)"', record)[0]
        lot = re.findall('"1": "([0-9a-f]+)"', record)[0]
        card = re.sub(r"^deal 1: (\S+) (\S+)", r"deal 1: \2 \1", unsigned, count=1, flags=re.MULTILINE)
        other = hashlib.sha256(bytes(32)).hexdigest()
        forged = re.sub('"commitment": "[0-9a-f]+"', f'"commitment": "{other}"', unsigned)
        changed = [
            (record.replace(secret, "00" * 32), ["record"]),  # the checksum says so
            (unsigned.replace(secret, "00" * 32), ["other-hash", "not-noted", "fault"]),
            (forged.replace(secret, "00" * 32), ["not-noted", "fault"]),  # another secret with its own hash
            (unsigned.replace(lot, "00" * 16), ["not-mixed", "not-mine"]),
            (re.sub("fair: .*\n", "", unsigned), ["none"]),
        ]
        if card != unsigned:  # else both are the same
            changed.append((card, ["fault"]))
        for text, wrong in changed:
            assert text != record
            assert check(ana, text) == wrong
            assert wrong in (["none"],) or "wrong" in (ana.locator("#verdict").text_content() or "")
        assert check(ana, record) == []
        assert (
            faults[1] == []
            and [fault for fault in faults[0] if "422" not in fault and "fair/draws" not in fault] == []
        )

        stranger.goto(f"{server.url}fair?table={link.rpartition('/')[2]}")
        expect(stranger.locator("#verdict")).to_contain_text("are fair")
        expect(stranger.locator("[data-check=unknown]")).to_be_visible()
        expect(stranger.locator("[data-check=mine]")).to_have_count(0)
        stranger.locator("#hash").fill(other)
        assert check(stranger, record) == ["not-noted"]
        stranger.locator("#hash").fill(hashlib.sha256(bytes.fromhex(secret)).hexdigest().upper())
        assert check(stranger, record) == []
