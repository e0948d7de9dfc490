# Made by scripts/unasync.py from tests/aio/test_sandboxes.py; do not edit.
from __future__ import annotations

import pytest
from harness import TestServer

from bivouac.sync import CreateSandboxParams, WorkspaceClient
from bivouac.errors import SandboxError, SandboxNotFoundError, TemplateNotFoundError, UnauthorizedError

def test_a_sandbox_is_made_used_and_gone(client_sync: WorkspaceClient) -> None:
    sandbox = client_sync.sandbox.create(
        CreateSandboxParams(template="default", name="story", labels={"of": "python"})
    )
    assert sandbox.id.startswith("sbx-")
    assert (sandbox.state, sandbox.name, sandbox.labels) == ("running", "story", {"of": "python"})
    assert sandbox.timeline is not None
    assert sandbox.access_token
    result = sandbox.process.run("echo $TEST_VAR", envs={"TEST_VAR": "hello-python"})
    assert (result.exit_code, result.stdout) == (0, "hello-python\n")
    found = [one.id for one in client_sync.sandbox.list(labels={"of": "python"}, limit=1)]
    assert found == [sandbox.id]
    client_sync.sandbox.delete(sandbox.id)
    with pytest.raises(SandboxNotFoundError):
        client_sync.sandbox.get(sandbox.id)


def test_a_sandbox_stops_starts_and_is_given_more_time(client_sync: WorkspaceClient) -> None:
    with client_sync.sandbox.create() as sandbox:
        token, end = sandbox.access_token, sandbox.expires_at
        sandbox.process.run("echo kept > file")
        assert (sandbox.stop()).state == "stopped"
        again = client_sync.sandbox.connect(sandbox.id)
        assert again.state == "running"
        assert (again.process.run("cat file")).stdout == "kept\n"
        assert (sandbox.extend(60)).expires_at > end
        assert (sandbox.set_egress(["example.org"])).egress.allow == ["example.org:443"]
        assert sandbox.access_token == token
        assert (sandbox.stats()).pids > 0
        assert isinstance(sandbox.logs(tail=5), list)
        types = [event.type for event in client_sync.sandbox.history(sandbox.id)]
        assert types[0] == "sandbox.created"


def test_the_same_idempotency_key_gives_the_same_sandbox(client_sync: WorkspaceClient) -> None:
    with client_sync.sandbox.create("default", idempotency_key="python-once") as sandbox:
        assert (client_sync.sandbox.create("default", idempotency_key="python-once")).id == sandbox.id


def test_a_batch_is_deleted(client_sync: WorkspaceClient) -> None:
    made = [client_sync.sandbox.create() for _ in range(2)]
    result = client_sync.sandbox.batch_delete([one.id for one in made] + ["sbx-none"])
    assert sorted(result.succeeded) == sorted(one.id for one in made)
    assert [(one.id, one.error.name) for one in result.failed] == [("sbx-none", "SANDBOX_NOT_FOUND")]


def test_refusals_are_errors_of_the_table(client_sync: WorkspaceClient, server: TestServer) -> None:
    with pytest.raises(TemplateNotFoundError):
        client_sync.sandbox.create("nonexistent:latest")
    with pytest.raises(SandboxError) as refused:
        client_sync.sandbox.get("sbx-nonexistent")
    assert (refused.value.code, refused.value.name, refused.value.status) == (2001, "SANDBOX_NOT_FOUND", 404)
    assert refused.value.request_id
    with WorkspaceClient(server.url, "invalid-key") as stranger:
        with pytest.raises(UnauthorizedError):
            stranger.sandbox.create()


def test_templates_are_listed(client_sync: WorkspaceClient) -> None:
    assert "default" in [template.name for template in client_sync.templates.list()]
    assert [one for one in client_sync.workspaces.list()] == []


def test_a_client_takes_its_server_from_the_environment(
    server: TestServer, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIVOUAC_URL", server.url)
    monkeypatch.setenv("BIVOUAC_API_KEY", key)
    with WorkspaceClient() as client:
        assert client.templates.list()
        assert key not in repr(client._transport.settings)
