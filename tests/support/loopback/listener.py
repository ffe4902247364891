"""The listening socket of a loopback server, and the threads that serve its connections."""

from __future__ import annotations

import socketserver
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any

Serve = Callable[[BaseHTTPRequestHandler], None]


class Handler(BaseHTTPRequestHandler):
    """A keep-alive connection whose requests are served by the loopback server."""

    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; with Nagle's algorithm each answer could wait for a delayed ACK.
    disable_nagle_algorithm = True
    server: Listener

    def do_GET(self) -> None:
        """Serve a GET."""
        self.server.serve(self)

    def do_POST(self) -> None:
        """Serve a POST."""
        self.server.serve(self)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Say nothing: a test's output is for the test."""


class Listener(ThreadingHTTPServer):
    """A threading server that stops at once, whatever its connections are doing."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, serve: Serve) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.serve = serve
        self._lock = threading.Lock()
        self._connections: dict[threading.Thread, socket] = {}
        self._acceptor = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    def start(self) -> None:
        """Accept connections from now on."""
        self._acceptor.start()

    def stop(self) -> None:
        """Accept no more, cut every open connection and wait for its thread."""
        self.shutdown()
        self._acceptor.join()
        with self._lock:
            threads = list(self._connections)
            for connection in self._connections.values():
                _cut(connection)
        for thread in threads:
            thread.join(timeout=2)
        self.server_close()

    def server_bind(self) -> None:
        """Bind without asking the resolver for the host's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start the thread of a connection, known to `stop` from before its first step."""
        arguments = (request, client_address)
        thread = threading.Thread(target=self.process_request_thread, args=arguments, daemon=True)
        with self._lock:
            self._connections[thread] = request
        thread.start()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection, and forget it at its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                del self._connections[threading.current_thread()]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet about clients that hang up, and only about them."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _cut(connection: socket) -> None:
    """Wake the thread that reads from a connection."""
    try:
        connection.shutdown(SHUT_RDWR)
    except OSError:
        return  # the client was first
