"""The script that plays the ladders and writes them into docs/bots.md."""

from __future__ import annotations

import pytest

import ladder as script
from paddock.bots import levels
from paddock.core.title import title as find_title

LACORSA = script.LADDERS[0]
PRINTED = """lacorsa drivers=4
bot     points  over the fair share    wins  over the fair share  forfeits
rookie   3.708       -1.792 ± 0.044   2.3 %  -22.7 % (-23.1 to -22.0)         0
club     6.097       +0.597 ± 0.015  32.6 %         +7.6 ± 0.2 %         0
4,000 games (1000 deals, seats rotated), seed 1; ± and () are 95 % intervals over deals
"""
PAGE = f"""before
<!-- ladder: {LACORSA.name} -->
<!-- end -->
between
<!-- ladder: {script.ENDGAMES} -->
<!-- end -->
after
"""


def test_the_page_shows_what_its_commands_printed():
    """Every table in docs/bots.md is made from the blocks below it, and none is missing."""
    text = script.PAGE.read_text("utf-8")
    assert script.written(text, script.read(text)) == text
    assert [found[2] for found in script.SECTION.finditer(text)] == [
        *(ladder.name for ladder in script.LADDERS),
        script.ENDGAMES,
    ]
    assert len(script.read(text)) > len(script.LADDERS)


def test_every_level_plays_every_other():
    for ladder in script.LADDERS:
        pairs = [frozenset(pair) for pair in ladder.pairs()]
        names = [level.name for level in levels(ladder.title)]
        assert len(set(pairs)) == len(names) * (len(names) - 1) / 2
        assert all(pairs.count(pair) == (1 if ladder.players == 2 else 2) for pair in pairs)


def test_a_result_gets_a_row_and_a_block():
    command = LACORSA.command("rookie", "club", None)
    text = script.written(PAGE, {script.key(command): (command, PRINTED)})
    assert "| Rookie | 3 Clubs | -1.792 ± 0.044 | 2.3 % | -22.7 % (-23.1 to -22.0) | 4,000 |\n" in text
    assert f"```text\n$ {command}\n{PRINTED}```\n" in text
    assert script.written(text, script.read(text)) == text
    assert text.startswith("before\n") and "\nbetween\n" in text and text.endswith("after\n")


def test_a_new_result_replaces_the_old_one_whatever_its_number_of_games():
    old, new = (LACORSA.command("rookie", "club", games) for games in (8, 4000))
    text = script.written(PAGE, {script.key(old): (old, PRINTED)})
    results = {**script.read(text), script.key(new): (new, PRINTED)}
    text = script.written(text, results)
    assert old not in text
    assert text.count(new) == 1


def test_a_match_is_kept_and_resumed(tmp_path):
    command = LACORSA.command("club", "rookie", 4)
    printed = script.play(command, tmp_path)
    (kept,) = tmp_path.iterdir()
    assert kept.name == "lacorsa-club-rookie-rookie-rookie-seed-1.csv"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 4
    kept.write_bytes(b"".join(lines[:3]))  # killed within the deal
    assert script.play(command, tmp_path) == printed
    assert kept.read_bytes() == b"".join(lines)
    assert "4 games" in printed and "Written" not in printed


def test_the_list_has_the_commands_with_the_words(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["ladder.py", "--list", "--games", "8", "rasant club", "endgame"])
    assert script.main() == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "$ paddock match rasant club rookie rookie rookie --games 8 --seed 1",
        "$ python scripts/endgame.py",
    ]


@pytest.mark.parametrize("ladder", script.LADDERS, ids=lambda ladder: ladder.name)
def test_the_commands_name_options_that_exist(ladder):
    words = dict(word.split("=") for word in ladder.options.split() if "=" in word)
    title = find_title(ladder.title)
    title.options.read({title.players_option: ladder.players, **words})
