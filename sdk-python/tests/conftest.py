from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from _pytest.runner import runtestprotocol
from harness import TestServer

import bivouac
import bivouac.sync

FLAKY = Path(__file__).parent.parent / "target/pytest-reports/TEST-flaky.xml"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server() -> Generator[TestServer, None, None]:
    """One server for the whole run."""
    running = TestServer()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def key(server: TestServer) -> str:
    return server.new_key()


@pytest.fixture(scope="module")
async def client_async(server: TestServer, key: str) -> AsyncGenerator[bivouac.WorkspaceClient, None]:
    async with bivouac.WorkspaceClient(server.url, key) as client:
        yield client


@pytest.fixture(scope="module")
async def sandbox_async(client_async: bivouac.WorkspaceClient) -> AsyncGenerator[bivouac.Sandbox, None]:
    async with await client_async.sandbox.create() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def client_sync(server: TestServer, key: str) -> Generator[bivouac.sync.WorkspaceClient, None, None]:
    with bivouac.sync.WorkspaceClient(server.url, key) as client:
        yield client


@pytest.fixture(scope="module")
def sandbox_sync(client_sync: bivouac.sync.WorkspaceClient) -> Generator[bivouac.sync.Sandbox, None, None]:
    with client_sync.sandbox.create() as sandbox:
        yield sandbox


def pytest_sessionstart() -> None:
    FLAKY.unlink(missing_ok=True)


@pytest.hookimpl
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Runs a test that failed once more; one that passes then is told as flaky by the totals."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    failed = next((report for report in reports if report.failed), None)
    if failed is not None:
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        if not any(report.failed for report in reports):
            _tell_flaky(item.nodeid, failed.longreprtext)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _tell_flaky(test: str, words: str) -> None:
    FLAKY.parent.mkdir(parents=True, exist_ok=True)
    present = FLAKY.read_text().removesuffix("</testsuite>\n") if FLAKY.exists() else '<testsuite name="flaky">\n'
    printable = "".join(letter if letter.isprintable() else " " for letter in words[-600:])
    line = f'<flaky classname="python" name={quoteattr(test)}><flakyFailure message={quoteattr(printable)}/></flaky>\n'
    FLAKY.write_text(f"{present}{line}</testsuite>\n")
