# Made by scripts/unasync.py from tests/aio/test_projects.py; do not edit.
from __future__ import annotations

import pytest
from harness import TestServer

from bivouac.sync import ProjectLimitParams, WorkspaceClient
from bivouac.errors import WorkspaceError

def test_a_key_is_made_used_and_revoked(server: TestServer, client_sync: WorkspaceClient) -> None:
    made = client_sync.keys.create("python", role="viewer")
    assert made.key is not None
    assert made.key.startswith(made.prefix)
    assert made.key not in repr(made)
    with WorkspaceClient(server.url, made.key) as viewer:
        viewer.sandbox.list().page()
        with pytest.raises(WorkspaceError, match="role"):
            viewer.sandbox.create()
        listed = {one.id: one for one in client_sync.keys.list()}
        assert (listed[made.id].role, listed[made.id].key) == ("viewer", None)
        client_sync.keys.revoke(made.id)
        with pytest.raises(WorkspaceError) as refused:
            viewer.sandbox.list().page()
        assert refused.value.code == 1001


def test_limits_are_read_and_changed_by_a_system_key(server: TestServer, client_sync: WorkspaceClient) -> None:
    project = client_sync.projects.get()
    assert project.usage.sandboxes <= project.limits.sandboxes
    with pytest.raises(WorkspaceError):
        client_sync.projects.set_limits(project.id, ProjectLimitParams(terminals=7))
    with WorkspaceClient(server.url, server.key) as system:
        before = project.limits.terminals
        changed = system.projects.set_limits(project.id, ProjectLimitParams(terminals=before + 1))
        assert changed.limits.terminals == before + 1
        assert changed.limits.sandboxes == project.limits.sandboxes
        system.projects.set_limits(project.id, ProjectLimitParams(terminals=before))
    assert (client_sync.projects.get()).limits == project.limits


def test_the_audit_tells_who_did_what(client_sync: WorkspaceClient) -> None:
    made = client_sync.keys.create("audited")
    rows = [row for row in client_sync.audit.list(limit=1) if row.subject == made.id]
    assert len(rows) == 1
    assert rows[0].hash != rows[0].previous
    verdict = client_sync.audit.verify()
    assert (verdict.intact, verdict.first_broken) == (True, None)
    client_sync.keys.revoke(made.id)


def test_the_installation_is_told_to_its_administrator_alone(
    server: TestServer, client_sync: WorkspaceClient
) -> None:
    with pytest.raises(WorkspaceError) as refused:
        client_sync.system.stats()
    assert refused.value.code == 1002
    with WorkspaceClient(server.url, server.key) as admin:
        stats = admin.system.stats()
        assert stats.runtime.name == "bubblewrap"
        assert stats.server.processors >= 1
        assert {one.name for one in admin.system.doctor()}
        assert (admin.system.gc()).rows_failed == 0
