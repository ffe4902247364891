"""Clients that are made at their first use."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from goldpan.infra import http_client
from goldpan.infra.http_client import HttpClient
from goldpan.local.lazy_clients import lazy_http


def test_threads_that_ask_at_once_share_one_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second client would never be closed: the sources of papers make the first one all at once."""
    both, made = threading.Barrier(2), list[HttpClient]()

    def make() -> HttpClient:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.2)  # for another thread that makes one too
        made.append(HttpClient())
        return made[-1]

    monkeypatch.setattr(http_client, "HttpClient", make)
    shared = lazy_http()
    threads = [threading.Thread(target=shared) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shared.close()
    assert made == [shared()]
