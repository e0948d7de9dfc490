"""Servers that answer badly, and callers that leave at a bad moment."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from bivouac import Sandbox, WorkspaceClient
from bivouac._timing import pause
from bivouac.errors import ConnectionFailedError, RequestTimeoutError, SandboxNotFoundError, UnexpectedAnswerError

pytestmark = pytest.mark.anyio

Answer = Callable[[BaseHTTPRequestHandler, int], None]


@contextmanager
def server_that(answer: Answer) -> Generator[tuple[str, list[str]], None, None]:
    """A server that answers each request as the test says."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_all(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            requests.append(f"{self.command} {self.path} {self.headers.get('Idempotency-Key', '')}".strip())
            answer(self, len(requests))

        do_GET = do_POST = do_DELETE = handle_all

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", requests
    finally:
        server.shutdown()
        server.server_close()


def say(handler: BaseHTTPRequestHandler, status: int, body: object, length: int | None = None) -> None:
    text = json.dumps(body).encode() if not isinstance(body, bytes) else body
    handler.send_response(status)
    handler.send_header("Content-Length", str(length or len(text)))
    handler.end_headers()
    handler.wfile.write(text)
    handler.close_connection = True


async def test_an_answer_that_is_cut_is_asked_for_again() -> None:
    def answer(handler: BaseHTTPRequestHandler, count: int) -> None:
        if count < 3:
            say(handler, 200 if count == 1 else 503, b'{"id":', length=1000)
        else:
            say(handler, 200, {"id": "sbx-1"})

    with server_that(answer) as (url, requests):
        async with WorkspaceClient(url, "k") as client:
            assert (await client.sandbox.get("sbx-1")).id == "sbx-1"
        assert len(requests) == 3


async def test_a_cut_answer_to_what_must_not_be_repeated_is_a_lost_connection() -> None:
    with server_that(lambda handler, _: say(handler, 200, b'{"id":', length=1000)) as (url, requests):
        async with WorkspaceClient(url, "k") as client:
            with pytest.raises(ConnectionFailedError):
                await client.sandbox.extend("sbx-1", 5)
        assert len(requests) == 1


async def test_a_create_is_repeated_with_the_same_key() -> None:
    def answer(handler: BaseHTTPRequestHandler, count: int) -> None:
        if count == 1:
            say(handler, 503, {"code": 9003, "name": "UNAVAILABLE", "detail": "later"})
        else:
            say(handler, 201, {"id": "sbx-1", "state": "running", "later": "fields are ignored"})

    with server_that(answer) as (url, requests):
        async with WorkspaceClient(url, "k") as client:
            assert (await client.sandbox.create()).state == "running"
        assert len(requests) == 2
        assert requests[0] == requests[1]


async def test_a_delete_whose_answer_was_lost_has_succeeded_when_nothing_is_left() -> None:
    def answer(handler: BaseHTTPRequestHandler, count: int) -> None:
        if count == 1:
            handler.close_connection = True
        else:
            say(handler, 404, {"code": 2001, "name": "SANDBOX_NOT_FOUND"})

    with server_that(answer) as (url, requests):
        async with WorkspaceClient(url, "k") as client:
            await client.sandbox.delete("sbx-1")
            assert len(requests) == 2
            with pytest.raises(SandboxNotFoundError):
                await client.sandbox.delete("sbx-1")


async def test_an_answer_of_somebody_else_says_so() -> None:
    with server_that(lambda handler, _: say(handler, 502, b"<html>Bad Gateway</html>")) as (url, _):
        async with WorkspaceClient(url, "k") as client:
            with pytest.raises(UnexpectedAnswerError, match="Bad Gateway"):
                await client.sandbox.get("sbx-1")


async def test_a_server_that_does_not_answer_is_given_up(server_url: str) -> None:
    async with WorkspaceClient(server_url, "k", timeout=50) as client:
        with pytest.raises(RequestTimeoutError):
            await client.sandbox.get("sbx-1")


@pytest.fixture
def server_url() -> Generator[str, None, None]:
    """A listener that takes connections and never answers."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


async def test_a_cancelled_task_ends_its_call(sandbox_async: Sandbox) -> None:
    running = asyncio.create_task(sandbox_async.process.run("sleep 1000"))

    async def begun() -> bool:
        return any("sleep 1000" in one.command for one in await sandbox_async.process.list().all())

    while not await begun():
        await asyncio.sleep(0.02)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await sandbox_async.process.run("echo still here")).stdout == "still here\n"


async def test_a_sandbox_may_be_deleted_before_its_scope_ends(client_async: WorkspaceClient) -> None:
    async with await client_async.sandbox.create() as sandbox:
        await sandbox.delete()


def test_an_address_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r'api_url must begin with http:// or https://.*"localhost:8080"'):
        WorkspaceClient("localhost:8080")
    assert WorkspaceClient("http://h:1/api/v1/")._transport.url("/x") == "http://h:1/x"


def test_pauses_double_and_obey_the_server() -> None:
    assert [pause(attempt, chance=lambda: 1) for attempt in range(3)] == [0.1, 0.2, 0.4]
    assert pause(20, chance=lambda: 1) == 5
    assert pause(0, asked=7000, chance=lambda: 0) == 7
