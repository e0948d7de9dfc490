from __future__ import annotations

import pytest
from receiver import Receiver

from bivouac import WorkspaceClient
from bivouac.errors import WebhookNotFoundError
from bivouac.webhooks import verify_webhook

pytestmark = pytest.mark.anyio


async def test_an_endpoint_is_made_tried_changed_and_deleted(client_async: WorkspaceClient) -> None:
    with Receiver() as receiver:
        endpoint = await client_async.webhooks.create(receiver.url, types=["terminal.*"], description="python")
        assert endpoint.secret
        assert endpoint.secret not in repr(endpoint)
        await client_async.webhooks.test(endpoint.id)
        headers, body = receiver.next()
        assert verify_webhook(endpoint.secret, headers, body).type == "webhook.test"
        states: list[str] = []
        while states != ["delivered"]:
            listed = await client_async.webhooks.deliveries(endpoint.id).all()
            states = [one.state for one in listed]
        delivery = await client_async.webhooks.delivery(listed[0].id)
        assert delivery.attempts[0].status == 200
        await client_async.webhooks.replay_delivery(delivery.id)
        assert receiver.next()[0]["webhook-id"] == headers["webhook-id"]
        changed = await client_async.webhooks.change(endpoint.id, enabled=False)
        assert (changed.enabled, changed.description, changed.secret) == (False, "python", None)
        assert (await client_async.webhooks.rotate_secret(endpoint.id)).secret != endpoint.secret
        assert endpoint.id in [one.id async for one in client_async.webhooks.list()]
        await client_async.webhooks.delete(endpoint.id)
        with pytest.raises(WebhookNotFoundError):
            await client_async.webhooks.get(endpoint.id)
