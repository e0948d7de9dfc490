from __future__ import annotations

import pytest

from bivouac import Sandbox, WorkspaceClient
from bivouac.errors import RecordingNotFoundError

pytestmark = pytest.mark.anyio


async def test_a_recorded_terminal_shows_again_what_it_showed(
    client_async: WorkspaceClient, sandbox_async: Sandbox
) -> None:
    terminal = await sandbox_async.terminal(command=["sh"], cols=100, rows=30, record=True)
    await terminal.write('echo "said $((6 * 7))"; exit 5\n')
    assert (await terminal.wait()).exit_code == 5
    complete = False
    while not complete:
        listed = {one.terminal_id: one async for one in client_async.recordings.list(sandbox_id=sandbox_async.id)}
        complete = terminal.id in listed and listed[terminal.id].complete
    assert listed[terminal.id].exit_code == 5
    recording = await client_async.recordings.open(terminal.id)
    assert (recording.header.cols, recording.header.rows) == (100, 30)
    events = [event async for event in recording]
    assert "said 42" in "".join(event.text for event in events if event.type == "output")
    assert (events[-1].type, events[-1].exit_code) == ("exit", 5)
    assert (await (await client_async.recordings.download(terminal.id)).read()).startswith(b'{"version":3,')


async def test_what_was_not_recorded_has_a_name(client_async: WorkspaceClient, sandbox_async: Sandbox) -> None:
    async with await sandbox_async.terminal(command=["cat"]) as terminal:
        with pytest.raises(RecordingNotFoundError):
            await client_async.recordings.open(terminal.id)
