from __future__ import annotations

import pytest
from harness import TestServer

from bivouac import CreateSandboxParams, WorkspaceClient
from bivouac.errors import SandboxError, SandboxNotFoundError, TemplateNotFoundError, UnauthorizedError

pytestmark = pytest.mark.anyio


async def test_a_sandbox_is_made_used_and_gone(client_async: WorkspaceClient) -> None:
    sandbox = await client_async.sandbox.create(
        CreateSandboxParams(template="default", name="story", labels={"of": "python"})
    )
    assert sandbox.id.startswith("sbx-")
    assert (sandbox.state, sandbox.name, sandbox.labels) == ("running", "story", {"of": "python"})
    assert sandbox.timeline is not None
    assert sandbox.access_token
    result = await sandbox.process.run("echo $TEST_VAR", envs={"TEST_VAR": "hello-python"})
    assert (result.exit_code, result.stdout) == (0, "hello-python\n")
    found = [one.id async for one in client_async.sandbox.list(labels={"of": "python"}, limit=1)]
    assert found == [sandbox.id]
    await client_async.sandbox.delete(sandbox.id)
    with pytest.raises(SandboxNotFoundError):
        await client_async.sandbox.get(sandbox.id)


async def test_a_sandbox_stops_starts_and_is_given_more_time(client_async: WorkspaceClient) -> None:
    async with await client_async.sandbox.create() as sandbox:
        token, end = sandbox.access_token, sandbox.expires_at
        await sandbox.process.run("echo kept > file")
        assert (await sandbox.stop()).state == "stopped"
        again = await client_async.sandbox.connect(sandbox.id)
        assert again.state == "running"
        assert (await again.process.run("cat file")).stdout == "kept\n"
        assert (await sandbox.extend(60)).expires_at > end
        assert (await sandbox.set_egress(["example.org"])).egress.allow == ["example.org:443"]
        assert sandbox.access_token == token
        assert (await sandbox.stats()).pids > 0
        assert isinstance(await sandbox.logs(tail=5), list)
        types = [event.type async for event in client_async.sandbox.history(sandbox.id)]
        assert types[0] == "sandbox.created"


async def test_the_same_idempotency_key_gives_the_same_sandbox(client_async: WorkspaceClient) -> None:
    async with await client_async.sandbox.create("default", idempotency_key="python-once") as sandbox:
        assert (await client_async.sandbox.create("default", idempotency_key="python-once")).id == sandbox.id


async def test_a_batch_is_deleted(client_async: WorkspaceClient) -> None:
    made = [await client_async.sandbox.create() for _ in range(2)]
    result = await client_async.sandbox.batch_delete([one.id for one in made] + ["sbx-none"])
    assert sorted(result.succeeded) == sorted(one.id for one in made)
    assert [(one.id, one.error.name) for one in result.failed] == [("sbx-none", "SANDBOX_NOT_FOUND")]


async def test_refusals_are_errors_of_the_table(client_async: WorkspaceClient, server: TestServer) -> None:
    with pytest.raises(TemplateNotFoundError):
        await client_async.sandbox.create("nonexistent:latest")
    with pytest.raises(SandboxError) as refused:
        await client_async.sandbox.get("sbx-nonexistent")
    assert (refused.value.code, refused.value.name, refused.value.status) == (2001, "SANDBOX_NOT_FOUND", 404)
    assert refused.value.request_id
    async with WorkspaceClient(server.url, "invalid-key") as stranger:
        with pytest.raises(UnauthorizedError):
            await stranger.sandbox.create()


async def test_templates_are_listed(client_async: WorkspaceClient) -> None:
    assert "default" in [template.name for template in await client_async.templates.list()]
    assert [one async for one in client_async.workspaces.list()] == []


async def test_a_client_takes_its_server_from_the_environment(
    server: TestServer, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIVOUAC_URL", server.url)
    monkeypatch.setenv("BIVOUAC_API_KEY", key)
    async with WorkspaceClient() as client:
        assert await client.templates.list()
        assert key not in repr(client._transport.settings)
