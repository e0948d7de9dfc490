# Made by scripts/unasync.py from tests/aio/test_webhooks.py; do not edit.
from __future__ import annotations

import pytest
from receiver import Receiver

from bivouac.sync import WorkspaceClient
from bivouac.errors import WebhookNotFoundError
from bivouac.webhooks import verify_webhook

def test_an_endpoint_is_made_tried_changed_and_deleted(client_sync: WorkspaceClient) -> None:
    with Receiver() as receiver:
        endpoint = client_sync.webhooks.create(receiver.url, types=["terminal.*"], description="python")
        assert endpoint.secret
        assert endpoint.secret not in repr(endpoint)
        client_sync.webhooks.test(endpoint.id)
        headers, body = receiver.next()
        assert verify_webhook(endpoint.secret, headers, body).type == "webhook.test"
        states: list[str] = []
        while states != ["delivered"]:
            listed = client_sync.webhooks.deliveries(endpoint.id).all()
            states = [one.state for one in listed]
        delivery = client_sync.webhooks.delivery(listed[0].id)
        assert delivery.attempts[0].status == 200
        client_sync.webhooks.replay_delivery(delivery.id)
        assert receiver.next()[0]["webhook-id"] == headers["webhook-id"]
        changed = client_sync.webhooks.change(endpoint.id, enabled=False)
        assert (changed.enabled, changed.description, changed.secret) == (False, "python", None)
        assert (client_sync.webhooks.rotate_secret(endpoint.id)).secret != endpoint.secret
        assert endpoint.id in [one.id for one in client_sync.webhooks.list()]
        client_sync.webhooks.delete(endpoint.id)
        with pytest.raises(WebhookNotFoundError):
            client_sync.webhooks.get(endpoint.id)
