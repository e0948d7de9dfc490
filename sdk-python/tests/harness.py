"""A real server from the distribution, with a data folder of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import httpx

DISTRIBUTION = Path(__file__).resolve().parents[2] / "launcher/target/bivouac"
START_SECONDS = 180
KEY = "bvk_tests-of-the-python-sdk"


class TestServer:
    __test__ = False

    def __init__(self) -> None:
        program = DISTRIBUTION / "bin/bivouac-server"
        if not program.exists():
            raise RuntimeError("There is no distribution; make it with: ./gradlew build -x test")
        self.key = KEY
        self._folder = Path(tempfile.mkdtemp(prefix="bivouac-python-"))
        # PostgreSQL may run as another user than the tests.
        self._folder.chmod(0o755)
        self.url = f"http://127.0.0.1:{free_port()}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("BIVOUAC_")}
        environment |= {
            "BIVOUAC_DATA_DIR": str(self._folder / "data"),
            "BIVOUAC_PORT": self.url.rsplit(":", 1)[1],
            "BIVOUAC_API_KEY": self.key,
            "BIVOUAC_WEBHOOK_ALLOW": "127.0.0.0/8",
        }
        with (self._folder / "output").open("wb") as output:
            self._process = subprocess.Popen(
                [program], env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        try:
            self._await_ready()
        except BaseException:
            self._end()
            raise
        self._http = httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.key}"}, timeout=60)
        self._keys = [self.key]

    def _await_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                if httpx.get(f"{self.url}/ready").is_success:
                    return
            except httpx.HTTPError:
                # Not there yet; the deadline and the process decide.
                pass
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The server did not start: " + (self._folder / "output").read_text())
            time.sleep(0.1)

    def new_key(self) -> str:
        """The admin's key of a new project, so that nobody else's sandboxes are seen."""
        made = self._http.post("/api/v1/projects", json={"name": f"p-{uuid.uuid4()}"})
        made.raise_for_status()
        key: str = made.json()["key"]
        self._keys.append(key)
        return key

    def stop(self) -> None:
        """Sandboxes outlive a server: they are deleted first."""
        try:
            for key in self._keys:
                headers = {"Authorization": f"Bearer {key}"}
                for one in self._http.get("/api/v1/sandboxes?limit=500", headers=headers).json()["items"]:
                    self._http.delete(f"/api/v1/sandboxes/{one['id']}", headers=headers)
        finally:
            self._http.close()
            self._end()

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
