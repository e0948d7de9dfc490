# Made by scripts/unasync.py from tests/aio/test_ports.py; do not edit.
from __future__ import annotations

import httpx
import pytest

from bivouac.sync import Sandbox

def test_a_program_that_listens_is_found_and_reached(sandbox_sync: Sandbox) -> None:
    sandbox_sync.files.upload("site/index.html", "served")
    serving = sandbox_sync.process.start(
        "exec python3 -m http.server 8123 --bind 127.0.0.1", cwd="/workspace/site"
    )
    found: set[int] = set()
    while 8123 not in found:
        found = {one.port for one in sandbox_sync.ports.list()}
    with httpx.Client(follow_redirects=True) as visitor:
        answer = visitor.get(sandbox_sync.url(8123), headers=sandbox_sync.ports.headers())
        assert (answer.status_code, answer.text) == (200, "served")
        assert (visitor.get(sandbox_sync.url(8123))).status_code == 401
    link = sandbox_sync.ports.link(8123, expires_in_seconds=60)
    assert link.url.startswith("http")
    assert sandbox_sync.ports.renew_access_token() != sandbox_sync.access_token
    sandbox_sync.process.kill(serving, 9)
