# Made by scripts/unasync.py from tests/aio/test_commands.py; do not edit.
from __future__ import annotations

import pytest
from cutting_proxy import CuttingProxy
from harness import TestServer

from bivouac.sync import Sandbox, WorkspaceClient
from bivouac.errors import CommandNotFoundError, ConnectionFailedError, ProcessTimeoutError

def test_words_a_folder_input_and_both_outputs(sandbox_sync: Sandbox) -> None:
    words = ["sh", "-c", 'pwd; cat; echo "$1" >&2', "sh", "to the other"]
    result = sandbox_sync.process.run(words, cwd="/tmp", stdin="given")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "/tmp\ngiven", "to the other\n")


def test_a_failing_command_is_a_result(sandbox_sync: Sandbox) -> None:
    assert (sandbox_sync.process.run("exit 3")).exit_code == 3


def test_a_command_that_takes_too_long_is_an_error(sandbox_sync: Sandbox) -> None:
    with pytest.raises(ProcessTimeoutError):
        sandbox_sync.process.run("sleep 100", timeout=1000)


def test_output_comes_as_it_is_written_to_the_last_byte(sandbox_sync: Sandbox) -> None:
    events = [event for event in sandbox_sync.process.run_stream("printf '\\377\\000'; echo aside >&2; exit 4")]
    assert events[0].type == "start"
    assert b"".join(event.bytes for event in events if event.type == "stdout") == b"\xff\x00"
    assert "".join(event.data for event in events if event.type == "stderr") == "aside\n"
    assert (events[-1].type, events[-1].exit_code) == ("exit", 4)


def test_a_stream_that_is_cut_again_and_again_loses_and_repeats_nothing(
    sandbox_sync: Sandbox, server: TestServer, key: str
) -> None:
    proxy = CuttingProxy(server.url)
    try:
        with WorkspaceClient(proxy.url, key) as client:
            cut = client.sandbox.get(sandbox_sync.id)
            text, pieces = "", 0
            line = 'for i in $(seq 1 200); do echo "line $i"; sleep 0.005; done'
            for event in cut.process.run_stream(line):
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


def test_a_background_command_goes_on_is_listed_read_and_killed(sandbox_sync: Sandbox) -> None:
    command = sandbox_sync.process.start("echo begun; exec sleep 1000")
    listed = {one.command_id: one for one in sandbox_sync.process.list()}
    assert listed[command].running
    seen = []
    for event in sandbox_sync.process.output(command):
        seen.append(event)
        if event.type == "stdout":
            sandbox_sync.process.kill(command, 9)
    assert [event.data for event in seen if event.type == "stdout"] == ["begun\n"]
    assert (seen[-1].type, seen[-1].exit_code) == ("exit", -9)
    with pytest.raises(CommandNotFoundError):
        sandbox_sync.process.kill("cmd-nothing")


def test_a_server_that_is_not_there_is_an_error_of_its_own() -> None:
    with WorkspaceClient("http://127.0.0.1:1", "none", retries=1) as nobody:
        with pytest.raises(ConnectionFailedError):
            nobody.templates.list()
