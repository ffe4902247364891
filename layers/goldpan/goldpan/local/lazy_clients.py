"""Clients of one machine that are made at their first use, because their import is slow and few searches need them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from goldpan.infra.http_client import HttpClient
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries

Client = TypeVar("Client", "HttpClient", "OpenLibraries")


class LazyClient(Generic[Client]):
    """Makes a client at its first use, once for all threads; has the attributes of the client."""

    def __init__(self, make: Callable[[], Client]) -> None:
        self._make: Callable[[], Client] = make
        self._made: Client | None = None
        self._making = Lock()

    def __call__(self) -> Client:
        """Return the client."""
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def __getattr__(self, name: str) -> Any:
        return getattr(self(), name)

    def close(self) -> None:
        """Close the client if it was made."""
        if self._made is not None:
            self._made.close()
