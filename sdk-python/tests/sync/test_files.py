# Made by scripts/unasync.py from tests/aio/test_files.py; do not edit.
from __future__ import annotations

import io
import tarfile
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bivouac.sync import Sandbox
from bivouac.errors import FileNotFoundError, PreconditionFailedError

def test_a_file_is_written_read_listed_moved_and_removed(sandbox_sync: Sandbox) -> None:
    files = sandbox_sync.files
    made = files.upload("deep/er/note.txt", "grüße\n", mode="0600")
    assert (made.type, made.mode, made.name) == ("file", "0600", "note.txt")
    assert files.read("deep/er/note.txt") == "grüße\n"
    assert files.read_bytes("deep/er/note.txt", offset=2, length=2) == b"\xc3\xbc"
    assert (files.make_dir("deep/other")).type == "folder"
    moved = files.move("deep/er/note.txt", "deep/other/moved.txt")
    assert moved.etag
    assert [one.name for one in files.list("deep", depth=2)] == ["er", "other", "moved.txt"]
    assert (files.change("deep/other/moved.txt", mode="0640")).mode == "0640"
    files.remove("deep", recursive=True)
    with pytest.raises(FileNotFoundError):
        files.stat("deep")


def test_conditions_are_kept(sandbox_sync: Sandbox) -> None:
    files = sandbox_sync.files
    first = files.write("condition", b"1")
    with pytest.raises(PreconditionFailedError):
        files.write("condition", b"2", only_new=True)
    files.write("condition", b"22", if_match=first.etag)
    with pytest.raises(PreconditionFailedError):
        files.write("condition", b"3", if_match=first.etag)
    assert files.read("condition") == "22"


def test_large_files_go_both_ways_from_and_to_this_machine(sandbox_sync: Sandbox, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(range(256)) * 20_000)
    assert (sandbox_sync.files.upload("large", source)).size == 5_120_000
    download = sandbox_sync.files.download("large")
    assert download.size == 5_120_000
    download.save(target)
    assert target.read_bytes() == source.read_bytes()
    with source.open("rb") as opened:
        assert (sandbox_sync.files.write("again", opened)).size == 5_120_000


def test_folders_travel_as_archives(sandbox_sync: Sandbox) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        entry = tarfile.TarInfo("inner/file")
        entry.size = 4
        tar.addfile(entry, io.BytesIO(b"text"))
    assert sandbox_sync.files.unpack("unpacked", packed.getvalue()) >= 1
    assert sandbox_sync.files.read("unpacked/inner/file") == "text"
    archive = (sandbox_sync.files.archive("unpacked", "tar.gz")).read()
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        assert any(name.endswith("inner/file") for name in tar.getnames())


def test_links_work_without_a_key(sandbox_sync: Sandbox) -> None:
    sandbox_sync.files.write("shared", "for you")
    link = sandbox_sync.files.link("shared", expires_in_seconds=60)
    with httpx.Client() as stranger:
        assert (stranger.get(link.url)).text == "for you"


def test_a_watch_tells_what_changes(sandbox_sync: Sandbox) -> None:
    sandbox_sync.files.make_dir("watched")
    # Written again and again, so that it does not matter when the watch stands.
    writing = sandbox_sync.process.start("while :; do echo x >> watched/new; sleep 0.05; done")
    with closing(sandbox_sync.files.watch("watched")) as events:
        for event in events:
            if event.type in ("created", "changed"):
                assert event.path.endswith("new")
                break
    sandbox_sync.process.kill(writing, 9)
