"""Clients of one machine that are made at their first use, because their import is slow and few searches need them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goldpan.infra.http_client import HttpClient
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries


class LazyLibraries:
    """Opens the libraries at their first use, once for all threads: a search of repositories has none."""

    def __init__(self, make: Callable[[], OpenLibraries]) -> None:
        self._make, self._making = make, Lock()
        self._opened: OpenLibraries | None = None

    def __getattr__(self, name: str) -> Any:
        with self._making:
            if self._opened is None:
                self._opened = self._make()
        return getattr(self._opened, name)

    def close(self) -> None:
        """Close what was opened."""
        if self._opened is not None:
            self._opened.close()


class LazyHttp:
    """Makes the shared HTTP client at its first use, once for all threads; its import is slow."""

    def __init__(self) -> None:
        self._client: HttpClient | None = None
        self._making = Lock()

    def __call__(self) -> HttpClient:
        """Return the client."""
        with self._making:
            if self._client is None:
                from goldpan.infra.http_client import HttpClient  # noqa: PLC0415 - loads httpx2, 0.1 s

                self._client = HttpClient()
            return self._client

    def close(self) -> None:
        """Close the client if it was made."""
        if self._client is not None:
            self._client.close()
