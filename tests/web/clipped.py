"""Text never leaves its box: each text of a page that is clipped, covered, or outside of its box or window.

Text that can be scrolled to is none of that: on a page that scrolls, and in a box that is high enough to show
that there is more. A strip whose scroll bar is hidden cuts its text, unless it goes row by row, and so does
an ellipsis.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

TWICE = 2.0  # the size of text that a reader may choose
# A glyph is lower than its line. What lies on a page for a while is no fault: a dialog, a menu, the sheet of
# a phone, and a message over the last move. Words in a picture are part of it, but not those on a card.
CLIPPED = """() => {
    const [wide, high] = [innerWidth, innerHeight];
    const faults = new Set(), styles = new Map(), range = document.createRange();
    const style = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
    const root = document.documentElement;
    const fixed = document.body.scrollHeight <= high + 1 || style(document.body).overflowY === "hidden";
    const layers = "dialog, .menu > .opened, .sheet, .skip:focus";
    const clear = (color) => /^(transparent|rgba\\(.*, 0\\))$/.test(color);
    const paints = (one) => {
        if (one instanceof SVGElement || one.matches("img, select")) return true;
        const { backgroundColor, backgroundImage, opacity } = style(one);
        return opacity !== "0" && (!clear(backgroundColor) || backgroundImage !== "none");
    };
    const boxed = (one) => paints(one) || parseFloat(style(one).borderTopWidth) > 0;
    const floats = (one) => {
        for (; one; one = one.parentElement) if (/fixed|sticky/.test(style(one).position)) return one;
    };
    const rects = (node) => {
        const size = parseFloat(style(node.parentElement).fontSize);
        range.selectNodeContents(node);
        const seen = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        return seen.map((box) => {
            const drawn = node.parentElement instanceof SVGElement;
            const [middle, half] = [(box.top + box.bottom) / 2, drawn ? box.height * 0.3 : size * 0.36];
            return { left: box.left, right: box.right, top: middle - half, bottom: middle + half };
        });
    };
    const name = (one) => `${one.tagName.toLowerCase()}#${one.id}.${one.getAttribute("class") ?? ""}`;
    const beyond = (box, { left, top, right, bottom }, [x, y]) =>
        (x && (box.left < left - 1 || box.right > right + 1)) ||
        (y && (box.top < top - 1 || box.bottom > bottom + 1));
    const inner = (one) => {
        const { left, top } = one.getBoundingClientRect();
        const [x, y] = [left + one.clientLeft, top + one.clientTop];
        return { left: x, top: y, right: x + one.clientWidth, bottom: y + one.clientHeight };
    };
    /* Why this part of a text is cut off; "" if it is whole, and "away" if it can be scrolled to. */
    const cut = (box, one) => {
        let boxes = true, held = true; // whether an ancestor holds what is in it: not what is absolute
        for (let at = one; at && at !== document.body; at = at.parentElement) {
            const { display, overflowX, overflowY, scrollbarWidth, position } = style(at);
            const { containerType, transform } = style(at);
            held ||= position !== "static" || containerType !== "normal" || transform !== "none";
            if (!held) continue;
            held = position !== "absolute";
            if (at instanceof SVGElement || display === "inline" || display === "contents") continue;
            if (boxes && boxed(at)) {
                boxes = false;
                if (beyond(box, at.getBoundingClientRect(), [true, true])) {
                    const scrolls = [overflowX, overflowY].some((how) => /auto|scroll/.test(how));
                    if (!scrolls) return `outside of ${name(at)}`;
                }
            }
            for (const [x, how] of [[true, overflowX], [false, overflowY]]) {
                if (how === "visible" || !beyond(box, inner(at), [x, !x])) continue;
                const more = x ? at.scrollWidth > at.clientWidth : at.scrollHeight > at.clientHeight;
                const { left, top, right, bottom } = inner(at);
                const [from, to, first, last] = x
                    ? [box.left, box.right, left, right]
                    : [box.top, box.bottom, top, bottom];
                const out = to <= first + 1 || from >= last - 1;
                const shows = x ? scrollbarWidth !== "none" : at.clientHeight >= 90;
                const steps = out && style(at).scrollSnapType !== "none"; // row by row
                if (!/auto|scroll/.test(how) || !more || !(shows || steps)) return `clipped by ${name(at)}`;
                return "away";
            }
            if (position === "fixed") break;
        }
        if (box.left < -1 || box.right > wide + 1) return "outside of the window";
        if (fixed && (box.top < -1 || box.bottom > high + 1)) return "outside of the window";
        return "";
    };
    /* What lies over this point of a text. */
    const over = (x, y, one) => {
        for (const at of document.elementsFromPoint(x, y)) {
            if (at.contains(one) || one.contains(at)) return;
            if (at instanceof SVGElement && at.closest("svg:not(svg svg)").contains(one)) return;
            if (at.closest(layers) || style(at).opacity === "0") {
                if (at.closest(layers) && !one.closest(layers)) return;
                continue;
            }
            if (at.closest(".a-toast, .line-state") && one.closest(".a-last, .a-toast")) return;
            const floating = floats(at);
            if (!fixed && floating && !floating.contains(one)) return;
            if (paints(at)) return at;
            for (const other of at.childNodes) {
                if (other.nodeType !== 3 || !other.data.trim()) continue;
                const on = (box) => box.left < x && x < box.right && box.top < y && y < box.bottom;
                if (rects(other).some(on)) return at;
            }
        }
    };
    const hidden = (one) => {
        const silent = "script, style, template, title, desc, defs, symbol, option, textarea, .vh";
        if (one.closest(`${silent}, .board-says, .skip:not(:focus)`)) return true;
        if (one instanceof SVGElement && !one.closest("label, button, .cards")) return true;
        if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
        for (let at = one; at && at !== document.body; at = at.parentElement)
            if (style(at).clipPath.startsWith("inset(50%")) return true;
        return false;
    };
    const before = [scrollX, scrollY];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node; (node = walk.nextNode()); )
        if (node.data.trim() && !hidden(node.parentElement)) texts.push(node);
    for (const node of texts) {
        const one = node.parentElement;
        const n = rects(node).length;
        for (let i = 0; i < n; i++) {
            let box = rects(node)[i];
            let why = cut(box, one);
            if (why === "away") continue;
            if (!why) {
                if (!fixed && (box.top < 0 || box.bottom > high)) {
                    scrollTo(0, scrollY + box.top - high / 2);
                    box = rects(node)[i];
                }
                const y = (box.top + box.bottom) / 2, [left, right] = [box.left + 2, box.right - 2];
                const thing = [left, (left + right) / 2, right].map((x) => over(x, y, one)).find(Boolean);
                if (thing) why = `covered by ${name(thing)}`;
            }
            if (why) faults.add(`“${node.data.trim().slice(0, 50)}” of ${name(one)} is ${why}`);
        }
    }
    scrollTo(...before);
    if (root.scrollWidth > wide + 1) faults.add(`the page is ${root.scrollWidth} px wide`);
    return [...faults].slice(0, 25);
}"""


def clipped(page: Page) -> list[str]:
    """Return what is wrong with the texts of a page, at most 25 of them."""
    faults: list[str] = page.evaluate(CLIPPED)
    return faults


@contextmanager
def twice(page: Page) -> Iterator[None]:
    """Show the text of a page at twice its size for a while."""
    page.evaluate("(size) => { document.documentElement.style.fontSize = `${size * 16}px`; }", TWICE)
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    yield
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
