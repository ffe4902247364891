"""Clients of one machine that are made at their first use, because their import is slow and few searches need them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from goldpan.engine.loading import Loaded

if TYPE_CHECKING:
    from goldpan.infra.http_client import HttpClient


class Closable(Protocol):
    """A client that holds connections or files."""

    def close(self) -> None:
        """Close them."""


Client = TypeVar("Client", bound=Closable)


class LazyClient(Generic[Client]):
    """Makes a client at its first use, once for all threads; has the attributes of the client."""

    def __init__(self, make: Callable[[], Client]) -> None:
        self._make, self._making = make, Lock()
        self._made: Client | None = None

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


def lazy_http() -> LazyClient[HttpClient]:
    """Return the shared HTTP client of a process, yet to be made."""
    loaded: Loaded[type[HttpClient]] = Loaded("goldpan.infra.http_client:HttpClient")
    return LazyClient(lambda: loaded()())  # noqa: PLW0108 - `loaded` imports httpx2, 0.1 s
