# Made by scripts/unasync.py from tests/aio/test_recordings.py; do not edit.
from __future__ import annotations

import pytest

from bivouac.sync import Sandbox, WorkspaceClient
from bivouac.errors import RecordingNotFoundError

def test_a_recorded_terminal_shows_again_what_it_showed(
    client_sync: WorkspaceClient, sandbox_sync: Sandbox
) -> None:
    terminal = sandbox_sync.terminal(command=["sh"], cols=100, rows=30, record=True)
    terminal.write('echo "said $((6 * 7))"; exit 5\n')
    assert (terminal.wait()).exit_code == 5
    complete = False
    while not complete:
        listed = {one.terminal_id: one for one in client_sync.recordings.list(sandbox_id=sandbox_sync.id)}
        complete = terminal.id in listed and listed[terminal.id].complete
    assert listed[terminal.id].exit_code == 5
    recording = client_sync.recordings.open(terminal.id)
    assert (recording.header.cols, recording.header.rows) == (100, 30)
    events = [event for event in recording]
    assert "said 42" in "".join(event.text for event in events if event.type == "output")
    assert (events[-1].type, events[-1].exit_code) == ("exit", 5)
    assert ((client_sync.recordings.download(terminal.id)).read()).startswith(b'{"version":3,')


def test_what_was_not_recorded_has_a_name(client_sync: WorkspaceClient, sandbox_sync: Sandbox) -> None:
    with sandbox_sync.terminal(command=["cat"]) as terminal:
        with pytest.raises(RecordingNotFoundError):
            client_sync.recordings.open(terminal.id)
