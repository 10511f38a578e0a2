"""An agent for an arena: it reads words until the line «move?», and answers with a line.

Put a language model in place of ``answer``:

    paddock arena match rasant "text:python examples/talker.py" club
"""

import sys


def answer(words: str) -> str:
    """Return the last of the legal moves."""
    moves, listed = [], False
    for line in words.splitlines():
        if line.startswith("Your legal moves:"):  # a list, or after a refusal one line
            moves, listed = line.removeprefix("Your legal moves:").split(","), True
        elif listed and line.startswith("- "):
            moves.append(line.removeprefix("- ").split(":")[0])
    return "move: " + moves[-1].strip()


told = []
for line in sys.stdin:
    if line.strip() == "move?":
        print(answer("".join(told)), flush=True)
    if line.strip() in ("move?", "over"):
        told.clear()
    else:
        told.append(line)
