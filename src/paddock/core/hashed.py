"""How secrets are stored: of browsers, tokens, links and calendars the database has the hash alone."""

from __future__ import annotations

import hashlib


def hashed(secret: str) -> str:
    """Return the SHA-256 of a secret, in hex. No salt is needed: nobody can guess a secret of 256 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
