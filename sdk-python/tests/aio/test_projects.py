from __future__ import annotations

import pytest
from harness import TestServer

from bivouac import ProjectLimitParams, WorkspaceClient
from bivouac.errors import WorkspaceError

pytestmark = pytest.mark.anyio


async def test_a_key_is_made_used_and_revoked(server: TestServer, client_async: WorkspaceClient) -> None:
    made = await client_async.keys.create("python", role="viewer")
    assert made.key is not None
    assert made.key.startswith(made.prefix)
    assert made.key not in repr(made)
    async with WorkspaceClient(server.url, made.key) as viewer:
        await viewer.sandbox.list().page()
        with pytest.raises(WorkspaceError, match="role"):
            await viewer.sandbox.create()
        listed = {one.id: one async for one in client_async.keys.list()}
        assert (listed[made.id].role, listed[made.id].key) == ("viewer", None)
        await client_async.keys.revoke(made.id)
        with pytest.raises(WorkspaceError) as refused:
            await viewer.sandbox.list().page()
        assert refused.value.code == 1001


async def test_limits_are_read_and_changed_by_a_system_key(server: TestServer, client_async: WorkspaceClient) -> None:
    project = await client_async.projects.get()
    assert project.usage.sandboxes <= project.limits.sandboxes
    with pytest.raises(WorkspaceError):
        await client_async.projects.set_limits(project.id, ProjectLimitParams(terminals=7))
    async with WorkspaceClient(server.url, server.key) as system:
        before = project.limits.terminals
        changed = await system.projects.set_limits(project.id, ProjectLimitParams(terminals=before + 1))
        assert changed.limits.terminals == before + 1
        assert changed.limits.sandboxes == project.limits.sandboxes
        await system.projects.set_limits(project.id, ProjectLimitParams(terminals=before))
    assert (await client_async.projects.get()).limits == project.limits


async def test_the_audit_tells_who_did_what(client_async: WorkspaceClient) -> None:
    made = await client_async.keys.create("audited")
    rows = [row async for row in client_async.audit.list(limit=1) if row.subject == made.id]
    assert len(rows) == 1
    assert rows[0].hash != rows[0].previous
    verdict = await client_async.audit.verify()
    assert (verdict.intact, verdict.first_broken) == (True, None)
    await client_async.keys.revoke(made.id)


async def test_the_installation_is_told_to_its_administrator_alone(
    server: TestServer, client_async: WorkspaceClient
) -> None:
    with pytest.raises(WorkspaceError) as refused:
        await client_async.system.stats()
    assert refused.value.code == 1002
    async with WorkspaceClient(server.url, server.key) as admin:
        stats = await admin.system.stats()
        assert stats.runtime.name == "bubblewrap"
        assert stats.server.processors >= 1
        assert {one.name for one in await admin.system.doctor()}
        assert (await admin.system.gc()).rows_failed == 0
