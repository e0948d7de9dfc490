"""The server and the retry of the Python SDK's own tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sdk-python/src"), str(ROOT / "sdk-python/tests")]

from harness import TestServer  # noqa: E402

spec = importlib.util.spec_from_file_location("sdk_python_conftest", ROOT / "sdk-python/tests/conftest.py")
assert spec is not None
assert spec.loader is not None
theirs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(theirs)
theirs.FLAKY = Path(__file__).parent / "target/pytest-reports/TEST-flaky.xml"

server = theirs.server
pytest_sessionstart = theirs.pytest_sessionstart
pytest_runtest_protocol = theirs.pytest_runtest_protocol


@pytest.fixture
def key(server: TestServer) -> str:
    """A project for each test."""
    return server.new_key()
