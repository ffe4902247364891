"""A transport that reads a whole response, and unpacks no more of it than a completion may have."""

from __future__ import annotations

import zlib
from typing import cast

import httpx2

MAX_BODY = 4 * 1024 * 1024
"""Bytes of a completion, packed or not; none has nearly as many."""
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_LATER_WRONG = (b"content-encoding", b"content-length", b"transfer-encoding")
"""Headers that do not describe the unpacked body."""


class BoundedTransport(httpx2.BaseTransport):
    """Limits the bodies of another transport before anything unpacks or parses them.

    A megabyte can unpack to a thousand, and httpx2 unpacks each chunk as a whole. So no compression is asked for, and
    what comes compressed all the same is unpacked up to the limit.
    """

    def __init__(self, inner: httpx2.BaseTransport) -> None:
        self._inner = inner

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and read the body. Raises `httpx2.ReadError` for one that is too large or cannot be unpacked."""
        request.headers["accept-encoding"] = "identity"
        response = self._inner.handle_request(request)
        try:
            packed = _read(response, request)
        finally:
            response.close()
        body = _unpacked(packed, response.headers.get("content-encoding", "identity"), request)
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in _LATER_WRONG]
        return httpx2.Response(response.status_code, headers=headers, content=body, extensions=response.extensions)

    def close(self) -> None:
        """Close the other transport."""
        self._inner.close()


def _read(response: httpx2.Response, request: httpx2.Request) -> bytes:
    chunks, size = list[bytes](), 0
    for chunk in cast("httpx2.SyncByteStream", response.stream):
        size += len(chunk)
        if size > MAX_BODY:
            raise _too_large(request)
        chunks.append(chunk)
    return b"".join(chunks)


def _unpacked(packed: bytes, encoding: str, request: httpx2.Request) -> bytes:
    if encoding.strip().lower() in {"", "identity"}:
        return packed
    if encoding.strip().lower() not in {"gzip", "x-gzip", "deflate"}:
        raise httpx2.ReadError("the response is compressed in an unknown way", request=request)
    unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
    try:
        body = unpacker.decompress(packed, MAX_BODY)
    except zlib.error as error:
        raise httpx2.ReadError("the response cannot be unpacked", request=request) from error
    if unpacker.unconsumed_tail:
        raise _too_large(request)
    if not unpacker.eof:
        raise httpx2.ReadError("the response is cut off and cannot be unpacked", request=request)
    return body


def _too_large(request: httpx2.Request) -> httpx2.ReadError:
    return httpx2.ReadError(f"the response is larger than {MAX_BODY // 1024 // 1024} MiB", request=request)
