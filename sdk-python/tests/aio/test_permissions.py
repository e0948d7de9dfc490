from __future__ import annotations

from contextlib import aclosing

import pytest

from bivouac import Permission, Sandbox, WorkspaceClient
from bivouac.errors import PermissionDecidedError

pytestmark = pytest.mark.anyio


async def test_a_program_asks_and_an_approver_answers(client_async: WorkspaceClient, sandbox_async: Sandbox) -> None:
    command = await sandbox_async.process.start("bivouac-ask --action deploy --resource production --json")
    found: list[Permission] = []
    while not found:
        found = await client_async.permissions.list(state="open", sandbox_id=sandbox_async.id).all()
    assert (found[0].action, found[0].resource, found[0].cwd) == ("deploy", "production", "/workspace")
    answered = await client_async.permissions.answer(found[0].id, True)
    assert answered.state == "granted"
    events = [event async for event in sandbox_async.process.output(command)]
    assert events[-1].exit_code == 0
    assert (await client_async.permissions.get(found[0].id)).decided_by
    with pytest.raises(PermissionDecidedError):
        await client_async.permissions.answer(found[0].id, False)


async def test_a_terminal_tells_of_its_own_questions(sandbox_async: Sandbox) -> None:
    words = ["bivouac-ask", "--action", "write", "--resource", "/etc/hosts"]
    async with await sandbox_async.terminal(command=words) as terminal:
        async with aclosing(terminal.permission_requests()) as requests:
            async for request in requests:
                assert (request.action, request.resource) == ("write", "/etc/hosts")
                await request.answer(True)
        assert (await terminal.wait()).exit_code == 0
