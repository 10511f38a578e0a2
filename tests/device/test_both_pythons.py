"""Rules and bots in the browser's Python, which Node.js runs here: they do what they do in this one."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
from pathlib import Path

import pytest

import paddock
from device.decisions import digests
from sampling import SEED, WHOLE, count
from titles import random_options

TITLES = [*paddock.titles()]
SCRIPT = Path(__file__).parent / "decisions.mjs"


@pytest.mark.slow("starts the browser's Python and plays thousands of decisions in it")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("names", [[name] for name in TITLES] if WHOLE else [TITLES], ids="+".join)
def test_same_positions_legal_moves_and_choices(
    packed: Path, browser_python: Path, tmp_path: Path, names: list[str]
) -> None:
    """Games with random options; what is equal are digests of all that is seen at each decision."""
    asked = []
    for name in names:
        title, chance = paddock.title(name), random.Random(f"{SEED} {name}")
        options = [random_options(title, chance).text for _game in range(count(10, 300))]
        asked.append((name, options, count(2_000, 100_000)))
    (compressed,) = packed.glob("p/pack/*/code.zip.packed")
    code = tmp_path / "code.zip"
    code.write_bytes(gzip.decompress(compressed.read_bytes()))
    command = ["node", str(SCRIPT), str(browser_python), str(code), json.dumps(asked)]
    node = subprocess.run(command, capture_output=True, text=True, check=False)
    assert node.returncode == 0, node.stderr[-2000:]
    assert json.loads(node.stdout) == [digests(*each) for each in asked]
