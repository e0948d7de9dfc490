# Made by scripts/unasync.py from tests/aio/test_events.py; do not edit.
from __future__ import annotations

import pytest
from cutting_proxy import CuttingProxy
from harness import TestServer

from bivouac.sync import CreateSandboxParams, Gap, WorkspaceClient

LIFE = ["sandbox.created", "sandbox.starting", "sandbox.running", "sandbox.deleted"]


def test_events_come_in_order_and_go_on_after_a_cut(server: TestServer, key: str) -> None:
    proxy = CuttingProxy(server.url)
    states: list[str] = []
    try:
        with WorkspaceClient(proxy.url, key) as client:
            with client.events(types=LIFE, on_state=states.append) as events:
                sandbox = client.sandbox.create(CreateSandboxParams(name="watched"))
                proxy.cut()
                sandbox.delete()
                seen = []
                for event in events:
                    if isinstance(event, Gap) or event.subject != sandbox.id:
                        continue
                    seen.append(event.type)
                    if event.type == "sandbox.deleted":
                        break
                place = events.last_event_id
            assert seen == LIFE
            assert states[0] == "live"
            assert place
            with client.events(last_event_id=place) as later:
                other = client.sandbox.create()
                for event in later:
                    assert not isinstance(event, Gap)
                    assert event.subject != sandbox.id
                    if event.subject == other.id:
                        break
            other.delete()
    finally:
        proxy.close()
