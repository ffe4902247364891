"""An HTTPS proxy on a loopback port that is also every server behind it, with a certificate of its own."""

import socket
import ssl
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class TlsProxy:
    """A context manager that accepts CONNECT, records its targets, and answers alike, or not if it is silent."""

    def __init__(self, folder: Path, hosts: Sequence[str], body: bytes) -> None:
        self.targets: list[str] = []
        self.is_silent = False
        self.certificate = folder / "certificate.pem"
        key = folder / "key.pem"
        write_certificate(self.certificate, key, hosts)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, key)
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


def write_certificate(file: Path, key_file: Path, hosts: Sequence[str]) -> None:
    """Write a certificate for these hosts that its owner signed, and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    file.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
