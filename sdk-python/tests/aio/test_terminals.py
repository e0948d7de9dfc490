from __future__ import annotations

import pytest
from cutting_proxy import CuttingProxy
from harness import TestServer

from bivouac import Sandbox, Terminal, WorkspaceClient
from bivouac.errors import PTYNotFoundError, WorkspaceError

pytestmark = pytest.mark.anyio


async def until(terminal: Terminal, wanted: str) -> str:
    """Reads until the text is there."""
    text = ""
    while wanted not in text:
        piece = await terminal.read()
        assert piece is not None, f"the terminal ended before {wanted!r}: {text}"
        text += piece.decode("utf-8", "replace")
    return text


async def test_what_is_typed_runs_and_the_exit_code_is_told(sandbox_async: Sandbox) -> None:
    terminal = await sandbox_async.terminal(command=["sh"], cols=100, rows=30)
    await terminal.write('stty size; echo "sum $((20 + 22))"; exit 5\n')
    text = b"".join([piece async for piece in terminal]).decode()
    assert "30 100" in text
    assert "sum 42" in text
    assert (await terminal.wait()).exit_code == 5
    assert terminal.state == "closed"
    with pytest.raises(WorkspaceError, match="closed"):
        await terminal.write("more")


async def test_its_size_changes_and_a_signal_arrives(sandbox_async: Sandbox) -> None:
    async with await sandbox_async.terminal(command=["sh"]) as terminal:
        await terminal.resize(132, 50)
        await terminal.write("stty size\n")
        await until(terminal, "50 132")
        await terminal.write("trap 'echo caught' INT; echo set-$((1 + 1)); sleep 1000\n")
        await until(terminal, "set-2")
        await terminal.signal(2)
        await until(terminal, "caught")
    with pytest.raises(PTYNotFoundError):
        await sandbox_async.pty.kill("pty-nothing")


async def test_a_cut_connection_is_taken_up_where_it_was(sandbox_async: Sandbox, server: TestServer, key: str) -> None:
    proxy = CuttingProxy(server.url)
    try:
        async with WorkspaceClient(proxy.url, key) as client:
            cut = await client.sandbox.get(sandbox_async.id)
            terminal = await cut.terminal(command=["sh", "-c", "stty -echo -opost; while read l; do echo got-$l; done"])
            states: list[str] = []
            terminal.on_state = states.append
            seen = ""
            for count in range(1, 31):
                if count % 10 == 0:
                    proxy.cut()
                await terminal.write(f"{count}\n")
                while f"got-{count}\n" not in seen:
                    seen += ((await terminal.read()) or b"").decode()
            await terminal.write("\x04")
            assert (await terminal.wait()).exit_code == 0
            assert seen == "".join(f"got-{count}\n" for count in range(1, 31))
            assert states.count("reconnecting") >= 3
    finally:
        proxy.close()


async def test_a_long_output_comes_whole(sandbox_async: Sandbox) -> None:
    terminal = await sandbox_async.terminal(command=["sh", "-c", "stty -opost; seq 1 100000"])
    lines = b"".join([piece async for piece in terminal]).split()
    assert (len(lines), lines[-1]) == (100_000, b"100000")


async def test_whoever_only_looked_does_not_end_the_terminal(sandbox_async: Sandbox) -> None:
    async with await sandbox_async.terminal(command=["cat"]) as driver:
        async with await sandbox_async.terminal(id=driver.id, role="viewer") as viewer:
            assert viewer.state == "open"
        assert (await sandbox_async.pty.get(driver.id)).status != "terminated"
        await driver.write("still here\n")
        await until(driver, "still here")
        assert driver.id in [one.id async for one in sandbox_async.pty.list()]


async def test_a_terminal_for_another_client_has_its_address(sandbox_async: Sandbox) -> None:
    made = await sandbox_async.pty.create(cols=80, rows=24)
    assert made.websocket_url.startswith("ws")
    assert "bivouac.json" in made.protocols
    await sandbox_async.pty.resize(made.id, 90, 30)
    await sandbox_async.pty.kill(made.id)
