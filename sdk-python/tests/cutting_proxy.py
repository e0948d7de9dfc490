"""A way to the server that can be cut."""

from __future__ import annotations

import socket
import struct
import threading
from urllib.parse import urlsplit


class CuttingProxy:
    """Carries connections, each by two threads, until they are cut."""

    def __init__(self, target: str) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname or "", parts.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        #: How many connections were made in all.
        self.connections = 0
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                # Closed.
                return
            server = socket.create_connection(self._target)
            with self._lock:
                self.connections += 1
                self._sockets |= {client, server}
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
        except OSError:
            # Cut here or at the other side.
            pass
        for end in (source, sink):
            self._end(end)

    def _end(self, end: socket.socket) -> None:
        with self._lock:
            self._sockets.discard(end)
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The other thread was faster.
            pass
        end.close()

    def cut(self) -> None:
        """Every connection is reset at once."""
        with self._lock:
            present = list(self._sockets)
        for one in present:
            try:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            except OSError:
                # Gone already.
                continue
            self._end(one)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
