"""Draw the icons of the installed app from ``icon.svg`` with Chromium: ``python scripts/icons.py``.

Systems crop a maskable icon to a shape of their own, so its ground has no round corners: what matters lies in
the middle circle, four fifths of the width across.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

import needs

STATIC = Path(__file__).parent.parent / "src" / "paddock" / "web" / "static"
CORNERS = ' rx="10"'
ICONS = (
    ("icon-192.png", 192, True),
    ("icon-512.png", 512, True),
    ("maskable-512.png", 512, False),
    ("touch-180.png", 180, False),  # what iOS shows
)
PAGE = '<body style="margin:0">{drawing}<style>svg {{ display: block; width: 100vw; height: 100vh }}</style>'


def main() -> None:
    """Write the PNG files."""
    drawing = (STATIC / "icon.svg").read_text("utf-8")
    assert CORNERS in drawing
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=needs.chromium(), args=[*needs.CHROMIUM_FLAGS])
        for name, size, cornered in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(PAGE.format(drawing=drawing if cornered else drawing.replace(CORNERS, "")))
            page.screenshot(path=STATIC / "icons" / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
