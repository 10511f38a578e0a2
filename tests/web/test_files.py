"""Scripts and style sheets are sent minified and compressed, and their code is what the files say."""

from __future__ import annotations

import re
from importlib.resources import files

import httpx
import pytest

from paddock.web.files import minified

STATIC = files("paddock.web") / "static"
OWN = sorted(file.name for file in STATIC.iterdir() if file.name.endswith((".js", ".css")))


def test_comments_and_space_are_not_sent() -> None:
    script = "/** Says so. */\n  // why\n"
    script += '  const a = "// no comment"; // because\n\n/**\n * Two.\n */\nconst b = `\n  // text\n`;\n'
    assert minified(script, ".js") == b'const a="// no comment";const b=`\n  // text\n`;'
    assert minified("/* one */\n.a,\n.d {\n  b: c; /* d */\n}\n", ".css") == b".a,.d{b:c}"


TOKEN = re.compile(
    r"""/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};:,]|[<>]=?|\s+|[^{};:,<>\s"'/]+|/""", re.DOTALL
)
SIGNS = (*"{};", "<", "<=", ">", ">=")


def tokens(sheet: str) -> list[str]:
    """Return the texts, signs and words of a style sheet; no space beside a sign, no last semicolon.

    Before a colon or a comma a space may say something, behind it nothing.
    """
    found = [token for token in TOKEN.findall(sheet) if not token.startswith("/*")]
    assert all(token[0] in "\"'" or token in "{};" or not set(token) & set("{};\"'") for token in found)
    out: list[str] = []
    for token in (" " if token.isspace() else token for token in found):
        if token == " " and (not out or out[-1] in (*SIGNS, *":, ")):
            continue
        while out and token in SIGNS and out[-1] == " ":
            out.pop()
        if token == "}" and out[-1] == ";":
            out.pop()
        out.append(token)
    return out[:-1] if out[-1] == " " else out


@pytest.mark.parametrize("name", [name for name in OWN if name.endswith(".css")])
def test_all_of_a_style_sheet_is_sent(name: str) -> None:
    """Token by token, texts in quotes as they are."""
    text = (STATIC / name).read_text("utf-8")
    sent = minified(text, ".css").decode()
    assert tokens(sent) == tokens(text) and "".join(tokens(text)) == sent and len(sent) < len(text)


@pytest.mark.anyio
async def test_each_browser_gets_the_smallest_coding_that_it_takes(client: httpx.AsyncClient) -> None:
    """The same bytes whatever the coding; a style sheet that was packed once, a page packed for each."""
    found = re.search(r'"(/static/[^"]+house\.css)"', (await client.get("/")).text)
    assert found
    for address, codings in ((found[1], ("br", "br", "gzip")), ("/rules/lacorsa", ("br", "br", "gzip"))):
        plain = await client.get(address, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers and "accept-encoding" in plain.headers["vary"].lower()
        sizes = [len(plain.content)]
        for takes, coding in zip(("gzip, br, zstd", "gzip, br", "gzip"), codings, strict=True):
            answer = await client.get(address, headers={"accept-encoding": takes})
            assert answer.headers["content-encoding"] == coding
            assert len(answer.content) == sizes[0]
            sizes.append(answer.num_bytes_downloaded)
        assert sizes[0] > 3 * sizes[3] and sizes[3] > max(sizes[1:3])
