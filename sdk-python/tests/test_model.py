from __future__ import annotations

from bivouac import CreateSandboxParams, KeepAlive, Resources, SandboxInfo
from bivouac._model import read, write


def test_parameters_go_out_with_the_names_of_the_wire_and_without_absent_ones() -> None:
    params = CreateSandboxParams(timeout_seconds=5, resources=Resources(cpu=1), keep_alive=KeepAlive())
    assert write(params) == {
        "template": "default",
        "timeoutSeconds": 5,
        "resources": {"cpu": 1},
        "keepAlive": {"onTraffic": True},
    }


def test_answers_are_read_with_fields_yet_to_come() -> None:
    answer = {"id": "sbx-1", "expiresAt": "then", "ports": [{"port": 80, "address": "here"}], "later": 1, "nfs": None}
    info = read(SandboxInfo, answer)
    assert (info.expires_at, info.ports[0].address, info.nfs) == ("then", "here", None)
