"""An HTTPS proxy on a loopback port that is also every server behind it, with a certificate of its own."""

import socket
import ssl
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import trustme


class TlsProxy:
    """A context manager that accepts CONNECT, records its targets, and answers alike, or not if it is silent."""

    def __init__(self, folder: Path, hosts: Sequence[str], body: bytes) -> None:
        self.targets: list[str] = []
        self.is_silent = False
        self.certificate = folder / "certificate.pem"
        write_certificate(self.certificate, folder / "server.pem", hosts)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(folder / "server.pem")
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        self._answer = head.encode() + body

    @property
    def url(self) -> str:
        """The address of the proxy."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop listening; connections end with their clients."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # the listener was closed
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            self.targets.append(_read_head(connection).split()[1])
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            try:
                with self._context.wrap_socket(connection, server_side=True) as secured:
                    while _read_head(secured):
                        secured.sendall(b"" if self.is_silent else self._answer)
            except OSError:  # the client does not trust the certificate, or has gone
                return


def _read_head(connection: socket.socket) -> str:
    """Read a request to the end of its headers, and as much of its body as came with them; empty at the end."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return ""
        received += piece
    return received.decode()


def write_certificate(authority_file: Path, server_file: Path, hosts: Sequence[str]) -> None:
    """Write the certificate of an authority, which clients trust, and the key and certificate of a server of hosts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(authority_file)
    authority.issue_cert(*hosts).private_key_and_cert_chain_pem.write_to_path(server_file)
