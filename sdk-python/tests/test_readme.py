"""The examples of the documentation do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness import TestServer

HOME = Path(__file__).resolve().parent.parent
DOCUMENTS = ["README.md", "../docs/python.md"]
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROMISE = re.compile(r"print\(.*\)  # (.*)$", re.MULTILINE)
EXAMPLES = [
    pytest.param(code, id=f"{Path(document).name}-{number}")
    for document in DOCUMENTS
    for number, code in enumerate(EXAMPLE.findall((HOME / document).read_text()), 1)
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_prints_what_it_says(code: str, server: TestServer, key: str, tmp_path: Path) -> None:
    promised = [line for words in PROMISE.findall(code) for line in words.split(" // ")]
    assert promised
    environment = {**os.environ, "PYTHONPATH": str(HOME / "src"), "BIVOUAC_URL": server.url, "BIVOUAC_API_KEY": key}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == promised
