"""Verifies deliveries of webhooks, by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from ._model import read
from ._problem import WebhookVerificationError
from .types import Event

#: Older or newer deliveries are refused, so that a recorded one cannot be sent again later.
TOLERANCE_SECONDS = 5 * 60

__all__ = ["WebhookVerificationError", "verify_webhook"]


def verify_webhook(secret: str, headers: Mapping[str, str], body: str | bytes, now: float | None = None) -> Event:
    """Checks a delivery and gives its event. `body` is the exact text or bytes of the request's body."""
    given = {name.lower(): value for name, value in headers.items()}
    message, timestamp, signatures = (_header(given, f"webhook-{part}") for part in ("id", "timestamp", "signature"))
    present = time.time() if now is None else now
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(present - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("The delivery is too old or from the future.")
    raw = body.encode() if isinstance(body, str) else body
    key = _base64(secret.removeprefix("whsec_"))
    if key is None:
        raise WebhookVerificationError("The secret is not base64.")
    expected = hmac.new(key, f"{message}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    for signature in signatures.split(" "):
        version, _, text = signature.partition(",")
        found = _base64(text) if version == "v1" else None
        # Several are there while a secret is being changed, and one may be no signature at all.
        if found is not None and hmac.compare_digest(found, expected):
            return read(Event, {**_ABSENT, **json.loads(raw)})
    raise WebhookVerificationError("No signature fits.")


_ABSENT = {"id": "", "type": "", "timestamp": "", "project": "", "subject": "", "sequence": 0, "data": {}}


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return value


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        # Not base64: the caller says what that means.
        return None
