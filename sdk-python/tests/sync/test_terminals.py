# Made by scripts/unasync.py from tests/aio/test_terminals.py; do not edit.
from __future__ import annotations

import pytest
from cutting_proxy import CuttingProxy
from harness import TestServer

from bivouac.sync import Sandbox, Terminal, WorkspaceClient
from bivouac.errors import PTYNotFoundError, WorkspaceError

def until(terminal: Terminal, wanted: str) -> str:
    """Reads until the text is there."""
    text = ""
    while wanted not in text:
        piece = terminal.read()
        assert piece is not None, f"the terminal ended before {wanted!r}: {text}"
        text += piece.decode("utf-8", "replace")
    return text


def test_what_is_typed_runs_and_the_exit_code_is_told(sandbox_sync: Sandbox) -> None:
    terminal = sandbox_sync.terminal(command=["sh"], cols=100, rows=30)
    terminal.write('stty size; echo "sum $((20 + 22))"; exit 5\n')
    text = b"".join([piece for piece in terminal]).decode()
    assert "30 100" in text
    assert "sum 42" in text
    assert (terminal.wait()).exit_code == 5
    assert terminal.state == "closed"
    with pytest.raises(WorkspaceError, match="closed"):
        terminal.write("more")


def test_its_size_changes_and_a_signal_arrives(sandbox_sync: Sandbox) -> None:
    with sandbox_sync.terminal(command=["sh"]) as terminal:
        terminal.resize(132, 50)
        terminal.write("stty size\n")
        until(terminal, "50 132")
        terminal.write("trap 'echo caught' INT; echo set-$((1 + 1)); sleep 1000\n")
        until(terminal, "set-2")
        terminal.signal(2)
        until(terminal, "caught")
    with pytest.raises(PTYNotFoundError):
        sandbox_sync.pty.kill("pty-nothing")


def test_a_cut_connection_is_taken_up_where_it_was(sandbox_sync: Sandbox, server: TestServer, key: str) -> None:
    proxy = CuttingProxy(server.url)
    try:
        with WorkspaceClient(proxy.url, key) as client:
            cut = client.sandbox.get(sandbox_sync.id)
            terminal = cut.terminal(command=["sh", "-c", "stty -echo -opost; while read l; do echo got-$l; done"])
            states: list[str] = []
            terminal.on_state = states.append
            seen = ""
            for count in range(1, 31):
                if count % 10 == 0:
                    proxy.cut()
                terminal.write(f"{count}\n")
                while f"got-{count}\n" not in seen:
                    seen += ((terminal.read()) or b"").decode()
            terminal.write("\x04")
            assert (terminal.wait()).exit_code == 0
            assert seen == "".join(f"got-{count}\n" for count in range(1, 31))
            assert states.count("reconnecting") >= 3
    finally:
        proxy.close()


def test_a_long_output_comes_whole(sandbox_sync: Sandbox) -> None:
    terminal = sandbox_sync.terminal(command=["sh", "-c", "stty -opost; seq 1 100000"])
    lines = b"".join([piece for piece in terminal]).split()
    assert (len(lines), lines[-1]) == (100_000, b"100000")


def test_whoever_only_looked_does_not_end_the_terminal(sandbox_sync: Sandbox) -> None:
    with sandbox_sync.terminal(command=["cat"]) as driver:
        with sandbox_sync.terminal(id=driver.id, role="viewer") as viewer:
            assert viewer.state == "open"
        assert (sandbox_sync.pty.get(driver.id)).status != "terminated"
        driver.write("still here\n")
        until(driver, "still here")
        assert driver.id in [one.id for one in sandbox_sync.pty.list()]


def test_a_terminal_for_another_client_has_its_address(sandbox_sync: Sandbox) -> None:
    made = sandbox_sync.pty.create(cols=80, rows=24)
    assert made.websocket_url.startswith("ws")
    assert "bivouac.json" in made.protocols
    sandbox_sync.pty.resize(made.id, 90, 30)
    sandbox_sync.pty.kill(made.id)
