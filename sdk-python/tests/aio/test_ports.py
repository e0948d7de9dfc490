from __future__ import annotations

import httpx
import pytest

from bivouac import Sandbox

pytestmark = pytest.mark.anyio


async def test_a_program_that_listens_is_found_and_reached(sandbox_async: Sandbox) -> None:
    await sandbox_async.files.upload("site/index.html", "served")
    serving = await sandbox_async.process.start(
        "exec python3 -m http.server 8123 --bind 127.0.0.1", cwd="/workspace/site"
    )
    found: set[int] = set()
    while 8123 not in found:
        found = {one.port async for one in sandbox_async.ports.list()}
    async with httpx.AsyncClient(follow_redirects=True) as visitor:
        answer = await visitor.get(sandbox_async.url(8123), headers=sandbox_async.ports.headers())
        assert (answer.status_code, answer.text) == (200, "served")
        assert (await visitor.get(sandbox_async.url(8123))).status_code == 401
    link = await sandbox_async.ports.link(8123, expires_in_seconds=60)
    assert link.url.startswith("http")
    assert await sandbox_async.ports.renew_access_token() != sandbox_async.access_token
    await sandbox_async.process.kill(serving, 9)
