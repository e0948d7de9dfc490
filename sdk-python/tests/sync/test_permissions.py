# Made by scripts/unasync.py from tests/aio/test_permissions.py; do not edit.
from __future__ import annotations

from contextlib import closing

import pytest

from bivouac.sync import Permission, Sandbox, WorkspaceClient
from bivouac.errors import PermissionDecidedError

def test_a_program_asks_and_an_approver_answers(client_sync: WorkspaceClient, sandbox_sync: Sandbox) -> None:
    command = sandbox_sync.process.start("bivouac-ask --action deploy --resource production --json")
    found: list[Permission] = []
    while not found:
        found = client_sync.permissions.list(state="open", sandbox_id=sandbox_sync.id).all()
    assert (found[0].action, found[0].resource, found[0].cwd) == ("deploy", "production", "/workspace")
    answered = client_sync.permissions.answer(found[0].id, True)
    assert answered.state == "granted"
    events = [event for event in sandbox_sync.process.output(command)]
    assert events[-1].exit_code == 0
    assert (client_sync.permissions.get(found[0].id)).decided_by
    with pytest.raises(PermissionDecidedError):
        client_sync.permissions.answer(found[0].id, False)


def test_a_terminal_tells_of_its_own_questions(sandbox_sync: Sandbox) -> None:
    words = ["bivouac-ask", "--action", "write", "--resource", "/etc/hosts"]
    with sandbox_sync.terminal(command=words) as terminal:
        with closing(terminal.permission_requests()) as requests:
            for request in requests:
                assert (request.action, request.resource) == ("write", "/etc/hosts")
                request.answer(True)
        assert (terminal.wait()).exit_code == 0
