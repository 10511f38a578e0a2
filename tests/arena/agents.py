"""Programs for the tests: agents that read words."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

TALKER = f"text:{sys.executable} {Path(__file__).resolve().parents[2] / 'examples/talker.py'}"


def saying(answer: str) -> str:
    """Return an agent that gives one answer to everything."""
    code = f"import sys\nfor line in sys.stdin:\n  if line == 'move?\\n': print({answer!r}, flush=True)"
    return f"text:{shlex.join([sys.executable, '-c', code])}"


ENDS = f"text:{shlex.join([sys.executable, '-c', 'raise SystemExit(3)'])}"
SLEEPS = f"text:{shlex.join([sys.executable, '-c', 'import time; time.sleep(60)'])}"
