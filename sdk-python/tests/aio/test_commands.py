from __future__ import annotations

import pytest
from cutting_proxy import CuttingProxy
from harness import TestServer

from bivouac import Sandbox, WorkspaceClient
from bivouac.errors import CommandNotFoundError, ConnectionFailedError, ProcessTimeoutError

pytestmark = pytest.mark.anyio


async def test_words_a_folder_input_and_both_outputs(sandbox_async: Sandbox) -> None:
    words = ["sh", "-c", 'pwd; cat; echo "$1" >&2', "sh", "to the other"]
    result = await sandbox_async.process.run(words, cwd="/tmp", stdin="given")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "/tmp\ngiven", "to the other\n")


async def test_a_failing_command_is_a_result(sandbox_async: Sandbox) -> None:
    assert (await sandbox_async.process.run("exit 3")).exit_code == 3


async def test_a_command_that_takes_too_long_is_an_error(sandbox_async: Sandbox) -> None:
    with pytest.raises(ProcessTimeoutError):
        await sandbox_async.process.run("sleep 100", timeout=1000)


async def test_output_comes_as_it_is_written_to_the_last_byte(sandbox_async: Sandbox) -> None:
    events = [event async for event in sandbox_async.process.run_stream("printf '\\377\\000'; echo aside >&2; exit 4")]
    assert events[0].type == "start"
    assert b"".join(event.bytes for event in events if event.type == "stdout") == b"\xff\x00"
    assert "".join(event.data for event in events if event.type == "stderr") == "aside\n"
    assert (events[-1].type, events[-1].exit_code) == ("exit", 4)


async def test_a_stream_that_is_cut_again_and_again_loses_and_repeats_nothing(
    sandbox_async: Sandbox, server: TestServer, key: str
) -> None:
    proxy = CuttingProxy(server.url)
    try:
        async with WorkspaceClient(proxy.url, key) as client:
            cut = await client.sandbox.get(sandbox_async.id)
            text, pieces = "", 0
            line = 'for i in $(seq 1 200); do echo "line $i"; sleep 0.005; done'
            async for event in cut.process.run_stream(line):
                if event.type == "stdout":
                    text += event.data
                    pieces += 1
                    if pieces % 20 == 0:
                        proxy.cut()
        assert text == "".join(f"line {count}\n" for count in range(1, 201))
        assert (event.type, event.exit_code) == ("exit", 0)
        assert proxy.connections > 3
    finally:
        proxy.close()


async def test_a_background_command_goes_on_is_listed_read_and_killed(sandbox_async: Sandbox) -> None:
    command = await sandbox_async.process.start("echo begun; exec sleep 1000")
    listed = {one.command_id: one async for one in sandbox_async.process.list()}
    assert listed[command].running
    seen = []
    async for event in sandbox_async.process.output(command):
        seen.append(event)
        if event.type == "stdout":
            await sandbox_async.process.kill(command, 9)
    assert [event.data for event in seen if event.type == "stdout"] == ["begun\n"]
    assert (seen[-1].type, seen[-1].exit_code) == ("exit", -9)
    with pytest.raises(CommandNotFoundError):
        await sandbox_async.process.kill("cmd-nothing")


async def test_a_server_that_is_not_there_is_an_error_of_its_own() -> None:
    async with WorkspaceClient("http://127.0.0.1:1", "none", retries=1) as nobody:
        with pytest.raises(ConnectionFailedError):
            await nobody.templates.list()
