"""The package e2b from PyPI, as its users install it."""

from __future__ import annotations

import time
from typing import TypedDict

import pytest
from e2b import CommandExitException, FileType, NotFoundException, Sandbox
from harness import TestServer


class Options(TypedDict):
    api_key: str
    api_url: str
    sandbox_url: str


def options(server: TestServer, key: str) -> Options:
    return {"api_key": key, "api_url": server.url, "sandbox_url": server.url}


def test_a_sandbox_lives_and_runs_commands(server: TestServer, key: str) -> None:
    where = options(server, key)
    sandbox = Sandbox.create(metadata={"team": "a&b=c"}, envs={"MINE": "ü"}, **where)
    seen: list[str] = []
    done = sandbox.commands.run('echo "$MINE"; echo bad >&2', on_stdout=seen.append)
    assert (done.stdout, done.stderr, done.exit_code) == ("ü\n", "bad\n", 0)
    assert "".join(seen) == "ü\n"
    with pytest.raises(CommandExitException) as failed:
        sandbox.commands.run("exit 3")
    assert failed.value.exit_code == 3
    command = sandbox.commands.run("sleep 1000", background=True)
    assert command.pid in [one.pid for one in sandbox.commands.list()]
    assert command.kill()
    assert sandbox.get_info().metadata == {"team": "a&b=c"}
    sandbox.set_timeout(600)
    assert sandbox.kill()
    assert not Sandbox.kill(sandbox.sandbox_id, **where)
    assert not sandbox.is_running()


def test_files_are_written_and_read(server: TestServer, key: str) -> None:
    sandbox = Sandbox.create(**options(server, key))
    large = bytes(range(256)) * 20_000
    sandbox.files.write("/tmp/a/ü b", large)
    assert bytes(sandbox.files.read("/tmp/a/ü b", format="bytes")) == large
    assert [(one.name, one.type) for one in sandbox.files.list("/tmp/a")] == [("ü b", FileType.FILE)]
    assert sandbox.files.exists("/tmp/a/ü b")
    watch = sandbox.files.watch_dir("/tmp/a")
    sandbox.files.write("/tmp/a/new", "x")
    names: list[str] = []
    deadline = time.monotonic() + 60
    while "new" not in names and time.monotonic() < deadline:
        names += [event.name for event in watch.get_new_events()]
    assert "new" in names
    watch.stop()
    sandbox.files.remove("/tmp/a")
    with pytest.raises(NotFoundException):
        sandbox.files.read("/tmp/a/ü b")
    sandbox.kill()
