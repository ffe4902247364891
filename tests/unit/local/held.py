"""A source that a test holds, and what waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Cancelled
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from starlette.testclient import TestClient

from tests.unit.local.made import catalogue
from tests.unit.local.serving import QUESTION

PATIENCE = 20


@dataclass
class HeldSource:
    """A source that answers when it is let go, and tells when a search waits for it and when it is given up.

    A deaf one hangs on where it is given up, as a connection does.
    """

    deaf: bool = False
    searches_a_question: int = 15
    notice: str | None = None
    go: threading.Event = field(default_factory=threading.Event)
    asked: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    given_up: threading.Event = field(default_factory=threading.Event)

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Wait for the word, or for the end of the search."""
        self.asked.release()
        try:
            while not self.go.is_set():
                self.go.wait(0.01) if self.deaf else deadline.clock.wait(0.01)
        except Cancelled:
            self.given_up.set()
            raise
        return catalogue().search(searches, deadline)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories back."""
        del deadline
        return Enriched(tuple(repositories))


def in_background(client: TestClient, statuses: list[int]) -> threading.Thread:
    """Ask in a thread of its own, which notes the status."""
    asking = threading.Thread(target=lambda: statuses.append(client.post("/search", json=QUESTION).status_code))
    asking.start()
    return asking


def ended() -> None:
    """Wait for the threads of all searches."""
    for thread in threading.enumerate():
        if thread.name == "goldpan-search":
            thread.join(PATIENCE)


async def until(condition: threading.Event | threading.Semaphore) -> None:
    """Wait in the event loop for something that a thread does."""
    wait = condition.wait if isinstance(condition, threading.Event) else condition.acquire
    assert await asyncio.to_thread(wait, timeout=PATIENCE)
