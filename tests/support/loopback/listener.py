"""The listening socket of a loopback server, and the threads that serve its connections."""

from __future__ import annotations

import socketserver
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any

Serve = Callable[[BaseHTTPRequestHandler], None]


class Handler(BaseHTTPRequestHandler):
    """A keep-alive connection whose requests are served by the loopback server."""

    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; with Nagle's algorithm each response could wait for a delayed ACK.
    disable_nagle_algorithm = True
    server: Listener

    def do_GET(self) -> None:
        """Serve a GET."""
        self.server.serve(self)

    def do_HEAD(self) -> None:
        """Serve a HEAD."""
        self.server.serve(self)

    def do_POST(self) -> None:
        """Serve a POST."""
        self.server.serve(self)

    def log_message(self, *_: Any) -> None:
        """Write no log."""


class Listener(ThreadingHTTPServer):
    """A threading server that runs from the start, and stops at once, whatever its connections are doing."""

    daemon_threads = False  # so that `server_close` waits for the threads of the connections
    request_queue_size = 128

    def __init__(self, serve: Serve) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.serve = serve
        self._open: set[socket] = set()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Accept no more, shut every open connection down and wait for its thread."""
        self.shutdown()
        for connection in list(self._open):
            with suppress(OSError):  # the client may have closed it
                connection.shutdown(SHUT_RDWR)
        self.server_close()

    def server_bind(self) -> None:
        """Bind without a lookup of the host's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def get_request(self) -> tuple[socket, Any]:
        """Accept a connection, known to `stop` before its thread starts."""
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        """Close a connection at its end."""
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless the client closed the connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
