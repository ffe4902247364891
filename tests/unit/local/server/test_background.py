"""How long the server keeps the responses of searches that no client waits for, and how many."""

import asyncio
from datetime import timedelta

import pytest
from goldpan.contracts import parse_request
from goldpan.infra.cache import TTL
from goldpan_local.server import background
from goldpan_local.server import searches as searches_module
from goldpan_local.server.background import BackgroundSearches
from goldpan_local.server.searches import Searches

from tests.support.factories import ListedSource, repository
from tests.support.local import QUESTION, github_runtime


def test_responses_are_dropped_by_their_age_and_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """An id is unknown when its time is over, and so is the oldest of too many; the memory of a server is bounded."""
    monkeypatch.setattr(background, "MAX_KEPT", 2)
    for module in (background, searches_module):  # of a client that waits
        monkeypatch.setattr(module, "MAX_SECONDS", 0.001)

    async def search() -> None:
        kept = BackgroundSearches(Searches(github_runtime(ListedSource([repository()])), 1))

        async def finish() -> str:
            search_id = kept.start(parse_request(QUESTION)).id
            await asyncio.gather(*(response for _, response in kept._by_id.values()))
            assert kept.get(search_id).status_code == 200
            previews = {each.stage: each.preview for each in kept._by_id[search_id][0]}
            assert [stage for stage, preview in previews.items() if preview] == ["shortlist"]
            return search_id

        ids = [await finish() for _ in range(3)]
        assert [kept.get(each).status_code for each in ids] == [404, 200, 200]
        monkeypatch.setitem(TTL, "answer", timedelta(seconds=0.05))
        last = await finish()
        await asyncio.sleep(0.1)
        assert [kept.get(each).status_code for each in (*ids, last)] == [404, 404, 200, 404]

    asyncio.run(search())
