"""The program of ``seeded.py``. Worker processes of bots import this file, so it imports nothing for them."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[1]))
    from web.seeded import serve_seeded

    serve_seeded()
