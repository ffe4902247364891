"""What a search on one machine needs, made once and used for any number of searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from goldpan.contracts import Source
from goldpan.engine.deadlines import WallClock
from goldpan.kinds.repositories.ports import Dependencies


@dataclass(frozen=True)
class Runtime:
    """All that a search on one machine needs; `sources` are asked first, `fallback` where they all fail.

    It may be shared between threads and serve any number of searches; as a context it closes itself at its end.
    `identity` names all that an answer depends on beside its request: models, addresses, credentials, catalogues.
    `closing` closes what was made with it; what its maker was given is the giver's to close.
    """

    dependencies: Dependencies
    sources: tuple[Source, ...]
    fallback: tuple[Source, ...]
    clock: WallClock
    identity: str = ""
    closing: tuple[Callable[[], None], ...] = ()

    def close(self) -> None:
        """Close its connections and files; a search that still runs ends as if its sources had failed."""
        for close in self.closing:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
