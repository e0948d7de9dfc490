"""Webhook endpoints and their deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from .._model import read
from ..types import Delivery, DeliveryState, Endpoint
from .listing import Listing
from .transport import Call, Transport

ENDPOINTS = "/api/v1/webhooks/endpoints"
DELIVERIES = "/api/v1/webhooks/deliveries"


class WebhookService:
    """Who is told of the project's events, and how that went."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(
        self,
        url: str,
        *,
        types: Sequence[str] | None = None,
        description: str | None = None,
        enabled: bool | None = None,
        retry: str | None = None,
        fifo: bool | None = None,
        rate_limit: int | None = None,
        concurrency: int | None = None,
        signing: str | None = None,
    ) -> Endpoint:
        """Patterns such as `sandbox.*` say which types, all when absent. Only this answer has the secret."""
        body = _body(url, types, description, enabled, retry, fifo, rate_limit, concurrency, signing)
        return read(Endpoint, await self._transport.json("POST", ENDPOINTS, Call(body=body)))

    async def get(self, endpoint_id: str) -> Endpoint:
        return read(Endpoint, await self._transport.json("GET", _path(endpoint_id)))

    async def change(
        self,
        endpoint_id: str,
        *,
        url: str | None = None,
        types: Sequence[str] | None = None,
        description: str | None = None,
        enabled: bool | None = None,
        retry: str | None = None,
        fifo: bool | None = None,
        rate_limit: int | None = None,
        concurrency: int | None = None,
        signing: str | None = None,
    ) -> Endpoint:
        """What is not given stays as it is."""
        body = _body(url, types, description, enabled, retry, fifo, rate_limit, concurrency, signing)
        return read(Endpoint, await self._transport.json("PATCH", _path(endpoint_id), Call(body=body)))

    async def delete(self, endpoint_id: str) -> None:
        await self._transport.json("DELETE", _path(endpoint_id))

    async def rotate_secret(self, endpoint_id: str) -> Endpoint:
        """The former secret signs as well for another 24 hours."""
        return read(Endpoint, await self._transport.json("POST", _path(endpoint_id, "/rotate-secret")))

    async def test(self, endpoint_id: str) -> None:
        """Sends an event made up for the purpose."""
        await self._transport.json("POST", _path(endpoint_id, "/test"))

    async def delivery(self, delivery_id: str) -> Delivery:
        """One delivery with what the receiver answered to each attempt, which listings leave out."""
        return read(Delivery, await self._transport.json("GET", f"{DELIVERIES}/{quote(delivery_id, safe='')}"))

    async def replay_delivery(self, delivery_id: str) -> Delivery:
        """Sends one delivery again."""
        path = f"{DELIVERIES}/{quote(delivery_id, safe='')}/replay"
        return read(Delivery, await self._transport.json("POST", path))

    async def replay(self, endpoint_id: str, since: str, *, until: str | None = None, only_dead: bool = False) -> int:
        """Sends everything of this time again, or only what was given up; tells how much that is."""
        wanted = {"since": since, "until": until, "state": "dead" if only_dead else None}
        body = {name: value for name, value in wanted.items() if value is not None}
        return int((await self._transport.json("POST", _path(endpoint_id, "/replay"), Call(body=body)))["replayed"])

    def deliveries(
        self, endpoint_id: str, *, state: DeliveryState | None = None, limit: int | None = None
    ) -> Listing[Delivery]:
        """The newest first."""
        query = {"state": state, "limit": limit}
        return Listing(self._transport, _path(endpoint_id, "/deliveries"), lambda one: read(Delivery, one), query)

    def list(self) -> Listing[Endpoint]:
        return Listing(self._transport, ENDPOINTS, lambda one: read(Endpoint, one))


def _path(endpoint_id: str, rest: str = "") -> str:
    return f"{ENDPOINTS}/{quote(endpoint_id, safe='')}{rest}"


def _body(
    url: str | None,
    types: Sequence[str] | None,
    description: str | None,
    enabled: bool | None,
    retry: str | None,
    fifo: bool | None,
    rate_limit: int | None,
    concurrency: int | None,
    signing: str | None,
) -> dict[str, Any]:
    fields = {
        "url": url,
        "types": None if types is None else list(types),
        "description": description,
        "enabled": enabled,
        "retry": retry,
        "fifo": fifo,
        "rateLimit": rate_limit,
        "concurrency": concurrency,
        "signing": signing,
    }
    return {name: value for name, value in fields.items() if value is not None}
