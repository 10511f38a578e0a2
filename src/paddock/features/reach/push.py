"""Web Push: what is sent to the push service of a browser (RFC 8030), encrypted for it (RFC 8291, RFC 8188),
with a signature of this server (RFC 8292).

pywebpush does the same, but brings two more HTTP clients of its own, whose connections cannot be kept to
addresses that were checked (``net.py``); the package that encrypts for it exists as source only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import struct
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from paddock.core.errors import PaddockError
from paddock.core.i18n import _

CURVE = ec.SECP256R1()
RECORD = 4096  # bytes: a message is one record
VALID = timedelta(hours=12)  # of a signature; RFC 8292 allows a day
KEPT = 24 * 3600  # seconds that a push service keeps a message for a device that is off


def encoded(data: bytes) -> str:
    """Return bytes in base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Parse what ``encoded`` returned; raise ``ValueError``."""
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)


def raw(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as its 65 bytes."""
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


def private(secret: str) -> ec.EllipticCurvePrivateKey:
    """Return the key with a private number in base64."""
    return ec.derive_private_key(int.from_bytes(decoded(secret)), CURVE)


def checked_keys(key: str, auth: str) -> str:
    """Return the two keys of a subscription as they are stored; raise ``PaddockError`` if they are none."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key.rstrip("=")))
        if len(decoded(auth.rstrip("="))) != 16:
            raise ValueError
    except ValueError:
        raise PaddockError(_("these are not the keys of a push subscription")) from None
    return f"{key.rstrip('=')} {auth.rstrip('=')}"


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypted(
    text: bytes, keys: str, *, salt: bytes | None = None, ours: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Encrypt a message for a subscription. Salt and key are new each time; tests give their own."""
    theirs, auth = (decoded(one) for one in keys.split())
    ours, salt = ours or ec.generate_private_key(CURVE), salt or secrets.token_bytes(16)
    their_key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
    mine = raw(ours.public_key())
    shared = _derived(ours.exchange(ec.ECDH(), their_key), auth, b"WebPush: info\0" + theirs + mine, 32)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD, len(mine)) + mine
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def authorization(endpoint: str, secret: str, contact: str, now: datetime) -> str:
    """Return the header by which a push service knows this server: a signed statement for its address."""
    key, parts = private(secret), urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VALID).timestamp()),
        "sub": contact,
    }
    signed = ".".join(
        encoded(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    numbers = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(b"".join(number.to_bytes(32) for number in numbers))
    return f"vapid t={signed}.{signature}, k={encoded(raw(key.public_key()))}"


def topic(about: str) -> str:
    """Return a word by which a push service replaces a message that it has not delivered yet."""
    return encoded(hashlib.sha256(about.encode()).digest())[:32]
