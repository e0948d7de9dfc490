from __future__ import annotations

import io
import tarfile
from contextlib import aclosing
from pathlib import Path

import httpx
import pytest

from bivouac import Sandbox
from bivouac.errors import FileNotFoundError, PreconditionFailedError

pytestmark = pytest.mark.anyio


async def test_a_file_is_written_read_listed_moved_and_removed(sandbox_async: Sandbox) -> None:
    files = sandbox_async.files
    made = await files.upload("deep/er/note.txt", "grüße\n", mode="0600")
    assert (made.type, made.mode, made.name) == ("file", "0600", "note.txt")
    assert await files.read("deep/er/note.txt") == "grüße\n"
    assert await files.read_bytes("deep/er/note.txt", offset=2, length=2) == b"\xc3\xbc"
    assert (await files.make_dir("deep/other")).type == "folder"
    moved = await files.move("deep/er/note.txt", "deep/other/moved.txt")
    assert moved.etag
    assert [one.name async for one in files.list("deep", depth=2)] == ["er", "other", "moved.txt"]
    assert (await files.change("deep/other/moved.txt", mode="0640")).mode == "0640"
    await files.remove("deep", recursive=True)
    with pytest.raises(FileNotFoundError):
        await files.stat("deep")


async def test_conditions_are_kept(sandbox_async: Sandbox) -> None:
    files = sandbox_async.files
    first = await files.write("condition", b"1")
    with pytest.raises(PreconditionFailedError):
        await files.write("condition", b"2", only_new=True)
    await files.write("condition", b"22", if_match=first.etag)
    with pytest.raises(PreconditionFailedError):
        await files.write("condition", b"3", if_match=first.etag)
    assert await files.read("condition") == "22"


async def test_large_files_go_both_ways_from_and_to_this_machine(sandbox_async: Sandbox, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(bytes(range(256)) * 20_000)
    assert (await sandbox_async.files.upload("large", source)).size == 5_120_000
    download = await sandbox_async.files.download("large")
    assert download.size == 5_120_000
    await download.save(target)
    assert target.read_bytes() == source.read_bytes()
    with source.open("rb") as opened:
        assert (await sandbox_async.files.write("again", opened)).size == 5_120_000


async def test_folders_travel_as_archives(sandbox_async: Sandbox) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        entry = tarfile.TarInfo("inner/file")
        entry.size = 4
        tar.addfile(entry, io.BytesIO(b"text"))
    assert await sandbox_async.files.unpack("unpacked", packed.getvalue()) >= 1
    assert await sandbox_async.files.read("unpacked/inner/file") == "text"
    archive = await (await sandbox_async.files.archive("unpacked", "tar.gz")).read()
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        assert any(name.endswith("inner/file") for name in tar.getnames())


async def test_links_work_without_a_key(sandbox_async: Sandbox) -> None:
    await sandbox_async.files.write("shared", "for you")
    link = await sandbox_async.files.link("shared", expires_in_seconds=60)
    async with httpx.AsyncClient() as stranger:
        assert (await stranger.get(link.url)).text == "for you"


async def test_a_watch_tells_what_changes(sandbox_async: Sandbox) -> None:
    await sandbox_async.files.make_dir("watched")
    # Written again and again, so that it does not matter when the watch stands.
    writing = await sandbox_async.process.start("while :; do echo x >> watched/new; sleep 0.05; done")
    async with aclosing(sandbox_async.files.watch("watched")) as events:
        async for event in events:
            if event.type in ("created", "changed"):
                assert event.path.endswith("new")
                break
    await sandbox_async.process.kill(writing, 9)
