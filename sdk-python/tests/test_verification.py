from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bivouac import verify_webhook
from bivouac.errors import WebhookVerificationError, WorkspaceError

# The TypeScript SDK is held against the same.
VECTORS = json.loads((Path(__file__).resolve().parents[2] / "sdk-ts/test/webhook-vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_of_webhooks(vector: dict[str, Any]) -> None:
    given = (vector["secret"], vector["headers"], vector["body"], vector["now"])
    if "error" not in vector:
        assert verify_webhook(*given).type == json.loads(vector["body"]).get("type", "")
        return
    with pytest.raises(WebhookVerificationError, match=vector["error"]) as refused:
        verify_webhook(*given)
    assert isinstance(refused.value, WorkspaceError)


def test_headers_are_found_in_any_spelling_and_bytes_are_taken() -> None:
    vector = VECTORS[0]
    headers = {name.title(): value for name, value in vector["headers"].items()}
    assert verify_webhook(vector["secret"], headers, vector["body"].encode(), vector["now"]).id == ""
