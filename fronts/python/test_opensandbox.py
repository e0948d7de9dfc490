"""The package opensandbox from PyPI, as its users install it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from harness import TestServer
from opensandbox import SandboxSync
from opensandbox.config.connection_sync import ConnectionConfigSync
from opensandbox.exceptions import SandboxException
from opensandbox.models.execd import RunCommandOpts
from opensandbox.models.filesystem import WriteEntry
from opensandbox.models.sandboxes import NetworkPolicy, NetworkRule, SandboxFilter
from opensandbox.sync.manager import SandboxManagerSync


def configured(server: TestServer, key: str) -> ConnectionConfigSync:
    return ConnectionConfigSync(domain=server.url.removeprefix("http://"), api_key=key, protocol="http")


def test_a_sandbox_lives_and_runs_commands(server: TestServer, key: str) -> None:
    config = configured(server, key)
    sandbox = SandboxSync.create(
        "ubuntu", timeout=timedelta(minutes=10), env={"MINE": "ü"}, metadata={"team": "a&b=c"}, connection_config=config
    )
    try:
        done = sandbox.commands.run('echo "$MINE"; echo bad >&2; exit 3')
        assert [line.text for line in done.logs.stdout] == ["ü"]
        assert [line.text for line in done.logs.stderr] == ["bad"]
        assert done.exit_code == 3
        words = sandbox.commands.run(["printf", "%s", "a b"], opts=RunCommandOpts(working_directory="/tmp"))
        assert words.logs.stdout[0].text == "a b"
        assert sandbox.get_info().status.state == "Running"
        with SandboxManagerSync.create(connection_config=config) as manager:
            found = manager.list_sandbox_infos(SandboxFilter(metadata={"team": "a&b=c"}))
            assert [one.id for one in found.sandbox_infos] == [sandbox.id]
        sandbox.renew(timedelta(hours=1))
        assert sandbox.get_metrics().memory_total_in_mib > 0
    finally:
        sandbox.kill()
        sandbox.close()


def test_files_are_written_and_read(server: TestServer, key: str) -> None:
    sandbox = SandboxSync.create("ubuntu", connection_config=configured(server, key))
    try:
        large = bytes(range(256)) * 20_000
        sandbox.files.write_files(
            [WriteEntry(path="/tmp/a/text", data="one\ntwo\nthree", mode=644), WriteEntry(path="/tmp/a/large", data=large)]
        )
        assert sandbox.files.read_file("/tmp/a/text", offset=2, limit=1) == "two"
        assert sandbox.files.read_bytes("/tmp/a/large") == large
        assert sandbox.files.get_file_info(["/tmp/a/text"])["/tmp/a/text"].mode == 644
        sandbox.files.write_file("/tmp/a/owned", "x", owner="root", group="root")
        assert sandbox.files.get_file_info(["/tmp/a/owned"])["/tmp/a/owned"].owner == "root"
        with pytest.raises(SandboxException):
            sandbox.files.read_file("/tmp/a/none")
    finally:
        sandbox.kill()
        sandbox.close()


def test_hosts_are_those_that_were_asked_for(server: TestServer, key: str) -> None:
    policy = NetworkPolicy(default_action="deny", egress=[NetworkRule(action="allow", target="example.org")])
    sandbox = SandboxSync.create("ubuntu", network_policy=policy, connection_config=configured(server, key))
    try:
        assert [rule.target for rule in sandbox.get_egress_policy().egress or []] == ["example.org"]
    finally:
        sandbox.kill()
        sandbox.close()
